"""Columns of categories as codes: what masking methods change and masked files are compared by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, CodeArray
from anonopt.data.immutable import Immutable
from anonopt.data.roles import find_columns
from anonopt.data.values import MISSING, as_number, as_text, distinct

Orders = Mapping[Any, Sequence[Any] | None]
"""Column to all of its values from lowest to highest, or None for their natural order."""


@dataclass(frozen=True, eq=False)
class CategoricalColumns(Immutable):
    """Some columns of a table as category codes, with what the categories are.

    Made by :meth:`of`. Immutable and shared: copies return the object itself.

    Attributes
    ----------
    names : tuple of columns
    codes : int32 array (n_rows, n_columns), read-only
        Code of each cell, in row-major order: cell ``row * n_columns + column`` of the file is
        ``codes.ravel()[cell]``.
    categories : tuple of object arrays (n_categories,)
        Value of each code, per column. Missing cells, if there are any, have the last code.
    labels : tuple of tuples of text
        Text of each code, per column.
    ordinal : tuple of bool
        Whether the codes of a column are in an order that has a meaning.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": ["L", "S", None], "zone": ["b", "a", "a"]})
    >>> columns = CategoricalColumns.of(frame, ordinal={"size": ["S", "M", "L"]})
    >>> columns.labels
    (('S', 'M', 'L', '<missing>'), ('a', 'b'))
    >>> columns.codes.tolist()
    [[2, 1], [0, 0], [3, 0]]
    """

    _arrays = ("codes",)

    names: tuple[Hashable, ...]
    codes: CodeArray
    categories: tuple[AnyArray, ...]
    labels: tuple[tuple[str, ...], ...]
    ordinal: tuple[bool, ...]

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        *,
        columns: Sequence[Hashable] | None = None,
        ordinal: Orders | None = None,
        others: Sequence[pd.DataFrame] = (),
    ) -> CategoricalColumns:
        """Number the categories of columns.

        Parameters
        ----------
        frame : DataFrame (n_rows, ...)
        columns : list of columns, optional
            By default all.
        ordinal : mapping of column to list of values or None, optional
            Columns whose categories have an order, with all values from lowest to highest;
            None takes numbers by value and anything else by text. Ordered pandas categoricals
            are ordinal with their own order unless they are named here.
        others : sequence of DataFrame
            Tables whose categories count too (masked versions of the same columns).

        Raises
        ------
        ValueError
            If the table has no row, a column is absent or given twice, an order is given for a
            column that is not among them, holds a value twice, or lacks a value of the data.
        """
        names = find_columns(frame, columns, ordinal=ordinal)
        orders = dict(ordinal or {})
        domains = []
        for name in names:
            parts = [frame[name], *(_column(other, name) for other in others)]
            domains.append(_domain(name, parts, orders))
        codes = np.empty((len(frame), len(names)), dtype=np.int32)
        for position, (name, (values, _)) in enumerate(zip(names, domains, strict=True)):
            codes[:, position] = _encode(frame[name], values, name)
        codes.flags.writeable = False
        return cls(
            names=names,
            codes=codes,
            categories=tuple(values for values, _ in domains),
            labels=tuple(_labels(values) for values, _ in domains),
            ordinal=tuple(is_ordinal for _, is_ordinal in domains),
        )

    @property
    def n_rows(self) -> int:
        """Number of rows, N."""
        return len(self.codes)

    @property
    def n_columns(self) -> int:
        """Number of columns, V."""
        return len(self.names)

    @property
    def n_categories(self) -> tuple[int, ...]:
        """Number of categories of each column, missing ones included."""
        return tuple(len(values) for values in self.categories)

    @property
    def has_missing(self) -> tuple[bool, ...]:
        """Whether the last category of each column is that of missing cells."""
        return tuple(pd.isna(values[-1]) for values in self.categories)

    def encode(self, frame: pd.DataFrame) -> CodeArray:
        """Codes of the same columns in another table.

        Parameters
        ----------
        frame : DataFrame (n, ...)

        Returns
        -------
        int32 array (n, n_columns)

        Raises
        ------
        ValueError
            If a column is absent, or a value is none of its categories (names column, value
            and number of rows).
        """
        codes = np.empty((len(frame), self.n_columns), dtype=np.int32)
        for position, name in enumerate(self.names):
            codes[:, position] = _encode(_column(frame, name), self.categories[position], name)
        return codes

    def decode(self, codes: AnyArray, frame: pd.DataFrame) -> pd.DataFrame:
        """Copy of a table with these columns replaced by categories of codes.

        Parameters
        ----------
        codes : int array (n_rows, n_columns)
        frame : DataFrame (n_rows, ...)
            The table the other columns, the row index and the types come from.

        Raises
        ------
        ValueError
            If the shape is not that of the columns, or a code is none of a category.
        """
        if codes.shape != (len(frame), self.n_columns):
            raise ValueError(
                f"codes: expected shape {(len(frame), self.n_columns)}, found {codes.shape}"
            )
        masked = frame.copy()
        for position, (name, values) in enumerate(zip(self.names, self.categories, strict=True)):
            column = codes[:, position]
            wrong = (column < 0) | (column >= len(values))
            if wrong.any():
                raise ValueError(
                    f"column {name!r}: expected codes 0..{len(values) - 1}, "
                    f"found {column[wrong][0]} in row {int(np.argmax(wrong))}"
                )
            masked[name] = _typed(values[column], frame[name])
        return masked

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of codes, labels and orders, 64 hexadecimal digits."""
        described = [[repr(name) for name in self.names], self.labels, self.ordinal]
        digest = hashlib.sha256(json.dumps(described).encode())
        digest.update(self.codes.astype("<i4", copy=False).tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"CategoricalColumns(n_rows={self.n_rows}, names={list(self.names)})"


def _column(frame: pd.DataFrame, name: Hashable) -> pd.Series[Any]:
    if name not in frame.columns:
        raise ValueError(f"column {name!r}: expected among {list(frame.columns)}, found none")
    return frame[name]


def _domain(
    name: Hashable, parts: Sequence[pd.Series[Any]], orders: Orders
) -> tuple[AnyArray, bool]:
    """Categories of a column in the order of their codes, and whether that order has a meaning."""
    present = distinct(pd.concat([part.astype(object) for part in parts]))
    has_missing = any(part.isna().any() for part in parts)
    dtype = parts[0].dtype
    declared = list(dtype.categories) if isinstance(dtype, pd.CategoricalDtype) else []
    is_ordered = isinstance(dtype, pd.CategoricalDtype) and bool(dtype.ordered)
    order = orders.get(name)
    if order is not None:
        values = list(order)
        _check_order(name, values, present)
    elif is_ordered and name not in orders:
        values = declared
        _check_order(name, values, present)
    else:
        values = _sorted_values([*declared, *(v for v in present if v not in set(declared))])
    domain = np.empty(len(values) + has_missing, dtype=object)
    domain[: len(values)] = values
    if has_missing:
        domain[-1] = None
    return domain, name in orders or is_ordered


def _check_order(name: Hashable, order: Sequence[object], present: Sequence[object]) -> None:
    known = set(order)
    if len(known) < len(order):
        twice = next(value for i, value in enumerate(order) if value in order[:i])
        raise ValueError(f"column {name!r}: expected each value once in its order, found {twice!r}")
    if absent := [value for value in present if value not in known]:
        raise ValueError(
            f"column {name!r}: expected values among {list(order)}, found {absent[0]!r}"
        )


def _sorted_values(values: Sequence[object]) -> list[object]:
    """Order values by number if all are numbers, else by text."""
    texts = {value: as_text(value) for value in values}
    numbers = {value: as_number(text) for value, text in texts.items()}
    if None in numbers.values():
        return sorted(values, key=lambda value: texts[value])
    return sorted(values, key=lambda value: numbers[value] or 0)


def _labels(values: AnyArray) -> tuple[str, ...]:
    return tuple(MISSING if pd.isna(value) else as_text(value) for value in values)


def _encode(column: pd.Series[Any], values: AnyArray, name: Hashable) -> CodeArray:
    has_missing = len(values) > 0 and bool(pd.isna(values[-1]))
    index = pd.Index(values[: len(values) - has_missing], dtype=object)
    codes: CodeArray = index.get_indexer(pd.Index(column.astype(object))).astype(np.int32)
    if has_missing:
        codes[column.isna().to_numpy()] = len(values) - 1
    unknown = codes < 0
    if unknown.any():
        found = column[unknown].iloc[0]
        text = MISSING if pd.isna(found) else _quoted(found)
        n_rows = int((column[unknown].isna() if pd.isna(found) else column == found).sum())
        raise ValueError(
            f"column {name!r}: expected values among {list(_labels(values))}, "
            f"found {text} in {n_rows} rows"
        )
    return codes


def _typed(values: AnyArray, like: pd.Series[Any]) -> pd.Series[Any]:
    """Column of the type of another, or of a wider type where that cannot hold the values."""
    series = pd.Series(values, index=like.index, dtype=object)
    try:
        return series.astype(like.dtype)
    except (TypeError, ValueError):
        return series.infer_objects()


def _quoted(value: object) -> str:
    return repr(value) if isinstance(value, str) else as_text(value)
