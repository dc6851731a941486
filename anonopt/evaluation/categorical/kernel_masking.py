"""Compiled kernels (extra ``fast``): the tables of masked files.

They compute what `DenseCounter` of `masking_dense` computes, to the bit, and are held equal to it
by tests.

In all kernels `static` is ``(original, layout, strides, lookup)``: the codes of the original and,
of `CombinationTables`, ``(sizes, joint_starts, subset_starts)``, ``(strides, subset_strides)`` and
``(distances, nearest, tie_rank, pairs)``; `links` is ``PatternLinks.arrays()``, `tables` is
``DenseTables.arrays()``.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def count_rows(static, tables, codes):  # type: ignore[no-untyped-def]
    """Count the rows of a masked file into tables that hold none yet."""
    original, layout, strides, lookup = static
    sizes, starts, _ = layout
    distances, nearest, tie_rank, _ = lookup
    joint, _, _, agreement, nearest_linked, _ = tables
    for row in range(len(codes)):
        key, agrees, distance = np.int64(0), np.int64(0), np.int64(0)
        for j in range(len(sizes)):
            before, after = np.int64(original[row, j]), np.int64(codes[row, j])
            place = np.uint64(starts[j] + before * sizes[j] + after)
            joint[place] += 1
            distance += distances[place]
            key = key * sizes[j] + after
            agrees |= np.int64(before == after) << j
        at = np.uint64(key)
        agreement[at, np.uint64(agrees)] += np.int32(1)
        nearest_linked[np.uint64(tie_rank[at])] += np.int64(distance == nearest[at])
    _spread_combinations(layout, strides, lookup, tables)


@compiled
def _spread_combinations(layout, strides, lookup, tables):  # type: ignore[no-untyped-def]
    """Add the masked records of each combination to contingency tables and pattern counts."""
    sizes, _, subset_starts = layout
    weights, subset_weights = strides
    pairs = lookup[3]
    _, differences, patterns, agreement, _, _ = tables
    codes = np.empty(len(sizes), np.int64)
    for key in range(len(agreement)):
        records = np.int64(0)
        for pattern in range(len(patterns)):
            records += agreement[key, pattern]
        if records > 0:
            for pattern in range(len(patterns)):
                patterns[pattern] += records * pairs[key, pattern]
            for j in range(len(sizes)):
                codes[j] = key // weights[j] % sizes[j]
            for subset in range(len(subset_weights)):
                place = subset_starts[subset]
                for j in range(len(sizes)):
                    place += subset_weights[subset, j] * codes[j]
                differences[np.uint64(place)] += records


@compiled
def _count_row(static, links, tables, codes, row, by):  # type: ignore[no-untyped-def]
    """Add a row to all tables but the joint ones, or take it away."""
    original, layout, strides, lookup = static
    sizes, starts, subset_starts = layout
    _, subset_weights = strides
    distances, nearest, tie_rank, pairs = lookup
    ranks, best, likely_rank = links
    _, differences, patterns, agreement, nearest_linked, likely = tables
    key, agrees, distance = np.int64(0), np.int64(0), np.int64(0)
    for j in range(len(sizes)):
        before, after = np.int64(original[row, j]), np.int64(codes[row, j])
        distance += distances[starts[j] + before * sizes[j] + after]
        key = key * sizes[j] + after
        agrees |= np.int64(before == after) << j
    agreement[key, agrees] += np.int32(by)
    for pattern in range(len(patterns)):
        patterns[pattern] += by * pairs[key, pattern]
    for subset in range(len(subset_weights)):
        place = subset_starts[subset]
        for j in range(len(sizes)):
            place += subset_weights[subset, j] * np.int64(codes[row, j])
        differences[place] += by
    if distance == nearest[key]:
        nearest_linked[tie_rank[key]] += by
    if len(ranks) > 0 and ranks[agrees] == best[key]:
        likely[likely_rank[key]] += by


@compiled
def change_cell(static, links, tables, codes, cell, value):  # type: ignore[no-untyped-def]
    """Write a value into a cell of the codes, and bring the tables up to it."""
    original, layout, _, _ = static
    sizes, starts, _ = layout
    joint = tables[0]
    row, column = cell // len(sizes), cell % len(sizes)
    start = starts[column] + np.int64(original[row, column]) * sizes[column]
    joint[start + np.int64(codes[row, column])] -= 1
    joint[start + value] += 1
    _count_row(static, links, tables, codes, row, -1)
    codes[row, column] = value
    _count_row(static, links, tables, codes, row, 1)


@compiled
def change_cells(static, links, tables, codes, cells, values):  # type: ignore[no-untyped-def]
    """Write values into cells of the codes, and bring the tables up to them."""
    for i in range(len(cells)):
        change_cell(static, links, tables, codes, cells[i], values[i])


@compiled
def likely_linked(agreement, ranks, best, tie_rank, linked):  # type: ignore[no-untyped-def]
    """Count into zeros; twin of ``PatternLinks.linked``."""
    for key in range(len(agreement)):
        for pattern in range(len(ranks)):
            if ranks[pattern] == best[key]:
                linked[tie_rank[key]] += agreement[key, pattern]
