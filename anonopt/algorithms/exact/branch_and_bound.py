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
- With ``test_budget`` or ``max_seconds`` the search stops with the gap it has. A column is begun
  only if all the tests it may take are left.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pymoo.core.problem import Problem

from anonopt._checks import check_number
from anonopt._typing import IntArray
from anonopt.algorithms.exact.fixed_k import FixedKSearch
from anonopt.algorithms.node_tests import TESTS_USED_UP, NoTestLeft
from anonopt.evaluation.lattice.partitions import Partition, PartitionRefiner
from anonopt.optima.node_losses import NodeLoss, loss_refusal

TOLERANCE = 1e-12
TESTS_A_STEP = 10_000
STEP_GROWTH = 100
"""A step makes at least 1/100 of all the tests so far, so that there are never very many."""

HOPELESS = "its bound is not below the best loss"


@dataclass(frozen=True, eq=False)
class _Branch:
    """A column to be decided at a level, below decisions that were made.

    `partition` is that of the decisions; `node` has their levels, and the lowest ones of the
    `undecided` columns; `bound` is the least loss of all nodes in the branch. The root decides
    nothing: its column is -1.
    """

    partition: Partition
    node: IntArray
    undecided: IntArray
    column: int
    level: int
    bound: float


class BranchAndBound(FixedKSearch):
    """Search for the best node under the fixed-k rule, with a proof.

    Objectives: ``generalization_level``, ``height``, ``glm``, ``glm_normalized`` (with weights
    or not), ``precision_loss``, and any measure that is declared to never improve under the
    fixed-k rule when a level is raised.

    Parameters
    ----------
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

    def __init__(self, *, max_seconds: float | None = None, **options: Any) -> None:
        super().__init__(**options)
        if max_seconds is not None and check_number("max_seconds", max_seconds) <= 0:
            raise ValueError(f"max_seconds: expected a positive number, found {max_seconds}")
        self.max_seconds = max_seconds

    @property
    def incumbent(self) -> float:
        """Best loss found, in the unit of the objective."""
        return self._natural(self._best)

    @property
    def bound(self) -> float:
        """Loss that no node can better, in the unit of the objective."""
        return self._natural(self._lower_bound())

    @property
    def gap(self) -> float:
        """Difference of incumbent and bound, at least 0."""
        return _difference(self._best, self._lower_bound())

    @property
    def is_proven(self) -> bool:
        """Whether there is no gap left."""
        return self._is_complete and not self._open

    @property
    def bound_history(self) -> pd.DataFrame:
        """Tests, bound, incumbent and gap after every step."""
        rows = [
            (tests, self._natural(bound), self._natural(loss), _difference(loss, bound))
            for tests, bound, loss in self._steps
        ]
        return pd.DataFrame(rows, columns=["n_tests", "bound", "incumbent", "gap"])

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem: there is no bound for its objective."""
        return loss_refusal(problem.evaluator, *problem.objectives)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        evaluator, rule = problem.evaluator, problem.evaluator.rule
        self._loss = NodeLoss.of(evaluator, self._objective)
        self._refiner = PartitionRefiner(
            evaluator.tuples, k=rule.k, budget=rule.budget, compiled=evaluator.compiled
        )
        top = np.array(self._lattice.top, dtype=np.int64)
        self._best = self._loss.at(top)
        self._tolerance = TOLERANCE * abs(self._best)
        self._is_bounded = len(rule.bounds) > 0
        self._open: list[_Branch] = []
        self._found: list[IntArray] = []
        self._steps: list[tuple[int, float, float]] = []
        self._seconds_left = np.inf if self.max_seconds is None else self.max_seconds

    def _initialize_advance(self, infills: Any = None, **kwargs: Any) -> None:
        super()._initialize_advance(infills, **kwargs)
        feasible = bool(infills[0].feas)
        if not feasible:
            self._best = np.inf
        if feasible or not self._loss.evaluator.rule.feasibility_is_monotone:
            columns = np.argsort(self._rareness(), kind="stable")
            node = self._lowest.copy()
            bound = float(self._loss.costs[np.arange(len(node)), node].sum())
            root = _Branch(self._refiner.start(), node, columns, -1, 0, bound)
            try:
                self._expand(root.partition, node.copy(), columns, bound)
            except NoTestLeft:
                self._open = [root]
                self.end(TESTS_USED_UP)
        self._record_step()

    def _search(self) -> IntArray:
        self._found = []
        started = time.perf_counter()
        last = self.n_tests + max(TESTS_A_STEP, self.n_tests // STEP_GROWTH)
        while self._open and self.n_tests < last:
            if time.perf_counter() - started >= self._seconds_left:
                break
            try:
                self._explore(self._open[-1])
            except NoTestLeft:
                self._record_step()
                raise
        self._seconds_left -= time.perf_counter() - started
        self._finished = not self._open or self._seconds_left <= 0
        self._record_step()
        return self._known_nodes()

    def _known_nodes(self) -> IntArray:
        return np.array(self._found, dtype=np.int64).reshape(-1, len(self._lattice.heights))

    def _explore(self, branch: _Branch) -> None:
        """Follow the last open branch by one decision; a better node where it ends is kept."""
        self._note_branch("branch", branch)
        if self._is_hopeless(branch.bound):
            if self._is_traced:
                self._note(branch.node[np.newaxis], "pruned", HOPELESS)
            self._open.pop()
            return
        node = branch.node.copy()
        node[branch.column] = branch.level
        if len(branch.undecided) == 0:
            loss = self._loss.at(node)
            is_better = not self._is_hopeless(loss)
            if is_better and self._is_bounded:
                # Where no test is left, the branch stays open.
                is_better = bool(self._are_feasible(node[np.newaxis], "k and class bounds")[0])
            self._open.pop()
            if is_better:
                self._best = loss
                self._found.append(node)
        elif branch.level == self._refiner.heights[branch.column]:
            self._open.pop()
            # Nothing is refined, so the lowest levels of the others are known.
            self._open_branches(branch.partition, node, branch.undecided, branch.bound)
        else:
            partition = self._refiner.refine(branch.partition, branch.column, branch.level)
            self._expand(partition, node, branch.undecided, branch.bound)

    def _expand(
        self, partition: Partition, node: IntArray, undecided: IntArray, bound: float
    ) -> None:
        """Put the branches of the undecided columns, if any, in place of the last open one."""
        limit = self._best - self._tolerance - bound if self._loss.additive else np.inf
        added = self._lowest_levels(partition, undecided, node, limit)
        if self._open:
            # Only now: where no test is left it stays open, so that the bound is a true one.
            self._open.pop()
        if added >= limit:
            # Not all levels are known to be feasible: nothing may be built on them.
            if self._is_traced:
                self._note(node[np.newaxis], "pruned", HOPELESS)
            return
        bound = bound + added if self._loss.additive else self._loss.at(node)
        if not self._is_hopeless(bound):
            merged = self._refiner.merge(partition, undecided, node)
            self._open_branches(merged, node, undecided, bound)

    def _lowest_levels(
        self, partition: Partition, undecided: IntArray, node: IntArray, limit: float
    ) -> float:
        """Raise a node to the lowest levels of undecided columns; returns the costs added."""
        costs = self._loss.costs
        if self.test_budget is None and not self._is_traced:
            added, tests = self._refiner.lowest_levels(
                partition, undecided, node, costs=costs, limit=limit
            )
            self.n_tests += tests
            return added
        added, alone = 0.0, node.copy()
        alone[undecided] = self._refiner.heights[undecided]
        for i, column in enumerate(undecided):
            tested = np.arange(node[column], self._refiner.heights[column])
            if self._n_tests_left(len(tested)) < len(tested):
                raise NoTestLeft
            more, tests = self._refiner.lowest_levels(
                partition, undecided[i : i + 1], node, costs=costs, limit=np.inf
            )
            nodes = np.tile(alone, (tests, 1))
            nodes[:, column] = tested[:tests]
            self._note_tests(nodes, tested[:tests] >= node[column], "the undecided at their tops")
            added += more
            if added >= limit:
                break
        return added

    def _open_branches(
        self, partition: Partition, node: IntArray, undecided: IntArray, bound: float
    ) -> None:
        """Open the branches of the next column, the lowest level on top."""
        costs, heights = self._loss.costs, self._refiner.heights
        position = int(np.argmin(heights[undecided] - node[undecided]))
        column, others = int(undecided[position]), np.delete(undecided, position)
        hopeless: list[_Branch] = []
        for level in range(int(heights[column]), int(node[column]) - 1, -1):
            least = bound + float(costs[column, level] - costs[column, node[column]])
            branch = _Branch(partition, node, others, column, level, least)
            (hopeless if self._is_hopeless(least) else self._open).append(branch)
        # Only now: the bound is that of all open branches.
        for branch in hopeless:
            self._note_branch("hopeless branch", branch)

    def _rareness(self) -> IntArray:
        """Rows in too-small classes of each column alone, over all its levels."""
        facts, k = self._loss.evaluator.tuples.facts, self._refiner.k
        return np.array(
            [sum(int(rows[rows < k].sum()) for rows in levels) for levels in facts.value_counts]
        )

    def _is_hopeless(self, bound: float) -> bool:
        return bound >= self._best - self._tolerance

    def _lower_bound(self) -> float:
        return min([self._best, *(branch.bound for branch in self._open)])

    def _natural(self, loss: float) -> float:
        return -loss if self._objective.maximize else loss

    def _note_branch(self, name: str, branch: _Branch) -> None:
        """Keep which decision is followed or not, and what is known before it."""
        if self._is_traced:
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
        self._steps.append((self.n_tests, self._lower_bound(), self._best))


def _difference(loss: float, bound: float) -> float:
    """Of two infinite losses, as there are where no node is feasible, it is 0."""
    return loss - bound if bound < loss else 0.0
