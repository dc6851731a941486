"""The distinct records of a table: what they are nearest to, and the middle of those together."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Protocol

import numpy as np

from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.evaluation.accelerator import has_numba
from anonopt.masking.groups.aggregation import center
from anonopt.masking.groups.distances import category_distances_to, whole_unit
from anonopt.masking.groups.records import RecordColumn, Records

Centroids = tuple[AnyArray, ...]
"""An array (n_clusters,) a column."""
MANY = 1_000
"""Above so many distinct records compiled kernels are worth loading."""


class ClusteredPoints:
    """The distinct records, and how often each occurs.

    Parameters
    ----------
    records : Records of n_rows

    Attributes
    ----------
    point : int64 array (n_rows,)
        Distinct record of each row.
    """

    def __init__(self, records: Records) -> None:
        n_points, self.point = records.distinct()
        self._count = np.bincount(self.point, minlength=n_points)
        _, self._row = np.unique(self.point, return_index=True)
        unit = whole_unit(records, power=1)
        self._axes = [_Axis(column, self._row, unit) for column in records.columns]

    def dissimilar(self, n_clusters: int, row: int) -> Centroids:
        """Starting centroids by maximum dissimilarity from a row on."""
        chosen = [int(self.point[row])]
        nearest = self._distances([axis.values[chosen[0]] for axis in self._axes])
        while len(chosen) < n_clusters and nearest.max() > 0:
            candidates = np.flatnonzero(nearest == nearest.max())
            chosen.append(int(candidates[np.argmin(self._row[candidates])]))
            latest = self._distances([axis.values[chosen[-1]] for axis in self._axes])
            np.minimum(nearest, latest, out=nearest)
        return tuple(axis.values[chosen] for axis in self._axes)

    def cluster(self, start: Centroids) -> tuple[IntArray, float, Centroids]:
        """Assign records and move centroids for as long as that helps.

        Returns
        -------
        labels : int64 array (n_points,)
        total : float
            Sum of the distances of all rows to their centroids.
        centroids : tuple of arrays (n_clusters,)
        """
        assigned = self._assignment()
        middles = [axis.middles(self._count) for axis in self._axes]
        nearest, labels = assigned(start)
        total, centroids = self._total(nearest), start
        while True:
            moved = tuple(
                middle(labels, old) for middle, old in zip(middles, centroids, strict=True)
            )
            nearest, new_labels = assigned(moved)
            new_total = self._total(nearest)
            if not new_total < total:
                return labels, total, centroids
            labels, total, centroids = new_labels, new_total, moved

    def nearest(self, centroids: Centroids, columns: Sequence[AnyArray]) -> IntArray:
        """Nearest centroid of each of some other records, (n,), by the distances of these."""
        points = copy(self)
        points._axes = [axis.of(values) for axis, values in zip(self._axes, columns, strict=True)]
        return points._assignment()(centroids)[1]

    def _total(self, nearest: FloatArray) -> float:
        return float((nearest * self._count).sum())

    def _assignment(self) -> _Assignment:
        if _is_compiled(self._axes[0]) and all(np.isfinite(axis.range) for axis in self._axes):
            return _CompiledAssignment(self._axes)
        return _Assignment(self._axes)

    def _distances(self, values: list[Any]) -> FloatArray:
        return _distances(self._axes, values)


class _Assignment:
    """Distance to the nearest centroid, and which it is, of equals the first."""

    def __init__(self, axes: Sequence[_Axis]) -> None:
        self._axes = axes

    def __call__(self, centroids: Centroids) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the nearest centroids, (n_points,) each."""
        n_points = len(self._axes[0].values)
        nearest, labels = np.full(n_points, np.inf), np.zeros(n_points, dtype=np.int64)
        for number, values in enumerate(zip(*centroids, strict=True)):
            distances = _distances(self._axes, list(values))
            is_nearer = distances < nearest
            labels[is_nearer] = number
            np.copyto(nearest, distances, where=is_nearer)
        return nearest, labels


