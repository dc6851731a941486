"""How large a difference between two algorithms is, whatever the number of seeds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from anonopt.experiments.statistics.pairs import as_sample

MAGNITUDES = ((0.147, "negligible"), (0.33, "small"), (0.474, "medium"), (np.inf, "large"))
"""Least absolute Cliff's delta that is no longer called so, of Romano et al. (2006)."""


def a12(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Vargha and Delaney's A: chance that a run of the first is larger than one of the second.

    Parameters
    ----------
    first : array (n_first,)
    second : array (n_second,)

    Returns
    -------
    float
        0..1; equal values count half, 0.5 is no difference.

    Raises
    ------
    ValueError
        If a sample is empty, or holds what is not finite.

    References
    ----------
    A. Vargha, H. D. Delaney, A critique and improvement of the CL common language effect size
    statistics of McGraw and Wong, Journal of Educational and Behavioral Statistics 25 (2000).

    Examples
    --------
    >>> a12([1, 2, 3, 4], [2, 3, 4, 5, 2])
    0.35
    """
    a, b = as_sample("first", first), np.sort(as_sample("second", second))
    below = np.searchsorted(b, a, side="left").sum()
    up_to = np.searchsorted(b, a, side="right").sum()
    return float((below + up_to) / (2 * len(a) * len(b)))


def cliffs_delta(first: npt.ArrayLike, second: npt.ArrayLike) -> float:
    """Cliff's delta, -1..1: how much more often the first is larger than the second.

    Parameters
    ----------
    first : array (n_first,)
    second : array (n_second,)

    Returns
    -------
    float
        ``2 * a12 - 1``; 0 is no difference.

    Raises
    ------
    ValueError
        If a sample is empty, or holds what is not finite.

    Examples
    --------
    >>> round(cliffs_delta([1, 2, 3, 4], [2, 3, 4, 5, 2]), 6)
    -0.3
    """
    return 2 * a12(first, second) - 1


def magnitude(delta: float) -> str:
    """What a Cliff's delta is called: negligible, small, medium or large.

    Examples
    --------
    >>> magnitude(-0.3)
    'small'
    """
    return next(name for bound, name in MAGNITUDES if abs(delta) < bound)
