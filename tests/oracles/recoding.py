"""Recodings and noise cell by cell, in plain Python."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

Cells = Sequence[float | None]


def rarest_until(counts: Sequence[int], k: int) -> int:
    """Least number of the rarest categories that become one so that all have k cells."""
    ordered = sorted(counts)
    for p in (0, *range(2, len(ordered) + 1)):
        left = [*ordered[p:], *([sum(ordered[:p])] if p else [])]
        if all(count >= k for count in left):
            return p
    raise AssertionError("too few cells")


def neighbors_until(counts: Sequence[int], k: int) -> list[int]:
    """Number of neighbors that make up each new category, the least frequent merged first."""
    groups = [[count] for count in counts]
    while groups and min(map(sum, groups)) < k:
        at = min(range(len(groups)), key=lambda place: (sum(groups[place]), place))
        sides = [place for place in (at - 1, at + 1) if 0 <= place < len(groups)]
        other = min(sides, key=lambda place: (sum(groups[place]), place))
        low, high = sorted((at, other))
        groups[low : high + 1] = [groups[low] + groups[high]]
    return [len(group) for group in groups]


def additive(cells: Cells, share: float, draws: Sequence[float]) -> list[float | None]:
    """Cells with a share of their standard deviation times standard normal draws added."""
    present = [cell for cell in cells if cell is not None]
    spread = statistics.stdev(present) if len(present) > 1 else 0.0
    return [
        None if cell is None else cell + share * spread * draw
        for cell, draw in zip(cells, draws, strict=True)
    ]


def shrunk(cells: Cells, noisy: Sequence[float | None], share: float) -> list[float | None]:
    """Noisy cells drawn towards the mean, so that they vary as the cells did."""
    mean = math.fsum(cell for cell in cells if cell is not None)
    mean /= sum(cell is not None for cell in cells)
    factor = math.sqrt(1 + share**2)
    return [None if cell is None else mean + (cell - mean) / factor for cell in noisy]
