"""Numeric columns of a table as one array, checked."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.data.roles import find_columns


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
        column are not defined.

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
        if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
            raise ValueError(f"column {name!r}: expected numbers, found type {column.dtype}")
        values[:, position] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if wrong := int((~np.isfinite(values[:, position])).sum()):
            raise ValueError(
                f"column {name!r}: expected a finite number in every cell, found {wrong} cells "
                f"that are missing or infinite"
            )
    return values
