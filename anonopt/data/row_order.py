"""Release in shuffled order: the place of a row tells whose it is to whoever knows the input."""

from __future__ import annotations

import pandas as pd

from anonopt._checks import as_generator
from anonopt._typing import IntArray, RandomState


def shuffled_rows(n_rows: int, random_state: RandomState = None) -> IntArray:
    """Rows of a table in an order drawn uniformly, int64 array (n_rows,).

    Parameters
    ----------
    n_rows : int
    random_state : int or numpy Generator, optional
        Seed, or the generator to draw from, which no other draw of the release shares; by
        default nobody can foresee it. Whoever knows it knows the old order.
    """
    return as_generator(random_state, fresh=True).permutation(n_rows)


def shuffled(frame: pd.DataFrame, random_state: RandomState = None) -> pd.DataFrame:
    """Rows of a table in an order drawn uniformly.

    Protected tables keep the order of their input, so that they can be compared with it. Where
    that order is known or means something, publish them shuffled.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
        Left as it is.
    random_state : int or numpy Generator, optional
        As for :func:`~anonopt.data.row_order.shuffled_rows`.

    Returns
    -------
    DataFrame (n_rows, ...)
        The same rows under a new index 0, 1, ..., since the old one would tell the old order.

    Raises
    ------
    TypeError
        If `frame` is not a frame.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [21, 34, 55]}, index=["Ada", "Ben", "Cem"])
    >>> released = shuffled(frame, random_state=1)
    >>> sorted(released["age"]), list(released.index)
    ([21, 34, 55], [0, 1, 2])
    """
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frame: expected a pandas DataFrame, found {type(frame).__name__}")
    return frame.iloc[shuffled_rows(len(frame), random_state)].reset_index(drop=True)
