"""Linkage by distance of numeric files: how many originals are nearest to a masked record."""

from __future__ import annotations

from itertools import chain

import numpy as np
import scipy

from anonopt._progress import Progress, as_progress
from anonopt._typing import FloatArray, IntArray

BLOCK = 2**14
"""Records that are linked at once: so often may the work be interrupted."""
FEW_EQUAL = 16
"""Above so many equal originals those that are distinct stand in the tree, and are counted."""
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
        self._counts: IntArray | None = None
        self._tree = None
        if self._varies.any():
            points, counts = distinct_points(self._points)
            if counts.max() > FEW_EQUAL:
                self._counts = counts
            self._tree = scipy.spatial.cKDTree(self._points if self._counts is None else points)

    def ties(
        self, rows: IntArray, masked: FloatArray, *, on_progress: Progress | None = None
    ) -> IntArray:
        """Number of nearest originals of each masked record, 0 if its own is not among them.

        Parameters
        ----------
        rows : int64 array (n,)
            Rows of the records.
        masked : float array (n, n_columns)
        on_progress : callable, optional
            Called now and then with the share of the records that are done, 0..1.

        Returns
        -------
        int64 array (n,)
        """
        if self._tree is None:
            return np.full(len(rows), len(self._points), dtype=np.int64)
        points = np.ascontiguousarray(masked[:, self._varies]) / self._spread
        if len(rows) <= BLOCK:
            return self._ties(self._tree, rows, points)
        report = as_progress(on_progress)
        ties = np.empty(len(rows), dtype=np.int64)
        # Neighbours one after another find the same part of the tree in the processor's cache.
        order = scipy.spatial.cKDTree(points).indices
        for start in range(0, len(rows), BLOCK):
            block = order[start : start + BLOCK]
            ties[block] = self._ties(self._tree, rows[block], points[block])
            report(min(1.0, (start + BLOCK) / len(rows)))
        return ties

    def _ties(self, tree: scipy.spatial.cKDTree, rows: IntArray, points: FloatArray) -> IntArray:
        ties = np.zeros(len(rows), dtype=np.int64)
        own = np.sqrt(((points - self._points[rows]) ** 2).sum(axis=1))
        nearest, _ = tree.query(points)
        reach = np.asarray(nearest) * (1 + TIE)
        linked = np.flatnonzero(own <= reach)
        if len(linked):
            ties[linked] = self._within(tree, points[linked], reach[linked])
        # Rounding may put the tree's own distance a little beyond its reach.
        return np.where((ties == 0) & (own <= reach), 1, ties)

    def _within(
        self, tree: scipy.spatial.cKDTree, points: FloatArray, reach: FloatArray
    ) -> IntArray:
        """Originals within reach of each point."""
        if self._counts is None:
            return np.asarray(tree.query_ball_point(points, reach, return_length=True))
        found = tree.query_ball_point(points, reach)
        sizes = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        members = np.fromiter(chain.from_iterable(found), dtype=np.int64, count=int(sizes.sum()))
        owners = np.repeat(np.arange(len(found)), sizes)
        within = np.bincount(owners, self._counts[members], minlength=len(found))
        return within.astype(np.int64)


def distinct_points(points: FloatArray) -> tuple[FloatArray, IntArray]:
    """Distinct points and how often each occurs.

    Parameters
    ----------
    points : float array (n, n_columns)

    Returns
    -------
    points : float array (n_distinct, n_columns)
    counts : int64 array (n_distinct,)

    Examples
    --------
    >>> distinct_points(np.array([[2.0, 1.0], [0.0, 3.0], [2.0, 1.0]]))
    (array([[0., 3.],
           [2., 1.]]), array([1, 2]))
    """
    ordered = points[np.lexsort(points.T[::-1])]
    is_new = np.ones(len(points), dtype=bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    first = np.flatnonzero(is_new)
    return ordered[first], np.diff(np.append(first, len(points)))
