"""Record linkage by an attacker who knows how a file was masked, and with which parameters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.categorical.masking_wide import shared_linkage
from anonopt.measures.categorical.record_linkage import TIE

BLOCK = 2**20
"""Pairs of records that are compared at once."""


def matrix_linkage(original: AnyArray, masked: AnyArray, matrices: Sequence[FloatArray]) -> float:
    """Records linked by an attacker who knows the PRAM matrices.

    The likelihood that an original x became the masked record y is the product over the columns
    of ``P[x, y]`` (Gouweleeuw et al. 1998), and so is its posterior where each original is as
    likely before. Each masked record is linked to the originals of the largest posterior alike;
    one that no original can have become, to none.

    Parameters
    ----------
    original, masked : int arrays (n_rows, n_columns)
        Category codes of the same rows.
    matrices : sequence of float arrays (L, L), one a column
        Row: original category.

    Returns
    -------
    float
        Percent of the rows, 0..100, less is better; ties are shared.

    Examples
    --------
    Masked categories that are mostly those of the other record give both records away:

    >>> codes = np.array([[0], [1]])
    >>> matrix_linkage(codes, codes[::-1], [np.array([[0.1, 0.9], [0.9, 0.1]])])
    100.0
    """
    with np.errstate(divide="ignore"):
        logs = [np.log(matrix) for matrix in matrices]
    radices = [len(matrix) for matrix in matrices]
    _, first, counts = np.unique(
        pack_codes(list(original.T), radices), return_index=True, return_counts=True
    )
    known = original[first]
    _, at, of_row = np.unique(
        pack_codes(list(masked.T), radices), return_index=True, return_inverse=True
    )
    records = masked[at]
    best, ties = np.empty(len(records)), np.empty(len(records), dtype=np.int64)
    size = max(BLOCK // len(known), 1)
    for start in range(0, len(records), size):
        part = records[start : start + size]
        weights = np.zeros((len(part), len(known)))
        for j, log in enumerate(logs):
            weights += log.T[part[:, j]][:, known[:, j]]
        largest = weights.max(axis=1)
        best[start : start + size] = largest
        near = weights >= (largest - _tolerance(largest))[:, np.newaxis]
        ties[start : start + size] = near @ counts
    own = np.zeros(len(original))
    for j, log in enumerate(logs):
        own += log[original[:, j], masked[:, j]]
    largest = best[of_row]
    is_linked = np.isfinite(own) & (own >= largest - _tolerance(largest))
    return shared_linkage(is_linked, ties[of_row])


def nearest_by_noise(
    original: FloatArray, masked: FloatArray, covariance: FloatArray
) -> tuple[BoolArray, IntArray]:
    """Records linked by an attacker who knows the covariance of the noise that was added.

    The likelihood of normal noise falls with the distance ``(y - x)' C^-1 (y - x)``: each masked
    record is linked to the nearest originals alike. Records of no column are all alike.

    Parameters
    ----------
    original, masked : float arrays (n_rows, n_columns)
    covariance : float array (n_columns, n_columns)
        Of the noise; positive definite.

    Returns
    -------
    is_linked : bool array (n_rows,)
        Whether the own original is among the nearest ones of a masked record.
    ties : int64 array (n_rows,)
        How many are as near; 1 where the own one is not among them.

    Raises
    ------
    ValueError
        If the covariance is not positive definite.

    Examples
    --------
    >>> x = np.array([[0.0, 0.0], [1.0, 10.0]])
    >>> y = np.array([[0.9, 3.0], [0.8, 9.0]])
    >>> nearest_by_noise(x, y, np.diag([1.0, 9.0]))[0].tolist()
    [True, True]
    >>> nearest_by_noise(x, y, np.diag([0.01, 900.0]))[0].tolist()
    [False, True]
    """
    n_rows = len(original)
    if original.shape[1] == 0:
        return np.ones(n_rows, dtype=bool), np.full(n_rows, n_rows)
    try:
        factor = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError as error:
        raise ValueError(
            f"covariance: expected that of noise in every column, found {covariance.tolist()}"
        ) from error
    known, seen = (np.linalg.solve(factor, values.T).T for values in (original, masked))
    tree = scipy.spatial.cKDTree(known)
    own = np.sqrt(((seen - known) ** 2).sum(axis=1))
    nearest, _ = tree.query(seen)
    reach = np.asarray(nearest) * (1 + TIE)
    is_linked = own <= reach
    ties = np.ones(len(own), dtype=np.int64)
    near = np.flatnonzero(is_linked)
    if len(near):
        found = tree.query_ball_point(seen[near], reach[near], return_length=True)
        # Rounding may put the tree's own distance a little beyond its reach.
        ties[near] = np.maximum(found, 1)
    return is_linked, ties


def possible_originals(drawn: Sequence[AnyArray], masked: AnyArray) -> IntArray:
    """Original categories that a masked cell can come from where the draws are known.

    Parameters
    ----------
    drawn : sequence of L int arrays (n,)
        What each cell would have become, had its original been category 0, 1, ...
    masked : int array (n,)

    Returns
    -------
    int64 array (n,)
        The category where there is one only, else -1.

    Examples
    --------
    >>> possible_originals([np.array([0, 0]), np.array([1, 0])], np.array([1, 0])).tolist()
    [1, -1]
    """
    becomes = np.array([codes == masked for codes in drawn])
    return np.where(becomes.sum(axis=0) == 1, becomes.argmax(axis=0), -1).astype(np.int64)


def _tolerance(weights: FloatArray) -> FloatArray:
    """Weights closer than this are the same: rounding may not decide between records."""
    return np.asarray(TIE * np.maximum(1, np.where(np.isfinite(weights), np.abs(weights), 1)))
