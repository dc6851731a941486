"""Searches for nodes below which no node is k-anonymous."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import BoolArray, CodeArray, IntArray
from anonopt.algorithms.exact.fixed_k import FixedKSearch
from anonopt.data import Lattice
from anonopt.measures import SuppressionRule
from anonopt.measures.measure import UNSUPPRESSED, rule_name
from anonopt.operators.base import integer_bounds
from anonopt.problems.any_problem import lattice_of


class KMinimalSearch(FixedKSearch):
    """Base class of searches that note something of every node, and so take no large lattices.

    Parameters
    ----------
    limit : int
        Most nodes that are accepted, at least 1.
    **options
        As in `FixedKSearch`.

    Attributes
    ----------
    minimal_nodes : int64 array (n_minimal, n_quasi_identifiers)
        The k-minimal nodes that were found, once the search is finished: those below which no
        node within the bounds of the problem is feasible.
    """

    def __init__(self, *, limit: int, **options: Any) -> None:
        super().__init__(**options)
        self.limit = check_integer("limit", limit, least=1)
        self.minimal_nodes: IntArray = np.empty((0, 0), dtype=np.int64)

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem: too many nodes, or feasibility is not monotone."""
        lattice = lattice_of(problem)
        if not lattice.evaluator.rule.feasibility_is_monotone:
            return monotony_refusal(lattice.evaluator.rule)
        n_nodes = self._n_nodes(searched_lattice(lattice))
        if n_nodes <= self.limit:
            return None
        return f"expected at most {self.limit} nodes (option limit), found {n_nodes}"

    def _n_nodes(self, lattice: Lattice) -> int:
        """Nodes of which something is noted."""
        return lattice.size

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        self.minimal_nodes = np.empty((0, len(self._lattice.heights)), dtype=np.int64)
        self._searched = searched_lattice(problem)


class AllKMinimalSearch(KMinimalSearch):
    """Base class of searches for all k-minimal nodes, of which the best is the optimum.

    That holds for objectives that never improve when a level is raised; others are refused.
    """

    @property
    def is_proven(self) -> bool:
        """Whether all k-minimal nodes were found and evaluated."""
        return self._is_complete

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem: too many nodes, or an objective that can improve."""
        (objective,) = lattice_of(problem).objectives
        if is_monotone(problem):
            return super().particular_refusal(problem)
        return (
            "expected an objective that never improves when a level is raised, such as "
            f"generalization_level or height, found {objective.name!r}, which with suppression can"
        )


def searched_lattice(problem: Problem) -> Lattice:
    """The part of the lattice above the bounds of a problem; its levels count from these.

    Parameters
    ----------
    problem : LatticeProblem
    """
    lower, upper = integer_bounds(problem)
    return Lattice((upper - lower).tolist(), problem.space.names)


def is_monotone(problem: Problem) -> bool:
    """Whether no feasible node has a better objective than a feasible node below it.

    Parameters
    ----------
    problem : LatticeProblem
        Of one objective, under the fixed-k rule.
    """
    lattice = lattice_of(problem)
    (objective,) = lattice.objectives
    worsening = objective.falling if objective.maximize else objective.rising
    rule = lattice.evaluator.rule
    # Without a budget feasible nodes suppress nothing.
    return rule_name(rule) in worsening or (rule.budget == 0 and UNSUPPRESSED in worsening)


def monotony_refusal(rule: SuppressionRule) -> str:
    """Why a search that concludes from a feasible node to those above it does not take a rule."""
    kind = "lasts" if rule.budget else "unites"
    names = ", ".join(bound.measure.name for bound in rule.bounds if not getattr(bound, kind))
    return (
        "expected class bounds under which every node above a feasible one is feasible (such as "
        f"l, or others without suppression), found bounds of {names}: classes that meet them may "
        "be merged with others into one that misses them"
    )


def node_heights(lattice: Lattice) -> CodeArray:
    """Sum of the levels of every node, an array with one axis a quasi-identifier."""
    shape = [height + 1 for height in lattice.heights]
    axes = np.ix_(*(np.arange(size, dtype=np.int32) for size in shape))
    heights: CodeArray = np.zeros(shape, dtype=np.int32)
    for levels in axes:
        heights += levels
    return heights


def minimal_nodes(feasible: BoolArray) -> IntArray:
    """Nodes without a feasible one below them, in lattice order, (n, n_axes).

    Parameters
    ----------
    feasible : bool array, one axis a quasi-identifier
        With a node, all nodes above it are feasible.

    Examples
    --------
    >>> minimal_nodes(np.array([[False, True], [True, True]])).tolist()
    [[0, 1], [1, 0]]
    """
    minimal = feasible.copy()
    for axis in range(feasible.ndim):
        below = np.moveaxis(feasible, axis, 0)[:-1]
        np.moveaxis(minimal, axis, 0)[1:] &= ~below
    return np.argwhere(minimal).astype(np.int64)
