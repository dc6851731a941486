"""Compiled kernels (extra ``fast``): rows that columns suppress, and what that bounds.

`mark_small` computes what the function `_marked` of `anonopt.optima.pair_refiner` does.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.optima import cover_bounds
from anonopt.optima.kernel_bits import mark_by_bits

find_loads = compiled(cover_bounds.find_loads)
share_evenly = compiled(cover_bounds.share_evenly)
most_saved = compiled(cover_bounds.most_saved)
share_better = compiled(cover_bounds.share_better)
raise_lows = compiled(cover_bounds.raise_lows)

LANES = 4


@compiled
def mark_small(found, levels, table, is_open, rule, low, work, n_marks):  # type: ignore[no-untyped-def]
    """Find the lowest feasible level of a column, and mark the members it suppresses.

    Classes are counted at the lowest level, and rolled up to the higher ones. Returns the level
    and the number of marks; where they are too many, there are none beyond the last place.
    """
    members, rows, starts = found
    values, parents, offsets, height = levels
    k, allowed = rule
    _, tables, of_levels, (places, highest), (marked, ends), _, _, _, of_classes = work
    slots, bits, place_of = of_classes
    counts, present, end_of_value, lanes = tables
    n_present, small = of_levels
    small[:] = 0
    n_places = np.int64(0)
    for number in range(len(starts) - 1):
        begin, end = starts[number], starts[number + 1]
        if end - begin == 1:
            continue
        if slots[number] >= 0 and _are_few(levels, table, low, bits, end - begin):
            words = bits[slots[number]]
            n_places = mark_by_bits(
                words, rows, place_of, levels, table, low, k, small, places, highest, n_places
            )
            while low < height and (small[low] > allowed or not is_open[low]):
                low += 1
            if low == height:
                return low, n_marks
            continue
        of_level, count, there = values[low], counts[0], present[0]
        n_values = offsets[low + 1] - offsets[low]
        n_there = _count(members, rows, begin, end, of_level, n_values, count, there, lanes)
        n_present[0] = n_there
        depth = _roll_up(counts, present, n_present, parents, offsets, low, height, k, small)
        if depth >= 0:
            for i in range(n_there):
                value, raised = there[i], 0
                at = value
                while raised <= depth and counts[raised, at] < k:
                    at = parents[offsets[low + raised] + at]
                    raised += 1
                end_of_value[value] = low + raised - 1
            for place in range(begin, end):
                last = end_of_value[of_level[members[place]]]
                if last >= low:
                    places[n_places], highest[n_places] = place, last
                    n_places += 1
        for raised in range(max(depth, 0) + 1):
            for i in range(n_present[raised]):
                counts[raised, present[raised, i]] = 0
        while low < height and (small[low] > allowed or not is_open[low]):
            low += 1
        if low == height:
            return low, n_marks
    for i in range(n_places):
        if highest[i] >= low:
            if n_marks == len(marked):
                break
            marked[n_marks], ends[n_marks] = places[i], highest[i]
            n_marks += 1
    return low, n_marks


@compiled
def _are_few(levels, table, low, bits, n_members):  # type: ignore[no-untyped-def]
    """Whether all values of a level are compared faster than members are counted."""
    _, _, offsets, height = levels
    _, first_of = table
    for level in range(low, height):
        if first_of[level] < 0:
            return False
    return (offsets[low + 1] - offsets[low]) * bits.shape[1] <= 2 * n_members


@compiled
def _roll_up(counts, present, n_present, parents, offsets, low, height, k, small):  # type: ignore[no-untyped-def]
    """Count small classes from a level on, until there are none; tell the last that has any."""
    raised = 0
    while True:
        here, n_there = 0, n_present[raised]
        for i in range(n_there):
            rows = counts[raised, present[raised, i]]
            if rows < k:
                here += rows
        if here == 0:
            if raised > 0:
                for i in range(n_there):
                    counts[raised, present[raised, i]] = 0
            return raised - 1
        small[low + raised] += here
        if low + raised + 1 == height:
            return raised
        above, offset = 0, offsets[low + raised]
        for i in range(n_there):
            value = present[raised, i]
            parent = parents[offset + value]
            if counts[raised + 1, parent] == 0:
                present[raised + 1, above] = parent
                above += 1
            counts[raised + 1, parent] += counts[raised, value]
        raised += 1
        n_present[raised] = above


@compiled
def _count(members, rows, begin, end, of_level, n_values, count, there, lanes):  # type: ignore[no-untyped-def]
    """Rows of each value in a class; lists the values that are there, and tells how many."""
    n_there = 0
    if n_values * LANES > end - begin:
        for place in range(begin, end):
            value = of_level[members[place]]
            if count[value] == 0:
                there[n_there] = value
                n_there += 1
            count[value] += rows[place]
        return n_there
    # Adding to the same number again and again waits for it each time: four take turns.
    one, two, three, four = lanes[0], lanes[1], lanes[2], lanes[3]
    place = begin
    while place + 3 < end:
        one[of_level[members[place]]] += rows[place]
        two[of_level[members[place + 1]]] += rows[place + 1]
        three[of_level[members[place + 2]]] += rows[place + 2]
        four[of_level[members[place + 3]]] += rows[place + 3]
        place += 4
    while place < end:
        one[of_level[members[place]]] += rows[place]
        place += 1
    for value in range(n_values):
        found = one[value] + two[value] + three[value] + four[value]
        one[value] = two[value] = three[value] = four[value] = 0
        if found > 0:
            there[n_there] = value
            n_there += 1
            count[value] = found
    return n_there