class _CompiledAssignment(_Assignment):
    """The same by a compiled kernel (extra ``fast``), which begins with what it found last."""

    def __init__(self, axes: Sequence[_Axis]) -> None:
        super().__init__(axes)
        self._points = np.stack([axis.values for axis in axes], axis=1).astype(np.float64)
        self._nearest = np.empty(len(self._points))
        self._labels = np.zeros(len(self._points), dtype=np.int64)
        self._beyond = np.full(len(self._points), -1.0)
        self._before: FloatArray | None = None
        self._radii = np.empty(0)

    def __call__(self, centroids: Centroids) -> tuple[FloatArray, IntArray]:
        """See `_Assignment`."""
        # Compiled code is loaded when it is used.
        from anonopt.masking.groups.kernel_centroids import (
            NUMBER,
            Assigned,
            ColumnMetric,
            measure_shifts,
            nearest_centroids,
        )

        centers = np.stack(centroids, axis=1).astype(np.float64)
        kinds = np.array(
            [axis.measured(values) for axis, values in zip(self._axes, centroids, strict=True)]
        )
        metric = ColumnMetric(
            kinds,
            np.array([axis.scale for axis in self._axes]),
            np.array([axis.missing for axis in self._axes], dtype=np.float64),
            self._axes[0].unit,
        )
        numbers = np.flatnonzero(kinds == NUMBER)
        by = int(numbers[0]) if len(numbers) else -1
        order = np.argsort(centers[:, by]) if by >= 0 else np.arange(len(centers))
        if self._before is None:
            self._before, self._radii = centers, np.zeros(len(centers))
        self._labels = self._labels.copy()
        assigned = Assigned(self._nearest, self._labels, self._beyond, self._radii)
        shifts = np.empty(len(centers))
        measure_shifts(self._before, centers, metric, shifts)
        by_shift = np.argsort(-shifts)
        nearest_centroids(self._points, metric, by, order, centers, shifts, by_shift, assigned)
        self._before = centers
        return self._nearest, self._labels


class _Axis:
    """A column of the distinct records."""

    def __init__(self, column: RecordColumn, rows: IntArray, unit: float) -> None:
        self._column = column
        self.unit = unit
        self._has_gaps = column.lacks_numbers
        present = column.values[~column.is_missing] if column.lacks_numbers else column.values
        self.range = (float(np.ptp(present)) or 1.0) if len(present) else 1.0
        self.values = column.values[rows]
        self._order = np.argsort(self.values, kind="stable")

    def of(self, values: AnyArray) -> _Axis:
        """The same column of other records, for distances."""
        axis = copy(self)
        axis.values = values
        axis._has_gaps = self._column.kind == "continuous" and bool(np.isnan(values).any())
        return axis

    def distances(self, center: Any) -> FloatArray:
        """Distance of each distinct record to a number or category."""
        if self._column.kind == "continuous":
            if self._has_gaps or np.isnan(center):
                return self._distances_with_gaps(float(center))
            return np.asarray(np.abs(self.values - center) / self.range, dtype=np.float64)
        return category_distances_to(self._column, self.values, int(center), self.unit)

    def measured(self, centers: AnyArray) -> int:
        """How the compiled kernel measures distances to some centers."""
        from anonopt.masking.groups import kernel_centroids as kinds

        if self._column.kind == "continuous":
            has_gaps = self._has_gaps or bool(np.isnan(centers).any())
            return kinds.NUMBER_OR_MISSING if has_gaps else kinds.NUMBER
        return kinds.NOMINAL if self._column.kind == "nominal" else kinds.ORDINAL

    @property
    def scale(self) -> float:
        """Range of numbers, or distance of a step of ordered categories."""
        if self._column.kind == "continuous":
            return self.range
        return self.unit / max(self._column.n_ordered - 1, 1)

    @property
    def missing(self) -> float:
        """Code of missing categories."""
        return float(self._column.n_ordered)

    def middles(self, count: IntArray) -> _Middles:
        """What gives the median or mode of each cluster, of records that occur so often."""
        if self._column.kind != "continuous":
            return _Categories(self._column, self.values, count)
        medians = _CompiledMedians if _is_compiled(self) else _Medians
        return medians(self.values, self._order, count)

    def _distances_with_gaps(self, center: float) -> FloatArray:
        distances = np.abs(self.values - center) / self.range
        distances[np.isnan(distances)] = 1.0
        if np.isnan(center):
            distances[np.isnan(self.values)] = 0.0
        return np.asarray(distances, dtype=np.float64)


