"""Compiled kernels (extra ``fast``): lowest levels of columns once one more of them is decided.

They compute what the functions of the same names in `anonopt.optima.pair_levels` and
`anonopt.optima.pair_refiner` do.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_partitions import refine
from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.optima.cover_bounds import ROUNDS
from anonopt.optima.kernel_bits import set_bits
from anonopt.optima.kernel_cover import (
    find_loads,
    mark_small,
    most_saved,
    raise_lows,
    share_better,
    share_evenly,
)


@compiled
def probe(found, search, work, known, columns, items, numbers, bound, limit):  # type: ignore[no-untyped-def]
    """Raise the levels of `pairs` for some of the items, one after the other."""
    values, first, _, _, _, k, allowed = search
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
        new_members, new_rows, new_starts, small = refine(
            *found, values[first[column] + level], k, *work[0]
        )
        refined, rule = (new_members, new_rows, new_starts), (k, allowed - small)
        hopeless[i], made = _raise_others(
            refined, search, rule, work, known, columns, column, level, least, limit
        )
        tests += made
    return hopeless, tests


@compiled
def _raise_others(found, search, rule, work, known, columns, column, level, least, limit):  # type: ignore[no-untyped-def]
    values, first, parents, offsets, (of_values, first_of), _, _ = search
    _, open_levels, pairs, costs, heights = known
    _, _, _, _, (marked, _), _, (firsts, lows), (savings, _), of_classes = work
    set_bits(found, *of_classes)
    n_marks, tests, top = np.int64(0), 0, least
    for i in range(len(columns)):
        other = columns[i]
        firsts[i] = n_marks
        savings[i] = 0.0
        height = lows[i] = heights[other]
        if other == column:
            continue
        start = np.int64(pairs[column, level, other])
        if start < height:
            line, is_open = first[other], open_levels[other]
            levels = values[line:], parents, offsets[line:], height
            table = of_values, first_of[line:]
            at, n_marks = mark_small(found, levels, table, is_open, rule, start, work, n_marks)
            for tested in range(start, min(at + 1, height)):
                tests += is_open[tested]
            pairs[column, level, other] = lows[i] = at
            least += costs[other, at] - costs[other, start]
            if least >= limit:
                return True, tests
            top += costs[other, height] - costs[other, start]
            for tested in range(at, height):
                if is_open[tested]:
                    savings[i, tested] = costs[other, height] - costs[other, tested]
    firsts[len(columns)] = n_marks
    if n_marks == len(marked):
        return False, tests
    if _is_covered(found[1], rule[1], work, heights[columns], top, limit):
        return True, tests
    for i in range(len(columns)):
        if columns[i] != column:
            pairs[column, level, columns[i]] = lows[i]
    return False, tests


@compiled
def _is_covered(rows, allowed, work, heights, top, limit):  # type: ignore[no-untyped-def]
    """Whether less than needed can be saved; otherwise lowest levels may be raised."""
    _, _, _, _, (marked, ends), (shares, spare, counts), (firsts, lows), (savings, loads), _ = work
    firsts, lows = firsts[: len(heights) + 1], lows[: len(heights)]
    savings, loads = savings[: len(heights)], loads[: len(heights)]
    share_evenly(firsts[-1], marked, shares, counts)
    for i in range(ROUNDS):
        find_loads(firsts, marked, ends, shares, rows, loads)
        saved, price = most_saved(allowed, lows, heights, savings, loads)
        if top - saved >= limit:
            return True
        raise_lows(saved, price, top - limit, lows, heights, savings, loads)
        if price == 0.0:
            break
        if i < ROUNDS - 1:
            share_better(
                price, firsts, marked, shares, lows, heights, savings, loads, spare, counts
            )
    return False


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
    node, open_levels, pairs, _, heights = known
    for column in columns:
        for other in columns:
            if other == column:
                continue
            end = heights[other]
            for level in range(node[column], heights[column]):
                if open_levels[column, level]:
                    end = min(end, pairs[column, level, other])
                for below in range(node[other], end):
                    pairs[other, below, column] = max(pairs[other, below, column], level + 1)


@compiled
def _next_open(open_levels, heights, column, level):  # type: ignore[no-untyped-def]
    while level < heights[column] and not open_levels[column, level]:
        level += 1
    return level
