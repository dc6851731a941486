"""Front indicators in plain Python loops."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from tests.oracles.archives import box, non_dominated

Points = Sequence[Sequence[float]]


def representation_ratio(
    front: Points, true_front: Points, eps: Sequence[float], maximize: Sequence[bool]
) -> float:
    true_boxes = sorted({box(point, eps) for point in true_front})
    marked = {true_boxes[row] for row in non_dominated(true_boxes, maximize)}
    occupied = [mark for mark in marked if any(box(point, eps) == mark for point in front)]
    return len(occupied) / len(marked)


def convergence_errors(front: Points, true_front: Points) -> list[float]:
    """Distance of each found point to the nearest true one, after division."""
    largest = [max(column) or 1 for column in zip(*true_front, strict=True)]
    found = [[v / m for v, m in zip(point, largest, strict=True)] for point in front]
    true = [[v / m for v, m in zip(point, largest, strict=True)] for point in true_front]
    return [min(math.dist(point, other) for other in true) for point in found]


def integer_hypervolume(front: Points, reference: Sequence[int], maximize: Sequence[bool]) -> int:
    """Unit cells between a front of integer points and the reference, counted one by one."""
    signs = [-1 if larger else 1 for larger in maximize]
    points = [[s * v for s, v in zip(signs, point, strict=True)] for point in front]
    corner = [s * v for s, v in zip(signs, reference, strict=True)]
    lows = [min([c, *(p[i] for p in points)]) for i, c in enumerate(corner)]
    cells = itertools.product(*(range(low, c) for low, c in zip(lows, corner, strict=True)))
    return sum(
        any(all(p <= c for p, c in zip(point, cell, strict=True)) for point in points)
        for cell in cells
    )


def igd_plus(front: Points, true_front: Points, maximize: Sequence[bool]) -> float:
    signs = [-1 if larger else 1 for larger in maximize]

    def distance(point: Sequence[float], target: Sequence[float]) -> float:
        return math.hypot(
            *(max(s * (p - t), 0) for s, p, t in zip(signs, point, target, strict=True))
        )

    return sum(min(distance(p, t) for p in front) for t in true_front) / len(true_front)
