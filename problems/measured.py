"""Problems whose objectives and constraints are measures of what a genome stands for."""

from __future__ import annotations

import copy
import dataclasses
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from anonopt._checks import check_number
from anonopt._typing import AnyArray, FloatArray
from anonopt.measures import MEASURES, Measure
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces.base import Space

TOLERANCE = 1e-9
"""A bound is met within this: entropies and distances are rounded numbers."""


Columns = Mapping[str, AnyArray]
Self = TypeVar("Self", bound="MeasuredProblem")


class MeasuredProblem(AnonymizationProblem):
    """Base of the problems of nodes, files, matrices, equations and graphs.

    Subclasses implement :meth:`_columns`, which measures genomes.

    Parameters
    ----------
    space : Space
    objectives : sequence of str or Measure
        What is optimized, each in its own direction.
    constraints : mapping of str or Measure to float, optional
        Bounds: the least value of a measure of which more is better, the largest of the others.
    measure : function of a name or Measure, returns the Measure
        Looks measures up, and refuses those that do not fit. A method or a function of a module,
        so that the problem can be pickled.
    recorded : sequence of measures
        Stored with every solution under their names after ``"anon_"``.
    further_constraints : sequence of str
        Names of constraints that a subclass adds, see :meth:`_further_violations`.

    Attributes
    ----------
    objectives : tuple of Measure
    constraints : tuple of (Measure, float)

    Raises
    ------
    TypeError
        If the objectives are no list, the constraints no mapping, or a bound is no number.
    ValueError
        If a measure does not fit, or a bound is not finite.
    """

    def __init__(
        self,
        *,
        space: Space,
        objectives: Sequence[str | Measure],
        constraints: Mapping[Any, float] | None,
        measure: Callable[[str | Measure], Measure],
        recorded: Sequence[str | Measure] = (),
        further_constraints: Sequence[str] = (),
    ) -> None:
        if isinstance(objectives, str) or not isinstance(objectives, Iterable):
            raise TypeError(f"objectives: expected a list of measures, found {objectives!r}")
        if not isinstance(constraints, Mapping | None):
            raise TypeError(
                f"constraints: expected a dictionary of bounds by measure, found {constraints!r}"
            )
        self.objectives = tuple(map(measure, objectives))
        self.constraints = tuple(
            (measure(one), check_number(f"constraint {one!r}", bound))
            for one, bound in (constraints or {}).items()
        )
        self._measure = measure
        self._latest: tuple[AnyArray, Columns] | None = None
        super().__init__(
            space=space,
            objective_names=[one.name for one in self.objectives],
            maximize=[one.maximize for one in self.objectives],
            constraint_names=[*(one.name for one, _ in self.constraints), *further_constraints],
        )
        self._record(recorded)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every measure that objectives and constraints need, each once."""
        bounded = [one for one, _ in self.constraints]
        needed = [*self.objectives, *bounded, *self._further_measures()]
        return tuple({one.name: one for one in needed}.values())

    @abstractmethod
    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        """Measure genomes: arrays (n,) by name of the measure, maybe of further ones too."""

    def _further_measures(self) -> Sequence[Measure]:
        """Measures that a subclass needs for constraints of its own."""
        return ()

    def _further_violations(self, columns: Columns) -> Sequence[AnyArray]:
        """Violations of the constraints that a subclass adds, arrays (n,)."""
        return ()

    def _goals(self) -> list[dict[str, object]]:
        bounds = {
            one.name: f"at {'least' if one.maximize else 'most'} {bound:g}"
            for one, bound in self.constraints
        }
        known = {one.name: one for one in self.measures}
        goals = super()._goals()
        for goal in goals:
            name = str(goal["name"])
            if goal["goal"] == "constraint":
                goal["better"] = bounds.get(name, goal["better"])
            measure = known.get(name)
            goal["unit"] = "" if measure is None else measure.unit
            goal["meaning"] = "" if measure is None else measure.summary
        return goals

    def recording(self: Self, measures: Sequence[str | Measure]) -> Self:
        """The same problem, whose evaluations bring along further measures.

        Parameters
        ----------
        measures : list of str or Measure

        Returns
        -------
        problem of the same class
            A twin that shares the data. Solutions evaluated by it hold each measure, in natural
            units, under its name after ``"anon_"`` (``individual.get("anon_k")``).
        """
        twin = copy.copy(self)
        twin._record(measures)
        return twin

    def _record(self, measures: Sequence[str | Measure]) -> None:
        """Store measures with every solution from now on."""
        self._recorded = tuple(map(self._measure, measures))
        named: dict[str, Measure] = {}
        for one in (*self.objectives, *(one for one, _ in self.constraints), *self._recorded):
            if named.setdefault(one.name, one) is not one:
                raise ValueError(
                    f"measure {one.name!r}: expected one of that name, found two; give your own "
                    "another name"
                )

    def _evaluate(self, X: AnyArray, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        try:
            super()._evaluate(X, out, *args, **kwargs)
        finally:
            self._latest = None

    def _values(self, X: AnyArray) -> tuple[AnyArray, AnyArray | None]:
        asked = {one.name: one for one in (*self.measures, *self._recorded)}
        columns = self._columns(X, tuple(asked.values()))
        self._latest = X, columns
        return self._values_of(columns)

    def _extras(self, X: AnyArray) -> Columns:
        if not self._recorded:
            return {}
        # They were measured together with the objectives, unless a subclass does without these.
        latest = self._latest
        is_known = latest is not None and latest[0] is X
        columns = latest[1] if latest and is_known else self._columns(X, self._recorded)
        return {one.name: columns[one.name] for one in self._recorded}

    def _values_of(self, columns: Columns) -> tuple[FloatArray, FloatArray | None]:
        values = np.column_stack([columns[name] for name in self.objective_names])
        G = [
            _violation(columns[one.name], bound, maximize=one.maximize)
            for one, bound in self.constraints
        ]
        G += self._further_violations(columns)
        return values.astype(np.float64), np.column_stack(G) if G else None

    def _content(self) -> str:
        bounds = [(describe(one), bound) for one, bound in self.constraints]
        return repr([self._data(), [describe(one) for one in self.objectives], bounds])

    @abstractmethod
    def _data(self) -> str:
        """Text of the data and of the options by which genomes are measured."""


def columns_of(
    rows: Sequence[Sequence[float] | FloatArray], names: Sequence[str]
) -> dict[str, FloatArray]:
    """Columns by name of rows of numbers, of which there may be none.

    Parameters
    ----------
    rows : sequence of n sequences of float, (n_names,)
    names : sequence of str

    Returns
    -------
    dict of float arrays (n,)
    """
    values = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    return dict(zip(names, values.T, strict=True))


def is_built_in(measure: Measure) -> bool:
    """Whether a measure is the one that the registry has under its name."""
    return MEASURES.get(measure.name) is measure


def describe(measure: Measure) -> str:
    """Text of a measure in the fingerprint; a user's own is told apart by its functions."""
    if is_built_in(measure):
        return measure.name
    # The order of a set differs from process to process, and these decide no value.
    plain: dict[str, Any] = dict.fromkeys(("needs", "rising", "falling"), frozenset())
    return repr(dataclasses.replace(measure, **plain))


def _violation(values: AnyArray, bound: float, *, maximize: bool) -> FloatArray:
    """By how much a bound is missed, in units of the bound; at most 0 where it is met."""
    missing = (bound - values) if maximize else (values - bound)
    missing = np.where(np.abs(missing) <= TOLERANCE, 0.0, missing)
    return np.asarray(missing / (abs(bound) or 1.0))
