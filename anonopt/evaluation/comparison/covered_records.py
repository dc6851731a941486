"""Record linkage by containment: which originals the records of a generalized file cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from anonopt._typing import BoolArray, IntArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.categorical.masking_wide import shared_linkage
from anonopt.evaluation.comparison.generalized_columns import GeneralizedColumn
from anonopt.measures.categorical.record_linkage import estimated_ranks
from anonopt.measures.categorical.step_distances import StepDistances

BLOCK = 2**20
"""Pairs of records that are compared at once."""
FEW_VALUES = 1024
"""Up to here it is faster to look up whether a label covers a value."""


class CoveredRecords:
    """Distinct originals and distinct masked records of a generalized file.

    Parameters
    ----------
    columns : sequence of GeneralizedColumn, at most 20
    """

    def __init__(self, columns: Sequence[GeneralizedColumn]) -> None:
        self._columns = columns
        self.n_rows = len(columns[0].original)
        self._originals, self._counts, _ = _distinct(
            [column.original for column in columns], [column.n_values for column in columns]
        )
        self._masked, self._rows, self._masked_of_row = _distinct(
            [column.masked for column in columns], [len(column.runs) for column in columns]
        )

    def linkages(self) -> tuple[float, float]:
        """DBRL and PRL, percent.

        Records agree in a column if the masked label covers the original value; the distance of
        a column is that to the nearest value under the label. A record that covers originals is
        linked to all of those alike by distance.
        """
        patterns, full = self._agreement()
        own = self._own_agreement()
        everywhere = (1 << len(self._columns)) - 1
        ranks = estimated_ranks(patterns, len(self._columns), self.n_rows)
        by_distance = self._nearest(full, own == everywhere)
        return by_distance, self._likeliest(ranks, full, own)

    def _agreement(self) -> tuple[IntArray, IntArray]:
        """Pairs of rows by the columns in which they agree, and originals under each record."""
        patterns = np.zeros(1 << len(self._columns))
        full = np.zeros(len(self._masked[0]), dtype=np.int64)
        everywhere = len(patterns) - 1
        for block in self._blocks(np.arange(len(full))):
            bits = self._bits(block)
            full[block] = (bits == everywhere) @ self._counts
            # Numbers of pairs are whole and below 2**53, so floats hold them exactly.
            for row, found in zip(block.tolist(), bits, strict=True):
                counts = np.bincount(found, self._counts, minlength=len(patterns))
                patterns += self._rows[row] * counts
        return patterns.astype(np.int64), full

    def _own_agreement(self) -> IntArray:
        """Columns in which each row agrees with its own original, as bits, (n_rows,)."""
        bits = np.zeros(self.n_rows, dtype=np.int64)
        for j, column in enumerate(self._columns):
            *_, position = column.pairs
            bits |= (column.distances == 0)[position].astype(np.int64) << j
        return bits

    def _nearest(self, full: IntArray, is_covered: BoolArray) -> float:
        """DBRL: originals at least distance, which is 0 for those that a record covers."""
        is_linked, ties = is_covered.copy(), full.copy()
        lost = np.flatnonzero(full == 0)
        if len(lost):
            units = StepDistances(
                n_categories=tuple(column.n_values for column in self._columns),
                n_ordered=tuple(column.n_ordered for column in self._columns),
                scales=tuple(column.scale for column in self._columns),
            ).units
            least = np.zeros(len(full), dtype=np.int64)
            for block in self._blocks(lost):
                distances = np.zeros((len(block), len(self._counts)), dtype=np.int64)
                for column, unit, original, masked in self._by_column(units):
                    distances += unit[column.steps(masked[block][:, np.newaxis], original)]
                least[block] = distances.min(axis=1)
                ties[block] = (distances == least[block, np.newaxis]) @ self._counts
            rows = np.flatnonzero(full[self._masked_of_row] == 0)
            is_linked[rows] = self._own_distances(rows, units) == least[self._masked_of_row[rows]]
        return shared_linkage(is_linked, ties[self._masked_of_row])

    def _own_distances(self, rows: IntArray, units: Sequence[IntArray]) -> IntArray:
        total = np.zeros(len(rows), dtype=np.int64)
        for column, unit in zip(self._columns, units, strict=True):
            *_, position = column.pairs
            total += unit[column.distances][position[rows]]
        return total

    def _likeliest(self, ranks: IntArray, full: IntArray, own: IntArray) -> float:
        """PRL: originals of the largest weight."""
        best = np.full(len(full), ranks[-1])
        ties = full.copy()
        top_is_alone = ranks[-1] == ranks.max() and np.count_nonzero(ranks == ranks[-1]) == 1
        others = np.flatnonzero(full == 0) if top_is_alone else np.arange(len(full))
        for block in self._blocks(others):
            by_rank = ranks[self._bits(block)]
            best[block] = by_rank.max(axis=1)
            ties[block] = (by_rank == best[block, np.newaxis]) @ self._counts
        of_row = self._masked_of_row
        return shared_linkage(ranks[own] == best[of_row], ties[of_row])

    def _bits(self, block: IntArray) -> IntArray:
        """Columns in which masked records and distinct originals agree, (n, n_distinct)."""
        dtype = np.min_scalar_type((1 << len(self._columns)) - 1)
        bits = np.zeros((len(block), len(self._counts)), dtype=dtype)
        for j, column in enumerate(self._columns):
            labels = self._masked[j][block]
            if column.n_values > FEW_VALUES:
                covers = column.covers(labels[:, np.newaxis], self._originals[j])
            else:
                used, place = np.unique(labels, return_inverse=True)
                table = column.covers(used[:, np.newaxis], np.arange(column.n_values))
                covers = table[place].take(self._originals[j], axis=1)
            bits |= covers.astype(dtype) << dtype.type(j)
        return bits

    def _by_column(
        self, units: Sequence[IntArray]
    ) -> Iterator[tuple[GeneralizedColumn, IntArray, IntArray, IntArray]]:
        yield from zip(self._columns, units, self._originals, self._masked, strict=True)

    def _blocks(self, records: IntArray) -> Iterator[IntArray]:
        size = max(BLOCK // len(self._counts), 1)
        for start in range(0, len(records), size):
            yield records[start : start + size]


def _distinct(
    columns: Sequence[IntArray], radices: Sequence[int]
) -> tuple[list[IntArray], IntArray, IntArray]:
    """Distinct records by column, how many rows each has, and the record of each row."""
    keys = pack_codes(columns, radices)
    _, first, of_row, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    return [column[first] for column in columns], counts.astype(np.int64), of_row
