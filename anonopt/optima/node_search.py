"""Depth-first search for the node of least loss under one k, by bounds of columns."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from anonopt._typing import BoolArray, IntArray
from anonopt.evaluation import LatticeEvaluator
from anonopt.evaluation.lattice.partitions import Partition, PartitionRefiner
from anonopt.optima.node_losses import NodeLoss

TOLERANCE = 1e-12

HOPELESS = "its bound is not below the best loss"


class NoTestLeft(Exception):  # noqa: N818  (an event that ends a search, not an error)
    """A node was to be tested, and the budget of tests is used up."""


@dataclass(frozen=True, eq=False)
class Branch:
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


class SearchLog(Protocol):
    """Keeps what a search did."""

    def tests(self, nodes: IntArray, feasible: BoolArray, reason: str) -> None:
        """Nodes, (n, n_quasi_identifiers), were tested."""

    def pruned(self, node: IntArray) -> None:
        """A node was left with all above it, as its bound is hopeless."""

    def branch(self, name: str, branch: Branch) -> None:
        """A branch is followed, or is not."""


class NodeSearch:
    """Search the nodes of one table for the least loss under one k after the other.

    Parameters
    ----------
    loss : NodeLoss
    lowest : int64 array (n_quasi_identifiers,)
        Levels that no node is below.
    log : SearchLog, optional
        Asked for each test, so that it takes time.

    Attributes
    ----------
    loss : NodeLoss
    best : float
        Least loss found, or the cutoff.
    found : list of int64 arrays (n_quasi_identifiers,)
        Nodes found since `start`, each better than the one before.
    n_tests : int
        Nodes tested for feasibility, under all k.
    test_budget : int or None
        Most of them; where the next tests are more, `NoTestLeft` is raised, and nothing is lost.
    root_levels : int64 array (n_quasi_identifiers,)
        Lowest feasible level of each column alone; no lower under any larger k with the same
        budget or a smaller one.
    """

    def __init__(self, loss: NodeLoss, lowest: IntArray, *, log: SearchLog | None = None) -> None:
        self.loss, self._log = loss, log
        self._lowest = lowest.copy()
        self.root_levels = lowest.copy()
        evaluator = loss.evaluator
        self._heights = np.array(evaluator.tuples.facts.heights, dtype=np.int64)
        self._tolerance = TOLERANCE * abs(loss.at(self._heights))
        self._refiner = self._refiner_of(evaluator)
        self.test_budget: int | None = None
        self.n_tests = 0
        self.best, self._floor = np.inf, -np.inf
        self.found: list[IntArray] = []
        self._open: list[Branch] = []

    def _refiner_of(self, evaluator: LatticeEvaluator) -> PartitionRefiner:
        tuples = evaluator.tuples
        # No rule yet: none is looser, so the first one raises no levels.
        return PartitionRefiner(
            tuples, k=1, budget=tuples.facts.n_rows, compiled=evaluator.compiled
        )

    @property
    def node(self) -> IntArray | None:
        """Node of the least loss found since `start`, (n_quasi_identifiers,); None if none is."""
        return self.found[-1] if self.found else None

    @property
    def bound(self) -> float:
        """Loss that no node is below."""
        least = min([self.best, *(branch.bound for branch in self._open)])
        return max(least, min(self._floor, self.best))

    @property
    def gap(self) -> float:
        """Difference of best loss and bound, at least 0; of two infinite ones it is 0."""
        return difference(self.best, self.bound)

    @property
    def is_finished(self) -> bool:
        """Whether no branch is left: there is no node of a loss below the best."""
        return not self._open

    def start(
        self,
        *,
        k: int,
        budget: int,
        cutoff: float = np.inf,
        floor: float = -np.inf,
        accept: Callable[[IntArray], bool] | None = None,
    ) -> None:
        """Begin the search under a k, by the tests of single columns.

        Parameters
        ----------
        k : int
            Rows in classes smaller than k are suppressed.
        budget : int
            Rows that may be suppressed.
        cutoff : float
            Only nodes of a lower loss are sought.
        floor : float
            Loss that no node is below, such as the optimum of a smaller k. The search ends when
            it is found.
        accept : callable, optional
            Whether a node, (n_quasi_identifiers,), that is k-anonymous within the budget is
            feasible.

        Raises
        ------
        NoTestLeft
            If the budget of tests ends; the search then has a bound and no more.
        """
        if k < self._refiner.k or budget > self._refiner.budget:
            self.root_levels = self._lowest.copy()
        self._refiner = self._refiner.under(k=k, budget=budget)
        self._accept, self._floor = accept, floor
        self.best, self.found = cutoff, []
        self._open = []
        n_rows = self.loss.evaluator.tuples.facts.n_rows
        if accept is None and budget < n_rows < k:
            return
        columns = np.argsort(self._rareness(k), kind="stable")
        node = self.root_levels.copy()
        bound = float(self.loss.costs[np.arange(len(node)), node].sum())
        self._open = [Branch(self._refiner.start(), node, columns, -1, 0, bound)]
        self._explore(self._open[0])

    def run(self, *, tests: int | None = None, seconds: float | None = None) -> bool:
        """Go on for about some tests or seconds; returns whether the search is finished.

        Raises
        ------
        NoTestLeft
            If the budget of tests ends; bound and open branches stay true.
        """
        started = time.perf_counter()
        last = np.inf if tests is None else self.n_tests + tests
        while self._open and self.n_tests < last:
            if seconds is not None and time.perf_counter() - started >= seconds:
                break
            self._explore(self._open[-1])
        return not self._open

    def offer(self, loss: float) -> None:
        """Seek only nodes that are better than one known from elsewhere."""
        self.best = min(self.best, loss)

    def raise_floor(self, loss: float) -> None:
        """Take over a loss that no node is below."""
        self._floor = max(self._floor, loss)
        self._end_at_floor()

    def _end_at_floor(self) -> None:
        if self.best <= self._floor + self._tolerance:
            self._open = []

    def _explore(self, branch: Branch) -> None:
        """Follow the last open branch by one decision; a better node where it ends is kept."""
        if branch.column < 0:
            self.root_levels = branch.node.copy()
            self._expand(branch.partition, self.root_levels, branch.undecided, branch.bound)
            return
        if self._log is not None:
            self._log.branch("branch", branch)
        if self._is_hopeless(branch.bound):
            if self._log is not None:
                self._log.pruned(branch.node)
            self._open.pop()
            return
        node = branch.node.copy()
        node[branch.column] = branch.level
        if len(branch.undecided) == 0:
            self._keep(node)
        elif branch.level == self._heights[branch.column]:
            self._open.pop()
            # Nothing is refined, so the lowest levels of the others are known.
            self._open_branches(branch.partition, node, branch.undecided, branch.bound)
        else:
            partition = self._refiner.refine(branch.partition, branch.column, branch.level)
            self._expand(partition, node, branch.undecided, branch.bound)

    def _keep(self, node: IntArray) -> None:
        """Close the last open branch, which ends in a node, and keep the node if it is better."""
        loss = self.loss.at(node)
        is_better = not self._is_hopeless(loss)
        if is_better and self._accept is not None:
            # Where no test is left, the branch stays open.
            is_better = self._is_accepted(node, self._accept)
        self._open.pop()
        if is_better:
            self.best = loss
            self.found.append(node)
            self._end_at_floor()

    def _is_accepted(self, node: IntArray, accept: Callable[[IntArray], bool]) -> bool:
        self._check_tests_left(1)
        accepted = accept(node)
        self._note_tests(node[np.newaxis], np.array([accepted]), "k and class bounds")
        return accepted

    def _expand(
        self, partition: Partition, node: IntArray, undecided: IntArray, bound: float
    ) -> None:
        """Put the branches of the undecided columns in place of the last open one."""
        limit = self.best - self._tolerance - bound if self.loss.additive else np.inf
        added = self._lowest_levels(partition, undecided, node, limit)
        # Only now: where no test is left it stays open, so that the bound is a true one.
        self._open.pop()
        if added >= limit:
            # Not all levels are known to be feasible: nothing may be built on them.
            if self._log is not None:
                self._log.pruned(node)
            return
        bound = bound + added if self.loss.additive else self.loss.at(node)
        if not self._is_hopeless(bound):
            merged = self._refiner.merge(partition, undecided, node)
            self._open_branches(merged, node, undecided, bound)

    def _lowest_levels(
        self, partition: Partition, undecided: IntArray, node: IntArray, limit: float
    ) -> float:
        """Raise a node to the lowest levels of undecided columns; returns the costs added."""
        costs = self.loss.costs
        if self.test_budget is None and self._log is None:
            added, tests = self._refiner.lowest_levels(
                partition, undecided, node, costs=costs, limit=limit
            )
            self.n_tests += tests
            return added
        added, alone = 0.0, node.copy()
        alone[undecided] = self._heights[undecided]
        for i, column in enumerate(undecided):
            tested = np.arange(node[column], self._heights[column])
            self._check_tests_left(len(tested))
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

    def _check_tests_left(self, n_wanted: int) -> None:
        if self.test_budget is not None and self.n_tests + n_wanted > self.test_budget:
            raise NoTestLeft

    def _note_tests(self, nodes: IntArray, feasible: BoolArray, reason: str) -> None:
        self.n_tests += len(nodes)
        if self._log is not None:
            self._log.tests(nodes, feasible, reason)

    def _open_branches(
        self, partition: Partition, node: IntArray, undecided: IntArray, bound: float
    ) -> None:
        """Open the branches of the next column, the lowest level on top."""
        costs, heights = self.loss.costs, self._heights
        position = int(np.argmin(heights[undecided] - node[undecided]))
        column, others = int(undecided[position]), np.delete(undecided, position)
        hopeless: list[Branch] = []
        for level in range(int(heights[column]), int(node[column]) - 1, -1):
            least = bound + float(costs[column, level] - costs[column, node[column]])
            branch = Branch(partition, node, others, column, level, least)
            (hopeless if self._is_hopeless(least) else self._open).append(branch)
        if self._log is not None:
            # Only now: the bound is that of all open branches.
            for branch in hopeless:
                self._log.branch("hopeless branch", branch)

    def _rareness(self, k: int) -> IntArray:
        """Rows in too-small classes of each column alone, over all its levels."""
        facts = self.loss.evaluator.tuples.facts
        return np.array(
            [sum(int(rows[rows < k].sum()) for rows in levels) for levels in facts.value_counts]
        )

    def _is_hopeless(self, bound: float) -> bool:
        return bound >= self.best - self._tolerance


def difference(loss: float, bound: float) -> float:
    """Of two infinite losses, as there are where no node is feasible, it is 0."""
    return loss - bound if bound < loss else 0.0
