"""Exact fronts of lattices that are too large to be enumerated."""

from __future__ import annotations

from functools import partial

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.operators.base import integer_bounds
from anonopt.optima.front_goals import FrontGoals, front_refusal
from anonopt.optima.front_search import FrontSearch
from anonopt.problems.rule_problem import RuleProblem

MOST_TESTS = 10_000_000
"""About as many tests of nodes, and a front counts as unknown: a minute or two."""


def bounded_front(
    problem: RuleProblem, evaluator: LatticeEvaluator
) -> tuple[IntArray, FloatArray] | None:
    """Nodes and minimized objectives of the front, proven by bounds; of equal ones one node.

    Parameters
    ----------
    problem : RuleProblem
        A lattice problem whose objectives are measures of the evaluator.
    evaluator : LatticeEvaluator

    Returns
    -------
    nodes, F : arrays (n_points, n_var), (n_points, n_obj)
        From the least objectives on. None if the objectives are not those that
        `FrontGoals` is about, or `MOST_TESTS` do not suffice.
    """
    if front_refusal(evaluator, problem.objectives) is not None:
        return None
    goals = FrontGoals.of(evaluator, problem.objectives, integer_bounds(problem)[0])
    search = FrontSearch(goals, partial(measured, problem))
    while not search.is_finished:
        if search.n_tests >= MOST_TESTS:
            return None
        search.advance()
    nodes = np.concatenate([goals.top[np.newaxis], search.new_nodes()])
    F, G = problem.evaluate(nodes, return_values_of=["F", "G"])
    best = front_rows(nodes, F, np.all(G <= 0, axis=1))
    problem.confirm(nodes[best], F[best])
    return nodes[best], F[best]


def measured(problem: RuleProblem, node: IntArray) -> tuple[FloatArray, bool]:
    """Minimized objectives of a node, (n_obj,), and whether it is feasible."""
    F, G = problem.evaluate(node[np.newaxis], return_values_of=["F", "G"])
    return F[0], bool((G <= 0).all())
