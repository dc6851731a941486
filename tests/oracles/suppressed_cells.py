"""Cell suppression by definition: pairs of rows, every choice of cells, every partition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

Row = Sequence[object]
"""Cells of a row; None is missing."""


def matches(rows: Sequence[Row], *, matching: str) -> list[int]:
    """Rows that each row matches, pair by pair; itself included."""
    if matching == "value":
        found = Counter(tuple(row) for row in rows)
        return [found[tuple(row)] for row in rows]
    return [sum(_agree(row, other) for other in rows) for row in rows]


def _agree(row: Row, other: Row) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(row, other, strict=True))


def least_by_value(rows: Sequence[Row], k: int, weights: Sequence[float]) -> float:
    """Least weight where a suppressed cell is a value: over all partitions in groups of k or more.

    A group suppresses the columns in which its rows differ.
    """
    best = float("inf")
    for groups in _partitions(list(range(len(rows))), k):
        cost = 0.0
        for group in groups:
            for column, weight in enumerate(weights):
                if len({rows[row][column] for row in group}) > 1:
                    cost += weight * len(group)
        best = min(best, cost)
    return best


def _partitions(items: list[int], k: int) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for chosen in product((False, True), repeat=len(rest)):
        group = [first, *(item for item, one in zip(rest, chosen, strict=True) if one)]
        left = [item for item, one in zip(rest, chosen, strict=True) if not one]
        if len(group) >= k and (not left or len(left) >= k):
            for others in _partitions(left, k):
                yield [group, *others]


def least_by_wildcard(rows: Sequence[Row], k: int, weights: Sequence[float]) -> float:
    """Least weight where a suppressed cell matches everything: over every choice of cells."""
    cells = [
        (row, column)
        for row, values in enumerate(rows)
        for column, value in enumerate(values)
        if value is not None
    ]
    best = float("inf")
    for chosen in product((False, True), repeat=len(cells)):
        cost = sum(weights[cell[1]] for cell, one in zip(cells, chosen, strict=True) if one)
        if cost >= best:
            continue
        masked = [list(row) for row in rows]
        for (row, column), one in zip(cells, chosen, strict=True):
            if one:
                masked[row][column] = None
        if min(matches(masked, matching="wildcard")) >= k:
            best = cost
    return best
