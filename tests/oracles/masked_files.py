"""Loss and risk of masked files from their definitions, in plain Python, record by record.

Files are lists of records, records are lists of values. A column is described by `Column`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

Record = Sequence[Any]
File = Sequence[Record]


@dataclass(frozen=True)
class Column:
    """Categories of a column in order, missing (None) last; ordinal or nominal."""

    categories: tuple[Any, ...]
    is_ordinal: bool

    @property
    def ordered(self) -> list[Any]:
        return [value for value in self.categories if value is not None]

    def distance(self, a: Any, b: Any) -> Fraction:
        if a == b:
            return Fraction(0)
        if not self.is_ordinal or a is None or b is None:
            return Fraction(1)
        apart = abs(self.ordered.index(a) - self.ordered.index(b))
        return Fraction(apart, len(self.ordered) - 1)


def distance(columns: Sequence[Column], a: Record, b: Record) -> Fraction:
    return sum((c.distance(x, y) for c, x, y in zip(columns, a, b, strict=True)), Fraction(0))


def values(file: File, j: int) -> list[Any]:
    return [record[j] for record in file]


def dbil(original: File, masked: File, columns: Sequence[Column]) -> float:
    total = sum(distance(columns, a, b) for a, b in zip(original, masked, strict=True))
    return float(100 * total / (len(original) * len(columns)))


def ctbil(
    original: File,
    masked: File,
    columns: Sequence[Column],
    dimension: int = 2,
    per_cell: bool = False,
) -> float:
    parts, cells, total = [], 0, 0
    for size in range(1, dimension + 1):
        for chosen in combinations(range(len(columns)), size):
            before = Counter(tuple(record[j] for j in chosen) for record in original)
            after = Counter(tuple(record[j] for j in chosen) for record in masked)
            all_cells = list(product(*(columns[j].categories for j in chosen)))
            difference = sum(abs(before[cell] - after[cell]) for cell in all_cells)
            parts.append(Fraction(difference, 2 * len(original)))
            cells += len(all_cells)
            total += difference
    if per_cell:
        return 100 * total / cells
    return float(100 * sum(parts) / len(parts))


def ebil(original: File, masked: File, columns: Sequence[Column]) -> float:
    shares = []
    for j, column in enumerate(columns):
        if len(column.categories) == 1:
            shares.append(0.0)
            continue
        before, after = values(original, j), values(masked, j)
        total = 0.0
        for seen in after:
            sources = Counter(a for a, b in zip(before, after, strict=True) if b == seen)
            n = sum(sources.values())
            total += -sum(count / n * math.log(count / n) for count in sources.values())
        shares.append(total / (len(original) * math.log(len(column.categories))))
    return 100 * sum(shares) / len(shares)


def mid_rank(column: Column, present: Sequence[Any], value: Any) -> Fraction:
    """Mean rank of the value among those present, from 1; between its neighbours if absent."""
    place = column.ordered.index
    ranked = [place(other) for other in present if other is not None]
    below = sum(other < place(value) for other in ranked)
    equal = sum(other == place(value) for other in ranked)
    return below + Fraction(equal + 1, 2)


def is_inside(
    column: Column, present: Sequence[Any], before: Any, after: Any, percent: int
) -> bool:
    if not column.is_ordinal or before is None or after is None:
        return bool(before == after)
    apart = abs(mid_rank(column, present, before) - mid_rank(column, present, after))
    return apart <= Fraction(percent * len(present), 100)


def interval_disclosure(original: File, masked: File, columns: Sequence[Column]) -> float:
    inside = [
        is_inside(column, values(original, j), a[j], b[j], percent)
        for percent in range(1, 11)
        for a, b in zip(original, masked, strict=True)
        for j, column in enumerate(columns)
    ]
    return 100 * sum(inside) / len(inside)


def credit(best: Iterable[int], true: int) -> Fraction:
    """One over the number of originals a record is linked to, if the true one is among them."""
    linked = list(best)
    return Fraction(1, len(linked)) if true in linked else Fraction(0)


def dbrl(original: File, masked: File, columns: Sequence[Column]) -> float:
    total = Fraction(0)
    for true, record in enumerate(masked):
        distances = [distance(columns, other, record) for other in original]
        least = min(distances)
        total += credit((i for i, d in enumerate(distances) if d == least), true)
    return float(100 * total / len(masked))


def agreement(a: Record, b: Record) -> tuple[bool, ...]:
    return tuple(x == y for x, y in zip(a, b, strict=True))


def clipped(share: float) -> float:
    return min(max(share, 1e-9), 1 - 1e-9)


def probabilities(original: File, masked: File) -> tuple[list[float], list[float]]:
    """Agreement probabilities m of true pairs and u of all pairs."""
    pairs = Counter(agreement(a, b) for a in original for b in masked)
    n_columns = len(original[0])
    n_pairs = sum(pairs.values())
    u = [clipped(sum(n for p, n in pairs.items() if p[j]) / n_pairs) for j in range(n_columns)]

    def likelihood(pattern: tuple[bool, ...], shares: Sequence[float]) -> float:
        return math.prod(s if agrees else 1 - s for agrees, s in zip(pattern, shares, strict=True))

    prior = 1 / len(original)
    m = [0.9] * n_columns
    for _ in range(500):
        expected = {}
        for pattern, n in pairs.items():
            true = prior * likelihood(pattern, m)
            expected[pattern] = n * true / (true + (1 - prior) * likelihood(pattern, u))
        total = sum(expected.values())
        new = [
            clipped(sum(n for p, n in expected.items() if p[j]) / total) for j in range(n_columns)
        ]
        change = max(abs(a - b) for a, b in zip(m, new, strict=True))
        m = new
        if change < 1e-6:
            break
    return m, u


def weights(m: Sequence[float], u: Sequence[float]) -> Callable[[Record, Record], float]:
    def weight(a: Record, b: Record) -> float:
        return sum(
            math.log(mj / uj) if agrees else math.log((1 - mj) / (1 - uj))
            for agrees, mj, uj in zip(agreement(a, b), m, u, strict=True)
        )

    return weight


def prl(original: File, masked: File, columns: Sequence[Column]) -> float:
    weight = weights(*probabilities(original, masked))
    total = Fraction(0)
    for true, record in enumerate(masked):
        found = [weight(other, record) for other in original]
        largest = max(found)
        close = 1e-9 * max(1, abs(largest))
        total += credit((i for i, w in enumerate(found) if largest - w <= close), true)
    return float(100 * total / len(masked))


MEASURES: dict[str, Callable[[File, File, Sequence[Column]], float]] = {
    "DBIL": dbil,
    "CTBIL": ctbil,
    "EBIL": ebil,
    "ID": interval_disclosure,
    "DBRL": dbrl,
    "PRL": prl,
}
"""The six measures by name."""


def rsrl(original: File, masked: File, columns: Sequence[Column], percent: float) -> float:
    """Linked to all originals alike that rank swapping can have turned into the record."""
    total = Fraction(0)
    for true, record in enumerate(masked):
        candidates = [
            i
            for i, other in enumerate(original)
            if all(
                can_be_swapped(column, values(original, j), other[j], record[j], percent)
                for j, column in enumerate(columns)
            )
        ]
        total += credit(candidates, true)
    return float(100 * total / len(masked))


def can_be_swapped(
    column: Column, present: Sequence[Any], before: Any, after: Any, percent: float
) -> bool:
    if before == after:
        return True
    if not column.is_ordinal or before is None or after is None:
        return False
    order = column.ordered.index
    ranked = sorted(order(value) for value in present if value is not None)
    window = max(math.floor(Fraction(repr(float(percent))) * len(ranked) / 100), 1)
    low, high = sorted((order(before), order(after)))
    # Cells strictly between both categories lie between their nearest ranks.
    return sum(low < place < high for place in ranked) + 1 <= window
