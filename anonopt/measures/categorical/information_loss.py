"""Information loss of masked files of categories: DBIL, CTBIL, EBIL and their mean IL.

All figures are percentages, 0..100, and less is better. They are functions of integer tables:
joint counts of original and masked category, and differences of contingency tables.
Mares 2013, Section 2.4.1; Domingo-Ferrer and Torra 2001; Kooiman, Willenborg and Gouweleeuw 1997.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from anonopt._checks import check_number
from anonopt._typing import AnyIntArray, FloatArray


def distance_loss(steps: Sequence[int], scales: Sequence[int], n_rows: int) -> float:
    """DBIL: mean distance between original and masked cells (Mares 2013, Eqs. 2.8 and 2.9).

    Parameters
    ----------
    steps : sequence of int, one a column
        Sum over the rows of the steps between the original and the masked category.
    scales : sequence of int, one a column
        Steps of distance 1.
    n_rows : int

    Returns
    -------
    float
        ``100 * mean over columns and rows of the distance``, 0..100.

    Examples
    --------
    Three rows; the first column moved by 1 of 4 steps in one row, the second changed twice:

    >>> distance_loss([1, 2], [4, 1], 3)
    37.5
    """
    shares = [
        int(total) / (int(scale) * n_rows) for total, scale in zip(steps, scales, strict=True)
    ]
    return 100 * math.fsum(shares) / len(shares)


def contingency_loss(
    difference: float, n_tables: int, n_rows: int, *, n_cells: int | None = None
) -> float:
    """CTBIL: difference of the contingency tables of both files (Mares 2013, Eqs. 2.10, 2.11).

    Parameters
    ----------
    difference : int, or float if it is expected
        Sum over the cells of all tables of ``|original count - masked count|``, at most
        ``2 * n_rows`` a table.
    n_tables : int
        Contingency tables, of 1 to K columns each.
    n_rows : int
    n_cells : int, optional
        Cells of all tables together. Given, the result is the difference a cell (Eq. 2.11), times
        100 as the thesis takes it for a percentage.

    Returns
    -------
    float
        ``100 * mean over tables of difference / (2 * n_rows)``, 0..100; with `n_cells`
        ``100 * difference / n_cells``, which grows with the records and may exceed 100.

    Examples
    --------
    Original a, a, b and masked a, c, c: counts 2, 1, 0 and 1, 0, 2.

    >>> round(contingency_loss(4, 1, 3), 6), round(contingency_loss(4, 1, 3, n_cells=3), 6)
    (66.666667, 133.333333)
    """
    return 100 * difference / contingency_scale(n_tables, n_rows, n_cells)


def contingency_scale(n_tables: int, n_rows: int, n_cells: int | None) -> int:
    """Difference of contingency tables that is a CTBIL of 100, see `contingency_loss`.

    Examples
    --------
    >>> contingency_scale(1, 3, None), contingency_scale(1, 3, 4)
    (6, 4)
    """
    return 2 * n_rows * n_tables if n_cells is None else n_cells


def entropy_loss(
    joints: Iterable[tuple[AnyIntArray, AnyIntArray]],
    n_categories: Sequence[int],
    n_rows: int,
    *,
    entropies: Sequence[float] | None = None,
) -> float:
    """EBIL: what is unknown of an original cell when its masked one is seen (Mares 2013, Eq. 2.13).

    Parameters
    ----------
    joints : iterable of pairs of int arrays (n,), one a column
        Number of rows of each pair of original and masked category (only pairs that occur),
        and number of rows of the masked category of that pair.
    n_categories : sequence of int, one a column
    n_rows : int
    entropies : sequence of float, one a column, optional
        What takes the place of log L. Eq. 2.13 is a sum over the rows, and the thesis does not say
        what it is divided by; the entropy H(V) of each original column, in nats, brings figures
        of Sections 4.1 and 5.4 closer to the printed ones.

    Returns
    -------
    float
        ``100 * mean over columns of sum over rows H(V | V' = masked) / (n_rows * log L)``,
        0..100; with `entropies`, more than 100 if they are less than what is unknown. A column of
        one category, or of entropy 0, counts 0.

    Raises
    ------
    TypeError, ValueError
        If `entropies` are not as many numbers as columns, or one is below 0 or not finite.

    Examples
    --------
    Original a, b, a, b masked as a, a, a, b: of the three masked a, two were a.

    >>> joint = np.array([2, 1, 1]), np.array([3, 3, 1])
    >>> round(entropy_loss([joint], [2], 4), 6)
    68.872188

    Of a column that is masked by one category, all of its entropy is lost:

    >>> entropy = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25))
    >>> joint = np.array([3, 1]), np.array([4, 4])
    >>> round(entropy_loss([joint], [2], 4, entropies=[entropy]), 6)
    100.0
    """
    most = [math.log(n) for n in n_categories]
    if entropies is not None:
        if len(entropies) != len(most):
            raise ValueError(
                f"entropies: expected {len(most)}, one a column, found {len(entropies)}"
            )
        most = [check_number("entropies", one, least=0) for one in entropies]
    shares = []
    for (cells, totals), unknown in zip(joints, most, strict=True):
        nats = cells * (np.log(totals) - np.log(cells))
        shares.append(math.fsum(nats.tolist()) / (n_rows * unknown) if unknown > 0 else 0.0)
    return 100 * math.fsum(shares) / len(shares)


def joint_pairs(joint: AnyIntArray) -> tuple[AnyIntArray, AnyIntArray]:
    """Pairs that occur in a table of joint counts, as :func:`entropy_loss` takes them.

    Parameters
    ----------
    joint : int array (n_categories, n_categories)
        Rows of each original (first axis) and masked (second axis) category.

    Examples
    --------
    >>> joint_pairs(np.array([[2, 0], [1, 1]]))
    (array([2, 1, 1]), array([3, 3, 1]))
    """
    originals, masked = np.nonzero(joint)
    return joint[originals, masked], joint.sum(axis=0)[masked]


def matrix_entropy_loss(
    matrix: FloatArray, frequencies: FloatArray, masked: AnyIntArray | None = None
) -> float:
    """EBIL of one column from the matrix it was masked with (Mares 2013, Eqs. 2.12 and 2.13).

    Parameters
    ----------
    matrix : float array (L, L)
        Row i holds the probabilities of the masked categories of original category i.
    frequencies : float array (L,)
        Counts or shares of the original categories.
    masked : int array (L,), optional
        Rows of each masked category; by default what is expected of the matrix.

    Returns
    -------
    float
        0..100; 0 if L is 1.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there are rows of a masked category that the matrix
        gives no probability.

    Examples
    --------
    >>> matrix = np.array([[0.7, 0.3], [0.4, 0.6]])
    >>> round(matrix_entropy_loss(matrix, np.array([0.5, 0.5])), 6)
    93.334629
    """
    n = len(frequencies)
    if matrix.shape != (n, n) or (masked is not None and masked.shape != (n,)):
        found = None if masked is None else masked.shape
        raise ValueError(
            f"expected a matrix of shape {(n, n)} and masked counts of shape {(n,)}, "
            f"found {matrix.shape} and {found}"
        )
    joint = np.asarray(frequencies, dtype=np.float64)[:, np.newaxis] * matrix
    seen = joint.sum(axis=0)
    weights = seen if masked is None else np.asarray(masked, dtype=np.float64)
    impossible = (weights > 0) & (seen == 0)
    if impossible.any():
        code = int(np.argmax(impossible))
        raise ValueError(
            f"masked category {code}: expected 0 rows, since the matrix gives it no probability, "
            f"found {weights[code]:g}"
        )
    if n == 1 or weights.sum() == 0:
        return 0.0
    originals, columns = np.nonzero(joint)
    posterior = joint[originals, columns] / seen[columns]
    entropies = np.bincount(columns, -posterior * np.log(posterior), minlength=n)
    return 100 * float(weights @ entropies) / (float(weights.sum()) * math.log(n))


def information_loss(dbil: float, ctbil: float, ebil: float) -> float:
    """IL: mean of the three losses (Mares 2013, Eq. 4.9).

    Examples
    --------
    >>> information_loss(10.0, 20.0, 60.0)
    30.0
    """
    return (ctbil + dbil + ebil) / 3
