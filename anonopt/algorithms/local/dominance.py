"""Comparison of two sets of minimized vectors, without a table of all pairs and objectives."""

from __future__ import annotations

import numpy as np

from anonopt._typing import BoolArray, FloatArray


def weakly_dominated(F: FloatArray, by: FloatArray) -> BoolArray:
    """Whether each vector is weakly dominated by one of others.

    Parameters
    ----------
    F : float array (n, n_obj)
        Minimized objectives.
    by : float array (n_by, n_obj)

    Returns
    -------
    bool array (n,)
        True where a row of `by` is nowhere larger.

    Examples
    --------
    >>> weakly_dominated(np.array([[1.0, 2.0], [3.0, 1.0]]), by=np.array([[1.0, 2.0]])).tolist()
    [True, False]
    """
    no_better: BoolArray = np.ones((len(F), len(by)), dtype=np.bool_)
    for own, others in zip(F.T, by.T, strict=True):
        np.logical_and(no_better, others <= own[:, np.newaxis], out=no_better)
    return np.asarray(no_better.any(axis=1))


def least_advantage(F: FloatArray, others: FloatArray, errors: FloatArray) -> FloatArray:
    """By how many standard errors each estimate misses being dominated by the others.

    Parameters
    ----------
    F : float array (n, n_obj)
        Estimated, minimized objectives.
    others : float array (n_others, n_obj)
        At least one.
    errors : float array (n_obj,)
        Standard errors of the estimates, positive.

    Returns
    -------
    float array (n,)
        The largest advantage over an objective of each other, for the other where that is
        least; 0 or below where one weakly dominates.

    Examples
    --------
    >>> others = np.array([[1.0, 4.0], [3.0, 2.0]])
    >>> least_advantage(np.array([[2.0, 3.0], [4.0, 4.0]]), others, np.array([0.5, 1.0]))
    array([ 1., -2.])
    """
    advantage = np.full((len(F), len(others)), -np.inf)
    for own, other, error in zip(F.T, others.T, errors, strict=True):
        advantage = np.maximum(advantage, (other - own[:, np.newaxis]) / error)
    least: FloatArray = advantage.min(axis=1)
    return least