def _is_compiled(axis: _Axis) -> bool:
    return len(axis.values) > MANY and has_numba()


def _distances(axes: Sequence[_Axis], center: Sequence[Any]) -> FloatArray:
    total = axes[0].distances(center[0])
    for axis, value in zip(axes[1:], center[1:], strict=True):
        total += axis.distances(value)
    return total


class _Middles(Protocol):
    def __call__(self, labels: IntArray, old: AnyArray) -> AnyArray:
        """Median or mode of each cluster; an empty cluster keeps its old one."""


class _Medians:
    """Medians of numbers, NaN where more than half of the rows of a cluster lack them."""

    def __init__(self, values: FloatArray, order: IntArray, count: IntArray) -> None:
        self._values, self._order, self._count = values, order, count

    def __call__(self, labels: IntArray, old: AnyArray) -> AnyArray:
        """See `_Middles`."""
        centers = old.copy()
        ordered = self._order[np.argsort(labels[self._order], kind="stable")]
        values, weights = self._values[ordered], self._count[ordered]
        sizes = np.bincount(labels, minlength=len(old))
        firsts = np.cumsum(sizes) - sizes
        # Missing numbers come last in each cluster.
        below = np.concatenate([[0], np.cumsum(np.where(np.isnan(values), 0, weights))])
        rows = np.concatenate([[0], np.cumsum(weights)])
        present, everything = (one[firsts + sizes] - one[firsts] for one in (below, rows))
        middles = np.searchsorted(below[1:], below[firsts] + (present + 1) // 2)
        is_lacking = 2 * (everything - present) > everything
        is_kept = (sizes > 0) & ~is_lacking
        centers[is_kept] = values[middles[is_kept]]
        centers[is_lacking] = np.nan
        return centers


class _CompiledMedians(_Medians):
    """The same by a compiled kernel (extra ``fast``), which begins with what it found last."""

    def __init__(self, values: FloatArray, order: IntArray, count: IntArray) -> None:
        super().__init__(values, order, count)
        self._position = np.empty(len(values), dtype=np.int64)
        self._position[self._order] = np.arange(len(values))
        self._labels = np.full(len(values), -1, dtype=np.int64)
        self._clusters: IntArray | None = None

    def __call__(self, labels: IntArray, old: AnyArray) -> AnyArray:
        """See `_Middles`."""
        from anonopt.masking.groups.kernel_centroids import medians

        if self._clusters is None:
            self._clusters = np.zeros((4, len(old)), dtype=np.int64)
            self._clusters[3] = np.searchsorted(self._values[self._order], old)
        centers = old.copy()
        medians(
            self._values, self._order, self._position, self._count,
            self._labels, labels, self._clusters, centers,
        )  # fmt: skip
        self._labels = labels
        return centers


class _Categories:
    """Medians or modes of categories."""

    def __init__(self, column: RecordColumn, values: IntArray, count: IntArray) -> None:
        self._column, self._values, self._count = column, values, count

    def __call__(self, labels: IntArray, old: AnyArray) -> AnyArray:
        """See `_Middles`."""
        width = self._column.n_ordered + 1
        keys, n_keys = labels * width + self._values, len(old) * width
        # Rows are far fewer than 2**53, so floats hold their numbers exactly.
        counts = np.bincount(keys, self._count, minlength=n_keys).astype(np.int64)
        centers = old.copy()
        for number, of_cluster in enumerate(counts.reshape(len(old), width)):
            if of_cluster.any():
                centers[number] = center(self._column, of_cluster)
        return centers
