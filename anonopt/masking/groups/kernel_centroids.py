"""Compiled kernels (extra ``fast``): the nearest of many centroids, and medians of clusters.

They compute what `anonopt.masking.groups.clustered_points` computes, to the bit, and are held equal
to it by tests.

Most records keep their centroid while centroids move. A record cannot have another one as long as
the bound of its distances to all others, less what these have moved, is above the distance to its
own (Hamerly 2010). Bounds are kept below what rounding could make of them, so a record without
doubt has one nearest centroid, and any other is looked up anew: ties are for the first centroid.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.lattice.kernel_statistics import compiled

inlined = partial(compiled, inlined=True)
NUMBER, NUMBER_OR_MISSING, ORDINAL, NOMINAL = 0, 1, 2, 3
"""Kinds of columns."""
SLACK = 2.0**-49
"""More than rounding makes of a distance, as a share of it, for each column."""
LEAST = 1e-300
"""Where smaller numbers are rounded, the error is no share of them."""


class ColumnMetric(NamedTuple):
    """How far apart values of each column are.

    Attributes
    ----------
    kinds : int64 array (n_columns,)
    scales : float array (n_columns,)
        Range of numbers, distance of a step of ordered categories.
    missing : float array (n_columns,)
        Code of missing categories.
    unit : float
        Distance of different categories without an order.
    """

    kinds: IntArray
    scales: FloatArray
    missing: FloatArray
    unit: float


class Assigned(NamedTuple):
    """What was found for the centroids before.

    Attributes
    ----------
    nearest : float array (n_points,)
        Distance to the nearest centroid.
    labels : int64 array (n_points,)
        Which it is.
    beyond : float array (n_points,)
        No other centroid is nearer than this; below 0 where nothing is known.
    radii : float array (n_clusters,)
        Distance of the farthest point of each cluster.
    """

    nearest: FloatArray
    labels: IntArray
    beyond: FloatArray
    radii: FloatArray


@inlined
def _apart(value, center, column, metric):  # type: ignore[no-untyped-def]
    kind = metric.kinds[column]
    if kind == NUMBER:
        return abs(value - center) / metric.scales[column]
    if kind == NUMBER_OR_MISSING:
        if np.isnan(value) or np.isnan(center):
            return 0.0 if np.isnan(value) and np.isnan(center) else 1.0
        return abs(value - center) / metric.scales[column]
    if value == center:
        return 0.0
    lacks = value == metric.missing[column] or center == metric.missing[column]
    if kind == NOMINAL or lacks:
        return metric.unit
    return abs(value - center) * metric.scales[column]


@inlined
def _distance(points, at, centers, number, metric):  # type: ignore[no-untyped-def]
    """Distances of the columns added up in their order."""
    distance = _apart(points[at, 0], centers[number, 0], 0, metric)
    for column in range(1, points.shape[1]):
        distance += _apart(points[at, column], centers[number, column], column, metric)
    return distance


@inlined
def _least_apart(centers, one, other, metric):  # type: ignore[no-untyped-def]
    """What the distances of a record to two centroids are at least together."""
    least = 0.0
    for column in range(centers.shape[1]):
        apart = _apart(centers[one, column], centers[other, column], column, metric)
        # A record that lacks the number is at distance 1 of both, wherever they are.
        least += min(apart, 2.0) if metric.kinds[column] == NUMBER_OR_MISSING else apart
    return least


@inlined
def _look_around(centers, metric, shifts, by_shift, radii, reach, around):  # type: ignore[no-untyped-def]
    """How far other centroids matter to each, and how far these have moved at most."""
    for number in range(len(centers)):
        reach[number] = 3.0 * (radii[number] + shifts[number])
        radii[number], around[number] = 0.0, 0.0
        for other in by_shift:
            if shifts[other] == 0.0:
                break
            if other == number or _least_apart(centers, number, other, metric) > reach[number]:
                continue
            around[number] = shifts[other]
            break


@inlined
def _find(points, at, metric, by, order, centers):  # type: ignore[no-untyped-def]
    """Distance and number of the nearest centroid, and the distance of the second nearest."""
    below, above = 0, len(order)
    while by >= 0 and below < above:
        middle = (below + above) // 2
        if centers[order[middle], by] < points[at, by]:
            below = middle + 1
        else:
            above = middle
    best, second, label = np.inf, np.inf, np.int64(len(order))
    for step in (-1, 1):
        place = below - 1 if step < 0 else below
        while 0 <= place < len(order):
            number = order[place]
            if by >= 0 and _apart(points[at, by], centers[number, by], by, metric) > second:
                break
            distance = _distance(points, at, centers, number, metric)
            if distance < best or (distance == best and number < label):
                best, second, label = distance, best, number
            elif distance < second:
                second = distance
            place += step
    return best, label, second


@compiled
def measure_shifts(before, centers, metric, shifts):  # type: ignore[no-untyped-def]
    """How much nearer each centroid can have come to any record."""
    for number in range(len(centers)):
        shift = _distance(before, number, centers, number, metric)
        for column in range(centers.shape[1]):
            # Between a number and none there are distances that no other bounds.
            if np.isnan(before[number, column]) != np.isnan(centers[number, column]):
                shift = np.inf
        shifts[number] = shift * (1.0 + SLACK * (centers.shape[1] + 4))


@compiled
def nearest_centroids(points, metric, by, order, centers, shifts, by_shift, assigned):  # type: ignore[no-untyped-def]
    """Find the nearest centroid of each point, of equals the first.

    Centroids are tried outward from the point by the column `by`, of numbers, in whose `order` they
    are, until that alone is farther than the second nearest; all of them, if `by` is below 0. In
    the order `by_shift` those come first that have moved farthest.
    """
    nearest, labels, beyond, radii = assigned
    slack = SLACK * (points.shape[1] + 4)
    reach, around = np.empty((2, len(centers)))
    _look_around(centers, metric, shifts, by_shift, radii, reach, around)
    for at in range(len(points)):
        own = labels[at]
        if beyond[at] >= 0.0:
            if shifts[own] > 0.0:
                nearest[at] = _distance(points, at, centers, own, metric)
            bound = min(beyond[at] - around[own], reach[own] - nearest[at] * (1.0 + slack))
            bound *= 1.0 - slack
            if bound * (1.0 - slack) > nearest[at] + LEAST:
                beyond[at] = bound
                radii[own] = max(radii[own], nearest[at])
                continue
        nearest[at], own, second = _find(points, at, metric, by, order, centers)
        labels[at], beyond[at] = own, second * (1.0 - slack)
        radii[own] = max(radii[own], nearest[at])


@compiled
def medians(values, order, position, count, before, labels, clusters, centers):  # type: ignore[no-untyped-def]
    """Median of each cluster, NaN where more than half is missing; an empty one keeps its own.

    `order` is that of the values, of which each counts as often as `count` says, and `position` the
    place of each in it. `before` are the labels that the rows of `clusters` are counted of: those
    with a number, those without one, those in front of a place, and this place, from which the
    median is walked to.
    """
    present, missing, below, places = clusters
    for at in range(len(values)):
        if before[at] == labels[at]:
            continue
        for number, rows in ((before[at], -count[at]), (labels[at], count[at])):
            if number < 0:
                continue
            if np.isnan(values[at]):
                missing[number] += rows
            else:
                present[number] += rows
                if position[at] < places[number]:
                    below[number] += rows
    for number in range(len(centers)):
        if missing[number] > present[number]:
            centers[number] = np.nan
        elif present[number] > 0:
            wanted = (present[number] + 1) // 2
            place, rows = places[number], below[number]
            while rows >= wanted:
                place -= 1
                if labels[order[place]] == number:
                    rows -= count[order[place]]
            while labels[order[place]] != number or rows + count[order[place]] < wanted:
                if labels[order[place]] == number:
                    rows += count[order[place]]
                place += 1
            places[number], below[number] = place, rows
            centers[number] = values[order[place]]
