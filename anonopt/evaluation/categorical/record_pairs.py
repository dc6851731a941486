"""Pairs of distinct originals and distinct masked records, met in blocks.

What tables over all combinations of categories give by a look-up is found here by comparing
records; memory stays in proportion to the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._progress import stage, told
from anonopt._typing import BoolArray, CodeArray, IntArray, UnsignedArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.measures.categorical.rank_swapping_linkage import swap_candidates

BLOCK = 2**17
"""Pairs that are compared at once; they stay in the processor's cache."""
COMPILED_BLOCK = 2**24
"""The same for compiled kernels: so often may they be interrupted."""
MAX_TABLE = 2**20
"""Largest table of the distances of a column's categories."""


class RecordPairs:
    """Compares masked records with all distinct originals.

    Parameters
    ----------
    plan : MaskingPlan
    weights : int64 array (n_rows of its codes,), optional
        Rows of the file that each row of its codes stands for; by default one.

    Attributes
    ----------
    originals : unsigned int array (n_distinct, n_columns)
    counts : int64 array (n_distinct,)
        Rows of each distinct original.
    """

    def __init__(self, plan: MaskingPlan, weights: IntArray | None = None) -> None:
        self.plan = plan
        self.originals, self.counts, _ = distinct_records(plan.original, plan.n_categories, weights)
        self._by_column = np.ascontiguousarray(self.originals.T)
        self._units = plan.distances.units
        furthest = sum(int(unit[-1]) for unit in self._units)
        self._dtype = np.int32 if furthest <= np.iinfo(np.int32).max else np.int64
        self._tables = [
            unit[plan.distances.table(j)].astype(self._dtype) if n * n <= MAX_TABLE else None
            for j, (unit, n) in enumerate(zip(self._units, plan.n_categories, strict=True))
        ]

    def part(self, chosen: IntArray) -> RecordPairs:
        """The same with some of the originals."""
        part = copy(self)
        part.originals, part.counts = self.originals[chosen], self.counts[chosen]
        part._by_column = np.ascontiguousarray(part.originals.T)
        return part

    def own(self, codes: UnsignedArray) -> tuple[IntArray, IntArray]:
        """Distance of each masked row to its original, and the columns in which they agree.

        Returns
        -------
        distances : int64 array (n_rows,)
            In units common to all columns.
        agreement : int64 array (n_rows,)
            Bit j is set if they agree in column j.
        """
        distances = np.zeros(len(codes), dtype=np.int64)
        agreement = np.zeros(len(codes), dtype=np.int64)
        for j in range(self.plan.n_columns):
            original, masked = self.plan.original[:, j], codes[:, j]
            distances += self._units[j][self.plan.distances.steps(j, original, masked)]
            agreement |= (original == masked).astype(np.int64) << j
        return distances, agreement

    def nearest(self, masked: UnsignedArray, rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Nearest originals of distinct masked records, and the agreement of all pairs.

        Parameters
        ----------
        masked : unsigned int array (n, n_columns)
        rows : int64 array (n,)
            Rows of each of them.

        Returns
        -------
        nearest, ties : int64 arrays (n,)
            Distance to the nearest originals, and how many rows these are.
        patterns : int64 array (2**n_columns,)
            Pairs of an original and a masked row that agree in exactly the columns of the bits.
        """
        nearest, ties = _empty(len(masked)), _empty(len(masked))
        patterns = np.zeros(1 << self.plan.n_columns)
        for block in self._blocks(len(masked)):
            distances = self._distances(masked[block])
            nearest[block] = distances.min(axis=1)
            ties[block] = (distances == nearest[block, np.newaxis]) @ self.counts
            # Numbers of pairs are whole and far below 2**53, so floats hold them exactly.
            patterns += np.bincount(
                self.agreement(masked[block]).ravel(),
                np.outer(rows[block], self.counts).ravel(),
                minlength=len(patterns),
            )
        return nearest, ties, patterns.astype(np.int64)

    def closest(self, masked: UnsignedArray) -> tuple[IntArray, IntArray]:
        """Distance to the nearest originals of distinct masked records, and their rows, (n,) each.

        Parameters
        ----------
        masked : unsigned int array (n, n_columns)
        """
        nearest, ties = _empty(len(masked)), _empty(len(masked))
        for block in self._blocks(len(masked)):
            distances = self._distances(masked[block])
            nearest[block] = distances.min(axis=1)
            ties[block] = (distances == nearest[block, np.newaxis]) @ self.counts
        return nearest, ties

    def n_within(
        self, masked: UnsignedArray, ranges: Sequence[tuple[IntArray, IntArray]]
    ) -> IntArray:
        """Original rows within the ranges of each masked record, (n,).

        Parameters
        ----------
        masked : unsigned int array (n, n_columns)
        ranges : sequence of two int64 arrays (n_categories,), one a column
            First and last category that each can have come from.
        """
        found = _empty(len(masked))
        for block in self._blocks(len(masked)):
            part = masked[block]
            is_candidate = np.ones((len(part), len(self.originals)), dtype=bool)
            for j, (first, last) in enumerate(ranges):
                values, own = part[:, j, np.newaxis], self.originals[:, j]
                is_candidate &= (first[values] <= own) & (own <= last[values])
            found[block] = is_candidate @ self.counts
        return found

    def likeliest(self, masked: UnsignedArray, ranks: IntArray) -> tuple[IntArray, IntArray]:
        """Largest rank of agreement with any original, and how many rows have it, (n,) each.

        Parameters
        ----------
        masked : unsigned int array (n, n_columns)
        ranks : int64 array (2**n_columns,)
            Ranks of the agreement patterns.
        """
        best, ties = _empty(len(masked)), _empty(len(masked))
        for block in self._blocks(len(masked)):
            by_rank = ranks[self.agreement(masked[block])]
            best[block] = by_rank.max(axis=1)
            ties[block] = (by_rank == best[block, np.newaxis]) @ self.counts
        return best, ties

    def n_candidates(self, masked: UnsignedArray, p: float) -> IntArray:
        """Original rows that rank swapping can have turned into each masked record, (n,).

        Parameters
        ----------
        masked : unsigned int array (n, n_columns)
        p : float
            Percent of the rows that ranks were swapped within.
        """
        found = _empty(len(masked))
        for block in self._blocks(len(masked)):
            part = masked[block]
            is_candidate = np.ones((len(part), len(self.originals)), dtype=bool)
            for j in range(self.plan.n_columns):
                is_candidate &= self.candidates(j, self._by_column[j], part[:, j, np.newaxis], p)
            found[block] = is_candidate @ self.counts
        return found

    def candidates(
        self, column: int, original: UnsignedArray, masked: UnsignedArray, p: float
    ) -> BoolArray:
        """See :func:`~anonopt.measures.categorical.rank_swapping_linkage.swap_candidates`."""
        n_ordered = self.plan.distances.n_ordered[column]
        own, rows = self.originals[:, column], self.counts
        counts = np.bincount(own, rows, minlength=n_ordered)[:n_ordered].astype(np.int64)
        return swap_candidates(original, masked, counts if n_ordered else None, p)

    def _blocks(self, n_masked: int, *, pairs: int = BLOCK) -> Iterator[slice]:
        size, report = max(pairs // len(self.originals), 1), told()
        for start in range(0, n_masked, size):
            yield slice(start, start + size)
            report(min(1.0, (start + size) / n_masked))

    def agreement(self, masked: UnsignedArray) -> CodeArray:
        """Columns in which masked records and distinct originals agree, (n, n_distinct)."""
        bits = np.zeros((len(masked), len(self.originals)), dtype=np.int32)
        for j in range(self.plan.n_columns):
            is_equal = masked[:, j, np.newaxis] == self._by_column[j]
            bits |= np.left_shift(is_equal, j, dtype=np.int32)
        return bits

    def _distances(self, masked: UnsignedArray) -> npt.NDArray[np.signedinteger[Any]]:
        """Distances of masked records to all distinct originals, (n, n_distinct)."""
        total = np.zeros((len(masked), len(self.originals)), dtype=self._dtype)
        for j, table in enumerate(self._tables):
            if table is None:
                steps = self.plan.distances.steps(j, masked[:, j, np.newaxis], self._by_column[j])
                total += self._units[j][steps].astype(self._dtype)
            else:
                total += table[masked[:, j]].take(self._by_column[j], axis=1)
        return total


class CompiledPairs(RecordPairs):
    """The same by compiled kernels (extra ``fast``), one masked record after the other."""

    def __init__(self, plan: MaskingPlan, weights: IntArray | None = None) -> None:
        super().__init__(plan, weights)
        lengths = [len(unit) for unit in self._units]
        self._column = (
            np.array(plan.distances.n_ordered, dtype=np.int64),
            np.array(plan.distances.scales, dtype=np.int64),
            np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64),
            np.concatenate(self._units),
        )

    def nearest(self, masked: UnsignedArray, rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """See `RecordPairs.nearest`."""
        from anonopt.evaluation.categorical.kernel_pairs import nearest_records

        nearest, ties = np.empty((2, len(masked)), dtype=np.int64)
        patterns = np.zeros(1 << self.plan.n_columns, dtype=np.int64)
        with stage(0.0, 2 / 3):
            for block in self._blocks(len(masked), pairs=COMPILED_BLOCK):
                nearest_records(
                    masked[block],
                    rows[block],
                    self._by_column,
                    self.counts,
                    self._column,
                    nearest[block],
                    ties[block],
                    patterns,
                )
        return nearest, ties, patterns

    def closest(self, masked: UnsignedArray) -> tuple[IntArray, IntArray]:
        """See `RecordPairs.closest`."""
        from anonopt.evaluation.categorical.kernel_pairs import nearest_in_order

        by, ordered, counts = self._in_order()
        nearest, ties = np.empty((2, len(masked)), dtype=np.int64)
        for block in self._blocks(len(masked), pairs=COMPILED_BLOCK):
            nearest_in_order(
                masked[block], ordered, counts, self._column, by, nearest[block], ties[block]
            )
        return nearest, ties

    def n_within(
        self, masked: UnsignedArray, ranges: Sequence[tuple[IntArray, IntArray]]
    ) -> IntArray:
        """See `RecordPairs.n_within`."""
        from anonopt.evaluation.categorical.kernel_pairs import rows_within

        by, ordered, counts = self._in_order()
        widest = max(len(first) for first, _ in ranges)
        filled = np.zeros((len(ranges), 2, widest), dtype=np.int64)
        for j, (first, last) in enumerate(ranges):
            filled[j, :, : len(first)] = first, last
        found = _empty(len(masked))
        for block in self._blocks(len(masked), pairs=COMPILED_BLOCK):
            rows_within(masked[block], ordered, counts, by, filled, found[block])
        return found

    def _in_order(self) -> tuple[int, UnsignedArray, IntArray]:
        """The ordinal column of most values, and the originals in its order.

        Returns
        -------
        by : int
            Any column, if none is ordinal.
        ordered : unsigned int array (n_columns, n_distinct)
        counts : int64 array (n_distinct,)
        """
        sizes = [
            int(np.ptp(line)) * (n > 0)
            for line, n in zip(self._by_column, self._column[0], strict=True)
        ]
        by = int(np.argmax(sizes))
        order = np.argsort(self._by_column[by], kind="stable")
        return by, self._by_column[:, order], self.counts[order]

    def likeliest(self, masked: UnsignedArray, ranks: IntArray) -> tuple[IntArray, IntArray]:
        """See `RecordPairs.likeliest`."""
        from anonopt.evaluation.categorical.kernel_pairs import likeliest_records

        best, ties = np.empty((2, len(masked)), dtype=np.int64)
        with stage(2 / 3, 1.0):
            for block in self._blocks(len(masked), pairs=COMPILED_BLOCK):
                likeliest_records(
                    masked[block], self._by_column, self.counts, ranks, best[block], ties[block]
                )
        return best, ties


def distinct_records(
    codes: UnsignedArray, n_categories: tuple[int, ...], weights: IntArray | None = None
) -> tuple[UnsignedArray, IntArray, IntArray]:
    """Distinct rows of codes, their counts, and the position of each row among them.

    Parameters
    ----------
    codes : unsigned int array (n_rows, n_columns)
    n_categories : tuple of int
    weights : int64 array (n_rows,), optional
        What each row counts; by default 1.

    Returns
    -------
    records : unsigned int array (n, n_columns)
    counts : int64 array (n,)
    positions : int64 array (n_rows,)
    """
    keys = pack_codes(list(codes.T), n_categories)
    _, first, positions, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    if weights is not None:
        # Numbers of rows are far below 2**53, so floats hold them exactly.
        counts = np.bincount(positions, weights)
    return codes[first], counts.astype(np.int64), positions.astype(np.int64)


def _empty(n: int) -> IntArray:
    return np.empty(n, dtype=np.int64)
