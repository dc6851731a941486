"""Compiled kernels (extra ``fast``): tables of masked files are brought up to changed cells.

They compute what `DenseCounter` of `masking_dense` computes, to the bit, and are held equal to it
by tests. Arguments are as in `kernel_masking`.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.categorical.kernel_masking import (
    count_row,
    counts_of,
    entered,
    inlined,
    layout_of,
    spread_records,
    sum_up,
    weights_of,
)


@inlined
def _count_likely(key, agrees, by, links, n_patterns, n_combinations, likely):  # type: ignore[no-untyped-def]
    """Add a row to what the ranking of the patterns decides, or take it away.

    Returns whether it is linked.
    """
    is_likely = np.int64(0)
    if len(links) > 0:
        is_likely = np.int64(links[np.uint64(agrees)] == links[np.uint64(n_patterns + key)])
        rank = np.uint64(links[np.uint64(n_patterns + n_combinations + key)])
        likely[rank] += by * is_likely
    return is_likely


@entered
def change_rows(numbers, pairs, original, links, state, codes, rows, first, records):  # type: ignore[no-untyped-def]
    """Write rows of codes over those from the first one on, and bring the tables up to them.

    Pattern counts and contingency tables are moved once a combination, not once a row: `records`,
    zeros, are counted of each.
    """
    sizes, _, starts, _, _, _ = layout_of(numbers)
    _, _, distances, nearest, tie_rank, _ = weights_of(numbers)
    counts, agreement, sums, likely = state
    joint, differences, patterns, nearest_linked = counts_of(numbers, counts)
    n_patterns, n_combinations = agreement.shape[1], len(nearest)
    for i in range(len(rows)):
        row, differs = first + i, False
        for j in range(len(sizes)):
            differs |= rows[i, j] != codes[row, j]
        if not differs:
            continue
        for by in (-1, 1):
            key, agrees, _ = count_row(
                row,
                original,
                codes,
                by,
                sizes,
                starts,
                distances,
                nearest,
                tie_rank,
                joint,
                agreement,
                nearest_linked,
            )
            _count_likely(key, agrees, by, links, n_patterns, n_combinations, likely)
            records[np.uint64(key)] += by
            for j in range(len(sizes)):
                codes[row, j] = rows[i, j]
    spread_records(numbers, pairs, patterns, differences, records)
    sum_up(numbers, joint, differences, sums)


@inlined
def _move(numbers, pairs, state, codes, row, key, by):  # type: ignore[no-untyped-def]
    """Add a row to pattern counts and contingency tables, or take it away."""
    sizes, _, _, subset_starts, _, subset_strides = layout_of(numbers)
    counts, _, sums, _ = state
    _, differences, patterns, _ = counts_of(numbers, counts)
    for pattern in range(len(patterns)):
        patterns[pattern] += by * pairs[key, pattern]
    change = np.int64(0)
    for subset in range(len(subset_starts)):
        place, first = subset_starts[subset], subset * len(sizes)
        for j in range(len(sizes)):
            place += subset_strides[first + j] * np.int64(codes[row, j])
        change += abs(differences[place] + by) - abs(differences[place])
        differences[place] += by
    sums[len(sizes) + 1] += change


@inlined
def _change(numbers, pairs, original, links, state, codes, cell, value):  # type: ignore[no-untyped-def]
    sizes, _, starts, _, _, _ = layout_of(numbers)
    steps, hits, distances, nearest, tie_rank, _ = weights_of(numbers)
    counts, agreement, sums, likely = state
    joint, _, _, nearest_linked = counts_of(numbers, counts)
    n_patterns, n_columns = agreement.shape[1], len(sizes)
    row, column = cell // n_columns, cell % n_columns
    start = starts[column] + np.int64(original[row, column]) * sizes[column]
    before, after = start + np.int64(codes[row, column]), start + value
    sums[column] += steps[after] - steps[before]
    sums[n_columns] += hits[after] - hits[before]
    stale = 1 << column
    for by in (-1, 1):
        key, agrees, is_linked = count_row(
            row,
            original,
            codes,
            by,
            sizes,
            starts,
            distances,
            nearest,
            tie_rank,
            joint,
            agreement,
            nearest_linked,
        )
        is_likely = _count_likely(key, agrees, by, links, n_patterns, len(nearest), likely)
        stale |= (is_linked | is_likely << 1) << n_columns
        _move(numbers, pairs, state, codes, row, key, by)
        codes[row, column] = value
    sums[n_columns + 2] |= stale


@entered
def change_cell(  # type: ignore[no-untyped-def]
    numbers, pairs, original, links, counts, agreement, sums, likely, codes, cell, value
):
    """Write a value into a cell of the codes, and bring the tables up to it."""
    state = (counts, agreement, sums, likely)
    _change(numbers, pairs, original, links, state, codes, cell, value)


@entered
def change_cells(numbers, pairs, original, links, state, codes, cells, values):  # type: ignore[no-untyped-def]
    """Write values into cells of the codes, and bring the tables up to them."""
    for i in range(len(cells)):
        _change(numbers, pairs, original, links, state, codes, cells[i], values[i])
