"""Searches among the nodes that are k-anonymous within a suppression budget."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._typing import BoolArray, IntArray
from anonopt.algorithms.node_tests import TESTS_USED_UP, TestingSearch
from anonopt.data import Lattice
from anonopt.measures import Measure
from anonopt.operators.base import integer_bounds
from anonopt.optima.node_search import NoTestLeft

TESTS_A_STEP = 1000
"""Feasibility tests after which a search lets callbacks and terminations have their turn."""


class FixedKSearch(TestingSearch):
    """Base class of searches among the nodes that are k-anonymous within a suppression budget.

    The top node is handed out first: where feasibility is monotone (see
    :attr:`~anonopt.measures.SuppressionRule.feasibility_is_monotone`) and it is infeasible, every
    node is, and the search ends. Then the search tests nodes for feasibility, which the
    problem does not see, and hands out those whose objective matters. The optimum (pymoo's
    ``opt``) is the best of these; a step that finds none hands out the best one again. Nodes
    below the bounds of the problem are not looked at, so what is said of all nodes is said of
    those above the bounds.

    Subclasses implement ``_search``, and extend ``_begin``, which may use the evaluator of
    ``problem``.

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early.
    test_budget, trace
        As in `TestingSearch`.

    Attributes
    ----------
    n_tests : int
        Nodes that were tested for feasibility.
    """

    ends_by_itself = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._finished = self._reported = False

    @property
    def _is_complete(self) -> bool:
        """Whether it has done all it had to do, and all it found was evaluated."""
        return self._reported and self.end_reason != TESTS_USED_UP

    @abstractmethod
    def _search(self) -> IntArray:
        """Search on for a step; returns feasible nodes to evaluate, (n, n_var), maybe none.

        Sets `_finished` once there is nothing left to do.
        """

    def _known_nodes(self) -> IntArray:
        """Feasible nodes to evaluate if no further one may be tested, (n, n_var), maybe none."""
        return np.empty((0, len(self._lattice.heights)), dtype=np.int64)

    @property
    def _objective(self) -> Measure:
        measure: Measure = self.problem.objectives[0]
        return measure

    @property
    def _lattice(self) -> Lattice:
        lattice: Lattice = self.problem.lattice
        return lattice

    def _begin(self, problem: Problem) -> None:
        # Levels that no node of the search is below.
        self._lowest: IntArray = integer_bounds(problem)[0]

    def _are_feasible(self, nodes: IntArray, reason: str = "") -> BoolArray:
        """Test nodes, (n, n_var), and count them.

        Raises
        ------
        NoTestLeft
            If they are more than the budget of tests allows; those within it are tested.
        """
        evaluator = self.problem.evaluator
        tested = nodes[: self._n_tests_left(len(nodes))]
        feasible: BoolArray = evaluator.suppressed_rows(tested) <= evaluator.rule.budget
        self._note_tests(tested, feasible, reason)
        if len(tested) < len(nodes):
            raise NoTestLeft
        return feasible

    def _initialize_infill(self) -> Population:
        self._finished = self._reported = False
        return Population.new("X", np.array([self._lattice.top], dtype=np.int64))

    def _infill(self) -> Population:
        nodes = self._step()
        return Population.new("X", nodes if len(nodes) else self.opt.get("X"))

    def _step(self) -> IntArray:
        try:
            return self._search()
        except NoTestLeft:
            self._finished, self.end_reason = True, TESTS_USED_UP
            return self._known_nodes()

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.pop = infills
        if not infills[0].feas and self.problem.evaluator.rule.feasibility_is_monotone:
            self.termination.terminate()
        elif self.problem.space.size == 1:
            # Every node is evaluated, so nobody will ask for another step.
            self._step()

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.pop = Population.merge(self.opt, infills)
        if self._finished:
            # Only now: a budget of evaluations may end the run before the last ones are made.
            self._reported = True
            self.termination.terminate()
