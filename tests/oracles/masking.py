"""Masking methods record by record, in plain Python and exact numbers where there are any."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Column:
    """Cells of a column: numbers, or codes of which `n_ordered` stands for a missing cell."""

    kind: str
    cells: tuple[Any, ...]
    n_ordered: int = 0


def steps(column: Column, a: int, b: int) -> Fraction:
    """Distance of two categories, 0 to 1."""
    if a == b:
        return Fraction(0)
    if column.kind == "nominal" or column.n_ordered in (a, b):
        return Fraction(1)
    return Fraction(abs(a - b), column.n_ordered - 1)


def average(column: Column, cells: Sequence[Any]) -> Any:
    """Mean, lower median or first mode."""
    if column.kind == "continuous":
        return math.fsum(cells) / len(cells)
    if column.kind == "nominal":
        counts = Counter(cells)
        return min(counts, key=lambda code: (-counts[code], code))
    present = sorted(code for code in cells if code < column.n_ordered)
    if 2 * len(present) < len(cells):
        return column.n_ordered
    return present[(len(present) - 1) // 2]


def mdav(columns: Sequence[Column], k: int) -> list[list[int]]:
    """Groups of rows in the order in which MDAV-generic makes them (Mares 2013, Algorithm 4)."""
    scales = [standard_deviation(column.cells) for column in columns]

    def distance(one: Sequence[Any], other: Sequence[Any]) -> Any:
        total: Any = 0
        for column, scale, a, b in zip(columns, scales, one, other, strict=True):
            if column.kind == "continuous":
                total += ((a - b) / scale) ** 2
            else:
                total += steps(column, a, b) ** 2
        return total

    def record(row: int) -> list[Any]:
        return [column.cells[row] for column in columns]

    def centroid(rows: Sequence[int]) -> list[Any]:
        return [average(column, [column.cells[row] for row in rows]) for column in columns]

    def farthest(rows: Sequence[int], point: Sequence[Any]) -> int:
        return min(rows, key=lambda row: (-distance(record(row), point), row))

    def around(rows: Sequence[int], row: int) -> list[int]:
        return sorted(rows, key=lambda other: (distance(record(other), record(row)), other))[:k]

    left = list(range(len(columns[0].cells)))
    groups = []
    while len(left) >= 3 * k:
        first = farthest(left, centroid(left))
        groups.append(around(left, first))
        left = [row for row in left if row not in groups[-1]]
        second = farthest(left, record(first))
        groups.append(around(left, second))
        left = [row for row in left if row not in groups[-1]]
    if len(left) >= 2 * k:
        groups.append(around(left, farthest(left, centroid(left))))
        left = [row for row in left if row not in groups[-1]]
    return [*groups, left]


def standard_deviation(cells: Sequence[Any]) -> float:
    """Population standard deviation of numbers, 1 if they are all equal."""
    mean = math.fsum(cells) / len(cells)
    return math.sqrt(math.fsum((cell - mean) ** 2 for cell in cells) / len(cells)) or 1.0


def compositions(n: int, k: int) -> Iterator[list[int]]:
    """Ways to part n neighbours into groups of at least k."""
    if n == 0:
        yield []
    for size in range(k, n + 1):
        for rest in compositions(n - size, k):
            yield [size, *rest]


def squared_cost(cells: Sequence[Fraction]) -> Fraction:
    """Sum of squared deviations from the mean."""
    mean = sum(cells, Fraction(0)) / len(cells)
    return sum(((cell - mean) ** 2 for cell in cells), Fraction(0))


def absolute_cost(cells: Sequence[Fraction]) -> Fraction:
    """Sum of absolute deviations from the best of the cells."""
    return min(sum((abs(cell - center) for cell in cells), Fraction(0)) for center in cells)


def least_cost(cells: Sequence[int], k: int, *, squared: bool) -> Fraction:
    """Cost of the best of all ways to part sorted numbers."""
    cost = squared_cost if squared else absolute_cost
    numbers = sorted(map(Fraction, cells))
    return min(cost_of(numbers, sizes, cost) for sizes in compositions(len(numbers), k))


def cost_of(numbers: Sequence[Fraction], sizes: Sequence[int], cost: Any) -> Fraction:
    """Cost of groups of neighbours."""
    ends = list(itertools.accumulate(sizes))
    return sum(
        (cost(numbers[end - size : end]) for end, size in zip(ends, sizes, strict=True)),
        Fraction(0),
    )


def allowable_cut(cells: Sequence[Any], k: int) -> bool:
    """Whether a value parts the cells of a region so that both sides hold k."""
    return any(k <= sum(cell <= value for cell in cells) <= len(cells) - k for value in set(cells))


def c_median_total(columns: Sequence[Column], labels: Sequence[int]) -> float:
    """Distances of all rows to the median record of their cluster."""
    total = 0.0
    for label in set(labels):
        rows = [row for row, other in enumerate(labels) if other == label]
        for column in columns:
            cells = [column.cells[row] for row in rows]
            if column.kind == "continuous":
                spread = max(column.cells) - min(column.cells) or 1.0
                middle = sorted(cells)[(len(cells) - 1) // 2]
                total += sum(abs(cell - middle) / spread for cell in cells)
            else:
                middle = average(column, cells)
                total += float(sum(steps(column, cell, middle) for cell in cells))
    return total
