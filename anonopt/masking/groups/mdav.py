"""MDAV-generic: groups of at least k similar records of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.masking.groups.aggregation import center
from anonopt.masking.groups.distances import category_distances_to, whole_unit
from anonopt.masking.groups.records import RecordColumn, Records

FEW = 16
"""Up to this k the nearest records are found by repeated minima, above by a partition."""


def mdav_groups(records: Records, k: int) -> IntArray:
    """Part records into groups by MDAV-generic (Mares 2013, Algorithm 4).

    While 3k records are left: find the record r farthest from the centroid of those left, make a
    group of it and its k - 1 nearest, and another of the record s farthest from r, outside
    that group, and its nearest. With 2k left, one more group around the record farthest from the
    centroid; what is then left is the last group.

    The squared distance of two records is the sum of the squared distances of their columns:
    differences in standard deviations, steps between ordered categories as a share of all steps,
    0 or 1 for nominal categories; missing cells are at distance 1 of all others. Of records
    at equal distance, that in the lowest row is taken first. The centroid is made of the means,
    medians and modes of :func:`anonopt.masking.groups.aggregation.aggregate`.

    Distances are computed between distinct records, never pairwise: time is O(M N / k) for M
    distinct records, memory O(N).

    Parameters
    ----------
    records : Records of n_rows
    k : int
        From 1 to n_rows.

    Returns
    -------
    int64 array (n_rows,)
        Group of each row, numbered in the order in which they are made.
    """
    if k == 1:
        return np.arange(records.n_rows, dtype=np.int64)
    left = _Remaining(records)
    groups = np.empty(records.n_rows, dtype=np.int64)
    n_groups = 0
    while left.n_rows >= 3 * k:
        from_first = left.distances(left.farthest(left.distances_to_center()))
        groups[left.take(from_first, k)] = n_groups
        second = left.farthest(from_first)
        groups[left.take(left.distances(second), k)] = n_groups + 1
        n_groups += 2
        left.compact()
    if left.n_rows >= 2 * k:
        first = left.farthest(left.distances_to_center())
        groups[left.take(left.distances(first), k)] = n_groups
        n_groups += 1
    groups[left.rows()] = n_groups
    return groups


class _Remaining:
    """Records that are in no group yet, as distinct records and how often each occurs."""

    def __init__(self, records: Records) -> None:
        n_points, point = records.distinct()
        self._sorted = np.argsort(point, kind="stable")
        self._count = np.bincount(point, minlength=n_points)
        # Rows of a record are taken from the lowest on, so one position says which are left.
        self._next = np.cumsum(self._count) - self._count
        self._gone = np.zeros(n_points)
        self.n_rows = records.n_rows
        sample = self._sorted[self._next]
        unit = whole_unit(records, power=2)
        self._axes = [_axis(column, sample, unit) for column in records.columns]

    def rows(self) -> IntArray:
        """Rows that are left."""
        alive = np.flatnonzero(self._count)
        parts = [self._sorted[self._next[i] : self._next[i] + self._count[i]] for i in alive]
        return np.concatenate(parts)

    def distances_to_center(self) -> FloatArray:
        """Squared distance of each distinct record to the centroid of what is left."""
        return self._sum([axis.center(self._count) for axis in self._axes])

    def distances(self, at: int) -> FloatArray:
        """Squared distance of each distinct record to one of them."""
        return self._sum([axis.values[at] for axis in self._axes])

    def farthest(self, distances: FloatArray) -> int:
        """The record at the largest distance, of several that in the lowest row."""
        distances = distances - self._gone
        candidates = np.flatnonzero(distances == distances.max())
        return int(candidates[np.argmin(self._sorted[self._next[candidates]])])

    def take(self, distances: FloatArray, k: int) -> IntArray:
        """Rows of the k nearest records, which are then gone."""
        distances = distances + self._gone
        places = None
        if FEW < k < len(distances):
            # Each distinct record occurs at least once, so the k nearest of them are enough.
            bound = np.partition(distances, k - 1)[k - 1]
            places = np.flatnonzero(distances <= bound)
            distances = distances[places]
        taken: list[IntArray] = []
        wanted = k
        while wanted > 0:
            nearest = np.flatnonzero(distances == distances.min())
            distances[nearest] = np.inf
            rows = self._take_lowest(nearest if places is None else places[nearest], wanted)
            taken.append(rows)
            wanted -= len(rows)
        self.n_rows -= k
        return np.concatenate(taken)

    def compact(self) -> None:
        """Forget the distinct records that are used up, once they are many."""
        alive = self._count > 0
        if 4 * np.count_nonzero(alive) > 3 * len(alive):
            return
        self._count, self._next = self._count[alive], self._next[alive]
        self._gone = np.zeros(len(self._count))
        for axis in self._axes:
            axis.keep(alive)

    def _sum(self, centers: list[Any]) -> FloatArray:
        total = self._axes[0].squares(centers[0])
        for axis, value in zip(self._axes[1:], centers[1:], strict=True):
            total += axis.squares(value)
        return total

    def _take_lowest(self, points: IntArray, wanted: int) -> IntArray:
        """Take the lowest rows of records at equal distance."""
        if len(points) == 1:
            numbers = np.array([min(wanted, int(self._count[points[0]]))])
            start = self._next[points[0]]
            rows = self._sorted[start : start + numbers[0]]
        else:
            numbers = np.minimum(self._count[points], wanted)
            owners = np.repeat(np.arange(len(points)), numbers)
            offsets = np.arange(len(owners)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
            rows = self._sorted[self._next[points][owners] + offsets]
            if len(rows) > wanted:
                lowest = np.argsort(rows)[:wanted]
                rows = rows[lowest]
                numbers = np.bincount(owners[lowest], minlength=len(points))
        self._next[points] += numbers
        self._count[points] -= numbers
        self._gone[points[self._count[points] == 0]] = np.inf
        for axis in self._axes:
            axis.remove(points, numbers)
        return rows


class _ContinuousAxis:
    """A continuous column of the distinct records, in standard deviations."""

    def __init__(self, values: FloatArray) -> None:
        self.values = values

    def center(self, counts: IntArray) -> float:
        """Mean of what is left."""
        return float((self.values * counts).sum()) / int(counts.sum())

    def squares(self, center: float) -> FloatArray:
        """Squared distance of each distinct record to a number."""
        difference = self.values - center
        difference *= difference
        return difference

    def remove(self, points: IntArray, numbers: IntArray) -> None:
        """Nothing is counted here."""

    def keep(self, alive: BoolArray) -> None:
        """Keep some of the distinct records."""
        self.values = self.values[alive]


class _CategoricalAxis:
    """An ordinal or nominal column of the distinct records."""

    def __init__(self, column: RecordColumn, sample: IntArray, unit: float) -> None:
        self._column = column
        self._unit = unit
        self._counts = np.bincount(column.values, minlength=column.n_ordered + 1)
        self.values = column.values[sample]

    def center(self, counts: IntArray) -> int:
        """Median or mode of what is left."""
        return center(self._column, self._counts)

    def squares(self, center: int) -> FloatArray:
        """Squared distance of each distinct record to a category."""
        distances = category_distances_to(self._column, self.values, center, self._unit)
        distances *= distances
        return distances

    def remove(self, points: IntArray, numbers: IntArray) -> None:
        """Count rows out."""
        np.subtract.at(self._counts, self.values[points], numbers)

    def keep(self, alive: BoolArray) -> None:
        """Keep some of the distinct records."""
        self.values = self.values[alive]


def _axis(
    column: RecordColumn, sample: IntArray, unit: float
) -> _ContinuousAxis | _CategoricalAxis:
    if column.kind == "continuous":
        return _ContinuousAxis(standardized(column.values)[sample])
    return _CategoricalAxis(column, sample, unit)


def standardized(values: FloatArray) -> FloatArray:
    """Numbers less their mean, in (population) standard deviations; zeros if all are equal.

    Examples
    --------
    >>> standardized(np.array([1.0, 3.0, 1.0, 3.0]))
    array([-1.,  1., -1.,  1.])
    """
    if values.min() == values.max():
        return np.zeros(len(values))
    centered = values - values.mean()
    return np.asarray(centered / centered.std(), dtype=np.float64)
