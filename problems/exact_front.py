"""Exact fronts of lattices: each node is measured, or known not to be there; none is held."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.data import Lattice
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import Measure
from anonopt.measures.fronts.growing_front import GrowingFront
from anonopt.problems.box_bounds import BoxBounds, explore
from anonopt.problems.measured import Columns

ENUMERATION_LIMIT = 2_000_000
"""Nodes up to which the exact front is computed as a matter of course."""

BOUNDED_LIMIT = 20_000_000
"""The same where bounds of the objectives tell which nodes need not be measured."""

PRUNED_FROM = 100_000
"""Nodes from which on it is worth while to ask which of them cannot be on the front."""

LOOKED_AT = 5_000
"""Nodes by which a first front is found that tells so."""

BATCH = 4096
"""Nodes that are evaluated at a time where a subclass says how."""

Values = tuple[FloatArray, FloatArray | None]
"""Minimized objectives (n, n_obj) and constraints (n, n_constr)."""

Box = tuple[IntArray, IntArray]
"""Lowest and highest node, both included."""

Told = Callable[[int], None] | None


def has_bounds(evaluator: LatticeEvaluator, objectives: Sequence[Measure]) -> bool:
    """Whether bounds of the objectives can tell which nodes need not be measured."""
    bounds = BoxBounds(evaluator, objectives)
    return evaluator.backend == "rollup" and all(map(bounds.has, objectives))


def usual_limit(
    n_nodes: int | None, evaluator: LatticeEvaluator, objectives: Sequence[Measure] | None
) -> int:
    """Nodes up to which an exact front is computed as a matter of course.

    Parameters
    ----------
    n_nodes : int or None
        Those of the problem, None if they are not finite.
    evaluator : LatticeEvaluator
    objectives : sequence of Measure, or None
        None where they are no measures.
    """
    # What is not asked for need not be found: it takes the distinct tuples of the table.
    is_between = n_nodes is not None and ENUMERATION_LIMIT < n_nodes <= BOUNDED_LIMIT
    is_bounded = is_between and objectives is not None and has_bounds(evaluator, objectives)
    return BOUNDED_LIMIT if is_bounded else ENUMERATION_LIMIT


def measured_front(
    evaluator: LatticeEvaluator,
    objectives: Sequence[Measure],
    measures: Sequence[Measure],
    minimized: Callable[[IntArray, Columns], Values],
    box: Box,
    *,
    on_progress: Told,
) -> tuple[IntArray, FloatArray]:
    """Front of nodes whose objectives are measures.

    Parameters
    ----------
    evaluator : LatticeEvaluator
    objectives, measures : sequences of Measure
        The objectives, and all that objectives and constraints need.
    minimized : callable
        Objectives and constraints of nodes, from their measures.
    box : tuple of two int64 arrays (n_var,)
    on_progress : callable or None
        Gets the number of nodes that are done.

    Returns
    -------
    X : int64 array (n_front, n_var)
    F : float64 array (n_front, n_obj)
        Sorted by objectives, then by node.
    """
    front = GrowingFront(len(box[0]), len(objectives))

    def add(to: GrowingFront, nodes: IntArray, columns: Columns) -> None:
        F, G = minimized(nodes, columns)
        to.add(nodes, F, _feasible(G, len(F)))

    hopeless = None
    is_large = Lattice((box[1] - box[0]).tolist()).size >= PRUNED_FROM
    if is_large and has_bounds(evaluator, objectives):
        bounds = BoxBounds(evaluator, measures)
        # The nodes of the guide are measured again, together with those around them.
        guide = GrowingFront(len(box[0]), len(objectives))

        def look_at(nodes: IntArray) -> AnyArray:
            add(guide, nodes, evaluator.values(nodes, measures))
            return guide.solutions()[0]

        def cannot_be_better(lowest: IntArray, highest: IntArray) -> bool:
            F, G = minimized(lowest[np.newaxis], bounds.best(lowest, highest))
            return not _feasible(G, 1)[0] or guide.dominates(F[0])

        explore(look_at, *box, most=LOOKED_AT)
        hopeless = cannot_be_better
    evaluator.visit_all(
        measures, partial(add, front), lower=box[0], hopeless=hopeless, on_progress=on_progress
    )
    return front.solutions()


def evaluated_front(
    evaluate: Callable[[IntArray], Values], box: Box, *, n_obj: int, on_progress: Told
) -> tuple[IntArray, FloatArray]:
    """Front of nodes that only a function can evaluate; as :func:`measured_front`."""
    front, done = GrowingFront(len(box[0]), n_obj), 0
    for nodes in Lattice(box[1].tolist()).blocks(box[0], size=BATCH):
        F, G = evaluate(nodes)
        front.add(nodes, F, _feasible(G, len(F)))
        done += len(nodes)
        if on_progress is not None:
            on_progress(done)
    return front.solutions()


def _feasible(G: FloatArray | None, n_nodes: int) -> BoolArray:
    """Which nodes meet all constraints."""
    return np.ones(n_nodes, dtype=bool) if G is None else np.asarray(np.all(G <= 0, axis=1))


def too_large(problem: Problem, limit: int) -> ValueError:
    """The error of a lattice of more nodes than a limit: how long they may take, in words."""
    lowest = np.asarray(problem.xl)[np.newaxis]
    problem.evaluate(lowest)
    started = time.perf_counter()
    problem.evaluate(lowest)
    longest = duration((time.perf_counter() - started) * problem.space.size)
    return ValueError(
        f"limit: expected a lattice of at most {limit:,} nodes, found {problem.space.size}; "
        f"measured one after the other they take up to {longest}"
    )


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them.

    Examples
    --------
    >>> duration(5400.0), duration(5e10)
    ('1.5 hours', '1,584 years')
    """
    units = {"years": 365.25 * 86400, "days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}
    unit = next((one for one, length in units.items() if seconds >= length), "seconds")
    amount = seconds / units[unit]
    return f"{amount:,.0f} {unit}" if amount >= 10 else f"{amount:.2g} {unit}"
