"""What tables and curves of experiments say, in plain loops over small lists of points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

Point = Sequence[float]


def weakly_dominates(a: Point, b: Point) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


def non_dominated(points: Sequence[Point]) -> list[tuple[float, ...]]:
    """Distinct minimized points that no other dominates, sorted."""
    distinct = sorted({tuple(p) for p in points})
    return [p for p in distinct if not any(q != p and weakly_dominates(q, p) for q in distinct)]


def hypervolume(points: Sequence[Point], corner: Point) -> float:
    """Sum of the cells, of the grid of all coordinates, that some point dominates."""
    inside = [p for p in points if all(x < c for x, c in zip(p, corner, strict=True))]
    edges = [sorted({*(p[i] for p in inside), corner[i]}) for i in range(len(corner))]
    total = 0.0
    for cell in itertools.product(*(itertools.pairwise(axis) for axis in edges)):
        if any(weakly_dominates(p, [low for low, _ in cell]) for p in inside):
            total += math.prod(high - low for low, high in cell)
    return total


def additive_epsilon(points: Sequence[Point], front: Sequence[Point]) -> float:
    return max(min(max(x - y for x, y in zip(p, r, strict=True)) for p in points) for r in front)


def tchebycheff_r2(points: Sequence[Point], weights: Sequence[Point]) -> float:
    """Of points whose ideal point is 0."""
    best = [
        min(max(w * abs(x) for w, x in zip(weight, p, strict=True)) for p in points)
        for weight in weights
    ]
    return sum(best) / len(best)


def first_good_number(values: Sequence[float], target: float, *, maximize: bool) -> float:
    """Number, from 1 on, of the first value as good as the target; NaN if none is."""
    for number, value in enumerate(values, start=1):
        if value >= target if maximize else value <= target:
            return float(number)
    return math.nan


def values_after_each(
    points: Sequence[Point],
    feasible: Sequence[bool],
    indicator: Callable[[list[tuple[float, ...]]], float],
    nothing: float,
) -> list[float]:
    """Indicator of what was found after each evaluation."""
    found: list[Point] = []
    values = []
    for point, is_feasible in zip(points, feasible, strict=True):
        if is_feasible and all(abs(x) < 1e30 for x in point):
            found.append(point)
        values.append(indicator(non_dominated(found)) if found else nothing)
    return values


def attained_share(runs: Sequence[Sequence[Point]], goal: Point) -> float:
    """Share of the runs of which a point weakly dominates the goal."""
    return sum(any(weakly_dominates(p, goal) for p in run) for run in runs) / len(runs)


def accelerated_interval(
    values: Sequence[float],
    resamples: Sequence[Sequence[int]],
    statistic: Callable[[Sequence[float]], float],
    level: float,
) -> tuple[float, float]:
    """Interval of Efron (1987), bias-corrected and accelerated, of resamples that are given."""
    normal = NormalDist()
    found = float(statistic(values))
    drawn = sorted(float(statistic([values[i] for i in rows])) for rows in resamples)
    below = sum(value < found for value in drawn) + sum(value <= found for value in drawn)
    bias = normal.inv_cdf(below / (2 * len(drawn)))
    without = [float(statistic([*values[:i], *values[i + 1 :]])) for i in range(len(values))]
    middle = sum(without) / len(without)
    cubes = sum((middle - value) ** 3 for value in without)
    squares = sum((middle - value) ** 2 for value in without)
    acceleration = cubes / (6 * squares**1.5)

    def end(share: float) -> float:
        z = bias + normal.inv_cdf(share)
        place = normal.cdf(bias + z / (1 - acceleration * z)) * (len(drawn) - 1)
        low = math.floor(place)
        return drawn[low] + (place - low) * (drawn[min(low + 1, len(drawn) - 1)] - drawn[low])

    return end((1 - level) / 2), end((1 + level) / 2)
