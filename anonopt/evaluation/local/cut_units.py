"""Rows that cuts need not tell apart, and the pieces that a decoding makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonopt._typing import AnyIntArray, BoolArray, CodeArray, IntArray, WordArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.lattice.tuples import DistinctTuples

WORD = 64


@dataclass(frozen=True, eq=False)
class CutUnits:
    """Rows that are alike in all that a decoder looks at.

    Attributes
    ----------
    codes : int32 array (n_units, n_quasi_identifiers)
    sizes : int64 array (n_units,)
        Rows of each unit.
    words : uint64 array (n_units, n_words)
        Set of sensitive values of each unit as bits; no words where nothing asks for them.
    unit_of_row : int64 array (n_rows,)
    row_of_unit : int64 array (n_units,), optional
        Number of the row in the table, where each row is a unit.
    """

    codes: CodeArray
    sizes: IntArray
    words: WordArray
    unit_of_row: IntArray
    row_of_unit: IntArray | None = None

    @classmethod
    def of_tuples(cls, tuples: DistinctTuples, *, with_values: bool, apart: bool) -> CutUnits:
        """The distinct tuples, with the sets of their sensitive values or without.

        Parameters
        ----------
        tuples : DistinctTuples
        with_values : bool
            Whether sensitive values are looked at.
        apart : bool
            Whether rows of a tuple with different values are different units.
        """
        codes = np.ascontiguousarray(tuples.codes)
        values = tuples.sensitive_column.codes
        unit_of_row, sizes = tuples.tuple_of_row, tuples.sizes
        if not with_values or values is None:
            return cls(codes, sizes, np.zeros((len(codes), 0), dtype=np.uint64), unit_of_row)
        if apart:
            pairs = unit_of_row * tuples.n_sensitive + values
            distinct, unit_of_row, sizes = np.unique(pairs, return_inverse=True, return_counts=True)
            codes = codes[distinct // tuples.n_sensitive]
        words = np.zeros((len(codes), -(-tuples.n_sensitive // WORD)), dtype=np.uint64)
        bits = np.left_shift(np.uint64(1), (values % WORD).astype(np.uint64))
        np.bitwise_or.at(words, (unit_of_row, values // WORD), bits)
        return cls(codes, sizes, words, unit_of_row)

    @classmethod
    def of_rows(cls, tuples: DistinctTuples) -> CutUnits:
        """Each row a unit of its own, as bounds that rows and sets do not tell need it."""
        n = len(tuples.tuple_of_row)
        codes = np.ascontiguousarray(tuples.codes[tuples.tuple_of_row])
        words = np.zeros((n, 0), dtype=np.uint64)
        return cls(codes, np.ones(n, dtype=np.int64), words, np.arange(n), np.arange(n))

    def among(self, rows: AnyIntArray) -> CutUnits:
        """The units of some rows alone, which are numbered 0, 1, ... in their order.

        Parameters
        ----------
        rows : int array (n,)
            Numbers of different rows.
        """
        units, unit_of_row, sizes = np.unique(
            self.unit_of_row[rows], return_inverse=True, return_counts=True
        )
        row_of_unit = None if self.row_of_unit is None else self.row_of_unit[units]
        return CutUnits(self.codes[units], sizes, self.words[units], unit_of_row, row_of_unit)

    def require_rows(self) -> IntArray:
        """Number of the row that each unit is.

        Raises
        ------
        ValueError
            If units are more than single rows.
        """
        if self.row_of_unit is None:
            raise ValueError("units: expected single rows, found rows taken together")
        return self.row_of_unit

    @cached_property
    def rows_by_unit(self) -> IntArray:
        """Numbers of the rows, unit by unit, in ascending order within each."""
        return np.argsort(self.unit_of_row, kind="stable")

    @cached_property
    def first_rows(self) -> IntArray:
        """Where the rows of each unit begin in `rows_by_unit`."""
        return np.cumsum(self.sizes) - self.sizes


@dataclass(frozen=True, eq=False)
class CutPieces:
    """Groups of a decoding, by pieces of units: the first pieces are what is left of each unit.

    Attributes
    ----------
    unit_of, rows_of, group_of : int64 arrays (n_pieces,)
        Unit, number of rows, and group of each piece.
    lows, highs : int32 arrays (n_groups, n_quasi_identifiers)
        Labels of the groups.
    suppressed : bool array (n_groups,)
    """

    unit_of: IntArray
    rows_of: IntArray
    group_of: IntArray
    lows: CodeArray
    highs: CodeArray
    suppressed: BoolArray

    def groups(self, units: CutUnits) -> RecodedGroups:
        """As a local recoding; the first rows of a unit belong to its first piece, and so on."""
        if len(self.unit_of) > len(units.sizes):
            return RecodedGroups(
                self._group_of_row(units),
                lows=self.lows,
                highs=self.highs,
                suppressed=self.suppressed,
            )
        return RecodedGroups(
            self.group_of,
            lows=self.lows,
            highs=self.highs,
            suppressed=self.suppressed,
            unit_of_row=units.unit_of_row,
        )

    def _group_of_row(self, units: CutUnits) -> IntArray:
        n_units = len(units.sizes)
        group_of_row = self.group_of[units.unit_of_row]
        order = n_units + np.argsort(self.unit_of[n_units:], kind="stable")
        lenders, lent = self.unit_of[order], self.rows_of[order]
        before = np.cumsum(lent) - lent
        # The loans of a unit are neighbours, and so are the rows that it lends: its last ones.
        of_others = before[np.searchsorted(lenders, lenders)]
        first = units.first_rows[lenders] + self.rows_of[lenders] - of_others
        places = np.repeat(first, lent) + np.arange(int(lent.sum()))
        group_of_row[units.rows_by_unit[places]] = np.repeat(self.group_of[order], lent)
        return group_of_row
