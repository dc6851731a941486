"""How a masked column keeps its relation to a column that was not masked.

Mares 2013, Section 4.1: the fitness of a PRAM matrix and the utility of the file it makes.
"""

from __future__ import annotations

import math

import numpy as np

from anonopt._typing import AnyArray


def bivariate_difference(original: AnyArray, masked: AnyArray) -> float:
    """Difference of two tables of counts, in percent of the largest one (Mares 2013, Eq. 4.5).

    Parameters
    ----------
    original, masked : arrays (L, M)
        Records by category of the masked column (first axis) and of the untouched one, in the
        original and in the masked file; expected counts may be fractions.

    Returns
    -------
    float
        ``100 * sum |original - masked| / (2 * records)``, 0..100, less is better.

    Raises
    ------
    ValueError
        If the shapes differ, or the numbers of records, or there is no record.

    Examples
    --------
    >>> bivariate_difference(np.array([[3, 1], [2, 4]]), np.array([[2, 2], [3, 3]]))
    20.0
    """
    _check(original, masked)
    return float(100 * np.abs(original - masked).sum() / (2 * original.sum()))


def chi_square(counts: AnyArray) -> float:
    """Pearson's statistic of independence of rows and columns.

    Parameters
    ----------
    counts : array (L, M)
        Rows and columns without records are left out: they expect nothing.

    Returns
    -------
    float
        At least 0; 0 if independent, and for fewer than two rows or columns with records.

    Examples
    --------
    >>> chi_square(np.array([[10, 0], [0, 10]])), chi_square(np.array([[1, 2], [2, 4], [0, 0]]))
    (20.0, 0.0)
    """
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    total = counts.sum()
    # Both sides times the total: independent counts then differ by exactly 0.
    expected = np.outer(rows[rows > 0], columns[columns > 0])
    apart = (total * counts[rows > 0][:, columns > 0] - expected).astype(np.float64)
    return float((apart**2 / expected).sum() / total)


def chi_square_difference(original: AnyArray, masked: AnyArray) -> float:
    """Change of the chi-square statistic by masking, in percent (Mares 2013, Eq. 4.8).

    Parameters
    ----------
    original, masked : arrays (L, M)
        As for :func:`bivariate_difference`.

    Returns
    -------
    float
        ``100 * |masked - original| / original`` of the statistics, at least 0, less is better.
        Where the original columns are independent (statistic 0) it is 0 if the masked ones are
        too, else infinite.

    Raises
    ------
    ValueError
        If the shapes differ, or there is no record.

    Examples
    --------
    >>> before, after = np.array([[10, 0], [0, 10]]), np.array([[9, 1], [1, 9]])
    >>> round(chi_square_difference(before, after), 6)
    36.0
    """
    _check(original, masked)
    before, after = chi_square(original), chi_square(masked)
    if before == 0:
        return 0.0 if after == 0 else np.inf
    return 100 * abs(after - before) / before


def _check(original: AnyArray, masked: AnyArray) -> None:
    if original.ndim != 2 or original.shape != masked.shape:
        raise ValueError(
            f"expected two tables of the same shape, found {original.shape} and {masked.shape}"
        )
    records = float(original.sum()), float(masked.sum())
    if not (min(records) > 0 and math.isclose(*records, rel_tol=1e-5)):
        raise ValueError(
            f"expected tables of at least one record and as many in both, found {records[0]:g} "
            f"and {records[1]:g}"
        )
