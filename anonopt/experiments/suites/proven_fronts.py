"""Fronts with a proof, of lattices of any size.

Where all nodes can be evaluated, they are. Beyond that a branch and bound finds the least loss
under the fixed-k rule, and the epsilon-constraint search that of every k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonopt._typing import FloatArray
from anonopt.algorithms.base import Search
from anonopt.algorithms.exact.branch_and_bound import BranchAndBound
from anonopt.algorithms.exact.epsilon_constraint import EpsilonConstraint
from anonopt.experiments.performance.references import (
    exact_reference,
    reference_of,
)
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.lattice import LatticeProblem
from anonopt.runs.solve import solve

MOST_SECONDS = 60.0
"""Time of a search, after which there is no proof."""

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
        Most time of a search with bounds.

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


def _solved(problem: LatticeProblem, search: Search) -> FloatArray | None:
    """Feasible objectives of what the search evaluated; None without a proof."""
    result = solve(problem, search, seed=0)
    return result.F.reshape(-1, problem.n_obj) if result.algorithm.is_proven else None


def _least_of_every_k(problem: LatticeProblem, max_seconds: float) -> FloatArray | None:
    search = EpsilonConstraint(max_seconds=max_seconds)
    return None if search.refusal(problem) else _solved(problem, search)
