"""c-median clustering of records of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, AnyIntArray, FloatArray, IntArray
from anonopt.evaluation.accelerator import has_numba
from anonopt.masking.groups.aggregation import center
from anonopt.masking.groups.distances import category_distances_to, whole_unit
from anonopt.masking.groups.records import RecordColumn, Records

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
    points = _Points(records)
    found = (
        points.cluster(points.dissimilar(n_clusters, int(rng.integers(records.n_rows))))
        for _ in range(check_integer("n_starts", n_starts, least=1))
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
    return _Points(records).cluster(start)


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
        self._points, self._centroids = _Points(records), clustering.centroids

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
    _, labels = np.unique(labels, return_inverse=True)
    sizes = np.bincount(labels)
    while len(sizes) > 1 and sizes.min() < k:
        first, second = np.sort(np.argsort(sizes, kind="stable")[:2])
        labels = np.where(labels == second, first, labels)
        labels = labels - (labels > second)
        sizes = np.bincount(labels)
    return labels.astype(np.int64)


class _Points:
    """The distinct records, and how often each occurs."""

    def __init__(self, records: Records) -> None:
        n_points, self._point = records.distinct()
        self._count = np.bincount(self._point, minlength=n_points)
        _, self._row = np.unique(self._point, return_index=True)
        unit = whole_unit(records, power=1)
        self._axes = [_Axis(column, self._row, unit) for column in records.columns]

    def dissimilar(self, n_clusters: int, row: int) -> tuple[AnyArray, ...]:
        """Starting centroids by maximum dissimilarity from a row on."""
        chosen = [int(self._point[row])]
        nearest = self._distances([axis.values[chosen[0]] for axis in self._axes])
        while len(chosen) < n_clusters and nearest.max() > 0:
            candidates = np.flatnonzero(nearest == nearest.max())
            chosen.append(int(candidates[np.argmin(self._row[candidates])]))
            latest = self._distances([axis.values[chosen[-1]] for axis in self._axes])
            np.minimum(nearest, latest, out=nearest)
        return tuple(axis.values[chosen] for axis in self._axes)

    def cluster(self, start: tuple[AnyArray, ...]) -> Clustering:
        """Assign records and move centroids for as long as that helps."""
        labels, total = self._assign(start)
        centroids = start
        while True:
            moved = tuple(
                axis.centers(labels, self._count, old)
                for axis, old in zip(self._axes, centroids, strict=True)
            )
            new_labels, new_total = self._assign(moved)
            if not new_total < total:
                return Clustering(labels[self._point], start, total, centroids)
            labels, total, centroids = new_labels, new_total, moved

    def nearest(self, centroids: tuple[AnyArray, ...], columns: Sequence[AnyArray]) -> IntArray:
        """Nearest centroid of each of some other records, (n,), by the distances of these."""
        points = copy(self)
        points._count = np.ones(len(columns[0]), dtype=np.int64)
        points._axes = [axis.of(values) for axis, values in zip(self._axes, columns, strict=True)]
        return points._assign(centroids)[0]

    def _assign(self, centroids: tuple[AnyArray, ...]) -> tuple[IntArray, float]:
        """Nearest centroid of each distinct record, and the distances of all rows to it."""
        nearest = np.full(len(self._count), np.inf)
        labels = np.zeros(len(self._count), dtype=np.int64)
        if has_numba() and self._are_numbers(centroids):
            # Compiled code is loaded when it is used.
            from anonopt.masking.groups.kernel_centroids import nearest_centroids

            points = np.stack([axis.values for axis in self._axes])
            ranges = np.array([axis.range for axis in self._axes])
            order = np.argsort(centroids[0])
            starts = np.searchsorted(centroids[0][order], points[0])
            centers = np.stack(centroids)
            nearest_centroids(points, centers, order, starts, ranges, nearest, labels)
            return labels, float((nearest * self._count).sum())
        for number, values in enumerate(zip(*centroids, strict=True)):
            distances = self._distances(list(values))
            is_nearer = distances < nearest
            labels[is_nearer] = number
            np.copyto(nearest, distances, where=is_nearer)
        return labels, float((nearest * self._count).sum())

    def _are_numbers(self, centroids: tuple[AnyArray, ...]) -> bool:
        """Whether neither records nor centroids hold anything else."""
        return all(axis.are_numbers for axis in self._axes) and not any(
            np.isnan(values).any() for values in centroids
        )

    def _distances(self, center: list[Any]) -> FloatArray:
        total = self._axes[0].distances(center[0])
        for axis, value in zip(self._axes[1:], center[1:], strict=True):
            total += axis.distances(value)
        return total


class _Axis:
    """A column of the distinct records."""

    def __init__(self, column: RecordColumn, rows: IntArray, unit: float) -> None:
        self._column = column
        self._unit = unit
        self._has_gaps = column.lacks_numbers
        self._order = np.argsort(column.values[rows], kind="stable")
        present = column.values[~column.is_missing] if column.lacks_numbers else column.values
        self.range = (float(np.ptp(present)) or 1.0) if len(present) else 1.0
        self.values = column.values[rows]

    def of(self, values: AnyArray) -> _Axis:
        """The same column of other records, for distances."""
        axis = copy(self)
        axis.values = values
        axis._has_gaps = self._column.kind == "continuous" and bool(np.isnan(values).any())
        return axis

    @property
    def are_numbers(self) -> bool:
        """Whether all values are numbers."""
        return self._column.kind == "continuous" and not self._has_gaps

    def distances(self, center: Any) -> FloatArray:
        """Distance of each distinct record to a number or category."""
        if self._column.kind == "continuous":
            if self._has_gaps or np.isnan(center):
                return self._distances_with_gaps(float(center))
            return np.asarray(np.abs(self.values - center) / self.range, dtype=np.float64)
        return category_distances_to(self._column, self.values, int(center), self._unit)

    def _distances_with_gaps(self, center: float) -> FloatArray:
        distances = np.abs(self.values - center) / self.range
        distances[np.isnan(distances)] = 1.0
        if np.isnan(center):
            distances[np.isnan(self.values)] = 0.0
        return np.asarray(distances, dtype=np.float64)

    def centers(self, labels: IntArray, count: IntArray, old: AnyArray) -> AnyArray:
        """Median or mode of each cluster; an empty cluster keeps its old one."""
        centers = old.copy()
        ordered = self._order[np.argsort(labels[self._order], kind="stable")]
        sizes = np.bincount(labels)
        for number, members in enumerate(np.split(ordered, np.cumsum(sizes)[:-1])):
            if len(members) == 0:
                continue
            if self._column.kind == "continuous":
                is_missing = np.isnan(self.values[members])
                if 2 * count[members[is_missing]].sum() > count[members].sum():
                    centers[number] = np.nan
                    continue
                members = members[~is_missing]
                below = np.cumsum(count[members])
                middle = np.searchsorted(below, (below[-1] + 1) // 2)
                centers[number] = self.values[members[middle]]
            else:
                counts = np.bincount(
                    self.values[members],
                    weights=count[members],
                    minlength=self._column.n_ordered + 1,
                )
                centers[number] = center(self._column, counts.astype(np.int64))
        return centers
