"""Decisions on trial: what one more decided column leaves of all the others."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray
from anonopt.evaluation.lattice.partitions import Partition, PartitionRefiner
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.threads import in_threads
from anonopt.optima import cover_bounds
from anonopt.optima.cover_bounds import ROUNDS
from anonopt.optima.pair_levels import PairLevels

BATCH = 8
"""Decisions that are probed before what they show is used; the same for any number of threads."""

WORTH_THREADS = 30_000
"""Members times columns of a branch from which threads take less time than they need to start."""

MOST_MARKS = 200_000
"""Where columns suppress more rows together, what they save is not bounded by their number."""

BITS_A_MEMBER = 2
"""Words of bits that are compared as fast as a member is counted, as measured."""

MOST_CLASSES = 64
"""Classes that have bits at a time."""


class PairRefiner(PartitionRefiner):
    """A refiner that finds the lowest levels for pairs of columns."""

    def __init__(self, tuples: DistinctTuples, *, k: int, budget: int, compiled: bool) -> None:
        super().__init__(tuples, k=k, budget=budget, compiled=compiled)
        self._offsets = np.concatenate([[0], np.cumsum(self._n_values)])
        self._parents = np.zeros(self._offsets[-1], dtype=np.int32)
        for line in np.setdiff1d(np.arange(len(self._values)), self._first + self.heights):
            self._parents[self._offsets[line] + self._values[line]] = self._values[line + 1]
        self._work: dict[int, Any] = {}
        self._bits: tuple[IntArray, ...] = self._bits_of_values() if compiled else ()

    def _bits_of_values(self) -> tuple[IntArray, ...]:
        """A bit for each distinct tuple that has a value; first value of each line, or -1."""
        n_tuples = len(self._sizes)
        n_words, used, found = (n_tuples + 63) // 64, 0, []
        first = np.full(len(self._values), -1, dtype=np.int64)
        for line, values in enumerate(self._values):
            n_values = int(self._n_values[line])
            # Elsewhere members are counted faster.
            if n_values * n_words <= BITS_A_MEMBER * n_tuples:
                bits = np.zeros((n_values, n_words * 64), dtype=np.bool_)
                bits[values, np.arange(n_tuples)] = True
                found.append(np.packbits(bits, axis=1, bitorder="little").view(np.uint64))
                first[line], used = used, used + n_values
        return np.concatenate([*found, np.zeros((1, n_words), dtype=np.uint64)]), first

    def under(self, *, k: int, budget: int) -> PairRefiner:
        """The same of another rule; what is known of the table is shared."""
        other = copy(self)
        other.k, other.budget, other._work = k, budget, {}
        return other

    def probe(
        self,
        partition: Partition,
        known: PairLevels,
        columns: IntArray,
        items: IntArray,
        bound: float,
        limit: float,
        *,
        workers: int,
    ) -> tuple[BoolArray, int]:
        """Decide a column at a level, and raise the levels of all others, item by item.

        Parameters
        ----------
        partition : Partition
            `columns` are fully generalized in it.
        known : PairLevels
            Its `pairs` are raised.
        columns : int64 array (n_columns,)
            The undecided ones.
        items : int64 array (n_items, 2)
            Columns and levels.
        bound : float
            That of the node of `known`.
        limit : float
            Where the bound of a decision reaches it, the decision is hopeless and is left.
        workers : int
            Threads; the result is the same for any number.

        Returns
        -------
        hopeless : bool array (n_items,)
        tests : int
            Feasibility tests made.
        """
        hopeless, tests = np.zeros(len(items), dtype=np.bool_), np.zeros(len(items), dtype=np.int64)

        def work(part: IntArray) -> None:
            if self._compiled:
                from anonopt.optima.kernel_pairs import probe

                rule = self.k, self.budget - partition.suppressed
                tables = self._values, self._first, self._parents, self._offsets
                search = *tables, self._bits, *rule
                found = partition.members, partition.rows, partition.starts
                own, trials = self._work_of(int(part[0])), (columns, items, part)
                hopeless[part], tests[part[0]] = probe(
                    found, search, own, known.arrays, *trials, bound, limit
                )
                return
            for i in part:
                hopeless[i], tests[i] = self._probe(
                    partition, known, columns, items[i], bound, limit
                )

        if len(items):
            is_large = len(partition.members) * len(columns) >= WORTH_THREADS
            n_parts = min(workers, len(items)) if is_large else 1
            parts = [np.arange(i, len(items), n_parts) for i in range(n_parts)]
            in_threads(parts, work, workers=n_parts)
        return hopeless, int(tests.sum())

    def marked(
        self, partition: Partition, column: int, low: int
    ) -> tuple[int, tuple[CodeArray, CodeArray], int]:
        """Lowest feasible level of a fully generalized column, and what it suppresses.

        Returns
        -------
        level : int
        marks : tuple of int32 arrays (n_marks,)
            Members that are suppressed, and the highest level at which each is.
        tests : int
        """
        height = int(self.heights[column])
        is_open = np.ones(height, dtype=np.bool_)
        if not self._compiled:
            level, marks = self._marked(partition, column, is_open, low)
            return level, marks, min(level + 1, height) - low
        from anonopt.optima.kernel_bits import set_bits
        from anonopt.optima.kernel_cover import mark_small

        line, work = self._first[column], self._work_of(0)
        levels = self._values[line:], self._parents, self._offsets[line:], height
        found = partition.members, partition.rows, partition.starts
        rule = self.k, self.budget - partition.suppressed
        table = self._bits[0], self._bits[1][line:]
        set_bits(found, *work[-1])
        level, n_marks = mark_small(found, levels, table, is_open, rule, low, work, 0)
        marked, ends = work[4]
        marks = marked[:n_marks].copy(), ends[:n_marks].copy()
        return int(level), marks, min(int(level) + 1, height) - low

    @property
    def _most_marks(self) -> int:
        most = len(self.heights) * min(self.budget, len(self._sizes))
        return min(most, MOST_MARKS)

    def _work_of(self, thread: int) -> Any:
        """Arrays of one thread that kernels need, kept from one time to the next."""
        if thread not in self._work:
            n_members, n_columns, n_marks = len(self._sizes), len(self.heights), self._most_marks
            shape = int(self.heights.max()) + 1, len(self._scratch[0])
            codes, numbers = np.zeros(shape, np.int32), np.zeros(n_members, np.int64)
            of_columns = np.zeros((n_columns, shape[0]))
            self._work[thread] = (
                tuple(np.zeros_like(place) for place in self._scratch),
                (codes, codes.copy(), codes[0].copy(), np.zeros((4, shape[1]), np.int32)),
                (np.zeros(shape[0], np.int64), np.zeros(shape[0], np.int64)),
                (np.zeros(n_members, np.int32), np.zeros(n_members, np.int32)),
                (np.zeros(n_marks, np.int32), np.zeros(n_marks, np.int32)),
                (np.zeros(n_marks), np.zeros(n_members), numbers),
                (np.zeros(n_columns + 1, np.int64), np.zeros(n_columns, np.int64)),
                (of_columns, of_columns.copy()),
                (
                    np.full(n_members, -1, dtype=np.int64),
                    np.zeros((MOST_CLASSES, (n_members + 63) // 64), dtype=np.uint64),
                    np.zeros(n_members, dtype=np.int32),
                ),
            )
        return self._work[thread]

    def _probe(
        self,
        partition: Partition,
        known: PairLevels,
        columns: IntArray,
        item: IntArray,
        bound: float,
        limit: float,
    ) -> tuple[bool, int]:
        (column, level), tests, costs = map(int, item), 0, known.costs
        least = bound + float(costs[column, level] - costs[column, known.node[column]])
        for other in columns[columns != column]:
            start = known.start_of(column, level, int(other))
            least += float(costs[other, start] - costs[other, known.node[other]])
        if least >= limit:
            return True, tests
        refined, top = self.refine(partition, column, level), least
        savings, marks = np.zeros((len(columns), costs.shape[1])), []
        lows = self.heights[columns]
        for i, other in enumerate(columns):
            found, start = (_no_marks(), _no_marks()), int(known.pairs[column, level, other])
            if other != column:
                is_open, height = known.open_levels[other], int(self.heights[other])
                lows[i], found = self._marked(refined, int(other), is_open, start)
                tests += int(is_open[start : min(lows[i] + 1, height)].sum())
                known.pairs[column, level, other] = lows[i]
                least += float(costs[other, lows[i]] - costs[other, start])
                if least >= limit:
                    return True, tests
                top += float(costs[other, height] - costs[other, start])
                open_levels = lows[i] + np.flatnonzero(is_open[lows[i] : height])
                savings[i, open_levels] = costs[other, height] - costs[other, open_levels]
            marks.append(found)
        allowed = self.budget - refined.suppressed
        if self._is_covered(refined.rows, allowed, marks, columns, lows, savings, top, limit):
            return True, tests
        others = columns != column
        known.pairs[column, level, columns[others]] = lows[others]
        return False, tests

    def _marked(
        self, partition: Partition, column: int, is_open: BoolArray, low: int
    ) -> tuple[int, tuple[CodeArray, CodeArray]]:
        """Lowest feasible level of a column, and the members it suppresses, with their ends."""
        height = int(self.heights[column])
        while low < height and not (is_open[low] and self.is_feasible(partition, column, low)):
            low += 1
        ends = np.full(len(partition.members), -1, dtype=np.int32)
        for level in range(low, height):
            line = self._first[column] + level
            keys = partition.class_of * self._n_values[line] + self._values[line][partition.members]
            rows = np.bincount(keys, weights=partition.rows)
            ends[rows[keys] < self.k] = level
        places = np.flatnonzero(ends >= low).astype(np.int32)
        return low, (places, ends[places])

    def _is_covered(
        self,
        rows: IntArray,
        allowed: int,
        marks: list[tuple[CodeArray, CodeArray]],
        columns: IntArray,
        lows: IntArray,
        savings: FloatArray,
        top: float,
        limit: float,
    ) -> bool:
        """Whether less than needed can be saved; otherwise lowest levels may be raised."""
        places = np.concatenate([places for places, _ in marks])
        ends = np.concatenate([ends for _, ends in marks])
        firsts = np.cumsum([0, *(len(places) for places, _ in marks)])
        if len(places) >= self._most_marks:
            return False
        shares, spare = np.zeros(len(places)), np.zeros(len(rows))
        counts, loads = np.zeros(len(rows), dtype=np.int64), np.zeros_like(savings)
        levels = lows, self.heights[columns], savings, loads
        cover_bounds.share_evenly(len(places), places, shares, counts)
        for i in range(ROUNDS):
            cover_bounds.find_loads(firsts, places, ends, shares, rows, loads)
            saved, price = cover_bounds.most_saved(allowed, *levels)
            if top - saved >= limit:
                return True
            cover_bounds.raise_lows(saved, price, top - limit, *levels)
            if price == 0.0:
                break
            if i < ROUNDS - 1:
                cover_bounds.share_better(price, firsts, places, shares, *levels, spare, counts)
        return False


def _no_marks() -> CodeArray:
    return np.empty(0, dtype=np.int32)
