"""Compiled kernels (extra ``fast``): refinement of partitions by a column, and merging.

They compute what the functions of the same names in `anonopt.evaluation.lattice.partitions` do.
`members`, `rows` and `starts` are those of a `Partition`; `values` has the value of every
distinct tuple, `rows_of_value` and `place_of_value` are scratch, zero before and after.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_rollup import MULTIPLIER
from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def small_rows(members, rows, starts, values, k, allowed, rows_of_value):  # type: ignore[no-untyped-def]
    """Rows in classes below k once a column refines the partition; may stop above `allowed`."""
    small = np.int64(0)
    for number in range(len(starts) - 1):
        begin, end = starts[number], starts[number + 1]
        for place in range(begin, end):
            rows_of_value[values[members[place]]] += rows[place]
        for place in range(begin, end):
            value = values[members[place]]
            found = rows_of_value[value]
            rows_of_value[value] = 0
            if found < k:
                small += found
        if small > allowed:
            break
    return small


@compiled
def lowest_levels(members, rows, starts, search, costs, columns, limit, allowed, node):  # type: ignore[no-untyped-def]
    """Raise `node` in each of the columns to the lowest level that is feasible on its own."""
    values, first, heights, k, rows_of_value = search
    added, tests = 0.0, 0
    for column in columns:
        level = node[column]
        while level < heights[column]:
            tests += 1
            of_level = values[first[column] + level]
            small = small_rows(members, rows, starts, of_level, k, allowed, rows_of_value)
            if small <= allowed:
                break
            level += 1
        added += costs[column, level] - costs[column, node[column]]
        node[column] = level
        if added >= limit:
            break
    return added, tests


@compiled
def refine(members, rows, starts, values, k, rows_of_value, place_of_value):  # type: ignore[no-untyped-def]
    """Refine the classes by a column and drop those below k."""
    n = len(members)
    new_members, new_rows = np.empty(n, np.int32), np.empty(n, np.int64)
    new_starts = np.empty(n + 1, np.int32)
    n_classes, used, small = 0, np.int64(0), np.int64(0)
    for number in range(len(starts) - 1):
        begin, end = starts[number], starts[number + 1]
        for place in range(begin, end):
            value = values[members[place]]
            rows_of_value[value] += rows[place]
            place_of_value[value] += 1
        for place in range(begin, end):
            value = values[members[place]]
            if rows_of_value[value] > 0:
                # The first member of a new class: make room for all of them.
                n_members = place_of_value[value]
                if rows_of_value[value] < k:
                    small += rows_of_value[value]
                    place_of_value[value] = -1
                else:
                    new_starts[n_classes] = used
                    n_classes += 1
                    place_of_value[value] = used
                    used += n_members
                rows_of_value[value] = 0
            if place_of_value[value] >= 0:
                new_members[place_of_value[value]] = members[place]
                new_rows[place_of_value[value]] = rows[place]
                place_of_value[value] += 1
        for place in range(begin, end):
            place_of_value[values[members[place]]] = 0
    new_starts[n_classes] = used
    return (
        new_members[:used].copy(),
        new_rows[:used].copy(),
        new_starts[: n_classes + 1].copy(),
        small,
    )


@compiled
def merge(members, rows, starts, values, lines):  # type: ignore[no-untyped-def]
    """Merge members of a class that have the same value in each of `lines` of `values`."""
    n = len(members)
    new_members, new_rows = np.empty(n, np.int32), np.empty(n, np.int64)
    new_starts, keys = np.empty(len(starts), np.int32), np.zeros(n, np.uint64)
    for line in lines:
        for place in range(n):
            keys[place] = (keys[place] + np.uint64(values[line, members[place]]) + np.uint64(1)) * (
                MULTIPLIER
            )
            keys[place] ^= keys[place] >> np.uint64(29)
    slots = 2
    while slots < 2 * n:
        slots *= 2
    slot_mask, slot = np.uint64(slots - 1), np.full(slots, -1, np.int32)
    used = np.int32(0)
    for number in range(len(starts) - 1):
        new_starts[number] = used
        for place in range(starts[number], starts[number + 1]):
            at = (keys[place] + np.uint64(number) * MULTIPLIER) & slot_mask
            # Entries of earlier classes may stand in the way; those of this one are compared.
            while slot[at] >= 0 and not (
                slot[at] >= new_starts[number]
                and _equal(values, lines, new_members[slot[at]], members[place])
            ):
                at = (at + np.uint64(1)) & slot_mask
            if slot[at] < 0:
                slot[at] = used
                new_members[used], new_rows[used] = members[place], 0
                used += np.int32(1)
            new_rows[slot[at]] += rows[place]
    new_starts[len(starts) - 1] = used
    return new_members[:used].copy(), new_rows[:used].copy(), new_starts


@compiled
def _equal(values, lines, one, other):  # type: ignore[no-untyped-def]
    for line in lines:  # noqa: SIM110  (numba compiles no generators)
        if values[line, one] != values[line, other]:
            return False
    return True
