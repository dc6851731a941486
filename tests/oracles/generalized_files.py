"""Loss and risk of generalized files from their definitions, in plain Python, record by record.

A masked cell is the set of the values that it covers; missing cells are the value None.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

from tests.oracles.masked_files import (
    Column,
    clipped,
    credit,
    is_inside,
    values,
)

Cell = frozenset[Any]
Covered = Sequence[Sequence[Cell]]


def cell_distance(column: Column, value: Any, cell: Cell) -> Fraction:
    """From a value to the nearest one that a cell covers."""
    return min(column.distance(value, other) for other in cell)


def cell_loss(column: Column, value: Any, cell: Cell) -> Fraction:
    size = len(column.categories)
    spread = Fraction(len(cell) - 1, size - 1) if size > 1 else Fraction(0)
    return max(spread, cell_distance(column, value, cell))


def dbil(original: Sequence[Sequence[Any]], masked: Covered, columns: Sequence[Column]) -> float:
    losses = [
        cell_loss(column, value, cell)
        for record, cells in zip(original, masked, strict=True)
        for column, value, cell in zip(columns, record, cells, strict=True)
    ]
    return float(100 * sum(losses) / len(losses))


def shares(present: Sequence[Any], cell: Cell) -> dict[Any, Fraction]:
    """Share of each value under a cell among the originals under it."""
    counts = {value: sum(other == value for other in present) for value in cell}
    if not any(counts.values()):
        counts = dict.fromkeys(cell, 1)
    return {value: Fraction(n, sum(counts.values())) for value, n in counts.items()}


def ctbil(original: Any, masked: Covered, columns: Sequence[Column]) -> float:
    parts = []
    for size in (1, 2):
        for chosen in combinations(range(len(columns)), size):
            before = Counter(tuple(record[j] for j in chosen) for record in original)
            after: Counter[Any] = Counter()
            for cells in masked:
                drawn = [shares(values(original, j), cells[j]).items() for j in chosen]
                for combination in product(*drawn):
                    key = tuple(value for value, _ in combination)
                    after[key] += math.prod(share for _, share in combination)
            difference = sum(abs(before[key] - after[key]) for key in {*before, *after})
            parts.append(Fraction(difference) / (2 * len(original)))
    return float(100 * sum(parts) / len(parts))


def ebil(original: Any, masked: Covered, columns: Sequence[Column]) -> float:
    total = []
    for j, column in enumerate(columns):
        cells = [record[j] for record in masked]
        entropy = 0.0
        for seen in cells:
            sources = Counter(
                record[j] for record, c in zip(original, cells, strict=True) if c == seen
            )
            n = sum(sources.values())
            entropy -= sum(count / n * math.log(count / n) for count in sources.values())
        size = len(column.categories)
        total.append(entropy / (len(cells) * math.log(size)) if size > 1 else 0.0)
    return 100 * sum(total) / len(total)


def interval_disclosure(original: Any, masked: Covered, columns: Sequence[Column]) -> float:
    inside = []
    for record, cells in zip(original, masked, strict=True):
        for j, (column, cell) in enumerate(zip(columns, cells, strict=True)):
            present = values(original, j)
            for percent in range(1, 11):
                inside.append(
                    sum(
                        share * is_inside(column, present, record[j], value, percent)
                        for value, share in shares(present, cell).items()
                    )
                )
    return float(100 * sum(inside) / len(inside))


def dbrl(original: Any, masked: Covered, columns: Sequence[Column]) -> float:
    total = Fraction(0)
    for true, cells in enumerate(masked):
        distances = [
            sum(cell_distance(*part) for part in zip(columns, record, cells, strict=True))
            for record in original
        ]
        total += credit((i for i, d in enumerate(distances) if d == min(distances)), true)
    return float(100 * total / len(masked))


def agreement(record: Sequence[Any], cells: Sequence[Cell]) -> tuple[bool, ...]:
    return tuple(value in cell for value, cell in zip(record, cells, strict=True))


def pattern_weights(original: Any, masked: Covered) -> dict[tuple[bool, ...], float]:
    """Weight of every pattern of agreement, by the probabilities that EM ends with."""
    pairs = Counter(agreement(record, cells) for record in original for cells in masked)
    n_pairs, n = len(original) ** 2, len(original[0])
    u = [clipped(sum(c for p, c in pairs.items() if p[j]) / n_pairs) for j in range(n)]
    m = [0.9] * n

    def likelihood(pattern: tuple[bool, ...], given: Sequence[float]) -> float:
        return math.prod(s if agrees else 1 - s for agrees, s in zip(pattern, given, strict=True))

    for _ in range(500):
        expected = {}
        for pattern, count in pairs.items():
            true = likelihood(pattern, m) / len(original)
            other = (1 - 1 / len(original)) * likelihood(pattern, u)
            expected[pattern] = count * true / (true + other)
        total = sum(expected.values())
        new = [clipped(sum(c for p, c in expected.items() if p[j]) / total) for j in range(n)]
        change = max(abs(a - b) for a, b in zip(m, new, strict=True))
        m = new
        if change < 1e-6:
            break

    def weight(pattern: tuple[bool, ...]) -> float:
        return sum(
            math.log(a / b) if agrees else math.log((1 - a) / (1 - b))
            for agrees, a, b in zip(pattern, m, u, strict=True)
        )

    return {pattern: weight(pattern) for pattern in pairs}


def is_clear(weights: dict[tuple[bool, ...], float]) -> bool:
    """Whether weights that differ do so by more than rounding could make them."""
    ordered = sorted(weights.values())
    gaps = [b - a for a, b in pairwise(ordered)]
    return all(gap < 1e-12 or gap > 1e-6 for gap in gaps)


def prl(original: Any, masked: Covered, columns: Sequence[Column]) -> float:
    weight = pattern_weights(original, masked)
    linked = Fraction(0)
    for true, cells in enumerate(masked):
        weights = [weight[agreement(record, cells)] for record in original]
        close = 1e-9 * max(1, abs(max(weights)))
        linked += credit((i for i, w in enumerate(weights) if max(weights) - w <= close), true)
    return float(100 * linked / len(masked))


MEASURES = {
    "DBIL": dbil,
    "CTBIL": ctbil,
    "EBIL": ebil,
    "ID": interval_disclosure,
    "DBRL": dbrl,
    "PRL": prl,
}
