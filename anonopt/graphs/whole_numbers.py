"""Arrays of whole numbers, from what is handed in: nothing is rounded, nothing wraps around."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def whole_numbers(values: npt.ArrayLike, name: str, dtype: type[np.integer[Any]]) -> Any:
    """New array of a type of whole numbers.

    Parameters
    ----------
    values : array_like
    name : str
        What they are, for the message.
    dtype : numpy.int64 or numpy.int32

    Returns
    -------
    array of that type and of the shape of `values`, column by column in memory

    Raises
    ------
    ValueError
        If a value is no whole number, or too large for the type.

    Examples
    --------
    >>> whole_numbers([[1.0, 2.0]], "edges", np.int64)
    array([[1, 2]])
    """
    given = np.asarray(values)
    with np.errstate(invalid="ignore"):
        numbers = np.array(given, dtype=dtype, order="F")
    wrong = given[numbers != given]
    if wrong.size:
        raise ValueError(f"{name}: expected whole numbers, found {wrong[0]}")
    return numbers
