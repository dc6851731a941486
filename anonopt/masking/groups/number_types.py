"""Masked numbers as columns of a type that holds them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray


def averages(values: FloatArray, offset: int, like: pd.Series[Any]) -> pd.Series[Any]:
    """Numbers in the type of a column, or in floats where it holds integers.

    Parameters
    ----------
    values : float array (n_rows,)
        Numbers less `offset`, NaN for a missing cell.
    offset : int
        If it is not 0, all numbers have to be whole, and integers stay integers.
    like : Series (n_rows,)
        Gives index and type.

    Examples
    --------
    >>> averages(np.array([0.5, np.nan]), 0, pd.Series([1, 2], dtype="Int64")).dtype
    Float64Dtype()
    """
    if offset:
        return whole_numbers(values, offset, like)
    if pd.api.types.is_object_dtype(like.dtype):
        return _objects([None if np.isnan(value) else value for value in values.tolist()], like)
    return pd.Series(values, index=like.index).astype(_float_type(like.dtype))


def whole_numbers(values: FloatArray, offset: int, like: pd.Series[Any]) -> pd.Series[Any]:
    """Whole numbers in the type of a column, or in one of 64 bits where that is too small.

    Parameters
    ----------
    values : float array (n_rows,)
        Whole numbers less `offset`, NaN for a missing cell.
    offset : int
    like : Series (n_rows,)
        Gives index and type.

    Raises
    ------
    ValueError
        If a number has no whole number of 64 bits (names column and number).

    Examples
    --------
    >>> whole_numbers(np.array([1.0, np.nan]), 10**16, pd.Series([1, 2], dtype="Int64")).tolist()
    [10000000000000001, <NA>]
    >>> whole_numbers(np.array([1.0, 300.0]), 0, pd.Series([1, 2], dtype="int8")).dtype
    dtype('int64')
    """
    dtype: Any = like.dtype
    if offset == 0 and isinstance(dtype, np.dtype) and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        # The largest 64-bit integers are no floats, so bounds are compared as integers below.
        if limits.min <= values.min() and values.max() <= min(limits.max, 2**53):
            return pd.Series(values.astype(dtype), index=like.index)
    cells: list[Any] = [
        None if np.isnan(value) else int(value) + offset for value in values.tolist()
    ]
    if pd.api.types.is_object_dtype(dtype):
        return _objects(cells, like)
    present = [cell for cell in cells if cell is not None]
    for kind in (dtype, _wide_type(dtype)):
        try:
            made = pd.Series(pd.array(cells, dtype=kind), index=like.index)
        except (OverflowError, TypeError, ValueError):
            continue
        if made.dropna().astype(object).tolist() == present:
            return made
    raise ValueError(
        f"column {like.name!r}: expected masked numbers of 64 bits, found "
        f"{max(present, key=abs)} (type {dtype})"
    )


def _objects(cells: list[Any], like: pd.Series[Any]) -> pd.Series[Any]:
    """Numbers as objects: decimals, where those of a column are."""
    if any(isinstance(cell, Decimal) for cell in like):
        # The shortest text that is read as the same float: 0.1 for what was Decimal("0.1").
        cells = [None if cell is None else Decimal(repr(cell)) for cell in cells]
    return pd.Series(cells, index=like.index, dtype=object)


def _wide_type(dtype: Any) -> Any:
    if isinstance(dtype, pd.ArrowDtype):
        return "int64[pyarrow]"
    return "Int64" if isinstance(dtype, pd.api.extensions.ExtensionDtype) else np.int64


def _float_type(dtype: Any) -> Any:
    if pd.api.types.is_float_dtype(dtype):
        return dtype
    if isinstance(dtype, pd.ArrowDtype):
        return "double[pyarrow]"
    return "Float64" if isinstance(dtype, pd.api.extensions.ExtensionDtype) else np.float64
