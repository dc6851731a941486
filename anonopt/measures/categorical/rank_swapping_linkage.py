"""Which originals a rank-swapped value can come from, for linkage against rank swapping (RSRL).

An attacker who knows the window links a masked record to all originals that it can come from in
every column, alike.
Nin, Herranz and Torra 2008; Mares 2013, Section 2.4.2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import SupportsFloat

import numpy as np

from anonopt._typing import AnyIntArray, BoolArray, IntArray


def swapping_window(p: float, n_ranked: int) -> int:
    """Ranks that a value may move by: p percent of the ranked cells, at least 1.

    Parameters
    ----------
    p : float
        Above 0 and up to 100.
    n_ranked : int
        Cells of the column that have a rank.

    Raises
    ------
    ValueError
        If p is out of range.

    Examples
    --------
    >>> swapping_window(5, 100), swapping_window(0.5, 100), swapping_window(2.3, 3000)
    (5, 1, 69)
    """
    check_percent(p)
    # As written in decimals: 2.3 % of 3000 rows is 69 ranks, not 68.99999999999999.
    return max(math.floor(Fraction(repr(float(p))) * n_ranked / 100), 1)


def swap_candidates(
    original: AnyIntArray, masked: AnyIntArray, counts: IntArray | None, p: float
) -> BoolArray:
    """Whether rank swapping can have turned an original category into a masked one.

    Parameters
    ----------
    original, masked : int arrays that broadcast together
        Category codes of one column.
    counts : int64 array (n_ordered,) or None
        Original rows of each ordered category. Equal cells have neighbouring ranks in any order,
        so two categories are candidates if the nearest of their ranks are within the window.
        Categories beyond them (missing cells), and all of a nominal column (None), have no rank:
        they are never swapped.
    p : float
        Percent of the ranked cells.

    Returns
    -------
    bool array

    Examples
    --------
    Ranks 1-3, 4 and 5-7, a window of one rank:

    >>> swap_candidates(np.array([0, 1, 2]), np.array([0, 0, 0]), np.array([3, 1, 3]), 1)
    array([ True,  True, False])
    """
    equal: BoolArray = np.asarray(original == masked)
    if counts is None or len(counts) == 0:
        return equal
    window = swapping_window(p, int(counts.sum()))
    last = len(counts) - 1
    upto = np.cumsum(counts)
    low = np.minimum(np.minimum(original, masked), last)
    high = np.minimum(np.maximum(original, masked), last)
    # From the last rank of the lower category to the first one of the higher.
    apart = upto[high] - counts[high] + 1 - upto[low]
    has_rank = np.maximum(original, masked) < len(counts)
    return np.where(has_rank, equal | (apart <= window), equal)


def candidate_ranges(
    counts: IntArray | None, n_categories: int, p: float
) -> tuple[IntArray, IntArray]:
    """First and last category that rank swapping can have turned into each category.

    What :func:`swap_candidates` allows is everything between them.

    Parameters
    ----------
    counts : int64 array (n_ordered,) or None
        As for :func:`swap_candidates`.
    n_categories : int
    p : float
        Percent of the ranked cells.

    Returns
    -------
    first, last : int64 arrays (n_categories,)

    Examples
    --------
    Ranks 1-3, 4 and 5-7, a window of one rank:

    >>> [ends.tolist() for ends in candidate_ranges(np.array([3, 1, 3]), 3, 1)]
    [[0, 0, 1], [1, 2, 2]]
    """
    first, last = np.arange(n_categories), np.arange(n_categories)
    if counts is None or len(counts) == 0:
        return first, last
    window = swapping_window(p, int(counts.sum()))
    upto = np.cumsum(counts)
    lowest = upto - counts + 1
    n = len(counts)
    first[:n] = np.minimum(first[:n], np.searchsorted(upto, lowest - window))
    last[:n] = np.maximum(last[:n], np.searchsorted(lowest, upto + window, side="right") - 1)
    return first, last


def check_percent(p: float) -> None:
    """Raise if p is no percentage above 0 and up to 100."""
    message = f"p: expected percent above 0 and up to 100, found {p!r}"
    if isinstance(p, bool | np.bool_ | str) or not isinstance(p, SupportsFloat):
        raise TypeError(message)
    if not 0 < p <= 100:
        raise ValueError(message)
