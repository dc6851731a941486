"""Linkage by distance of numeric files: how many originals are nearest to a masked record."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from anonopt._typing import FloatArray, IntArray

TIE = 1e-9
"""Distances closer than this, relative to their size, are the same distance."""


class NearestRecords:
    """Originals nearest to masked records, by the Euclidean distance of standardized columns.

    Both files are divided by the standard deviations of the original, so a masked value that is
    that of an original record is at distance 0 from it. A constant column tells no originals
    apart and is left out. The originals stand in a k-d tree: memory is O(N), never N x N.
    Domingo-Ferrer and Torra 2002; Mares 2013, Section 2.4.2.

    Parameters
    ----------
    original : float array (n_rows, n_columns)

    Examples
    --------
    >>> nearest = NearestRecords(np.array([[0.0], [10.0], [20.0]]))
    >>> nearest.ties(np.arange(3), np.array([[10.0], [10.0], [15.0]])).tolist()
    [0, 1, 2]
    """

    def __init__(self, original: FloatArray) -> None:
        spread = original.std(axis=0)
        # The deviation of equal numbers may be rounded to something above 0.
        spread[np.ptp(original, axis=0) == 0] = 0.0
        self._varies = spread > 0
        self._spread = spread[self._varies]
        self._points = np.ascontiguousarray(original[:, self._varies] / self._spread)
        self._tree = cKDTree(self._points) if self._varies.any() else None

    def ties(self, rows: IntArray, masked: FloatArray) -> IntArray:
        """Number of nearest originals of each masked record, 0 if its own is not among them.

        Parameters
        ----------
        rows : int64 array (n,)
            Rows of the records.
        masked : float array (n, n_columns)

        Returns
        -------
        int64 array (n,)
        """
        ties = np.zeros(len(rows), dtype=np.int64)
        if self._tree is None:
            return ties + len(self._points)
        points = np.ascontiguousarray(masked[:, self._varies]) / self._spread
        own = np.sqrt(((points - self._points[rows]) ** 2).sum(axis=1))
        nearest, _ = self._tree.query(points)
        reach = np.asarray(nearest) * (1 + TIE)
        linked = np.flatnonzero(own <= reach)
        if len(linked):
            ties[linked] = self._tree.query_ball_point(
                points[linked], reach[linked], return_length=True
            )
        # Rounding may put the tree's own distance a little beyond its reach.
        return np.where((ties == 0) & (own <= reach), 1, ties)
