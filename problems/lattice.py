"""Full-domain generalization as search in a lattice (Dewri 2010, Sections 3-4).

A genome is a node: one generalization level a quasi-identifier. Objectives and constraints
are measures by name, or a user's own.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.data import Lattice, Microdata
from anonopt.evaluation import LatticeEvaluator
from anonopt.evaluation.lattice.column_bounds import LevelBounds, lowest_levels
from anonopt.measures import Measure
from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.operators.base import integer_bounds
from anonopt.problems.bounded_fronts import bounded_front
from anonopt.problems.measured import Columns, is_built_in
from anonopt.problems.rule_problem import SUPPRESSION, RuleProblem
from anonopt.problems.spaces.levels import Levels

ENUMERATION_LIMIT = 2_000_000
"""Nodes up to which the exact front is computed."""

BATCH = 4096
"""Nodes of a lattice that are evaluated at a time where a subclass says how."""

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
        )
        self._own_fronts: dict[str, tuple[IntArray, FloatArray] | None] = {}
        self._is_exact = False
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
        return self.space.size is not None and self.space.size <= ENUMERATION_LIMIT

    def pareto_front(self, *args: Any, **kwargs: Any) -> FloatArray | None:
        """Exact front: objectives as pymoo sees them (minimized), (n_points, n_obj).

        Computed once for all problems with the same fingerprint (once a problem where a measure
        is a user's own): from the whole lattice, or, of more than 2,000,000 nodes, by bounds as
        :class:`~anonopt.algorithms.EpsilonConstraint` finds it. None, as pymoo has it for unknown
        fronts, where there are too many nodes and no bounds, or these take too long.
        Nodes with equal objectives are all listed, by bounds one of them; the order is that of
        `pareto_set`.
        """
        exact = self._exact()
        return None if exact is None else exact[1]

    def pareto_set(self, *args: Any, **kwargs: Any) -> IntArray | None:
        """Nodes of the exact front, (n_points, n_var), from the least objectives on."""
        exact = self._exact()
        return None if exact is None else exact[0]

    def pareto_set_and_front(
        self, *, on_progress: Callable[[int], None] | None = None
    ) -> tuple[IntArray, FloatArray]:
        """`pareto_set` and `pareto_front`, ready for `frame`.

        Parameters
        ----------
        on_progress : callable, optional
            Called from time to time with the number of nodes of the lattice that are done.

        Raises
        ------
        ValueError
            If the lattice is too large to be enumerated (names its size), and bounds do not
            prove the front.
        """
        exact = self._exact(on_progress)
        if exact is None:
            raise ValueError(
                f"the lattice has {self.space.size} nodes; exact fronts are computed for at "
                f"most {ENUMERATION_LIMIT}, or by bounds of k and a loss, which prove none here"
            )
        return exact

    def _exact(
        self, on_progress: Callable[[int], None] | None = None
    ) -> tuple[IntArray, FloatArray] | None:
        if not self.is_enumerable and not self.objectives_are_measures:
            return None
        # The address in a user's function's name can be given to another one later on, and a
        # user's class can have parameters that its fingerprint does not know, so such fronts
        # are shared with nobody.
        bounded = (bound.measure for bound in self.evaluator.rule.bounds)
        is_shared = self.objectives_are_measures and all(
            map(is_built_in, (*self.measures, *bounded))
        )
        fronts = _FRONTS if is_shared else self._own_fronts
        key = self.fingerprint
        if key not in fronts:
            if self.is_enumerable:
                fronts[key] = self._enumerate(on_progress)
            else:
                fronts[key] = bounded_front(self, self.evaluator)
        return fronts[key]

    def _enumerate(self, on_progress: Callable[[int], None] | None) -> tuple[IntArray, FloatArray]:
        lower, upper = integer_bounds(self)
        nodes = lower + Lattice((upper - lower).tolist()).nodes()
        is_whole = len(nodes) == self.lattice.size
        every = self._measured if is_whole and self.objectives_are_measures else self._evaluated
        F, G = every(nodes, on_progress)
        feasible = np.ones(len(F), dtype=bool) if G is None else np.all(G <= 0, axis=1)
        best = front_rows(nodes, F, feasible)
        return nodes[best], F[best]

    def _measured(
        self, nodes: IntArray, on_progress: Callable[[int], None] | None
    ) -> tuple[FloatArray, FloatArray | None]:
        """Objectives and constraints of all nodes, each from one below it."""
        frame = self.evaluator.evaluate_all(self.measures, on_progress=on_progress)
        values, G = self._values_of({one.name: frame[one.name].to_numpy() for one in self.measures})
        return self.minimized(self._checked(values, nodes, kind="objective")), G

    def _evaluated(
        self, nodes: IntArray, on_progress: Callable[[int], None] | None
    ) -> tuple[FloatArray, FloatArray | None]:
        """Objectives and constraints of all nodes, by the methods that a subclass overrides."""
        twin, found = self._exact_twin(), []
        for start in range(0, len(nodes), BATCH):
            part = nodes[start : start + BATCH]
            found.append(twin.evaluate(part, return_values_of=["F", "G"]))
            if on_progress is not None:
                on_progress(start + len(part))
        F, G = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return F, G

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

    def _exact_twin(self) -> LatticeProblem:
        """The same problem, whose evaluations compare no hashes."""
        twin = copy.copy(self)
        twin._is_exact = True
        return twin

    def _columns(self, X: AnyArray, measures: Sequence[Measure]) -> Columns:
        if not self._is_exact:
            return self.evaluator.values(X, measures)
        frame = self.evaluator.evaluate(X, measures)
        return {one.name: frame[one.name].to_numpy() for one in measures}

    def _applied(self, x: AnyArray) -> tuple[pd.DataFrame, BoolArray]:
        rule = self.evaluator.rule
        return self.table.apply(
            x.tolist(),
            k=rule.k,
            suppression=rule.budget,
            class_bounds={bound.measure: bound.worst for bound in rule.bounds},
            return_mask=True,
        )

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
