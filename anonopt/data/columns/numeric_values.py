"""Numeric columns of a table as arrays, checked; whole numbers exactly, whatever their size."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.equal_values import equal_keys
from anonopt.data.roles import find_columns
from anonopt.data.values import WHOLE_FLOATS

SQUARED = 1e70
"""Numbers up to here, and spread from its inverse on, have squares and fourth powers as floats."""


def holds_numbers(column: pd.Series[Any]) -> bool:
    """Whether the type of a column is that of numbers: bool, complex and text apart.

    Objects are numbers if all that are not missing are: decimals, fractions, integers of any size.

    Examples
    --------
    >>> holds_numbers(pd.Series([10**30, None])), holds_numbers(pd.Series(["1"]))
    (True, False)
    """
    types = pd.api.types
    if column.dtype != object:
        return types.is_numeric_dtype(column) and not (
            types.is_bool_dtype(column) or types.is_complex_dtype(column)
        )
    values = ColumnValues.of(column)
    return values.kinds == {"number"} and not any(isinstance(value, str) for value in values.values)


def exact_numbers(*columns: pd.Series[Any]) -> tuple[int, tuple[FloatArray, ...]]:
    """Numbers of a column, or of one column in several files, as floats that lose nothing.

    Whole numbers beyond 2**53 are no floats, but their differences may be: they are returned less
    `offset`. What is an average, an order or a distance of numbers is one of these, too.

    Parameters
    ----------
    *columns : Series (n_rows,) each
        Numbers of any type, and text of numbers beside them (:mod:`anonopt.data.values`).

    Returns
    -------
    offset : int
        0 unless all numbers are whole and one of them is beyond 2**53.
    numbers : tuple of float arrays (n_rows,)
        Numbers less `offset`; NaN where a cell is missing.

    Raises
    ------
    ValueError
        If a value is no number, types cannot be compared without guessing, or a column has whole
        numbers beyond 2**53 together with numbers that are not whole or more than 2**53 away.

    Examples
    --------
    >>> offset, (numbers,) = exact_numbers(pd.Series([10**16 + 1, 10**16]))
    >>> offset, numbers
    (10000000000000000, array([1., 0.]))
    """
    if all(map(_is_exact, columns)) or (len(columns) == 1 and _numpy_kind(columns[0]) == "f"):
        return 0, tuple(column.to_numpy(np.float64, na_value=np.nan) for column in columns)
    name = columns[0].name
    cells = [ColumnValues.of(column) for column in columns]
    keys = equal_keys(name, *cells)
    for column, column_keys in zip(cells, keys, strict=True):
        for value, key in zip(column.values, column_keys, strict=True):
            if not isinstance(key, int | float | Decimal | Fraction):
                raise ValueError(
                    f"column {name!r}: expected numbers, found {value!r} ({column.found})"
                )
    try:
        offset = _offset(name, {key for column_keys in keys for key in column_keys})
    except OverflowError as error:
        raise ValueError(f"column {name!r}: expected numbers up to 1e308, found {error}") from error
    return offset, tuple(
        np.array([*(_nearest(key, offset) for key in column_keys), np.nan])[column.codes]
        for column, column_keys in zip(cells, keys, strict=True)
    )


def _numpy_kind(column: pd.Series[Any]) -> str:
    """Kind of numpy's type of a column, nullable and arrow ones included; "" if it has none."""
    dtype = getattr(column.dtype, "numpy_dtype", column.dtype)
    return dtype.kind if isinstance(dtype, np.dtype) else ""


def _is_exact(column: pd.Series[Any]) -> bool:
    """Whether every number of a column is a float of 64 bits, as it is."""
    kind = _numpy_kind(column)
    if kind == "f":
        return getattr(column.dtype, "numpy_dtype", column.dtype) == np.float64
    if kind not in ("i", "u"):
        return False
    present = column.dropna()
    return present.empty or max(abs(int(present.max())), abs(int(present.min()))) <= WHOLE_FLOATS


def _offset(name: Hashable, numbers: set[Any]) -> int:
    """Whole number that is subtracted from all others so that floats hold them."""
    finite = {n for n in numbers if math.isfinite(n)}
    large = [n for n in finite if not isinstance(n, float) and abs(n) > WHOLE_FLOATS]
    if not large:
        return 0
    lowest, highest = min(finite), max(finite)
    if highest - lowest <= WHOLE_FLOATS and all(n % 1 == 0 for n in finite):
        return int(lowest)
    if rounded := [n for n in large if float(n) != n]:
        raise ValueError(
            f"column {name!r}: expected whole numbers that need not be rounded (beyond 2**53 all "
            f"whole, and within 2**53 of each other), found {min(rounded)} among numbers from "
            f"{lowest} to {highest}"
        )
    return 0


def _nearest(number: Any, offset: int) -> float:
    return float(number - offset) if offset else float(number)


def numeric_values(frame: pd.DataFrame, columns: Sequence[Hashable] | None = None) -> FloatArray:
    """Values of numeric columns.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
    columns : list of columns, optional
        By default all.

    Returns
    -------
    float array (n_rows, n_columns)

    Raises
    ------
    ValueError
        If the table has no row, a column is absent or given twice, is not numeric, or has a cell
        that is missing or infinite (names column and number of cells): the statistics of such a
        column are not defined. If a whole number is beyond 2**53, since it would be rounded.

    Examples
    --------
    >>> numeric_values(pd.DataFrame({"income": [20, 35], "zone": ["a", "b"]}), ["income"])
    array([[20.],
           [35.]])
    """
    names = find_columns(frame, columns)
    values = np.empty((len(frame), len(names)))
    for position, name in enumerate(names):
        column = frame[name]
        if not holds_numbers(column):
            raise ValueError(f"column {name!r}: expected numbers, found type {column.dtype}")
        offset, (values[:, position],) = exact_numbers(column)
        if offset:
            raise ValueError(
                f"column {name!r}: expected whole numbers up to 2**53, which are not rounded, "
                f"found {column.max()}"
            )
        check_finite(name, values[:, position])
    return values


def check_finite(name: Hashable, values: FloatArray) -> None:
    """Refuse a column with cells that are missing or infinite.

    Raises
    ------
    ValueError
        If there is one (names column and number of cells).
    """
    if wrong := int((~np.isfinite(values)).sum()):
        raise ValueError(
            f"column {name!r}: expected a finite number in every cell, found {wrong} cells "
            f"that are missing or infinite"
        )


def check_squares(name: Hashable, values: FloatArray) -> None:
    """Refuse numbers whose deviations cannot be squared: they would be infinite, or vanish.

    Parameters
    ----------
    name : column
        For the message.
    values : float array (n,)
        NaN is left out.

    Raises
    ------
    ValueError
        If a number is beyond 1e70, or the numbers differ, by less than 1e-70.

    Examples
    --------
    >>> check_squares("x", np.array([1e-200, 3e-200]))
    Traceback (most recent call last):
    ValueError: column 'x': expected numbers up to 1e+70 that differ by 1e-70 or more, for their \
squares, found some from 1e-200 to 3e-200
    """
    present = values[~np.isnan(values)]
    if len(present) == 0:
        return
    low, high = float(present.min()), float(present.max())
    if max(-low, high) > SQUARED or 0 < high - low < 1 / SQUARED:
        raise ValueError(
            f"column {name!r}: expected numbers up to {SQUARED:g} that differ by {1 / SQUARED:g} "
            f"or more, for their squares, found some from {low:g} to {high:g}"
        )
