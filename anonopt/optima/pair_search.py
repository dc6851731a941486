"""Depth-first search for the node of least loss that looks two decisions ahead.

Before a column is decided, every column is decided on trial at each of its levels, and the lowest
levels that this leaves to all others are found. A level that leads to no better node is closed;
what that raises closes others, until nothing changes. What was found for a branch holds in all
branches below it, and of two levels that exclude each other only one has to be tried.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation import LatticeEvaluator
from anonopt.evaluation.lattice.partitions import Partition
from anonopt.optima.greedy_node import greedy_nodes
from anonopt.optima.node_losses import NodeLoss
from anonopt.optima.node_search import Branch, NodeSearch, NoTestLeft
from anonopt.optima.pair_levels import PairLevels
from anonopt.optima.pair_refiner import BATCH, PairRefiner
from anonopt.optima.suppressed_rows import SuppressedRows, SuppressionCosts

UNTRIED = -1
"""Level of a root that is not tried yet."""


@dataclass(frozen=True, eq=False)
class _TriedBranch(Branch):
    """Branch in which all levels of the undecided columns were tried.

    `column` is the one dealt with, `level` its level that is followed next. `known` is of this
    branch alone, and `least` the bound once a column is decided at its lowest level.
    """

    known: PairLevels
    least: FloatArray
    suppressed: SuppressedRows


class PairSearch(NodeSearch):
    """Search the nodes of one table for the least loss, with the lowest levels of pairs.

    It begins with a greedy node; of nodes of equal loss it keeps the first in its own order, which
    need not be the one that `NodeSearch` finds.

    Parameters
    ----------
    loss : NodeLoss
        An additive one.
    lowest : int64 array (n_quasi_identifiers,)
        Levels that no node is below.
    workers : int
        Threads that try columns; all results are the same for any number.
    like : PairSearch, optional
        Another search of the same table, whose tables are shared.
    """

    def __init__(
        self,
        loss: NodeLoss,
        lowest: IntArray,
        *,
        workers: int = 1,
        like: PairSearch | None = None,
    ) -> None:
        self._like = like
        super().__init__(loss, lowest)
        self._like = None
        self._workers = workers
        self._compiled = loss.evaluator.compiled
        self._suppression = SuppressionCosts(loss)

    def _refiner_of(self, evaluator: LatticeEvaluator) -> PairRefiner:
        tuples = evaluator.tuples
        if self._like is not None:
            return self._like._pairs.under(k=1, budget=tuples.facts.n_rows)
        return PairRefiner(tuples, k=1, budget=tuples.facts.n_rows, compiled=evaluator.compiled)

    @property
    def _pairs(self) -> PairRefiner:
        return cast(PairRefiner, self._refiner)

    def _expand(
        self, partition: Partition, node: IntArray, undecided: IntArray, bound: float
    ) -> None:
        """Put the root with its lowest levels in place of the one without them."""
        bound += self._lowest_levels(partition, undecided, node, np.inf)
        columns = np.arange(len(node))
        merged = self._pairs.merge(partition, columns, node)
        self._open = [Branch(merged, node, columns, -1, UNTRIED, bound)]

    def _explore(self, branch: Branch) -> None:
        """Follow the last open branch by a level of its column, or leave the column at its top."""
        if self._is_hopeless(branch.bound):
            self._open.pop()
        elif not isinstance(branch, _TriedBranch):
            if branch.level == UNTRIED:
                self._try_root(branch)
            else:
                super()._explore(branch)
        elif branch.level < self._heights[branch.column]:
            self._follow(branch)
        else:
            self._leave_at_top(branch)

    def _try_root(self, root: Branch) -> None:
        costs, heights = self.loss.costs, self._heights
        known = PairLevels(
            node=root.node.copy(),
            open_levels=np.ones(costs.shape, dtype=np.bool_),
            pairs=np.zeros((*costs.shape, len(heights)), dtype=np.int16),
            costs=costs,
            heights=heights,
        )
        nodes = greedy_nodes(self._pairs, root.partition, root.node, costs)
        while self._are_left(len(heights) * int(heights.sum())):
            good, tests = next(nodes, (None, 0))
            if good is None:
                break
            self.n_tests += tests
            self._offer(good)
        none = SuppressedRows.none()
        tried = self._tried(root.partition, known, root.undecided, root.bound, none)
        self._open = [] if tried is None or self._is_at_floor else [tried]

    def _follow(self, branch: _TriedBranch) -> None:
        column, level, costs = branch.column, branch.level, self.loss.costs
        if self._is_closed(branch):
            self._open[-1] = replace(branch, level=branch.known.next_open(column, level))
            return
        others = branch.undecided[branch.undecided != column]
        known, bound = branch.known.copy(), branch.bound
        for other in others:
            start = known.start_of(column, level, int(other))
            bound += float(costs[other, start] - costs[other, known.node[other]])
            known.node[other] = start
        bound += float(costs[column, level] - costs[column, known.node[column]])
        known.node[column] = level
        tried = None
        if not self._is_hopeless(bound):
            others = others[known.node[others] < self._heights[others]]
            refined = self._pairs.refine(branch.partition, column, level)
            before, decided = branch.suppressed, np.ones(len(known.node), dtype=np.bool_)
            decided[branch.undecided] = False
            suppressed = self._suppression.after(
                before, branch.partition, refined, np.flatnonzero(decided), known.node, column
            )
            bound += suppressed.costs - before.costs
            merged = self._pairs.merge(refined, others, known.node)
            tried = self._tried(merged, known, others, bound, suppressed)
        if self._is_at_floor:
            return
        # Only now: where no test is left, the level is still to be followed.
        self._open[-1] = replace(branch, level=branch.known.next_open(column, level + 1))
        if tried is not None:
            self._open.append(tried)

    def _is_closed(self, branch: _TriedBranch) -> bool:
        """Whether the level to be followed leads nowhere, now that other columns were left."""
        column, level = branch.column, branch.level
        if not self._are_left(int((self._heights - branch.known.node)[branch.undecided].sum())):
            raise NoTestLeft
        hopeless, tests = self._pairs.probe(
            branch.partition,
            branch.known,
            branch.undecided,
            np.array([[column, level]]),
            branch.bound,
            self._limit,
            workers=1,
        )
        self.n_tests += tests
        branch.known.open_levels[column, level] = not hopeless[0]
        return bool(hopeless[0])

    def _leave_at_top(self, branch: _TriedBranch) -> None:
        known, column, costs = branch.known, branch.column, self.loss.costs
        top = self._heights[column]
        bound = branch.bound + float(costs[column, top] - costs[column, known.node[column]])
        known.node[column] = top
        self._open.pop()
        others = branch.undecided[branch.undecided != column]
        bound, least = known.settle(others, bound, self._limit, compiled=self._compiled)
        next_branch = self._next(branch.partition, known, others, bound, least, branch.suppressed)
        if next_branch is not None:
            self._open.append(next_branch)

    def _tried(
        self,
        partition: Partition,
        known: PairLevels,
        columns: IntArray,
        bound: float,
        suppressed: SuppressedRows,
    ) -> _TriedBranch | None:
        """Try all levels of the columns; None if the branch is hopeless or has no columns left."""
        node = known.node.copy()
        node[columns] = self._heights[columns]
        self._offer(node, suppressed.costs)
        bound, least = known.settle(columns, bound, self._limit, compiled=self._compiled)
        items = self._items(known, columns)
        while len(items) and not self._is_hopeless(bound):
            columns = columns[known.node[columns] < self._heights[columns]]
            # Measured: those that can be raised least show first that a trial is hopeless.
            saved = self._saved(columns, known.node[columns])
            columns = columns[np.argsort(saved, kind="stable")]
            some, items = items[:BATCH], items[BATCH:]
            spans = int((self._heights[columns] - known.node[columns]).sum())
            if not self._are_left(len(some) * spans):
                raise NoTestLeft
            hopeless, tests = self._pairs.probe(
                partition, known, columns, some, bound, self._limit, workers=self._workers
            )
            self.n_tests += tests
            closed = some[hopeless]
            known.open_levels[closed[:, 0], closed[:, 1]] = False
            known.exchange(columns, compiled=self._compiled)
            bound, least = known.settle(columns, bound, self._limit, compiled=self._compiled)
            columns_of, levels_of = items.T
            open_ones = known.open_levels[columns_of, levels_of]
            items = items[open_ones & (levels_of >= known.node[columns_of])]
        return self._next(partition, known, columns, bound, least, suppressed)

    def _items(self, known: PairLevels, columns: IntArray) -> IntArray:
        """Columns and levels to be tried, those that save most first."""
        items = np.array(
            [
                (column, level)
                for column in columns
                for level in range(known.node[column], self._heights[column])
                if known.open_levels[column, level]
            ],
            dtype=np.int64,
        ).reshape(-1, 2)
        return items[np.argsort(-self._saved(items[:, 0], items[:, 1]), kind="stable")]

    def _saved(self, columns: IntArray, levels: IntArray) -> FloatArray:
        """Costs that the columns save at the levels, against their tops."""
        costs = self.loss.costs
        return np.asarray(costs[columns, self._heights[columns]] - costs[columns, levels])

    def _next(
        self,
        partition: Partition,
        known: PairLevels,
        columns: IntArray,
        bound: float,
        least: FloatArray,
        suppressed: SuppressedRows,
    ) -> _TriedBranch | None:
        """The branch at the column to be decided next."""
        columns = columns[known.node[columns] < self._heights[columns]]
        if len(columns) == 0 or self._is_hopeless(bound):
            return None
        saved = self._saved(columns, known.node[columns])
        # Measured: where savings are hardly ever equal, both branches have to become small.
        worth = (least[columns] - bound) * saved**2
        keys = (-least[columns], saved) if self.loss.step > 0.0 else (saved, -worth)
        column = int(columns[np.lexsort(keys)[0]])
        level = known.next_open(column, int(known.node[column]))
        return _TriedBranch(
            partition, known.node, columns, column, level, bound, known, least, suppressed
        )

    def _offer(self, node: IntArray, suppression_costs: float = 0.0) -> None:
        """Keep a node that is feasible under k if it is better than the best."""
        costs = float(self.loss.costs[np.arange(len(node)), node].sum()) + suppression_costs
        if self._is_hopeless(costs):
            return
        loss = self.loss.at(node)
        if self._is_hopeless(loss) or (
            self._accept is not None and not self._is_accepted(node, self._accept)
        ):
            return
        self.best = loss
        self.found.append(node)
        self._end_at_floor()

    def _are_left(self, n_tests: int) -> bool:
        return self.test_budget is None or self.n_tests + n_tests <= self.test_budget

    def _is_hopeless(self, bound: float) -> bool:
        return bound >= self._limit

    @property
    def _limit(self) -> float:
        """A node that is better than the best has less loss than this."""
        return self.best - max(self._tolerance, self.loss.step - self._tolerance)

    @property
    def _is_at_floor(self) -> bool:
        return self.best <= self._floor + self._tolerance
