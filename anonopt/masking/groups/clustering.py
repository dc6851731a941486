"""c-median clustering of records of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, AnyIntArray, IntArray
from anonopt.masking.groups.clustered_points import Centroids, ClusteredPoints
from anonopt.masking.groups.records import Records

N_STARTS = 20
"""Clusterings of which the best is taken (Mares 2013, Section 5.1)."""


@dataclass(frozen=True, eq=False)
class Clustering:
    """A partition of records into clusters around medians.

    Attributes
    ----------
    labels : int64 array (n_rows,)
        Cluster of each row; numbers of clusters that became empty do not occur.
    start : tuple of arrays (n_clusters,)
        Starting centroids, one array a column.
    total : float
        Sum of the distances of the rows to their centroids; smaller is better.
    centroids : tuple of arrays (n_clusters,)
        Centroids that the rows are nearest to, one array a column.
    """

    labels: IntArray
    start: tuple[AnyArray, ...]
    total: float
    centroids: tuple[AnyArray, ...]


def c_median(
    records: Records, n_clusters: int, rng: np.random.Generator, *, n_starts: int = N_STARTS
) -> Clustering:
    """Cluster records around medians, best of several starts (Mares 2013, Section 5.2).

    Each start takes a row at random and then, one after the other, the record whose nearest
    centroid so far is farthest (Kennard and Stone 1969). Then records go to the nearest centroid
    and centroids become the medians of their records (modes of nominal columns), for as long as
    the sum of the distances falls: Algorithm 10 goes on "while there is any change in centroids",
    which may wander between centroids of equal sum. Distances are added up over the columns:
    differences as a share of the range, steps as a share of all steps, 0 or 1 for nominal
    categories; a missing cell is at distance 1 of every other, and a centroid where more than half
    of the cells are missing. Ties are for the lowest row, or the centroid that was chosen first.

    Parameters
    ----------
    records : Records of n_rows
    n_clusters : int
        At least 1. There are never more clusters than distinct records.
    rng : numpy Generator
    n_starts : int
        At least 1; the one of the least total distance is kept.
    """
    points = ClusteredPoints(records)
    rows = [
        int(rng.integers(records.n_rows))
        for _ in range(check_integer("n_starts", n_starts, least=1))
    ]
    # Rows of equal records are the same start.
    _, first = np.unique(points.point[rows], return_index=True)
    found = (
        _clustering(points, points.dissimilar(n_clusters, rows[number]))
        for number in np.sort(first).tolist()
    )
    return min(found, key=lambda clustering: clustering.total)


def c_median_from(records: Records, start: tuple[AnyArray, ...]) -> Clustering:
    """Cluster records around medians from given centroids.

    Parameters
    ----------
    records : Records
    start : tuple of arrays (n_clusters,)
        As in ``Clustering.start``.
    """
    return _clustering(ClusteredPoints(records), start)


def _clustering(points: ClusteredPoints, start: Centroids) -> Clustering:
    labels, total, centroids = points.cluster(start)
    return Clustering(labels[points.point], start, total, centroids)


class NearestCentroids:
    """Puts other records into clusters: that of the nearest centroid, of equals the first.

    Parameters
    ----------
    records : Records
        That were clustered; ranges and steps are theirs.
    clustering : Clustering
        Of them.

    Examples
    --------
    >>> import pandas as pd
    >>> records = Records.of(pd.DataFrame({"x": [0.0, 1.0, 9.0]}), ["x"], None)
    >>> clustering = c_median_from(records, (np.array([0.0, 9.0]),))
    >>> NearestCentroids(records, clustering).labels([np.array([3.0, 8.0])])
    array([0, 1])
    """

    def __init__(self, records: Records, clustering: Clustering) -> None:
        self._points, self._centroids = ClusteredPoints(records), clustering.centroids

    def labels(self, columns: Sequence[AnyArray]) -> IntArray:
        """Cluster of each of some records, int64 array (n,).

        Parameters
        ----------
        columns : sequence of arrays (n,), one a column
            Numbers or codes, in the categories of the records that were clustered.
        """
        return self._points.nearest(self._centroids, columns)


def merge_small(labels: AnyIntArray, k: int) -> IntArray:
    """Merge the two smallest clusters until all hold k records.

    Parameters
    ----------
    labels : int array (n_rows,)
        From 0; of some of all clusters.
    k : int
        At least 1.

    Returns
    -------
    int64 array (n_rows,)
        Numbered from 0 without gaps. One cluster, if there are fewer than k rows.

    Examples
    --------
    >>> merge_small(np.array([0, 0, 0, 1, 2, 2, 3]), 3).tolist()
    [0, 0, 0, 1, 1, 1, 1]
    """
    sizes = np.bincount(labels)
    waiting = [(int(sizes[number]), int(number)) for number in np.flatnonzero(sizes)]
    heapify(waiting)
    merged_into = np.arange(len(sizes))
    while len(waiting) > 1 and waiting[0][0] < k:
        (size, one), (other_size, other) = heappop(waiting), heappop(waiting)
        merged_into[max(one, other)] = min(one, other)
        heappush(waiting, (size + other_size, min(one, other)))
    numbers = np.zeros(len(sizes), dtype=np.int64)
    numbers[sorted(number for _, number in waiting)] = np.arange(len(waiting))
    for number, other in enumerate(merged_into.tolist()):
        # It is merged into one of a lower number, whose own is known.
        if other < number:
            numbers[number] = numbers[other]
    return numbers[labels]
