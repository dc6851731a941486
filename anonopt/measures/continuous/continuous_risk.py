"""Disclosure risk of masked numeric files: ranks of values, intervals, and DR made of the parts."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_number
from anonopt._typing import FloatArray, IntArray


def doubled_ranks(ordered: FloatArray, values: npt.ArrayLike) -> IntArray:
    """Twice the mid-rank of values among those of an original column.

    Parameters
    ----------
    ordered : float array (n_rows,)
        The original column, sorted.
    values : array of numbers, of any shape
        Original or masked values; one between two originals lies between them in rank.

    Returns
    -------
    int64 array of the shape of `values`
        Originals below, plus half of those that are equal, plus 1/2, times 2.

    Examples
    --------
    >>> doubled_ranks(np.array([1.0, 5.0, 5.0, 9.0]), [1.0, 5.0, 7.0, 99.0]).tolist()
    [2, 5, 7, 9]
    """
    below = np.searchsorted(ordered, values, side="left")
    upto = np.searchsorted(ordered, values, side="right")
    return np.asarray(below + upto + 1, dtype=np.int64)


def rank_window(percent: float, n_rows: int) -> int:
    """Largest difference of doubled ranks within some percent of the rows.

    Parameters
    ----------
    percent : float
        0..100.
    n_rows : int

    Raises
    ------
    ValueError
        If the percentage is out of its range.

    Examples
    --------
    >>> rank_window(0.1, 3000)
    6
    """
    if not 0 <= percent <= 100:
        raise ValueError(f"percent of the rows: expected 0..100, found {percent}")
    # As written in decimals: 0.1 % of 3000 rows is 3 ranks, not 3.0000000000000002.
    return math.floor(Fraction(repr(float(percent))) * n_rows / 50)


def interval_risk(original: npt.ArrayLike, masked: npt.ArrayLike, *, half_width: float) -> float:
    """Share of cells at risk: the original value lies in an interval around the masked one.

    The interval reaches `half_width` standard deviations of the original column (with N - 1) to
    either side, both ends included. Inside is the risk.

    Parameters
    ----------
    original, masked : arrays of numbers (n_rows,) or (n_rows, n_columns)
        The same cells in the same order.
    half_width : float
        In standard deviations of each column, at least 0. In a constant column a cell is at
        risk if it was not changed.

    Returns
    -------
    float
        0..1, less is better.

    Raises
    ------
    ValueError
        If the shapes differ or are empty, or the half-width is negative or not finite.

    Examples
    --------
    >>> round(interval_risk([10, 20, 30], [10.5, 25, 30], half_width=0.1), 6)
    0.666667
    """
    x, y = np.asarray(original, dtype=np.float64), np.asarray(masked, dtype=np.float64)
    if x.shape != y.shape or x.size == 0:
        raise ValueError(f"expected the same cells twice, found shapes {x.shape} and {y.shape}")
    check_number("half_width", half_width, least=0)
    spread = x.std(axis=0, ddof=1) if len(x) > 1 else np.zeros(x.shape[1:])
    inside = np.abs(x - y) <= half_width * spread
    return float(inside.mean())


def range_distance(original: FloatArray, masked: FloatArray) -> float:
    """DBIL of numeric files: mean of ``|original - masked| / range``.

    Parameters
    ----------
    original, masked : float arrays (n_rows, n_columns)

    Returns
    -------
    float
        0..100, less is better. The range of a column is that of both files, so that no distance
        is above 1; a column of range 0 has no distance.

    Examples
    --------
    >>> range_distance(np.array([[0.0], [8.0]]), np.array([[0.0], [10.0]]))
    10.0
    """
    low = np.minimum(original.min(axis=0), masked.min(axis=0))
    width = np.maximum(original.max(axis=0), masked.max(axis=0)) - low
    change = np.abs(original - masked)
    shares: Any = np.divide(change, width, out=np.zeros_like(change), where=width > 0)
    return 100.0 * float(shares.mean())


def continuous_disclosure_risk(interval: float, by_distance: float, probabilistic: float) -> float:
    """DR of numeric files (Domingo-Ferrer and Torra 2001; Mares 2013, Section 3.4).

    Parameters
    ----------
    interval, by_distance, probabilistic : float
        ID, DBRL and PRL, 0..100.

    Returns
    -------
    float
        ``0.5 ID + 0.25 DBRL + 0.25 PRL``, 0..100, less is better.

    Examples
    --------
    >>> continuous_disclosure_risk(40.0, 10.0, 20.0)
    27.5
    """
    return 0.5 * interval + 0.25 * by_distance + 0.25 * probabilistic
