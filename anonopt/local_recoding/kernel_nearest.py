"""Compiled kernels (extra ``fast``): the nearest and the farthest of the tuples that are left.

They find what `anonopt.local_recoding.nearest` finds, to the bit: sums run over the columns in
their order, and of equal ones the first is found.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def least_sum(places, costs, left):  # type: ignore[no-untyped-def]
    """First of the tuples that are left with the least sum of costs, -1 if none is left."""
    best, found = np.inf, -1
    for i in range(len(places)):
        if left[i] == 0:
            continue
        total = 0.0
        for column in range(places.shape[1]):
            total += costs[places[i, column]]
            # No cost is negative, so that the sum cannot become less again.
            if total >= best:
                break
        if total < best:
            best, found = total, i
    return found


@compiled
def greatest_sum(places, costs, left):  # type: ignore[no-untyped-def]
    """First of the tuples that are left with the greatest sum of costs, -1 if none is left."""
    best, found = -1.0, -1
    for i in range(len(places)):
        if left[i] == 0:
            continue
        total = 0.0
        for column in range(places.shape[1]):
            total += costs[places[i, column]]
        if total > best:
            best, found = total, i
    return found
