"""Compiled kernels (extra ``fast``): partitions of the tuples and their refinement by a column."""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.kernel_statistics import compiled


@compiled
def small_rows(order, starts, sizes, values, k, allowed, rows_of_value):  # type: ignore[no-untyped-def]
    """Rows in classes below k once a column refines the partition; stops above `allowed`.

    `rows_of_value` is scratch, zero before and after.
    """
    small = np.int64(0)
    for number in range(len(starts) - 1):
        begin, end = starts[number], starts[number + 1]
        for place in range(begin, end):
            member = order[place]
            rows_of_value[values[member]] += sizes[member]
        for place in range(begin, end):
            value = values[order[place]]
            rows = rows_of_value[value]
            rows_of_value[value] = 0
            if rows < k:
                small += rows
        if small > allowed:
            break
    return small


@compiled
def lowest_levels(  # type: ignore[no-untyped-def]
    order, starts, sizes, levels_of, first, k, allowed, columns, heights, costs, limit, scratch, node
):
    """Raise `node` in each of `columns` to the lowest level that is feasible on its own.

    Stops when the costs added reach `limit`. Returns the costs added and the number of tests.
    """
    added, tests = 0.0, 0
    for column in columns:
        level = node[column]
        while level < heights[column]:
            tests += 1
            values = levels_of[first[column] + level]
            if small_rows(order, starts, sizes, values, k, allowed, scratch) <= allowed:
                break
            level += 1
        added += costs[column, level] - costs[column, node[column]]
        node[column] = level
        if added >= limit:
            break
    return added, tests


@compiled
def refine(order, starts, sizes, values, k, rows_of_value, place_of_value):  # type: ignore[no-untyped-def]
    """Refine the classes of a partition by a column and drop those below k.

    Returns the order, the starts and the rows dropped. `rows_of_value` and `place_of_value`
    are scratch, zero before and after.
    """
    n = len(order)
    new_order, new_starts = np.empty(n, np.int32), np.empty(n + 1, np.int32)
    n_classes, used, small = 0, np.int32(0), np.int64(0)
    for number in range(len(starts) - 1):
        begin, end = starts[number], starts[number + 1]
        for place in range(begin, end):
            member = order[place]
            rows_of_value[values[member]] += sizes[member]
            place_of_value[values[member]] += 1
        for place in range(begin, end):
            value = values[order[place]]
            rows = rows_of_value[value]
            if rows > 0:
                # First member of its class: lay the class out.
                rows_of_value[value] = 0
                members = place_of_value[value]
                place_of_value[value] = -1
                if rows < k:
                    small += rows
                else:
                    new_starts[n_classes] = place_of_value[value] = used
                    n_classes += 1
                    used += members
            if place_of_value[value] >= 0:
                new_order[place_of_value[value]] = order[place]
                place_of_value[value] += 1
        for place in range(begin, end):
            place_of_value[values[order[place]]] = 0
    new_starts[n_classes] = used
    return new_order[:used].copy(), new_starts[: n_classes + 1].copy(), small
