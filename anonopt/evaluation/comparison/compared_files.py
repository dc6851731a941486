"""Checks of two files that are compared: rows, columns, and kinds of columns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.roles import find_columns


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
    ValueError
        If rows differ in number, order or label, or a column is in one of the files alone.
    """
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


def are_continuous(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    names: Sequence[Hashable],
    orders: Mapping[Hashable, object],
) -> bool:
    """Whether the columns are continuous: numbers (bool apart) that are given no order.

    Raises
    ------
    ValueError
        If some are and some are not.
    """
    continuous = [
        name
        for name in names
        if name not in orders
        and all(
            is_numeric_dtype(frame[name]) and not is_bool_dtype(frame[name])
            for frame in (original, masked)
        )
    ]
    if continuous and len(continuous) < len(names):
        others = [name for name in names if name not in continuous]
        raise ValueError(
            "expected columns that are all continuous or all categories, found continuous "
            f"{continuous} and categories {others}; name the columns to compare, or name "
            "numbers that are categories in ordinal"
        )
    return len(continuous) > 0


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
