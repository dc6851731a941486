"""Checks of two files that are compared: rows, columns, and kinds of columns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from anonopt._typing import FloatArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.numeric_values import (
    check_finite,
    check_squares,
    exact_numbers,
    holds_numbers,
)
from anonopt.data.equal_values import equal_keys
from anonopt.data.roles import find_columns
from anonopt.data.tables.spellings import MISSING_SPELLINGS


def shared_columns(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    columns: Sequence[Hashable] | None,
    *,
    without: Hashable | None = None,
) -> list[Hashable]:
    """Columns that are compared, after the rows of both files were checked.

    Raises
    ------
    TypeError
        If a file is no frame.
    ValueError
        If rows differ in number, order or label, or a column is in one of the files alone.
    """
    for file, frame in (("original", original), ("masked", masked)):
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(f"{file}: expected a DataFrame, found {type(frame).__name__}")
    if len(original) != len(masked):
        raise ValueError(
            f"expected files of the same rows, found {len(original)} original and "
            f"{len(masked)} masked ones"
        )
    if not original.index.equals(masked.index):
        row = int(np.argmax(np.asarray(original.index != masked.index)))
        raise ValueError(
            f"expected files of the same rows in the same order, found row {row} labelled "
            f"{original.index[row]!r} and {masked.index[row]!r} (reset_index pairs by position)"
        )
    if columns is not None:
        names = find_columns(original, columns)
        find_columns(masked, columns)
        return list(names)
    for file, frame, other in (("masked", original, masked), ("original", masked, original)):
        if absent := [name for name in frame.columns if name not in other.columns]:
            raise ValueError(
                f"expected the same columns in both files, the {file} file lacks {absent}; "
                "name the columns to compare"
            )
    names = find_columns(original, None)
    return [name for name in names if without is None or name != without]


def check_missing(original: pd.DataFrame, masked: pd.DataFrame, names: Sequence[Hashable]) -> None:
    """Refuse columns whose missing cells were read as missing in one file, as text in the other.

    Raises
    ------
    ValueError
        If a column has missing cells in one file alone, and in the other a text that may stand for
        them and that the first does not have, such as "NA".
    """
    for name in names:
        pair = (original[name], masked[name])
        for one, other in (pair, pair[::-1]):
            if is_numeric_dtype(other) or not one.isna().any() or other.isna().any():
                continue
            texts = ColumnValues.of(other).text_set - ColumnValues.of(one).text_set
            if spelled := sorted(texts.intersection(("", "NaT", *MISSING_SPELLINGS))):
                raise ValueError(
                    f"column {name!r}: expected missing cells to be missing in both files, found "
                    f"them in one ({one.dtype}), and the text {spelled[0]!r} in the other "
                    f"({other.dtype})"
                )


def are_continuous(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    names: Sequence[Hashable],
    orders: Mapping[Hashable, object],
) -> bool:
    """Whether the columns are continuous: numbers (bool apart) that are given no order.

    One file may hold the numbers as text, or the masked one as categories.

    Raises
    ------
    ValueError
        If some are and some are not, or the types of a column in the two files cannot be compared
        without guessing.
    """
    continuous = [
        name
        for name in names
        if name not in orders and _is_continuous(original[name], masked[name])
    ]
    if continuous and len(continuous) < len(names):
        others = [name for name in names if name not in continuous]
        raise ValueError(
            "expected columns that are all continuous or all categories, found continuous "
            f"{continuous} and categories {others}; name the columns to compare, or name "
            "numbers that are categories in ordinal"
        )
    return len(continuous) > 0


def _is_continuous(original: pd.Series[Any], masked: pd.Series[Any]) -> bool:
    numeric = [holds_numbers(column) for column in (original, masked)]
    if all(numeric):
        return True
    if not any(numeric) or isinstance(original.dtype, pd.CategoricalDtype):
        return False
    keys = equal_keys(original.name, ColumnValues.of(original), ColumnValues.of(masked))
    return all(isinstance(key, Number) for own in keys for key in own)


def paired_numbers(
    original: pd.DataFrame, masked: pd.DataFrame, names: Sequence[Hashable]
) -> tuple[FloatArray, FloatArray]:
    """Numbers of the continuous columns of both files, exact up to a shift of both.

    Returns
    -------
    float arrays (n_rows, n_columns)
        Numbers beyond 2**53 less a number of each column
        (:func:`~anonopt.data.columns.numeric_values.exact_numbers`); NaN where a cell is missing.

    Raises
    ------
    ValueError
        If a column is not numeric in both files, or holds an infinite cell or numbers whose
        squares are none.
    """
    pair = np.empty((2, len(original), len(names)))
    for position, name in enumerate(names):
        _, numbers = exact_numbers(original[name], masked[name])
        for file, column in zip(pair, numbers, strict=True):
            check_finite(name, column[~np.isnan(column)])
            check_squares(name, column)
            file[:, position] = column
    return pair[0], pair[1]


def untouched_columns(
    original: pd.DataFrame, masked: pd.DataFrame, name: Hashable
) -> CategoricalColumns:
    """A column that was not masked, as codes.

    Raises
    ------
    ValueError
        If it is absent from a file, or differs between them.
    """
    columns = CategoricalColumns.of(original, columns=[name], others=[masked])
    other = columns.encode(masked)
    differs = (columns.codes != other).ravel()
    if differs.any():
        row = int(np.argmax(differs))
        found = [columns.labels[0][codes[row, 0]] for codes in (columns.codes, other)]
        raise ValueError(
            f"untouched: expected column {name!r} to be equal in both files, found "
            f"{found[0]} and {found[1]} in row {row}"
        )
    return columns
