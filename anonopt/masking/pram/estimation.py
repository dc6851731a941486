"""Frequencies of the original file, estimated from a file masked by a known PRAM matrix."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_choice
from anonopt._typing import FloatArray
from anonopt.data.columns.markov import checked_frequencies, checked_probabilities

MAX_CONDITION = 1e12
"""Beyond this condition number, an inverse is noise."""

MAX_ROUNDS = 100_000
CHANGE = 1e-12
"""EM ends when no share changes by more, or after so many rounds."""


def estimate_distribution(
    matrix: npt.ArrayLike, frequencies: npt.ArrayLike, *, method: str = "em"
) -> FloatArray:
    """Estimate the shares of the original categories.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix the file was masked by.
    frequencies : array_like (L,)
        Counts or shares of the categories in the masked file.
    method : {"em", "moment"}
        ``"em"``: maximum likelihood by expectation maximization from equal shares, until no
        share changes by more than 1e-12. ``"moment"``: the unbiased estimate by the inverse
        matrix (Gouweleeuw et al. 1998), which may lie outside of 0..1.

    Returns
    -------
    float array (L,)
        Shares that sum to 1; of ``"em"``, none is negative.

    Raises
    ------
    ValueError
        If either is not what it must be, their sizes differ, the method is unknown, or
        ``"moment"`` meets a matrix that has no inverse; if ``"em"`` meets a category in the
        masked file that the matrix never yields.

    Examples
    --------
    >>> matrix = [[0.7, 0.3], [0.4, 0.6]]
    >>> estimate_distribution(matrix, [55, 45]).round(6)
    array([0.5, 0.5])
    >>> estimate_distribution(matrix, [80, 20], method="moment").round(6)
    array([ 1.333333, -0.333333])
    >>> estimate_distribution(matrix, [80, 20]).round(6)
    array([1., 0.])
    """
    estimators = {"em": _likeliest, "moment": _moment}
    check_choice("method", method, estimators)
    probabilities = checked_probabilities(matrix)
    counts = checked_frequencies(frequencies, n_categories=len(probabilities))
    return estimators[method](probabilities, counts / counts.sum())


def _moment(probabilities: FloatArray, masked: FloatArray) -> FloatArray:
    condition = np.linalg.cond(probabilities)
    if condition > MAX_CONDITION:
        raise ValueError(
            f"matrix: expected one with an inverse for method 'moment', found condition number "
            f"{condition:.1e} (method 'em' needs no inverse)"
        )
    return np.asarray(np.linalg.solve(probabilities.T, masked))


def _likeliest(probabilities: FloatArray, masked: FloatArray) -> FloatArray:
    seen = masked > 0
    never = seen & ~probabilities.any(axis=0)
    if never.any():
        place = int(np.argmax(never))
        raise ValueError(
            f"frequencies: expected categories the matrix yields, found share {masked[place]:.3g} "
            f"at position {place}, whose column is 0"
        )
    reached, found = probabilities[:, seen], masked[seen]
    shares = np.full(len(masked), 1 / len(masked))
    for _ in range(MAX_ROUNDS):
        previous = shares
        shares = previous * (reached @ (found / (previous @ reached)))
        shares = shares / shares.sum()
        if np.abs(shares - previous).max() <= CHANGE:
            break
    return np.asarray(shares)
