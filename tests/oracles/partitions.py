"""Similarity of partitions from their definitions, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations


def pair_counts(a: Sequence[int], b: Sequence[int]) -> tuple[int, int, int, int]:
    """Pairs together in both, in the first alone, in the second alone, in neither."""
    r = s = t = u = 0
    for i, j in combinations(range(len(a)), 2):
        in_first, in_second = a[i] == a[j], b[i] == b[j]
        r += in_first and in_second
        s += in_first and not in_second
        t += in_second and not in_first
        u += not in_first and not in_second
    return r, s, t, u


def rand(a: Sequence[int], b: Sequence[int]) -> float:
    r, s, t, u = pair_counts(a, b)
    return (r + u) / (r + s + t + u)


def jaccard(a: Sequence[int], b: Sequence[int]) -> float:
    r, s, t, _ = pair_counts(a, b)
    return r / (r + s + t)


def wallace(a: Sequence[int], b: Sequence[int]) -> float:
    r, s, t, _ = pair_counts(a, b)
    return r / math.sqrt((r + s) * (r + t))
