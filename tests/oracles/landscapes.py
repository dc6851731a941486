"""Ruggedness of landscapes, slow and plain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def plain_autocorrelation(series: Sequence[float]) -> float:
    """Weinberger 1990: covariance of neighbouring steps by the variance of the walk."""
    mean = sum(series) / len(series)
    variance = sum((value - mean) ** 2 for value in series)
    pairs = pairwise(series)
    return sum((one - mean) * (other - mean) for one, other in pairs) / variance
