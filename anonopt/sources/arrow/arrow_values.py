"""Values of Arrow arrays as pandas has them, without what pandas would round."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import IntArray

_SEVERAL = re.compile(
    r"(LIST|STRUCT|MAP|UNION)|((large_|fixed_size_)?list(_view)?|struct|map|(dense|sparse)_union)<"
    r"|.*\[\d*\]$"
)
_OTHERS = re.compile(
    r"\b(BIT|BIGNUM|VARINT|UHUGEINT|INTERVAL|TIME WITH TIME ZONE|GEOMETRY)\b|extension<"
    r"|(month|day_time|month_day_nano)_interval"
)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
"""Values of enumerations, and names of fields."""


def as_series(array: Any, kind: Any = None) -> pd.Series[Any]:
    """Values of an array with their types; missing ones stay missing.

    Parameters
    ----------
    array : pyarrow Array (n,)
    kind : pyarrow DataType, optional
        Type that the file declares, from which the time zone of instants is taken.

    Returns
    -------
    Series (n,)
        As pandas reads them, but whole numbers stay whole beside missing cells.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_series(pa.array([2**62 + 1, None])).tolist()
    [4611686018427387905, <NA>]
    """
    arrow = engine("pyarrow", "this source")
    if kind is not None and arrow.types.is_duration(kind) and arrow.types.is_integer(array.type):
        # DuckDB reads times as the whole numbers that Parquet has of them.
        array = array.cast(kind)
    types_mapper = None
    if arrow.types.is_integer(array.type) and array.null_count:
        name = str(array.type).replace("uint", "UInt").replace("int", "Int")
        types_mapper = {array.type: pd.api.types.pandas_dtype(name)}.get
    values: pd.Series[Any] = array.to_pandas(types_mapper=types_mapper)
    zone = getattr(kind, "tz", None)
    if zone is not None and isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert(zone)
    return values


def as_dictionary(array: Any) -> Any:
    """An array as codes and values.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_dictionary(pa.array(["b", "a", "b"], pa.string_view())).indices.to_pylist()
    [0, 1, 0]
    """
    if engine("pyarrow", "this source").types.is_dictionary(array.type):
        return array
    return without_views(array).dictionary_encode()


def without_views(array: Any) -> Any:
    """An array whose text and bytes, if it has some, are of a type that Arrow computes with."""
    arrow = engine("pyarrow", "this source")
    if arrow.types.is_string_view(array.type):
        return array.cast(arrow.large_string())
    return array.cast(arrow.large_binary()) if arrow.types.is_binary_view(array.type) else array


def dictionary_places(array: Any) -> IntArray:
    """Place of each cell in a dictionary, that behind its last value where the cell is missing.

    Parameters
    ----------
    array : pyarrow DictionaryArray (n,)

    Returns
    -------
    int64 array (n,)

    Examples
    --------
    >>> import pyarrow as pa
    >>> dictionary_places(pa.array(["b", None, "a", "b"]).dictionary_encode())
    array([0, 2, 1, 0])
    """
    # Indices may be of 8 bits, which have no place behind their last one.
    indices = array.indices.cast(engine("pyarrow", "this source").int64())
    if indices.null_count:
        indices = indices.fill_null(len(array.dictionary))
    return np.asarray(indices.to_numpy(zero_copy_only=False))


def check_single_values(column: Hashable, kind: str) -> None:
    """Refuse a column of lists or records.

    Raises
    ------
    TypeError
        Names the column and its type.
    """
    if _SEVERAL.match(kind):
        raise TypeError(f"column {column!r}: expected single values, found {kind}")


def check_known_values(column: Hashable, kind: str) -> None:
    """Refuse a column of lists or records, and of what has no counterpart in a table in memory.

    Raises
    ------
    TypeError
        Names the column and its type.
    """
    check_single_values(column, kind)
    check_same_values({column: kind})


def check_same_values(kinds: Mapping[Hashable, str]) -> None:
    """Refuse columns of what Arrow would be given other values for.

    Raises
    ------
    TypeError
        Names the first such column and its type.
    """
    for column, kind in kinds.items():
        if _OTHERS.search(_QUOTED.sub("", kind)):
            raise TypeError(
                f"column {column!r}: expected numbers, text, dates or moments, found {kind}, whose "
                "values would be taken for others (cast them to text before)"
            )


@contextmanager
def unknown_values(column: Hashable) -> Iterator[None]:
    """Name the column of a value that Python has not, such as a day before the year 1.

    Raises
    ------
    ValueError
    """
    try:
        yield
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"column {column!r}: expected values that Python has, found: {error}"
        ) from error
