"""What is kept of one masked numeric file: a table of its records, and one of its columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonopt._typing import AnyArray, CodeArray, FloatArray, IntArray, UnsignedArray
from anonopt.measures.continuous.probabilistic_loss import (
    LEVELS,
    FileStatistics,
    column_location,
    correlations_of,
    covariances_with,
)


@dataclass(eq=False)
class RowTables:
    """What each masked record contributes to the risk.

    Attributes
    ----------
    hits : int64 array (n,)
        Rank intervals around its cells that hold the original ones, 0..10 * n_columns.
    ties : int64 array (n,)
        Number of nearest originals, 0 if its own is not among them.
    own : int32 array (n,)
        Columns in which it agrees with its own original, as bits.
    patterns, counts : unsigned int arrays (n, width)
        Originals by the columns in which they agree with it; see
        :func:`anonopt.measures.continuous.record_agreement.agreement_rows`.
    """

    hits: IntArray
    ties: IntArray
    own: CodeArray
    patterns: UnsignedArray
    counts: UnsignedArray

    def copy(self) -> RowTables:
        """Tables of their own."""
        return self.take(np.arange(len(self.hits)))

    def take(self, rows: IntArray) -> RowTables:
        """Copies of the tables of some records."""
        return RowTables(*(table[rows] for table in self._parts()))

    def put(self, rows: IntArray, others: RowTables) -> None:
        """Replace the tables of some records; the patterns get wider where they must."""
        width = max(self.patterns.shape[1], others.patterns.shape[1])
        for tables in (self, others):
            tables.patterns = widened(tables.patterns, width)
            tables.counts = widened(tables.counts, width, filler=0)
        for table, other in zip(self._parts(), others._parts(), strict=True):
            table[rows] = other

    @property
    def n_bytes(self) -> int:
        """Memory of the tables."""
        return sum(table.nbytes for table in self._parts())

    def totals(self, n_columns: int) -> IntArray:
        """Pairs of records by the columns they agree in, int64 array (2**n_columns,)."""
        totals = np.bincount(self.patterns.ravel(), self.counts.ravel(), minlength=1 << n_columns)
        return totals.astype(np.int64)

    def _parts(self) -> tuple[AnyArray, ...]:
        return self.hits, self.ties, self.own, self.patterns, self.counts


@dataclass(eq=False)
class ColumnTables:
    """What the information loss needs of the masked columns.

    Attributes
    ----------
    means : float array (V,)
    deviations : float array (V, N)
        Of the cells from the mean of their column.
    covariances : float array (V, V)
    quantiles : float array (V, 19)
    """

    means: FloatArray
    deviations: FloatArray
    covariances: FloatArray
    quantiles: FloatArray

    @classmethod
    def of(cls, masked: FloatArray) -> ColumnTables:
        """Measure all columns of a file (N, V)."""
        n_rows, n_columns = masked.shape
        tables = cls(
            np.empty(n_columns),
            np.empty((n_columns, n_rows)),
            np.empty((n_columns, n_columns)),
            np.empty((n_columns, len(LEVELS))),
        )
        tables.measure(masked, np.arange(n_columns))
        return tables

    def measure(self, masked: FloatArray, columns: IntArray) -> None:
        """Measure some columns anew."""
        for column in columns:
            location = column_location(masked[:, column])
            self.means[column], self.deviations[column], self.quantiles[column] = location
        for column in columns:
            self.covariances[column] = covariances_with(self.deviations, column)
            self.covariances[:, column] = self.covariances[column]

    def copy(self) -> ColumnTables:
        """Tables of their own."""
        tables = self.means, self.deviations, self.covariances, self.quantiles
        return ColumnTables(*(table.copy() for table in tables))

    def statistics(self) -> FileStatistics:
        """Statistics of the file, as the loss takes them."""
        correlations = correlations_of(self.covariances)
        return FileStatistics(self.means, self.covariances, correlations, self.quantiles)


def widened(table: UnsignedArray, width: int, *, filler: int | None = None) -> UnsignedArray:
    """Table of at least so many columns; new ones repeat the first one, or hold the filler."""
    missing = width - table.shape[1]
    if missing <= 0:
        return table
    more = np.repeat(table[:, :1], missing, axis=1)
    if filler is not None:
        more[:] = filler
    return np.hstack([table, more])
