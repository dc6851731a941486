"""A table without its suppressed cells."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import BoolArray
from anonopt.data.values import TOP
from anonopt.masking.cells.coded_cells import Matching


def suppressed_frame(
    frame: pd.DataFrame,
    columns: Sequence[Hashable],
    suppressed: BoolArray,
    *,
    matching: Matching,
) -> pd.DataFrame:
    """Copy of a table with some cells suppressed.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
    columns : sequence of columns
    suppressed : bool array (n_rows, n_columns)
    matching : ``"wildcard"`` or ``"value"``
        ``"wildcard"`` makes suppressed cells missing: whole numbers and truth values become
        pandas' nullable types, so that no number changes. ``"value"`` makes them ``*``: the
        column holds objects then. Columns that lose no cell keep their type.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [39, 50]})
    >>> mask = [[True], [False]]
    >>> suppressed_frame(frame, ["age"], np.array(mask), matching="value")["age"].tolist()
    ['*', 50]
    >>> suppressed_frame(frame, ["age"], np.array(mask), matching="wildcard")["age"].dtype
    Int64Dtype()
    """
    masked = frame.copy()
    for name, mask in zip(columns, suppressed.T, strict=True):
        if not mask.any():
            continue
        column: pd.Series[Any] = frame[name]
        if matching == "value":
            masked[name] = column.astype(object).mask(mask, TOP)
        else:
            masked[name] = _nullable(column).mask(mask)
    return masked


def _nullable(column: pd.Series[Any]) -> pd.Series[Any]:
    """The column as a type that has room for missing cells."""
    dtype = column.dtype
    if not isinstance(dtype, np.dtype) or dtype.kind not in "iub":
        return column
    names = {"i": f"Int{8 * dtype.itemsize}", "u": f"UInt{8 * dtype.itemsize}", "b": "boolean"}
    return column.astype(pd.api.types.pandas_dtype(names[dtype.kind]))
