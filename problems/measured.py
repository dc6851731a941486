"""Problems whose objectives and constraints are measures of what a genome stands for."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from anonopt._checks import check_number
from anonopt._typing import AnyArray, FloatArray
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces.base import Space

TOLERANCE = 1e-9
"""A bound is met within this: entropies and distances are rounded numbers."""


class Named(Protocol):
    """What problems need to know of a measure."""

    @property
    def name(self) -> str:
        """Name in frames, objectives and constraints."""
        ...

    @property
    def maximize(self) -> bool:
        """Whether more is better."""
        ...


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
        Looks measures up, and refuses those that do not fit.
    recorded : sequence of measures
        Stored with every solution under their names after ``"anon_"``.
    further_constraints : sequence of str
        Names of constraints that a subclass adds, see :meth:`_further_violations`.

    Attributes
    ----------
    objectives : tuple of Measure
    bounds : tuple of (Measure, float)

    Raises
    ------
    TypeError
        If the objectives are a single text, or a bound is no number.
    ValueError
        If a measure does not fit, or a bound is not finite.
    """

    def __init__(
        self,
        *,
        space: Space,
        objectives: Sequence[Any],
        constraints: Mapping[Any, float] | None,
        measure: Callable[[Any], Any],
        recorded: Sequence[Any] = (),
        further_constraints: Sequence[str] = (),
    ) -> None:
        if isinstance(objectives, str):
            raise TypeError(f"objectives: expected a list of measures, found {objectives!r}")
        self.objectives: tuple[Any, ...] = tuple(map(measure, objectives))
        self.bounds = tuple(
            (measure(one), check_number(f"constraint {one!r}", bound))
            for one, bound in (constraints or {}).items()
        )
        self._measure = measure
        self._recorded = tuple(map(measure, recorded))
        self._latest: tuple[AnyArray, Columns] | None = None
        super().__init__(
            space=space,
            objective_names=[one.name for one in self.objectives],
            maximize=[one.maximize for one in self.objectives],
            constraint_names=[*(one.name for one, _ in self.bounds), *further_constraints],
        )

    @property
    def measures(self) -> tuple[Any, ...]:
        """Every measure that objectives and constraints need, each once."""
        needed = [*self.objectives, *(one for one, _ in self.bounds), *self._further_measures()]
        return tuple({one.name: one for one in needed}.values())

    @abstractmethod
    def _columns(self, X: AnyArray, measures: Sequence[Any]) -> Columns:
        """Measure genomes: arrays (n,) by name of the measure, maybe of further ones too."""

    def _further_measures(self) -> Sequence[Any]:
        """Measures that a subclass needs for constraints of its own."""
        return ()

    def _further_violations(self, columns: Columns) -> Sequence[AnyArray]:
        """Violations of the constraints that a subclass adds, arrays (n,)."""
        return ()

    def recording(self: Self, measures: Sequence[Any]) -> Self:
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
        twin._recorded = tuple(map(self._measure, measures))
        return twin

    def _values(self, X: AnyArray) -> tuple[AnyArray, AnyArray | None]:
        return self._values_of(self._population_columns(X))

    def _extras(self, X: AnyArray) -> Columns:
        columns = self._population_columns(X)
        self._latest = None
        return {one.name: columns[one.name] for one in self._recorded}

    def _population_columns(self, X: AnyArray) -> Columns:
        """Columns of a population; objectives and what is recorded are measured once."""
        if self._latest is None or self._latest[0] is not X:
            asked = {one.name: one for one in (*self.measures, *self._recorded)}
            self._latest = X, self._columns(X, tuple(asked.values()))
        return self._latest[1]

    def _values_of(self, columns: Columns) -> tuple[FloatArray, FloatArray | None]:
        values = np.column_stack([columns[name] for name in self.objective_names])
        G = [
            _violation(columns[one.name], bound, maximize=one.maximize)
            for one, bound in self.bounds
        ]
        G += self._further_violations(columns)
        return values.astype(np.float64), np.column_stack(G) if G else None


def _violation(values: AnyArray, bound: float, *, maximize: bool) -> FloatArray:
    """By how much a bound is missed, in units of the bound; at most 0 where it is met."""
    missing = (bound - values) if maximize else (values - bound)
    missing = np.where(np.abs(missing) <= TOLERANCE, 0.0, missing)
    return np.asarray(missing / (abs(bound) or 1.0))
