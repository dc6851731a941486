"""Box and Pareto archives step by step, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence

Values = Sequence[float]


def better_or_equal(first: float, second: float, larger_is_better: bool) -> bool:
    return first >= second if larger_is_better else first <= second


def dominates(first: Values, second: Values, maximize: Sequence[bool]) -> bool:
    no_worse = all(map(better_or_equal, first, second, maximize))
    return no_worse and tuple(first) != tuple(second)


def box(values: Values, eps: Values) -> tuple[int, ...]:
    return tuple(math.floor(value / side) for value, side in zip(values, eps, strict=True))


def box_dominates(first: Values, second: Values, eps: Values, maximize: Sequence[bool]) -> bool:
    if box(first, eps) != box(second, eps):
        return dominates(box(first, eps), box(second, eps), maximize)
    return dominates(first, second, maximize)


def update_box_archive(
    archive: list[Values], candidate: Values, eps: Values, maximize: Sequence[bool]
) -> list[Values]:
    """Dewri 2010, Algorithm 1, steps 1 to 7."""
    if not archive:
        return [candidate]
    archive = [member for member in archive if not box_dominates(candidate, member, eps, maximize)]
    dominated_by = [member for member in archive if box_dominates(member, candidate, eps, maximize)]
    same_box = [member for member in archive if box(member, eps) == box(candidate, eps)]
    if not dominated_by and not same_box:
        archive = [*archive, candidate]
    return archive


def non_dominated(points: Sequence[Values], maximize: Sequence[bool]) -> list[int]:
    """Rows of the points that no other point dominates."""
    return [
        row
        for row, point in enumerate(points)
        if not any(dominates(other, point, maximize) for other in points)
    ]
