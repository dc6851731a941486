"""Records that are left while groups are made of others: distances, and what is taken away."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.masking.groups.aggregation import center
from anonopt.masking.groups.distances import category_distances_to, whole_unit
from anonopt.masking.groups.records import RecordColumn, Records

FEW = 16
"""Up to this k the nearest records are found by repeated minima, above by a partition."""


class Remaining:
    """Records that are in no group yet, as distinct records and how often each occurs.

    Attributes
    ----------
    n_rows : int
        Rows that are left.
    count : int64 array (n_points,)
        Rows of each distinct record that are left.
    sorted : int64 array (n_rows at the start,)
        Rows, those of one record side by side.
    next : int64 array (n_points,)
        Where in `sorted` the rows of each record begin that are left.
    axes : list
        Columns of the distinct records.
    """

    def __init__(self, records: Records) -> None:
        n_points, point = records.distinct()
        self.sorted = np.argsort(point, kind="stable")
        self.count = np.bincount(point, minlength=n_points)
        # Rows of a record are taken from the lowest on, so one position says which are left.
        self.next = np.cumsum(self.count) - self.count
        self._gone = np.zeros(n_points)
        self.n_rows = records.n_rows
        sample = self.sorted[self.next]
        unit = whole_unit(records, power=2)
        self.axes = [_axis(column, sample, unit) for column in records.columns]

    def rows(self) -> IntArray:
        """Rows that are left."""
        alive = np.flatnonzero(self.count)
        parts = [self.sorted[self.next[i] : self.next[i] + self.count[i]] for i in alive]
        return np.concatenate(parts)

    def distances_to_center(self) -> FloatArray:
        """Squared distance of each distinct record to the centroid of what is left."""
        return self._sum([axis.center(self.count) for axis in self.axes])

    def distances(self, at: int) -> FloatArray:
        """Squared distance of each distinct record to one of them."""
        return self._sum([axis.values[at] for axis in self.axes])

    def farthest(self, distances: FloatArray) -> int:
        """The record at the largest distance, of several that in the lowest row."""
        distances = distances - self._gone
        candidates = np.flatnonzero(distances == distances.max())
        return int(candidates[np.argmin(self.sorted[self.next[candidates]])])

    def row(self, at: int) -> int:
        """Lowest row that is left of one of the distinct records."""
        return int(self.sorted[self.next[at]])

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
        alive = self.count > 0
        if 4 * np.count_nonzero(alive) > 3 * len(alive):
            return
        self.count, self.next = self.count[alive], self.next[alive]
        self._gone = np.zeros(len(self.count))
        for axis in self.axes:
            axis.keep(alive)

    def recount(self) -> None:
        """Follow a change of the counts."""
        self._gone = np.where(self.count == 0, np.inf, 0.0)
        for axis in self.axes:
            axis.recount(self.count)

    def _sum(self, centers: list[Any]) -> FloatArray:
        total = self.axes[0].squares(centers[0])
        for axis, value in zip(self.axes[1:], centers[1:], strict=True):
            total += axis.squares(value)
        return total

    def _take_lowest(self, points: IntArray, wanted: int) -> IntArray:
        """Take the lowest rows of records at equal distance."""
        if len(points) == 1:
            numbers = np.array([min(wanted, int(self.count[points[0]]))])
            start = self.next[points[0]]
            rows = self.sorted[start : start + numbers[0]]
        else:
            numbers = np.minimum(self.count[points], wanted)
            owners = np.repeat(np.arange(len(points)), numbers)
            offsets = np.arange(len(owners)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
            rows = self.sorted[self.next[points][owners] + offsets]
            if len(rows) > wanted:
                lowest = np.argsort(rows)[:wanted]
                rows = rows[lowest]
                numbers = np.bincount(owners[lowest], minlength=len(points))
        self.next[points] += numbers
        self.count[points] -= numbers
        self._gone[points[self.count[points] == 0]] = np.inf
        for axis in self.axes:
            axis.remove(points, numbers)
        return rows


class AxisMetric(NamedTuple):
    """How values of a column are apart.

    Attributes
    ----------
    step : float
        Distance of numbers, or of ordered categories, that differ by 1.
    unit : float
        Distance of nominal categories, and of a missing cell and any other.
    missing : float
        Code of missing cells, NaN of a continuous column.
    nominal : bool
    n_ordered : int
        Categories, that of missing cells left out; -1 of a continuous column.
    """

    step: float
    unit: float
    missing: float
    nominal: bool
    n_ordered: int


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

    def recount(self, counts: IntArray) -> None:
        """Nothing is counted here."""

    def measured(self) -> AxisMetric:
        """How values are apart: by their difference."""
        return AxisMetric(1.0, 1.0, np.nan, False, -1)

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

    def recount(self, counts: IntArray) -> None:
        """Count the rows that are left."""
        self._counts = np.zeros_like(self._counts)
        np.add.at(self._counts, self.values, counts)

    def measured(self) -> AxisMetric:
        """How categories are apart, as of `category_distances_to`."""
        n_ordered = self._column.n_ordered
        step = self._unit / max(n_ordered - 1, 1)
        return AxisMetric(step, self._unit, n_ordered, self._column.kind == "nominal", n_ordered)

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
