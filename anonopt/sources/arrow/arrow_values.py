"""Values of Arrow arrays as pandas has them, without what pandas would round."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pandas as pd

from anonopt.sources.engines import engine

_SEVERAL = ("LIST", "STRUCT", "MAP", "UNION", "list<", "large_list<", "struct<", "map<")


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
    types_mapper = None
    if arrow.types.is_integer(array.type) and array.null_count:
        name = str(array.type).replace("uint", "UInt").replace("int", "Int")
        types_mapper = {array.type: pd.api.types.pandas_dtype(name)}.get
    values: pd.Series[Any] = array.to_pandas(types_mapper=types_mapper)
    zone = getattr(kind, "tz", None)
    if zone is not None and isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert(zone)
    return values


def check_single_values(column: Hashable, kind: str) -> None:
    """Refuse a column of lists or records.

    Raises
    ------
    TypeError
        Names the column and its type.
    """
    if kind.endswith("[]") or kind.startswith(_SEVERAL):
        raise TypeError(f"column {column!r}: expected single values, found {kind}")
