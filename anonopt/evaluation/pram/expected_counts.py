"""Counts that PRAM is expected to give, for tables of several columns, without drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np
import scipy

from anonopt._typing import FloatArray


def masked_counts(counts: FloatArray, matrices: Sequence[FloatArray]) -> FloatArray:
    """Expected records of each masked combination.

    Parameters
    ----------
    counts : float array (L_1, ..., L_n)
        Records of each original combination.
    matrices : sequence of n float arrays (L_j, L_j)

    Returns
    -------
    float array (L_1, ..., L_n)

    Examples
    --------
    >>> swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> masked_counts(np.array([[3.0, 1.0], [0.0, 0.0]]), [swap, np.eye(2)])
    array([[0., 0.],
           [3., 1.]])
    """
    return reduce(lambda table, pair: masked_axis(table, *pair), enumerate(matrices), counts)


def expected_differences(counts: FloatArray, matrices: Sequence[FloatArray]) -> float:
    """Expected sum of absolute differences between an original and a masked table.

    A masked cell is a sum of independent draws; it is taken as normally distributed, with its
    exact mean and variance, and the difference of a cell that cannot vary is exact.

    Parameters
    ----------
    counts : float array (L_1, ..., L_n)
    matrices : sequence of n float arrays (L_j, L_j)

    Returns
    -------
    float

    Examples
    --------
    1000 records, half of which change: the count is 500 with standard deviation 15.8.

    >>> half = np.array([[0.5, 0.5], [0.5, 0.5]])
    >>> round(expected_differences(np.array([500.0, 500.0]), [half]), 3)
    25.231
    """
    mean = masked_counts(counts, matrices)
    squares = masked_counts(counts, [matrix * matrix for matrix in matrices])
    return float(mean_absolute(mean - counts, np.maximum(mean - squares, 0.0)).sum())


def mean_absolute(mean: FloatArray, variance: FloatArray) -> FloatArray:
    """Mean of the absolute value of normal variables, by their mean and variance.

    Examples
    --------
    >>> mean_absolute(np.array([0.0, -3.0]), np.array([1.0, 0.0])).round(6)
    array([0.797885, 3.      ])
    """
    size = np.abs(mean)
    varies = variance > 0
    deviation = np.sqrt(np.where(varies, variance, 1.0))
    z = size / deviation
    folded = deviation * np.sqrt(2 / np.pi) * np.exp(-z * z / 2) + size * scipy.special.erf(
        z / np.sqrt(2)
    )
    return np.asarray(np.where(varies, folded, size))


def agreement_counts(counts: FloatArray, matrices: Sequence[FloatArray]) -> FloatArray:
    """Expected records of each masked combination by the columns that kept their value.

    Parameters
    ----------
    counts : float array (L_1, ..., L_n)
    matrices : sequence of n float arrays (L_j, L_j)

    Returns
    -------
    float array (product of all L, 2**n)
        Bit j of the second position is set if column j kept its value.

    Examples
    --------
    >>> half = np.array([[0.5, 0.5], [0.5, 0.5]])
    >>> agreement_counts(np.array([4.0, 2.0]), [half])
    array([[1., 2.],
           [2., 1.]])
    """
    tables = agreement_tables(counts, matrices)[-1]
    return np.stack([table.ravel() for table in tables], axis=1)


def agreement_tables(counts: FloatArray, matrices: Sequence[FloatArray]) -> list[list[FloatArray]]:
    """Expected records by agreement, after none of the columns is masked, one, and so on.

    Parameters
    ----------
    counts : float array (L_1, ..., L_n)
    matrices : sequence of n float arrays (L_j, L_j)

    Returns
    -------
    list of n + 1 lists
        The one at position i holds 2**i float arrays (L_1, ..., L_n), by agreement.
    """
    levels = [[counts]]
    for axis, matrix in enumerate(matrices):
        parts = changed_and_kept(matrix)
        # The later a column, the higher its bit.
        levels.append([masked_axis(table, axis, part) for part in parts for table in levels[-1]])
    return levels


def changed_and_kept(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The cells of a matrix off the diagonal, and those on it, each with 0 elsewhere."""
    changed = matrix.copy()
    np.fill_diagonal(changed, 0.0)
    return changed, np.diag(matrix.diagonal())


def masked_axis(table: FloatArray, axis: int, matrix: FloatArray) -> FloatArray:
    """Expected records after one column, that of an axis, is masked by a matrix (L, L)."""
    before, after = math.prod(table.shape[:axis]), math.prod(table.shape[axis + 1 :])
    flat = table.reshape(before, table.shape[axis], after)
    return np.asarray((matrix.T @ flat).reshape(table.shape))
