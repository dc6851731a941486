"""What the searches for k-anonymity share: one objective, the fixed-k rule, feasibility tests."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.termination import NoTermination, Termination
from pymoo.util.display.single import SingleObjectiveOutput

from anonopt._typing import BoolArray, IntArray
from anonopt.data import Lattice
from anonopt.measures.measure import FIXED, UNSUPPRESSED, Measure
from anonopt.problems.lattice import LatticeProblem

CHECKS_A_STEP = 1000
"""Feasibility tests after which a search lets callbacks and terminations have their turn."""


class FixedKSearch(Algorithm):
    """Base class of searches among the nodes that are k-anonymous within a suppression budget.

    The top node is handed out first: if it is infeasible (k above the number of rows), every
    node is, and the search ends. Then the search tests nodes for feasibility, which the
    problem does not see, and hands out those whose objective matters. The optimum (pymoo's
    ``opt``) is the best of these; a step that finds none hands out the best one again.

    Subclasses implement :meth:`_begin` and :meth:`_search`.

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early.

    Attributes
    ----------
    nodes_checked : int
        Nodes that were tested for feasibility.

    Raises
    ------
    ValueError
        When the search is set up, if the problem is no `LatticeProblem`, or has several
        objectives, no fixed k, or a constraint besides it (names them).
    """

    def __init__(self, *, termination: Termination | tuple[Any, ...] | None = None) -> None:
        super().__init__(
            termination=NoTermination() if termination is None else termination,
            output=SingleObjectiveOutput(),
        )
        self.nodes_checked = 0
        self._finished = False

    @abstractmethod
    def _begin(self) -> None:
        """Prepare the search; the problem is known to be feasible at its top node only later."""

    @abstractmethod
    def _search(self) -> IntArray:
        """Search on for a step; returns feasible nodes to evaluate, (n, n_var), maybe none.

        Sets `_finished` once there is nothing left to do.
        """

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        check_fixed_k(problem, type(self).__name__)
        self._begin()

    @property
    def _objective(self) -> Measure:
        measure: Measure = self.problem.objectives[0]
        return measure

    @property
    def _lattice(self) -> Lattice:
        lattice: Lattice = self.problem.lattice
        return lattice

    def _are_feasible(self, nodes: IntArray) -> BoolArray:
        """Test nodes, (n, n_var), and count them."""
        evaluator = self.problem.evaluator
        self.nodes_checked += len(nodes)
        return np.asarray(
            evaluator.small_class_rows(nodes, evaluator.rule.k) <= evaluator.rule.budget
        )

    def _initialize_infill(self) -> Population:
        return Population.new("X", np.array([self._lattice.top], dtype=np.int64))

    def _infill(self) -> Population:
        nodes = self._search()
        return Population.new("X", nodes if len(nodes) else self.opt.get("X"))

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.pop = infills
        if not infills[0].feas:
            self.termination.terminate()
        elif self._lattice.size == 1:
            # Every node is evaluated, so nobody will ask for another step.
            self._search()

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.pop = Population.merge(self.opt, infills)
        if self._finished:
            self.termination.terminate()


def check_fixed_k(problem: Problem, name: str) -> None:
    """Raise if a problem is not a search for k-anonymity with one objective.

    Parameters
    ----------
    problem : pymoo Problem
    name : str
        The algorithm, for the message.

    Raises
    ------
    ValueError
        If it is not (says why).
    """
    if not isinstance(problem, LatticeProblem):
        raise ValueError(f"{name}: expected a LatticeProblem, found {type(problem).__name__}")
    if problem.n_obj != 1:
        raise ValueError(
            f"{name}: expected a problem of one objective, found {problem.n_obj}: "
            f"{', '.join(problem.objective_names)}"
        )
    if problem.evaluator.rule.k is None:
        raise ValueError(f"{name}: expected a problem with a fixed k (option k), found none")
    others = problem.constraint_names[:-1]
    if others:
        raise ValueError(
            f"{name}: expected no constraint but that of the fixed k, found {', '.join(others)}"
        )


def is_monotone(problem: LatticeProblem) -> bool:
    """Whether no feasible node has a better objective than a feasible node below it."""
    (objective,) = problem.objectives
    worsening = objective.falling if objective.maximize else objective.rising
    # Without a budget feasible nodes suppress nothing.
    return FIXED in worsening or (problem.evaluator.rule.budget == 0 and UNSUPPRESSED in worsening)


def check_monotone(problem: LatticeProblem, name: str) -> None:
    """Raise if the best of the k-minimal nodes need not be the best node."""
    if not is_monotone(problem):
        (objective,) = problem.objectives
        raise ValueError(
            f"{name}: expected an objective that never improves when a level is raised, such as "
            f"generalization_level or height; found {objective.name!r}, which with suppression "
            f"can (use BranchAndBound or ExhaustiveSearch)"
        )


def node_heights(lattice: Lattice, *, limit: int) -> npt.NDArray[np.int32]:
    """Sum of the levels of every node, an array with one axis a quasi-identifier.

    Raises
    ------
    ValueError
        If the lattice has more than `limit` nodes; gives the exact size.
    """
    if lattice.size > limit:
        raise ValueError(
            f"expected a lattice of at most {limit} nodes (option limit); found {lattice.size}"
        )
    shape = [height + 1 for height in lattice.heights]
    axes = np.ix_(*(np.arange(size, dtype=np.int32) for size in shape))
    heights = np.zeros(shape, dtype=np.int32)
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
