"""Full-domain generalization as search in a lattice (Dewri 2010, Sections 3-4).

A genome is a node: one generalization level a quasi-identifier. Objectives and constraints
are measures by name, or a user's own.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.data import Lattice, Microdata
from anonopt.evaluation import LatticeEvaluator
from anonopt.evaluation.lattice.column_bounds import LevelBounds, lowest_levels
from anonopt.measures import Measure
from anonopt.operators.base import integer_bounds
from anonopt.problems.bounded_fronts import bounded_front
from anonopt.problems.exact_front import (
    evaluated_front,
    measured_front,
    too_large,
    usual_limit,
)
from anonopt.problems.measured import Columns, is_built_in
from anonopt.problems.rolled_up import RolledUpNodes
from anonopt.problems.rule_problem import SUPPRESSION, RuleProblem
from anonopt.problems.spaces.levels import Levels

MEASURING = (
    "_evaluate",
    "_values",
    "_values_of",
    "_columns",
    "_further_measures",
    "_further_violations",
    "minimized",
)
"""Methods that decide what the objectives and constraints of a node are."""

_FRONTS: dict[str, tuple[IntArray, FloatArray] | None] = {}


class LatticeProblem(RuleProblem):
    """Search a generalization lattice for nodes that are best in several measures.

    Parameters
    ----------
    table : Microdata
    objectives : list of str or Measure
        Measures to optimize, each in its own direction; see ``ao.list_measures()``.
    constraints : mapping of str or Measure to float, optional
        Bounds: the least value of a measure of which more is better, the largest of the
        others, e.g. ``{"k": 5, "t": 0.3}``.
    k : int, optional
        Fixed-k rule: rows in classes smaller than k are suppressed, and nodes where they
        exceed the budget are infeasible (constraint ``"suppression"``). Without it the
        reverse rule holds.
    suppression : int or float
        Budget: a number of rows if it is an integer, else a share of the rows in 0..1.
    class_bounds : mapping of str or Measure to float, optional
        Under a fixed k, the worst value of a measure that a single class may have, e.g.
        ``{"l": 3}``; a class that misses one is suppressed as a whole, as those below k are.
        (A constraint, in contrast, makes a node with such a class infeasible.)
    bounds : sequence of int (n_quasi_identifiers,), ``"sound"`` or ``"no_suppression"``, optional
        Levels that no node may be below, or the rule that they follow from under the fixed k
        (see :func:`~anonopt.evaluation.lattice.column_bounds.column_bounds`); by default 0. The
        problem is then that of the nodes above them: searches stay there, nodes below are none
        of its space, and the exact front is that of the rest. ``lattice`` stays the whole one.
    weights : mapping of str to float, optional
        Weight of each quasi-identifier in the measure ``glm``.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        As in `LatticeEvaluator`.
    workers : int
        Threads of `pareto_front`.
    executor : Executor, dask client or address, optional
        Its workers measure nodes, see `LatticeEvaluator`; the results are the same.

    Attributes
    ----------
    table : Microdata
    lattice : Lattice
    evaluator : LatticeEvaluator

    Raises
    ------
    ValueError
        If a measure is unknown or the table lacks what it needs, a bound is not finite, class
        bounds or a rule of bounds are given without k, a level of the bounds is not in the
        lattice, or an option is out of range.

    Notes
    -----
    A constraint's entry of G is its violation in units of its bound, at most 0 where it is
    met; that of ``"suppression"`` is ``(suppressed - budget) / N``.

    Examples
    --------
    >>> import anonopt as ao
    >>> adult = ao.load_dataset("adult")
    >>> problem = LatticeProblem(adult, objectives=["k", "glm"], suppression=0.01)
    >>> problem.space.size
    17920
    >>> problem.frame(*problem.pareto_set_and_front())[["k", "glm"]].iloc[0].tolist()
    [30162.0, 241296.0]
    """

    evaluator: LatticeEvaluator

    def __init__(
        self,
        table: Microdata,
        objectives: Sequence[str | Measure],
        constraints: Mapping[Any, float] | None = None,
        *,
        k: int | None = None,
        suppression: float = 0.0,
        class_bounds: Mapping[Any, float] | None = None,
        bounds: LevelBounds = None,
        weights: Mapping[str, float] | None = None,
        accelerator: Any = "auto",
        workers: int = 1,
        executor: Any = None,
    ) -> None:
        self.table = table
        self.evaluator = LatticeEvaluator(
            table,
            k=k,
            suppression=suppression,
            class_bounds=class_bounds,
            weights=weights,
            accelerator=accelerator,
            workers=workers,
            executor=executor,
        )
        self._own_fronts: dict[str, tuple[IntArray, FloatArray] | None] = {}
        self._is_exact = False
        self._rolled_up: RolledUpNodes | None = None
        names = [str(column) for column in table.quasi_identifiers]
        heights = np.array(table.lattice.heights)
        lower = lowest_levels(bounds, names, 0 * heights, heights, self.evaluator)
        super().__init__(
            space=Levels(names, lower=lower, upper=heights),
            objectives=objectives,
            constraints=constraints,
            measure=self.evaluator.measure,
            further_constraints=() if k is None else (SUPPRESSION,),
        )

    @property
    def lattice(self) -> Lattice:
        """The lattice of the table, of which the nodes above the bounds are searched."""
        return self.table.lattice

    def confirm(self, X: AnyArray, F: FloatArray) -> None:
        """Check reported nodes exactly where the search compared hashes (wide tables).

        Raises
        ------
        RuntimeError
            If hashes of a node collided, which no run is ever expected to see.
        """
        if self.evaluator.backend != "wide" or len(X) == 0:
            return
        exact = self._exact_twin().evaluate(X, return_values_of=["F"])
        if not np.array_equal(exact, F):
            row = int(np.argmax((exact != F).any(axis=1)))
            raise RuntimeError(
                f"the hashes of node {self.space.text(X[row])} collided: found objectives "
                f"{self.natural(F[row]).tolist()}, exactly {self.natural(exact[row]).tolist()}"
            )

    @property
    def is_enumerable(self) -> bool:
        """Whether there are few enough nodes for the exact front."""
        return self.space.size is not None and self.space.size <= self._limit

    @property
    def _limit(self) -> int:
        """Nodes up to which the exact front is computed as a matter of course."""
        measured = self.objectives if self.objectives_are_measures else None
        return usual_limit(self.space.size, self.evaluator, measured)

    def pareto_front(self, *args: Any, **kwargs: Any) -> FloatArray | None:
        """Exact front: objectives as pymoo sees them (minimized), (n_points, n_obj).

        Computed once for all problems with the same fingerprint (once a problem where a measure
        is a user's own), and no node is held that is not on it. Of large lattices many nodes are
        not measured, as measures that are monotone under the rule of suppression say that they
        cannot be on the front. Of more than 2,000,000 nodes (20,000,000 where all objectives have
        such bounds) it is found as :class:`~anonopt.algorithms.EpsilonConstraint` does. None, as
        pymoo has it for unknown fronts, where that does not fit, or takes too long.
        Nodes with equal objectives are all listed, by `EpsilonConstraint` one of them; the order
        is that of `pareto_set`.
        """
        exact = self._exact()
        return None if exact is None else exact[1]

    def pareto_set(self, *args: Any, **kwargs: Any) -> IntArray | None:
        """Nodes of the exact front, (n_points, n_var), from the least objectives on."""
        exact = self._exact()
        return None if exact is None else exact[0]

    def pareto_set_and_front(
        self, *, limit: int | None = None, on_progress: Callable[[int], None] | None = None
    ) -> tuple[IntArray, FloatArray]:
        """`pareto_set` and `pareto_front`, ready for `frame`.

        Parameters
        ----------
        limit : int, optional
            Most nodes that the problem may have, at least 1; by default as for `pareto_front`.
        on_progress : callable, optional
            Called from time to time with the number of nodes of the lattice that are done.

        Raises
        ------
        ValueError
            If the problem has more nodes (names their number, and how long they may take), and
            bounds do not prove the front.
        """
        most = None if limit is None else check_integer("limit", limit, least=1)
        exact = self._exact(on_progress, limit=most)
        if exact is None:
            raise too_large(self, limit or self._limit)
        return exact

    def _exact(
        self, on_progress: Callable[[int], None] | None = None, *, limit: int | None = None
    ) -> tuple[IntArray, FloatArray] | None:
        most = self._limit if limit is None else limit
        is_small = self.space.size is not None and self.space.size <= most
        if not is_small and (limit is not None or not self.objectives_are_measures):
            return None
        # The address in a user's function's name can be given to another one later on, and a
        # user's class can have parameters that its fingerprint does not know, so such fronts
        # are shared with nobody.
        bounded = (bound.measure for bound in self.evaluator.rule.bounds)
        is_shared = self.objectives_are_measures and all(
            map(is_built_in, (*self.measures, *bounded))
        )
        fronts = _FRONTS if is_shared else self._own_fronts
        key = self.fingerprint if is_small else f"{self.fingerprint} by bounds"
        if key not in fronts:
            if is_small:
                fronts[key] = self._enumerate(on_progress)
            else:
                fronts[key] = bounded_front(self, self.evaluator)
        return fronts[key]

    def _enumerate(self, on_progress: Callable[[int], None] | None) -> tuple[IntArray, FloatArray]:
        box = integer_bounds(self)
        if not self.objectives_are_measures:
            # A subclass says how nodes are measured.
            twin = self._exact_twin()
            return evaluated_front(
                lambda nodes: twin.evaluate(nodes, return_values_of=["F", "G"]),
                box,
                n_obj=self.n_obj,
                on_progress=on_progress,
            )
        return measured_front(
            self.evaluator,
            self.objectives,
            self.measures,
            self._minimized,
            box,
            on_progress=on_progress,
        )

    def _minimized(self, nodes: IntArray, columns: Columns) -> tuple[FloatArray, FloatArray | None]:
        """Minimized objectives, and constraints, of nodes that were measured."""
        values, G = self._values_of(columns)
        return self.minimized(self._checked(values, nodes, kind="objective")), G

    @property
    def objectives_are_measures(self) -> bool:
        """Whether objectives and constraints are what the evaluator measures, and nothing else.

        They need not be in a subclass that overrides how nodes are measured; what is known of
        measures, such as that they are monotone, is then not known of its objectives.
        """
        return all(getattr(type(self), name) is getattr(LatticeProblem, name) for name in MEASURING)

    @property
    def as_lattice(self) -> LatticeProblem | None:
        """The problem itself if `objectives_are_measures`, else None."""
        return self if self.objectives_are_measures else None

    def rolled_up(self, *, most: int) -> LatticeProblem:
        """The same problem, for searches that ask for the nodes in lattice order.

        Its nodes are measured a box at a time, each from one below it. It finds the same values,
        bit for bit; where it would not, it is the problem itself.

        Parameters
        ----------
        most : int
            Nodes that will be asked for at most.
        """
        measures = (*self.measures, *self._recorded)
        # Measures of the class table may differ in the last digit.
        are_formulas = all(one.from_statistics is not None for one in measures)
        is_rolled_up = are_formulas and self.evaluator.backend == "rollup"
        if not self.objectives_are_measures or not is_rolled_up:
            return self
        twin = copy.copy(self)
        twin._rolled_up = RolledUpNodes(self.evaluator, *integer_bounds(self), most=most)
        return twin

    def _exact_twin(self) -> LatticeProblem:
        """The same problem, whose evaluations compare no hashes."""
        twin = copy.copy(self)
        twin._is_exact = True
        return twin

    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        if self._rolled_up is not None:
            return self._rolled_up.values(X, measures)
        if not self._is_exact:
            return self.evaluator.values(X, measures)
        frame = self.evaluator.evaluate(X, measures)
        return {one.name: frame[one.name].to_numpy() for one in measures}

    def _applied(self, x: AnyArray) -> tuple[pd.DataFrame, BoolArray]:
        return self.table.apply(x.tolist(), return_mask=True, **self._rule_options)

    def _written(self, x: AnyArray, to: str | PathLike[str], flag: str | None) -> pd.Series[Any]:
        return self.table.apply(x.tolist(), to=to, flag=flag, **self._rule_options)

    def __repr__(self) -> str:
        rule = self.evaluator.rule
        objectives = [one.name for one in self.objectives]
        constraints = {one.name: bound for one, bound in self.constraints}
        lower = integer_bounds(self)[0]
        bounds = f", bounds={lower.tolist()}" if lower.any() else ""
        return (
            f"{type(self).__name__}({self.table!r}, {objectives}, {constraints}, k={rule.k}, "
            f"suppression={rule.budget}, class_bounds={list(rule.bounds)}{bounds})"
        )
