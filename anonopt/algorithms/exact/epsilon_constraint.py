"""Epsilon constraint: the proven front of class size k and a loss, of lattices of any size.

Idea: ask for the least loss of the nodes whose classes have at least k rows, for one k after the
other, and each time for more than the best node has. Each question is a branch and bound. What
one has found and proven serves the others: a node is known that the next one has to beat, its loss
is one that no node of a larger k is below, and the lowest levels of columns only rise. The
answers are all points of the front.

Paper: Y. Y. Haimes, L. S. Lasdon, D. A. Wismer, *On a Bicriterion Formulation of the Problems of
Integrated System Identification and System Optimization*, IEEE Transactions on Systems, Man, and
Cybernetics 1, 1971, for the method; the bounds are those of
:class:`~anonopt.algorithms.BranchAndBound`.

Decided:

- Nodes have the k and the loss that the problem gives them. Under the reverse rule a node has at
  least class size k exactly if it is feasible under the fixed k with the same budget, so each
  question is one of the fixed-k rule; its loss is that of the node's own k, with the rows that
  are suppressed for it, which is never below the loss without suppression. Where the problem fixes
  a k, classes below it (or that miss a class bound) are suppressed, and ``k`` is the smallest
  class that is kept: what keeps none below k has at most the budget of rows in classes below k.
  That is what bounds are taken from, and the k of a node is measured where all its levels
  are decided.
- Constraints and class bounds are tested there as well; they need not be monotone.
- A third objective has to be one that never gets worse when a level is raised, such as ``l_all``.
  Its bound is tightened from sweep to sweep over k.
- A point has one node; others of equal objectives are not listed. Losses closer than 1e-12 of the
  loss of the top node count as equal.
- A question that takes long waits while those of larger k are asked, and the one with the fewest
  tests goes on. So a search that is stopped early has points of the whole front.
- From 30 columns on each question is one for the search of ``BranchAndBound(order="pairs")``, if
  the bound of the loss is a sum over columns. With fewer columns a question begins anew with that
  search after 20,000 tests: it needs far fewer branches, and more time for each.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_integer, check_number
from anonopt._typing import FloatArray, IntArray
from anonopt.algorithms.node_tests import TESTS_USED_UP, TestingSearch
from anonopt.operators.base import integer_bounds
from anonopt.optima.front_goals import FrontGoals, front_refusal
from anonopt.optima.front_search import FrontSearch
from anonopt.optima.node_search import NoTestLeft
from anonopt.problems.any_problem import lattice_of
from anonopt.problems.bounded_fronts import measured

TESTS_A_STEP = 10_000
"""Tests after which callbacks and terminations have their turn."""

TIME_IS_UP = "most seconds reached"


class EpsilonConstraint(TestingSearch):
    """Search for the whole front of class size k and a loss, with a proof.

    Objectives: ``k``, a loss that :class:`~anonopt.algorithms.BranchAndBound` has a bound for
    (``generalization_level``, ``height``, ``glm``, ``glm_normalized``, ``precision_loss``, and
    any measure that is declared to never improve when a level is raised), and at most one more
    that never gets worse then, such as ``l_all``. In any order, under the reverse rule or a
    fixed k.

    Parameters
    ----------
    workers : int
        Threads of the questions that search as ``BranchAndBound(order="pairs")`` does, at least 1.
        Results and tests are the same for any number.
    max_seconds : float, optional
        Time after which the search stops, positive. Where it stops then depends on the machine.
    termination : pymoo Termination or tuple, optional
        Another rule that may end the search early.
    test_budget, trace
        As in `TestingSearch`; a trace has the nodes that were measured.

    Attributes
    ----------
    n_tests : int
        Tests of nodes for their rows in classes below a k.
    gap : float
        How much less loss than the best known a node may have at most, over all k; 0 is a proof.
    gaps : DataFrame
        The same for each k that was asked for: ``k``, ``incumbent``, ``bound``, ``gap``.
    gap_history : DataFrame
        One row a step: ``n_tests``, ``points`` of the front so far, ``gap``.

    Raises
    ------
    ValueError
        If an option is out of range; when the search is set up, if the objectives are others
        (names them).

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("adult-k-glm")
    >>> result = ao.solve(problem, EpsilonConstraint())
    >>> len(result.front), result.algorithm.gap, result.proven
    (44, 0.0, True)
    """

    ends_by_itself = True

    def __init__(
        self, *, workers: int = 1, max_seconds: float | None = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self.workers = check_integer("workers", workers, least=1)
        if max_seconds is not None and check_number("max_seconds", max_seconds) <= 0:
            raise ValueError(f"max_seconds: expected a positive number, found {max_seconds}")
        self.max_seconds = max_seconds
        self._reported = self._is_idle = False

    @property
    def gap(self) -> float:
        """How much less loss than the best known a node may have at most."""
        return self._front.gap

    @property
    def gaps(self) -> pd.DataFrame:
        """Least loss known and proven for each k that was asked for."""
        return self._front.gaps()

    @property
    def gap_history(self) -> pd.DataFrame:
        """Tests, points and gap after every step."""
        return pd.DataFrame(self._steps, columns=["n_tests", "points", "gap"])

    @property
    def is_proven(self) -> bool:
        """Whether all points were found, evaluated, and no other can exist."""
        return self._reported and self._front.is_finished

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem: it has other objectives."""
        lattice = lattice_of(problem)
        return front_refusal(lattice.evaluator, lattice.objectives)

    def _begin(self, problem: Problem) -> None:
        self._reported = self._is_idle = False
        self._seconds_left = np.inf if self.max_seconds is None else self.max_seconds
        self._steps: list[tuple[int, int, float]] = []
        goals = FrontGoals.of(problem.evaluator, problem.objectives, integer_bounds(problem)[0])
        self._front = FrontSearch(goals, self._measured, workers=self.workers)

    def _measured(self, node: IntArray) -> tuple[FloatArray, bool]:
        F, is_feasible = measured(self.problem, node)
        self._note(node[np.newaxis], "feasible" if is_feasible else "infeasible", "measured")
        return F, is_feasible

    def _initialize_infill(self) -> Population:
        top = np.array([self.problem.lattice.top], dtype=np.int64)
        return Population.new("X", top)

    def _infill(self) -> Population:
        started, first = time.perf_counter(), self.n_tests
        nodes = np.empty((0, self.problem.n_var), dtype=np.int64)
        while not (self._front.is_finished or len(nodes) or self.end_reason):
            if self.n_tests - first >= TESTS_A_STEP:
                break
            nodes = self._advanced(self._seconds_left - (time.perf_counter() - started))
        self._seconds_left -= time.perf_counter() - started
        self._is_idle = len(nodes) == 0
        return Population.new("X", self.opt.get("X")[:1] if self._is_idle else nodes)

    def _advanced(self, seconds: float) -> IntArray:
        left = None if self.test_budget is None else self.test_budget - self.n_tests
        try:
            if seconds <= 0:
                self.end_reason = TIME_IS_UP
            elif left is not None and left <= 0:
                raise NoTestLeft
            else:
                self._front.advance(tests=left, seconds=None if np.isinf(seconds) else seconds)
        except NoTestLeft:
            self.end_reason = TESTS_USED_UP
        self.n_tests = self._front.n_tests
        return self._front.new_nodes()

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.opt = infills[:0]
        super()._initialize_advance(infills, **kwargs)

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        # A step that finds nothing hands out a node that is known.
        self.pop = self.opt if self._is_idle else Population.merge(self.opt, infills)
        if self._front.n_returned == self.problem.space.size:
            # Every node is evaluated, so nobody will ask for another step.
            self._infill()
        if self.end_reason or self._front.is_finished:
            # Only now: a budget of evaluations may end the run before the last ones are made.
            self._reported = True
            self.termination.terminate()

    def _set_optimum(self) -> None:
        super()._set_optimum()
        self._steps.append((self.n_tests, len(self.opt), self.gap))
