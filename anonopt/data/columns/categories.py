"""Columns of categories as codes: what masking methods change and masked files are compared by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, CodeArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.columns.domains import Orders as Orders
from anonopt.data.columns.domains import domain_of, labels_of, quoted
from anonopt.data.equal_values import equal_keys
from anonopt.data.immutable import Immutable
from anonopt.data.roles import find_columns
from anonopt.data.values import MISSING


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
        codes = np.empty((len(frame), len(names)), dtype=np.int32)
        domains = []
        for position, name in enumerate(names):
            parts = [frame[name], *(_column(other, name) for other in others)]
            domains.append(domain_of(name, parts, orders))
            codes[:, position] = domains[-1].codes
        codes.flags.writeable = False
        return cls(
            names=names,
            codes=codes,
            categories=tuple(domain.values for domain in domains),
            labels=tuple(domain.labels for domain in domains),
            ordinal=tuple(domain.is_ordinal for domain in domains),
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
        return tuple(labels[-1:] == (MISSING,) for labels in self.labels)

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


def _encode(column: pd.Series[Any], categories: AnyArray, name: Hashable) -> CodeArray:
    cells = ColumnValues.of(column)
    known = ColumnValues.of_list(categories, "its categories")
    keys, known_keys = equal_keys(name, cells, known, is_lookup=True)
    codes = {key: code for code, key in enumerate(known_keys)}
    missing = len(known_keys) if len(known_keys) < len(categories) else -1
    found = np.array([*(codes.get(key, -1) for key in keys), missing], dtype=np.int32)[cells.codes]
    if (found < 0).any():
        place = int(cells.codes[np.argmax(found < 0)])
        value = MISSING if place < 0 else cells.values[place]
        raise ValueError(
            f"column {name!r}: expected values among {list(labels_of(categories))}, "
            f"found {value if place < 0 else quoted(value)} in {int((cells.codes == place).sum())} "
            "rows"
        )
    return found


def _typed(values: AnyArray, like: pd.Series[Any]) -> pd.Series[Any]:
    """Column of the type of another, or of a wider type where that cannot hold the values."""
    series = pd.Series(values, index=like.index, dtype=object)
    try:
        return series.astype(like.dtype)
    except (TypeError, ValueError):
        return series.infer_objects()
