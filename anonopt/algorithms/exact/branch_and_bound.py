"""Branch and bound: the proven optimum of a loss under the fixed-k rule.

Idea: decide one column after the other, the undecided ones being fully generalized. Raising a
level never makes a feasible node infeasible, so the lowest level at which an undecided column
alone is feasible, given what is decided, bounds that column in everything that follows. These
levels are found anew after every decision. Their cost is a lower bound of the loss; where it
reaches the best loss known, the branch is left.

Paper: none for this form; the lowest level of a column without any decision is the lattice
reduction of KGEN (`anonopt.evaluation.lattice.column_bounds`), and branch and bound under
k-anonymity was brought up by R. J. Bayardo, R. Agrawal, *Data Privacy through Optimal
k-Anonymization*, ICDE 2005, for another kind of generalization.

Decided:

- The column that has the fewest levels left is decided next (of equal ones, the one whose
  values are the least rare on its own), its levels from the lowest on. On Cargo 2000 with 25
  columns that takes half the tests that the order of the table does.
- With class bounds the levels are those that k alone allows: what misses k is suppressed whatever
  the bounds say, so they hold for every feasible node. Whether a node is feasible is then tested
  where all columns are decided, and the proof needs no bound to be monotone.
- Losses closer than 1e-12 of the loss of the top node count as equal.
- With ``order="pairs"`` a branch first tries every level of every undecided column, and keeps
  the lowest levels that each leaves to all others: they hold in all that follows. Levels whose
  bound is hopeless are closed, which closes others. Rows that a trial would suppress are shared
  out among the columns that suppress them, so that the budget bounds what columns save together:
  a fractional knapsack, in three rounds of sharing out. Rows that are suppressed already
  are in the bound of ``glm`` with what they cost. The column that saves least is decided
  next (of equal ones, the one that leaves least to the others), but for ``glm`` and
  ``precision_loss`` the one that leaves least. It begins with greedy nodes, the
  most saved for each suppressed row, and leaves out one of their columns after the other as long
  as that finds better ones, for at most 40 nodes. Of nodes of equal loss it may return another
  one than ``order="levels"``, which returns what it always did.
- With ``test_budget`` or ``max_seconds`` the search stops with the gap it has. A column is begun
  only if all the tests it may take are left.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from pymoo.core.problem import Problem

from anonopt._checks import check_choice, check_integer, check_number
from anonopt._typing import BoolArray, IntArray
from anonopt.algorithms.exact.fixed_k import FixedKSearch
from anonopt.algorithms.node_tests import TESTS_USED_UP
from anonopt.optima.node_losses import NodeLoss, loss_refusal, sum_refusal
from anonopt.optima.node_search import HOPELESS, Branch, NodeSearch, NoTestLeft, difference
from anonopt.optima.pair_search import PairSearch

TESTS_A_STEP = 10_000
ORDERS = ("levels", "pairs")
STEP_GROWTH = 100
"""A step makes at least 1/100 of all the tests so far, so that there are never very many."""


@dataclass(frozen=True, eq=False)
class _TraceLog:
    """Writes what the search of nodes does into the trace of the algorithm."""

    algorithm: BranchAndBound

    def tests(self, nodes: IntArray, feasible: BoolArray, reason: str) -> None:
        self.algorithm._note_tests(nodes, feasible, reason)

    def pruned(self, node: IntArray) -> None:
        self.algorithm._note(node[np.newaxis], "pruned", HOPELESS)

    def branch(self, name: str, branch: Branch) -> None:
        self.algorithm._note_branch(name, branch)


class BranchAndBound(FixedKSearch):
    """Search for the best node under the fixed-k rule, with a proof.

    Objectives: ``generalization_level``, ``height``, ``glm``, ``glm_normalized`` (with weights
    or not), ``precision_loss``, and any measure that is declared to never improve under the
    fixed-k rule when a level is raised.

    Parameters
    ----------
    order : {"levels", "pairs"}
        Which column is decided next: the one with the fewest levels left, or, once all were
        tried, the one that saves least. ``"pairs"`` needs far fewer branches where columns are
        many, and more time for each; it takes losses whose bound is a sum over columns, those
        that are named above, and no trace.
    workers : int
        Threads that try columns with ``order="pairs"``, at least 1. Results and tests are the
        same for any number.
    max_seconds : float, optional
        Time after which the search stops, positive. Where it stops then depends on the machine.
    termination : pymoo Termination or tuple, optional
        Another rule that may end the search early.
    test_budget, trace
        As in `TestingSearch`.

    Attributes
    ----------
    n_tests : int
        Nodes that were tested for feasibility; tests of one column are tests of the node where
        all undecided columns are fully generalized.
    incumbent : float
        Best loss found, in the unit of the objective; infinite if no node is feasible.
    bound : float
        No node is better than this. It equals the incumbent once the search is finished.
    gap : float
        Difference of the two, at least 0; 0 is a proof.
    bound_history : DataFrame
        One row a step: ``n_tests``, ``bound``, ``incumbent``, ``gap``.

    Raises
    ------
    ValueError
        If an option is out of range; when the search is set up, if the problem is not one of one
        objective under a fixed k, or there is no bound for the objective (names it).

    Examples
    --------
    >>> import anonopt as ao
    >>> adult = ao.load_dataset("adult")
    >>> problem = ao.problems.LatticeProblem(adult, ["height"], k=5, suppression=0.01)
    >>> result = ao.solve(problem, BranchAndBound())
    >>> result.front["height"].tolist(), result.algorithm.gap
    ([11.0], 0.0)
    """

    def __init__(
        self,
        *,
        order: Literal["levels", "pairs"] = "levels",
        workers: int = 1,
        max_seconds: float | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.order = check_choice("order", order, ORDERS)
        self.workers = check_integer("workers", workers, least=1)
        if order == "levels" and workers > 1:
            raise ValueError(f"workers: expected 1 with order='levels', found {workers}")
        if order == "pairs" and self._is_traced:
            raise ValueError("trace: expected False with order='pairs', found True")
        if max_seconds is not None and check_number("max_seconds", max_seconds) <= 0:
            raise ValueError(f"max_seconds: expected a positive number, found {max_seconds}")
        self.max_seconds = max_seconds

    @property
    def incumbent(self) -> float:
        """Best loss found, in the unit of the objective."""
        return self._natural(self._nodes.best)

    @property
    def bound(self) -> float:
        """Loss that no node can better, in the unit of the objective."""
        return self._natural(self._nodes.bound)

    @property
    def gap(self) -> float:
        """Difference of incumbent and bound, at least 0."""
        return self._nodes.gap

    @property
    def is_proven(self) -> bool:
        """Whether there is no gap left."""
        return self._is_complete and self._nodes.is_finished

    @property
    def bound_history(self) -> pd.DataFrame:
        """Tests, bound, incumbent and gap after every step."""
        rows = [
            (tests, self._natural(bound), self._natural(loss), difference(loss, bound))
            for tests, bound, loss in self._steps
        ]
        return pd.DataFrame(rows, columns=["n_tests", "bound", "incumbent", "gap"])

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem: there is no bound for its objective."""
        refusal = loss_refusal(problem.evaluator, *problem.objectives)
        if refusal is None and self.order == "pairs":
            return sum_refusal(problem.evaluator, *problem.objectives)
        return refusal

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        log = _TraceLog(self) if self._is_traced else None
        loss = NodeLoss.of(problem.evaluator, self._objective)
        self._nodes = (
            NodeSearch(loss, self._lowest, log=log)
            if self.order == "levels"
            else PairSearch(loss, self._lowest, workers=self.workers)
        )
        self._nodes.test_budget = self.test_budget
        self._top_loss = self._nodes.loss.at(np.array(self._lattice.top, dtype=np.int64))
        self._nodes.best = self._top_loss
        self._n_known = 0
        self._steps: list[tuple[int, float, float]] = []
        self._seconds_left = np.inf if self.max_seconds is None else self.max_seconds

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        super()._initialize_advance(infills, **kwargs)
        feasible, rule = bool(infills[0].feas), self.problem.evaluator.rule
        if feasible or not rule.feasibility_is_monotone:
            try:
                self._nodes.start(
                    k=rule.k,
                    budget=rule.budget,
                    cutoff=self._top_loss if feasible else np.inf,
                    accept=self._is_within_rule if rule.bounds else None,
                )
            except NoTestLeft:
                self.end(TESTS_USED_UP)
        else:
            self._nodes.best = np.inf
        self._record_step()

    def _search(self) -> IntArray:
        nodes, known = self._nodes, len(self._nodes.found)
        n_tests = max(TESTS_A_STEP, nodes.n_tests // STEP_GROWTH)
        started = time.perf_counter()
        try:
            nodes.run(tests=n_tests, seconds=self._seconds_left)
        finally:
            self._seconds_left -= time.perf_counter() - started
            self._n_known = known
            self._record_step()
        self._finished = nodes.is_finished or self._seconds_left <= 0
        return self._known_nodes()

    def _known_nodes(self) -> IntArray:
        found = self._nodes.found[self._n_known :]
        return np.array(found, dtype=np.int64).reshape(-1, len(self._lattice.heights))

    def _is_within_rule(self, node: IntArray) -> bool:
        evaluator = self.problem.evaluator
        return bool(evaluator.suppressed_rows(node[np.newaxis])[0] <= evaluator.rule.budget)

    def _natural(self, loss: float) -> float:
        return -loss if self._objective.maximize else loss

    def _note_branch(self, name: str, branch: Branch) -> None:
        """Keep which decision is followed or not, and what is known before it."""
        node = branch.node.copy()
        node[branch.column] = branch.level
        decided = np.setdiff1d(np.arange(len(node)), branch.undecided)
        self._note_stage(
            name,
            nodes=node,
            columns=[branch.column, *decided[decided != branch.column]],
            figures={
                "least": self._natural(branch.bound),
                "bound": self.bound,
                "incumbent": self.incumbent,
            },
        )

    def _record_step(self) -> None:
        self.n_tests = self._nodes.n_tests
        self._steps.append((self.n_tests, self._nodes.bound, self._nodes.best))
