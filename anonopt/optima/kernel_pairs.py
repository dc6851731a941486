"""Compiled kernels (extra ``fast``): lowest levels of columns once one more of them is decided.

They compute what the functions of the same names in `anonopt.optima.pair_levels` do.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_partitions import refine, small_rows
from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def probe(members, rows, starts, search, places, known, columns, items, numbers, bound, limit):  # type: ignore[no-untyped-def]
    """Raise the levels of `pairs` for some of the items, one after the other."""
    values, first, k, allowed = search
    node, open_levels, pairs, costs, heights = known
    hopeless, tests = np.zeros(len(numbers), np.bool_), 0
    for i in range(len(numbers)):
        column, level = items[numbers[i]]
        least = bound + (costs[column, level] - costs[column, node[column]])
        for other in columns:
            if other != column:
                start = max(node[other], pairs[column, level, other])
                start = _next_open(open_levels, heights, other, start)
                pairs[column, level, other] = start
                least += costs[other, start] - costs[other, node[other]]
        if least >= limit:
            hopeless[i] = True
            continue
        of_level = values[first[column] + level]
        new_members, new_rows, new_starts, small = refine(
            members, rows, starts, of_level, k, places[0], places[1]
        )
        for other in columns:
            if other == column:
                continue
            start = pairs[column, level, other]
            found = start
            while found < heights[other]:
                if open_levels[other, found]:
                    tests += 1
                    of_level = values[first[other] + found]
                    left = allowed - small
                    if (
                        small_rows(new_members, new_rows, new_starts, of_level, k, left, places[0])
                        <= left
                    ):
                        break
                found += 1
            pairs[column, level, other] = found
            least += costs[other, found] - costs[other, start]
            if least >= limit:
                hopeless[i] = True
                break
    return hopeless, tests


@compiled
def settle(known, columns, bound, limit):  # type: ignore[no-untyped-def]
    """Raise the node until no lowest level is hopeless; returns the bound and that of each."""
    node, open_levels, pairs, costs, heights = known
    least = np.full(len(node), np.inf)
    changed = True
    while changed and bound < limit:
        changed = False
        for column in columns:
            while node[column] < heights[column]:
                level = node[column]
                if open_levels[column, level]:
                    found = bound
                    for other in columns:
                        if other != column:
                            start = max(node[other], pairs[column, level, other])
                            start = _next_open(open_levels, heights, other, start)
                            pairs[column, level, other] = start
                            found += costs[other, start] - costs[other, node[other]]
                    least[column] = found
                    if found < limit:
                        break
                    open_levels[column, level] = False
                bound += costs[column, level + 1] - costs[column, level]
                node[column] += 1
                changed = True
    return bound, least


@compiled
def exchange(known, columns):  # type: ignore[no-untyped-def]
    """Two levels that exclude each other do so for both columns."""
    node, _, pairs, _, heights = known
    for column in columns:
        for level in range(node[column], heights[column]):
            for other in columns:
                if other != column:
                    for below in range(node[other], pairs[column, level, other]):
                        if below < heights[other] and pairs[other, below, column] <= level:
                            pairs[other, below, column] = level + 1


@compiled
def _next_open(open_levels, heights, column, level):  # type: ignore[no-untyped-def]
    while level < heights[column] and not open_levels[column, level]:
        level += 1
    return level
