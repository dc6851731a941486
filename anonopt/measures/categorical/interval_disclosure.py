"""Interval disclosure (ID): original values that lie near their masked value in rank.

Mares 2013, Section 2.4.2; Domingo-Ferrer and Torra 2001. A percentage, less is better.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import AnyIntArray, IntArray

WIDTHS = 10
"""Half-widths of the interval: 1..10 percent of the rows."""


def doubled_mid_ranks(counts: AnyIntArray) -> IntArray:
    """Twice the mid-rank of each ordered category.

    Parameters
    ----------
    counts : int array (n_categories,)
        Rows of each category in the original column.

    Returns
    -------
    int64 array (n_categories,)
        Rows below plus half the rows of the category plus 1/2, times 2. A category without
        rows lies between its neighbours.

    Examples
    --------
    >>> doubled_mid_ranks(np.array([3, 0, 2])).tolist()
    [4, 7, 9]
    """
    counts = counts.astype(np.int64)
    return np.asarray(2 * np.cumsum(counts) - counts + 1, dtype=np.int64)


def interval_hits(
    original: AnyIntArray, masked: AnyIntArray, mid_ranks: IntArray | None, n_rows: int
) -> IntArray:
    """Intervals around masked categories that hold the original ones.

    Parameters
    ----------
    original, masked : int arrays that broadcast together
        Category codes of one column.
    mid_ranks : int64 array (n_ordered,) or None
        As :func:`doubled_mid_ranks` gives them, for an ordinal column. Categories beyond them
        (that of missing cells) have no rank, and None of a nominal column has: the interval
        then holds the masked category alone.
    n_rows : int

    Returns
    -------
    int64 array
        How many of the intervals of half-width 1, ..., 10 percent of the rows, in ranks, hold
        the original category: 0..10.

    Examples
    --------
    Categories of 96, 3 and 1 of 100 rows have the mid-ranks 48.5, 98 and 100:

    >>> ranks = doubled_mid_ranks(np.array([96, 3, 1]))
    >>> interval_hits(np.array([0, 1, 2]), np.array([1, 1, 1]), ranks, 100).tolist()
    [0, 10, 9]
    """
    equal = WIDTHS * np.asarray(original == masked).astype(np.int64)
    if mid_ranks is None or len(mid_ranks) == 0:
        return equal
    has_rank = np.maximum(original, masked) < len(mid_ranks)
    last = len(mid_ranks) - 1
    apart = np.abs(mid_ranks[np.minimum(original, last)] - mid_ranks[np.minimum(masked, last)])
    return np.where(has_rank, hits_of_ranks(apart, n_rows), equal)


def hits_of_ranks(apart: IntArray, n_rows: int) -> IntArray:
    """Intervals that hold an original value so many ranks from the masked one.

    Parameters
    ----------
    apart : int64 array
        Differences of doubled mid-ranks, at least 0.
    n_rows : int

    Returns
    -------
    int64 array of the same shape
        How many of the intervals of half-width 1, ..., 10 percent of the rows: 0..10.

    Examples
    --------
    >>> hits_of_ranks(np.array([0, 2, 3, 20, 21]), 100).tolist()
    [10, 10, 9, 1, 0]
    """
    # Within p percent: apart / 2 <= p * n_rows / 100, in whole numbers.
    smallest = -((-50 * apart) // n_rows)
    return np.asarray(np.clip(WIDTHS + 1 - np.maximum(smallest, 1), 0, WIDTHS), dtype=np.int64)


def interval_disclosure(hits: int, n_rows: int, n_columns: int) -> float:
    """ID: share of the cells inside the interval, averaged over its half-widths.

    Parameters
    ----------
    hits : int
        Sum over all cells of :func:`interval_hits`.
    n_rows, n_columns : int

    Returns
    -------
    float
        0..100.

    Examples
    --------
    >>> interval_disclosure(35, 2, 2)
    87.5
    """
    return 100 * hits / (WIDTHS * n_rows * n_columns)
