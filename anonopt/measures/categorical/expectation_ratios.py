"""What follows from a PRAM matrix and the frequencies of the categories, without drawing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray
from anonopt.data.columns.markov import checked_frequencies, checked_probabilities


def posterior_probabilities(matrix: npt.ArrayLike, frequencies: npt.ArrayLike) -> FloatArray:
    """Probability of each original category, given the masked one (Bayes' rule).

    Mares 2013, Section 4.1.4, the matrix Q.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix P.
    frequencies : array_like (L,)
        Counts or shares t of the original categories.

    Returns
    -------
    float array (L, L)
        Row k: the masked category; column j: the original one. Rows sum to 1. A category that
        no record can be masked as, ``(tP)_k = 0``, has the identity's row.

    Raises
    ------
    ValueError
        If either is not what it must be, or their sizes differ.

    Examples
    --------
    >>> posterior_probabilities([[0.7, 0.3], [0.4, 0.6]], [0.5, 0.5]).round(6)
    array([[0.636364, 0.363636],
           [0.333333, 0.666667]])
    """
    probabilities = checked_probabilities(matrix)
    shares = checked_frequencies(frequencies, n_categories=len(probabilities))
    joint = (probabilities * (shares / shares.sum())[:, np.newaxis]).T
    totals = joint.sum(axis=1, keepdims=True)
    unreached = totals[:, 0] == 0
    totals[unreached] = 1
    posterior = joint / totals
    posterior[unreached] = np.eye(len(posterior))[unreached]
    return np.asarray(posterior)


def expectation_ratios(
    matrix: npt.ArrayLike, frequencies: npt.ArrayLike, *, as_printed: bool = False
) -> FloatArray:
    """Expected records that kept a category, for each that came to it from another one.

    Gouweleeuw et al. 1998; Mares 2013, Section 4.1.5:
    ``p_kk T(k) / sum over l != k of p_lk T(l)``. The smaller, the better protected: a record
    with the category is the likelier to have had another one.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix.
    frequencies : array_like (L,)
        Counts or shares T of the original categories.
    as_printed : bool
        Sum ``p_kl T(l)`` along the row of the matrix, as Tables 4.8 and 4.9 do by a slip: that is
        the same for symmetric matrices alone.

    Returns
    -------
    float array (L,), at least 0, smaller is better
        Infinite where every record of the category is certain to have kept it; 0 where no
        record ever has the category after masking.

    Raises
    ------
    ValueError
        If either is not what it must be, or their sizes differ.

    Examples
    --------
    >>> from anonopt.masking import pram_matrix
    >>> degrees = [98, 173, 251, 195, 170, 80]
    >>> matrix = pram_matrix("maximum_entropy", degrees, p=0.6)
    >>> expectation_ratios(matrix, degrees).round(3)
    array([0.846, 1.634, 2.629, 1.894, 1.6  , 0.676])
    """
    probabilities = checked_probabilities(matrix)
    counts = checked_frequencies(frequencies, n_categories=len(probabilities))
    moved = (probabilities.T if as_printed else probabilities) * counts[:, np.newaxis]
    kept = moved.diagonal().copy()
    np.fill_diagonal(moved, 0.0)
    came = moved.sum(axis=0)
    ratios = np.full(len(kept), np.inf)
    np.divide(kept, came, out=ratios, where=came > 0)
    ratios[kept == 0] = 0.0
    return ratios


def mean_expectation_ratio(
    matrix: npt.ArrayLike, frequencies: npt.ArrayLike, *, as_printed: bool = False
) -> float:
    """Mean of the expectation ratios, each category weighted by its frequency.

    Mares 2013, Tables 4.10 and 4.11, "weighted average risk".

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix.
    frequencies : array_like (L,)
        Counts or shares of the original categories.
    as_printed : bool
        As for :func:`expectation_ratios`.

    Returns
    -------
    float, at least 0, smaller is better
        Infinite if one of the ratios is.

    Raises
    ------
    ValueError
        As for :func:`expectation_ratios`.

    Examples
    --------
    >>> from anonopt.masking import pram_matrix
    >>> degrees = [98, 173, 251, 195, 170, 80]
    >>> round(mean_expectation_ratio(pram_matrix("maximum_entropy", degrees, p=0.6), degrees), 3)
    1.78
    """
    ratios = expectation_ratios(matrix, frequencies, as_printed=as_printed)
    weights = np.array(frequencies, dtype=np.float64)
    return float(ratios @ (weights / weights.sum()))


def expectation_share(
    matrices: Sequence[npt.ArrayLike], frequencies: Sequence[npt.ArrayLike]
) -> float:
    """Expected share of the records of a masked category that have it originally.

    The mean over the categories by their frequency, then over the matrices: r / (1 + r) of the
    expectation ratios r, which can be infinite.

    Parameters
    ----------
    matrices : sequence of array_like (L, L)
        PRAM matrices.
    frequencies : sequence of array_like (L,)
        Counts of the original categories, as many as matrices.

    Returns
    -------
    float
        0..100, less is better.

    Raises
    ------
    ValueError
        If there are not as many of both, or either is not what it must be.

    Examples
    --------
    >>> round(expectation_share([[[0.7, 0.3], [0.4, 0.6]]], [[50, 50]]), 3)
    65.152
    """
    shares = []
    for matrix, frequency in zip(matrices, frequencies, strict=True):
        counts = np.asarray(frequency)
        posterior = posterior_probabilities(matrix, counts)
        shares.append(posterior.diagonal() @ counts / counts.sum())
    return 100 * float(np.mean(shares))
