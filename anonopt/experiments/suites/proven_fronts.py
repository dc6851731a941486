"""Fronts with a proof, of lattices of any size.

Where all nodes can be evaluated, they are. Beyond that a branch and bound finds the least loss
under the fixed-k rule; and, for class size k against a loss under the reverse rule, the least loss
of every k, one after the other (the epsilon-constraint method: Y. Y. Haimes, L. S. Lasdon,
D. A. Wismer, IEEE Transactions on Systems, Man, and Cybernetics 1, 1971).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import FloatArray
from anonopt.algorithms.exact.branch_and_bound import BranchAndBound
from anonopt.evaluation import LatticeEvaluator
from anonopt.experiments.performance.references import (
    exact_reference,
    reference_of,
)
from anonopt.operators.base import integer_bounds
from anonopt.optima.node_losses import NODE_COSTS, NodeLoss
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.lattice import LatticeProblem
from anonopt.runs.solve import solve

MOST_SECONDS = 60.0
"""Time of one branch and bound, after which there is no proof."""

EVERY_NODE = "evaluating every node"
BOUNDED = "branch and bound"
EVERY_K = "branch and bound for every k"


class ProvenFront(NamedTuple):
    """The exact front of a problem.

    Attributes
    ----------
    front : float array (n, n_obj)
        Minimized, sorted, without repetition.
    worst : float array (n_obj,)
        Minimized objectives of the top node.
    proven_by : str
    """

    front: FloatArray
    worst: FloatArray
    proven_by: str


def proven_front(
    problem: AnonymizationProblem, *, max_seconds: float = MOST_SECONDS
) -> ProvenFront | None:
    """Exact front of a lattice problem, if it can be proven.

    Losses that differ by less than 1e-12 of that of the top node are equal to branch and bound.

    Parameters
    ----------
    problem : AnonymizationProblem
    max_seconds : float
        Most time of one branch and bound.

    Returns
    -------
    ProvenFront or None
        None of problems that are no lattices, of other objectives and constraints, where no node
        is feasible, and where the time does not suffice.

    Examples
    --------
    >>> import anonopt as ao
    >>> found = proven_front(ao.get_problem("freight-10"))
    >>> found.front.tolist(), found.proven_by
    ([[0.9]], 'branch and bound')
    """
    if not isinstance(problem, LatticeProblem) or not problem.objectives_are_measures:
        return None
    front, words = _enumerated(problem), EVERY_NODE
    if front is None and problem.n_obj == 1:
        front, words = _least(problem, max_seconds), BOUNDED
    elif front is None:
        front, words = _least_of_every_k(problem, max_seconds), EVERY_K
    if front is None or len(front) == 0:
        return None
    worst = problem.evaluate(np.array([problem.lattice.top]), return_values_of=["F"])[0]
    return ProvenFront(reference_of(front, words).front, worst, words)


def _enumerated(problem: LatticeProblem) -> FloatArray | None:
    exact = exact_reference(problem)
    return None if exact is None else exact.front


def _least(problem: LatticeProblem, max_seconds: float) -> FloatArray | None:
    search = BranchAndBound(max_seconds=max_seconds)
    if problem.constraints or search.refusal(problem):
        return None
    return _solved(problem, search)


def _solved(problem: LatticeProblem, search: BranchAndBound) -> FloatArray | None:
    """Feasible objectives of what the search evaluated; None without a proof."""
    result = solve(problem, search, seed=0)
    return result.F.reshape(-1, 1) if result.algorithm.is_proven else None


class _LeastLoss(BranchAndBound):
    """The least loss of nodes that have a k, as another evaluator measures it.

    Parameters
    ----------
    evaluator : LatticeEvaluator
        Its rule may suppress more rows than a fixed k does, so that the bounds of the loss, which
        are those without suppression, hold for it as well.
    """

    def __init__(self, evaluator: LatticeEvaluator, **options: Any) -> None:
        super().__init__(**options)
        self._measured_by = evaluator

    def _node_loss(self, problem: Problem) -> NodeLoss:
        return replace(super()._node_loss(problem), evaluator=self._measured_by)


def _least_of_every_k(problem: LatticeProblem, max_seconds: float) -> FloatArray | None:
    """Front of class size against a loss: the least loss of each k that a best node has.

    Under the reverse rule a node has at least class size k exactly if it is feasible under the
    fixed k with the same budget.
    """
    rule, (first, *others) = problem.evaluator.rule, problem.objective_names
    if first != "k" or len(others) != 1 or others[0] not in NODE_COSTS:
        return None
    built_in = [problem.evaluator.measure(name) for name in problem.objective_names]
    if rule.k is not None or problem.constraints or list(problem.objectives) != built_in:
        return None
    k, best = 1, []
    while k <= problem.table.n_rows:
        under_k = LatticeProblem(
            problem.table,
            others,
            k=k,
            suppression=rule.budget,
            bounds=integer_bounds(problem)[0].tolist(),
            weights=problem.evaluator.weights,
        )
        result = solve(under_k, _LeastLoss(problem.evaluator, max_seconds=max_seconds), seed=0)
        if not result.algorithm.is_proven:
            return None
        nodes = np.asarray(result.algorithm.run_evaluator.record.X)
        values = problem.evaluate(nodes, return_values_of=["F"])
        reached = np.flatnonzero(-values[:, 0] >= k)
        # The top node has all rows in one class, so there is one for every k.
        least = reached[np.lexsort(values[reached].T)[:1]]
        problem.confirm(nodes[least], values[least])
        best.append(values[least])
        k = int(-values[least[0], 0]) + 1
    return np.concatenate(best)
