"""The columns of a table as masking methods see them: numbers, or codes of categories."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from numbers import Integral
from typing import Any, Literal

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns, Orders
from anonopt.data.columns.numeric_values import check_squares, exact_numbers
from anonopt.data.grouping import group_rows
from anonopt.data.values import WHOLE_FLOATS, as_text
from anonopt.masking.groups.number_types import averages

Kind = Literal["continuous", "ordinal", "nominal"]


@dataclass(frozen=True, eq=False)
class RecordColumn:
    """One column.

    Attributes
    ----------
    name : column
    kind : {"continuous", "ordinal", "nominal"}
    values : float64 or int64 array (n_rows,)
        Numbers of a continuous column less `offset`, NaN where a cell is missing; codes of any
        other.
    n_ordered : int
        Categories, that of missing cells left out; 0 if continuous. Missing cells have the
        code `n_ordered`.
    offset : int
        Of a continuous column: 0, unless it has whole numbers beyond 2**53, which are no floats
        while their differences are.
    """

    name: Hashable
    kind: Kind
    values: AnyArray
    n_ordered: int
    offset: int = 0

    @cached_property
    def ranks(self) -> IntArray:
        """Code of each cell, or its rank among the distinct numbers of a continuous column.

        Missing cells come last.
        """
        if self.kind == "continuous":
            return np.unique(self.values, return_inverse=True)[1].astype(np.int64)
        return self.values.astype(np.int64, copy=False)

    @cached_property
    def is_missing(self) -> BoolArray:
        """Whether each cell is missing."""
        if self.kind == "continuous":
            return np.isnan(self.values)
        return np.asarray(self.values == self.n_ordered)

    @cached_property
    def lacks_numbers(self) -> bool:
        """Whether the column is continuous and has missing cells."""
        return self.kind == "continuous" and bool(self.is_missing.any())

    @cached_property
    def n_ranks(self) -> int:
        """Distinct numbers of a continuous column, categories of another: rank of what lacks."""
        if self.kind == "continuous":
            return len(np.unique(self.values[~self.is_missing]))
        return self.n_ordered

    def part(self, rows: IntArray) -> RecordColumn:
        """Some rows of the column."""
        return replace(self, values=self.values[rows])


@dataclass(frozen=True, eq=False)
class Records:
    """Some columns of a table as arrays, and the way back.

    Made by :meth:`of`.

    Attributes
    ----------
    frame : DataFrame (n_rows, ...)
        The table.
    columns : tuple of RecordColumn
    categorical : CategoricalColumns or None
        The columns that are not continuous, None without any.
    """

    frame: pd.DataFrame
    columns: tuple[RecordColumn, ...]
    categorical: CategoricalColumns | None

    @classmethod
    def of(cls, frame: pd.DataFrame, names: Sequence[Hashable], ordinal: Orders | None) -> Records:
        """Read columns of a table.

        Raises
        ------
        ValueError
            If an order is wrong, a cell of a continuous column is infinite (names the column and
            the first rows), or its whole numbers would have to be rounded.
        """
        kinds = {name: column_kind(frame[name], ordinal) for name in names}
        coded = [name for name, kind in kinds.items() if kind != "continuous"]
        categorical = None
        if coded:
            categorical = CategoricalColumns.of(frame, columns=coded, ordinal=ordinal)
        columns = []
        for name, kind in kinds.items():
            if kind == "continuous":
                offset, numbers = _numbers(frame[name])
                columns.append(RecordColumn(name, kind, numbers, 0, offset))
            elif categorical is not None:
                at = coded.index(name)
                n_ordered = categorical.n_categories[at] - categorical.has_missing[at]
                codes = categorical.codes[:, at].astype(np.int64)
                columns.append(RecordColumn(name, kind, codes, n_ordered))
        return cls(frame, tuple(columns), categorical)

    @property
    def n_rows(self) -> int:
        """Number of rows, N."""
        return len(self.frame)

    def check_squares(self) -> None:
        """Refuse numbers whose squared deviations would be infinite, or vanish.

        Raises
        ------
        ValueError
            See :func:`~anonopt.data.columns.numeric_values.check_squares`.
        """
        for column in self.columns:
            if column.kind == "continuous":
                check_squares(column.name, column.values)

    def orders(self) -> dict[Hashable, list[object]]:
        """Values of each ordinal column from lowest to highest."""
        if self.categorical is None:
            return {}
        categories = dict(zip(self.categorical.names, self.categorical.categories, strict=True))
        return {
            column.name: list(categories[column.name][: column.n_ordered])
            for column in self.columns
            if column.kind == "ordinal"
        }

    def require_order(self, method: str) -> None:
        """Refuse nominal columns.

        Raises
        ------
        ValueError
            As :func:`require_order`.
        """
        for column in self.columns:
            require_order(method, column.name, column.kind)

    def part(self, rows: IntArray, columns: Sequence[RecordColumn]) -> Records:
        """Some rows of some columns, for grouping: nothing can be restored from them."""
        return Records(self.frame.iloc[rows], tuple(c.part(rows) for c in columns), None)

    def require_complete(self, what: str) -> None:
        """Refuse missing cells of continuous columns.

        Raises
        ------
        ValueError
            If there is one; names the column and the first rows.
        """
        for column in self.columns:
            if column.lacks_numbers:
                found = described_rows(column.is_missing)
                raise ValueError(
                    f"column {column.name!r}: expected no missing number for {what}, found {found}"
                )

    def distinct(self) -> tuple[int, IntArray]:
        """Number of distinct records, and which of them each row is, int64 array (n_rows,)."""
        ranks = [column.ranks for column in self.columns]
        return group_rows(ranks, [int(rank.max()) + 1 for rank in ranks])

    def texts(self, column: RecordColumn) -> list[str]:
        """Text of each rank of a column: of its ordered categories, or of its distinct numbers."""
        if column.kind == "continuous" or self.categorical is None:
            numbers = np.unique(column.values[~column.is_missing])
            if column.offset:
                return [str(int(number) + column.offset) for number in numbers]
            return [as_text(value) for value in numbers]
        labels = self.categorical.labels[self.categorical.names.index(column.name)]
        return list(labels[: column.n_ordered])

    def restore(self, masked: Sequence[AnyArray]) -> pd.DataFrame:
        """Copy of the table with the columns replaced.

        Parameters
        ----------
        masked : sequence of arrays (n_rows,)
            One array a column: codes, or, for a continuous column, either numbers (float64, less
            `offset`, NaN for a missing cell) or ranks of existing numbers (int64). With numbers,
            as means are, a column of integers becomes one of floats; all other types stay.
            Beyond 2**53 it is the other way round: numbers have to be whole, and integers stay.
        """
        frame = self.frame.copy()
        coded = []
        for column, values in zip(self.columns, masked, strict=True):
            if column.kind != "continuous":
                coded.append(values)
            elif values.dtype.kind == "i":
                _, rows = np.unique(column.values, return_index=True)
                frame[column.name] = _from_rows(self.frame[column.name], rows[values])
            else:
                frame[column.name] = averages(values, column.offset, self.frame[column.name])
        if self.categorical is None:
            return frame
        return self.categorical.decode(np.column_stack(coded), frame)

    def rearranged(self, rows: Mapping[Hashable, IntArray]) -> pd.DataFrame:
        """Copy of the table where cells of columns are those of other rows; all types stay.

        Parameters
        ----------
        rows : mapping of column to int array (n_rows,)
            Row that each cell is taken from.
        """
        masked = self.frame.copy()
        for name, sources in rows.items():
            masked[name] = _from_rows(self.frame[name], sources)
        return masked


def column_kind(column: pd.Series[Any], ordinal: Mapping[Hashable, object] | None) -> Kind:
    """How a column is masked: "continuous", "ordinal" or "nominal".

    Examples
    --------
    >>> column_kind(pd.Series([1.5, 2.0], name="income"), None)
    'continuous'
    >>> column_kind(pd.Series([1, 2], name="grade"), {"grade": None})
    'ordinal'
    >>> column_kind(pd.Series([True, False], name="owner"), None)
    'nominal'

    Objects are categories, whatever they are, but those that have no other type: decimals, and
    whole numbers of which one is beyond 2**53.

    >>> column_kind(pd.Series([1, 2], name="code", dtype=object), None)
    'nominal'
    >>> column_kind(pd.Series([Decimal("0.5"), None], name="rate"), None)
    'continuous'
    """
    dtype = column.dtype
    if column.name in (ordinal or {}):
        return "ordinal"
    if isinstance(dtype, pd.CategoricalDtype):
        return "ordinal" if dtype.ordered else "nominal"
    types = pd.api.types
    if pd.api.types.is_object_dtype(dtype):
        is_continuous = _needs_objects(column.dropna())
    else:
        is_continuous = types.is_numeric_dtype(dtype) and not (
            types.is_bool_dtype(dtype) or types.is_complex_dtype(dtype)
        )
    return "continuous" if is_continuous else "nominal"


def require_order(method: str, name: Hashable, kind: Kind) -> None:
    """Refuse a nominal column.

    Raises
    ------
    ValueError
        If it is one; names it and says how to give it an order.
    """
    if kind == "nominal":
        raise ValueError(
            f"column {name!r}: expected values in an order for {method}, found a nominal column "
            f"(ordinal={{{name!r}: [lowest, ..., highest]}} gives it one, None in place of the "
            f"list that of its text)"
        )


def _from_rows(column: pd.Series[Any], rows: IntArray) -> pd.Series[Any]:
    return column.iloc[rows].set_axis(column.index)


def _needs_objects(cells: pd.Series[Any]) -> bool:
    """Whether cells are numbers that no type but that of objects holds."""
    if all(isinstance(cell, Decimal) for cell in cells):
        return len(cells) > 0
    is_whole = all(isinstance(cell, Integral) and not isinstance(cell, bool) for cell in cells)
    return is_whole and any(abs(int(cell)) > WHOLE_FLOATS for cell in cells)


def _numbers(column: pd.Series[Any]) -> tuple[int, FloatArray]:
    offset, (values,) = exact_numbers(column)
    infinite = np.isinf(values)
    if infinite.any():
        raise ValueError(
            f"column {column.name!r}: expected finite numbers, found {described_rows(infinite)}"
        )
    return offset, values


def described_rows(chosen: BoolArray) -> str:
    """Number of some rows, and the first of them.

    Examples
    --------
    >>> described_rows(np.array([False, True, True]))
    '2 (rows 1, 2, counted from 0)'
    """
    rows = np.flatnonzero(chosen)
    shown = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
    return f"{len(rows)} (rows {shown}, counted from 0)"
