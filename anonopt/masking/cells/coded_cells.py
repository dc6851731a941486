"""The cells that may be suppressed, as codes of distinct rows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from anonopt._checks import check_number
from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.equal_values import distinct_codes
from anonopt.data.grouping import group_rows
from anonopt.data.roles import find_columns
from anonopt.data.values import TOP

Matching: TypeAlias = Literal["wildcard", "value"]
MATCHINGS: tuple[Matching, ...] = ("wildcard", "value")
"""How a suppressed cell is read: it matches every value, or only another suppressed cell."""

ABSENT = -1
"""Code of a cell that shows nothing."""


@dataclass(frozen=True, eq=False)
class CodedCells:
    """Some columns of a table as codes, reduced to distinct rows with their counts.

    Attributes
    ----------
    names : tuple of columns
    codes : int32 array (n_distinct, n_columns)
        Distinct rows. A missing cell has code -1 if `missing_matches`, else a code of its own.
    counts : int64 array (n_distinct,)
        Rows that are each of them.
    distinct_of_row : int64 array (n_rows,)
    weights : float array (n_columns,)
        What a suppressed cell of each column costs.
    free : bool array (n_distinct, n_columns)
        Cells that show nothing as they are, so that suppressing them changes nothing: missing
        ones where missing matches everything, ``*`` where it is a value.
    """

    names: tuple[Hashable, ...]
    codes: CodeArray
    counts: IntArray
    distinct_of_row: IntArray
    weights: FloatArray
    free: BoolArray

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        columns: Sequence[Hashable] | None = None,
        *,
        weights: Mapping[Any, float] | None = None,
        matching: Matching = "value",
    ) -> CodedCells:
        """Code columns of a table.

        Parameters
        ----------
        frame : DataFrame (n_rows, ...)
        columns : list of columns, optional
            By default all.
        weights : mapping of column to number above 0, optional
            By default 1 each.
        matching : ``"wildcard"`` or ``"value"``
            Whether missing cells match every value, or are a value of their own.

        Raises
        ------
        TypeError, ValueError
            As ``find_columns``; or a weight is no number above 0.
        """
        names = find_columns(frame, columns, weights=weights)
        coded = [_coded(frame[name], is_wildcard=matching == "wildcard") for name in names]
        radices = [int(codes.max()) + 2 for codes, _ in coded]
        n_distinct, distinct_of_row = group_rows([codes + 1 for codes, _ in coded], radices)
        _, first = np.unique(distinct_of_row, return_index=True)
        return cls(
            names=names,
            codes=np.column_stack([codes[first] for codes, _ in coded]).astype(np.int32),
            counts=np.bincount(distinct_of_row, minlength=n_distinct),
            distinct_of_row=distinct_of_row,
            weights=np.array([_weight(name, weights or {}) for name in names]),
            free=np.column_stack([free[first] for _, free in coded]),
        )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.distinct_of_row)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.names)

    def cost(self, suppressed: BoolArray) -> float:
        """Weight of the suppressed cells of rows, (n_rows, n_columns); free ones cost nothing."""
        cells = (suppressed & ~self.free[self.distinct_of_row]).sum(axis=0)
        return float(cells @ self.weights)


def _coded(column: pd.Series[Any], *, is_wildcard: bool) -> tuple[IntArray, BoolArray]:
    """Codes of a column, -1 where a cell matches everything; and the cells that show nothing."""
    values = ColumnValues.of(column)
    codes, _ = distinct_codes(column.name, values)
    missing = values.codes < 0
    if is_wildcard:
        return np.where(missing, ABSENT, codes), missing
    is_top = np.array(
        [isinstance(value, str) and value == TOP for value in values.values] + [False]
    )
    return codes.astype(np.int64), is_top[values.codes]


def _weight(name: Hashable, weights: Mapping[Any, float]) -> float:
    return check_number(f"weights: column {name!r}", weights.get(name, 1.0), above=0)
