"""Slow twin of ``Microdata.apply``: one dictionary a level, one row at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

Row = tuple[str, ...]


def generalize(
    rows: Sequence[Row], paths: Sequence[Mapping[str, Sequence[str]]], node
) -> list[Row]:
    """Look up each cell's label; ``paths[column][leaf][level]`` is a label."""
    return [
        tuple(paths[column][cell][node[column]] for column, cell in enumerate(row)) for row in rows
    ]


def suppressed_for_k(rows: Sequence[Row], k: int) -> list[bool]:
    """Rows whose equivalence class is smaller than k."""
    sizes = Counter(rows)
    return [sizes[row] < k for row in rows]


def largest_k(rows: Sequence[Row], budget: int) -> int:
    """The reverse rule, by trying one k after the other."""
    k = 1
    while sum(suppressed_for_k(rows, k + 1)) <= budget:
        k += 1
    return k
