"""Compiled kernels (extra ``fast``): the tables of masked files.

They compute what `DenseCounter` of `masking_dense` computes, to the bit, and are held equal to it
by tests.

Handing arrays to a kernel takes longer than what a changed cell needs done, so there are few of
them: `numbers` is what `packed_numbers` of `masking_compiled` makes of `CombinationTables`, `pairs`
its table of that name; `links` is ``PatternLinks.packed``; `state` is ``(counts, agreement, sums,
likely_linked)`` of `DenseTables`, where `sums` holds the steps of each column, the intervals that
hold their originals, the sum of all differences, and what of `kept` is out of date, as bits.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled

inlined = partial(compiled, inlined=True, makes_arrays=False)
entered = partial(compiled, makes_arrays=False)

HEAD = 7
"""Numbers before the arrays: columns, contingency tables, cells of the joint tables and of the
contingency tables, combinations, rows, and the scale of CTBIL."""


@inlined
def layout_of(numbers):  # type: ignore[no-untyped-def]
    """Sizes, scales, starts of joint and contingency tables, strides, strides of these tables."""
    n_columns, n_subsets = numbers[0], numbers[1]
    sizes = numbers[HEAD : HEAD + n_columns]
    at = HEAD + n_columns
    scales = numbers[at : at + n_columns]
    at += n_columns
    starts = numbers[at : at + n_columns + 1]
    at += n_columns + 1
    subset_starts = numbers[at : at + n_subsets]
    at += n_subsets
    strides = numbers[at : at + n_columns]
    at += n_columns
    return sizes, scales, starts, subset_starts, strides, numbers[at : at + n_subsets * n_columns]


@inlined
def weights_of(numbers):  # type: ignore[no-untyped-def]
    """Steps, hits and distances by cell of the joint tables; nearest, tie rank, and ties."""
    n_columns, n_subsets, n_joint, n_combinations = numbers[0], numbers[1], numbers[2], numbers[4]
    at = HEAD + 4 * n_columns + 1 + n_subsets * (n_columns + 1)
    steps = numbers[at : at + n_joint]
    hits = numbers[at + n_joint : at + 2 * n_joint]
    distances = numbers[at + 2 * n_joint : at + 3 * n_joint]
    at += 3 * n_joint
    nearest = numbers[at : at + n_combinations]
    tie_rank = numbers[at + n_combinations : at + 2 * n_combinations]
    return steps, hits, distances, nearest, tie_rank, numbers[at + 2 * n_combinations :]


@inlined
def counts_of(numbers, counts):  # type: ignore[no-untyped-def]
    """Joint tables, differences, patterns, records linked to the nearest."""
    differences = numbers[2]
    patterns = differences + numbers[3]
    nearest_linked = patterns + (1 << numbers[0])
    return (
        counts[:differences],
        counts[differences:patterns],
        counts[patterns:nearest_linked],
        counts[nearest_linked:],
    )


@inlined
def count_row(  # type: ignore[no-untyped-def]
    row, before, codes, by, sizes, starts, distances, nearest, tie_rank, joint, agreement, linked
):
    """Add a row to what its combination and its original decide, or take it away.

    Returns its combination, the columns in which it agrees with the original, and whether it is
    linked. Each array is an argument of its own: unpacking tuples would take longer than the work.
    """
    key, agrees, distance = np.int64(0), np.int64(0), np.int64(0)
    for j in range(len(sizes)):
        one, other = np.int64(before[row, j]), np.int64(codes[row, j])
        place = np.uint64(starts[j] + one * sizes[j] + other)
        joint[place] += by
        distance += distances[place]
        key = key * sizes[j] + other
        agrees |= np.int64(one == other) << j
    at = np.uint64(key)
    agreement[at, np.uint64(agrees)] += np.int32(by)
    # Added even if it is 0: nobody can foretell whether it is.
    is_linked = np.int64(distance == nearest[at])
    linked[np.uint64(tie_rank[at])] += by * is_linked
    return key, agrees, is_linked


@entered
def count_rows(numbers, pairs, original, links, state, given, codes, records):  # type: ignore[no-untyped-def]
    """Write the rows of a masked file as codes, and count them into tables that hold none yet.

    Returns whether all are codes of categories; if not the tables mean nothing. `records` has room
    for a number of each combination.
    """
    sizes, _, starts, _, _, _ = layout_of(numbers)
    _, _, distances, nearest, tie_rank, _ = weights_of(numbers)
    counts, agreement, sums, likely = state
    joint, differences, patterns, nearest_linked = counts_of(numbers, counts)
    _copy(given, codes)
    for row in range(len(codes)):
        for j in range(len(sizes)):
            if codes[row, j] >= sizes[j]:
                return False
    for row in range(len(codes)):
        count_row(
            row,
            original,
            codes,
            np.int64(1),
            sizes,
            starts,
            distances,
            nearest,
            tie_rank,
            joint,
            agreement,
            nearest_linked,
        )
    for key in range(len(agreement)):
        masked = np.int64(0)
        for pattern in range(agreement.shape[1]):
            masked += agreement[key, pattern]
        records[key] = masked
    if len(links) > 0:
        likely_linked(agreement, links, likely)
    spread_records(numbers, pairs, patterns, differences, records)
    sum_up(numbers, joint, differences, sums)
    return True


@entered
def count_many_rows(  # type: ignore[no-untyped-def]
    numbers, pairs, places, told, links, state, given, codes, records, linked
):
    """The same, in half of the time, for rows that are more than the cells of `agreement`.

    `places` (n_rows, V) says where the original categories of each row begin in the joint tables,
    `told` for each cell of these the distance and, in V bits below, in which column it agrees.
    `linked` are zeros, int32 (M, 2, 2**V): rows that are linked to the nearest are counted apart
    from others, so that a row is added to a single place besides the joint tables.
    """
    sizes, _, _, _, _, _ = layout_of(numbers)
    _, _, _, nearest, tie_rank, _ = weights_of(numbers)
    counts, agreement, sums, likely = state
    joint, differences, patterns, nearest_linked = counts_of(numbers, counts)
    _copy(given, codes)
    if len(sizes) == 3:
        # A number of columns that the compiler knows, that of the sets of the thesis.
        are_codes = _count_cells(3, sizes, places, told, codes, nearest, joint, linked)
    else:
        are_codes = _count_cells(len(sizes), sizes, places, told, codes, nearest, joint, linked)
    if not are_codes:
        return False
    for key in range(len(agreement)):
        masked, near = np.int64(0), np.int64(0)
        for pattern in range(agreement.shape[1]):
            both = linked[key, 0, pattern] + linked[key, 1, pattern]
            agreement[key, pattern] = both
            masked += both
            near += linked[key, 1, pattern]
        records[key] = masked
        nearest_linked[tie_rank[key]] += near
    if len(links) > 0:
        likely_linked(agreement, links, likely)
    spread_records(numbers, pairs, patterns, differences, records)
    sum_up(numbers, joint, differences, sums)
    return True


@inlined
def _copy(given, codes):  # type: ignore[no-untyped-def]
    """Cell by cell, but many at a time: the compiler sees that they are neighbours."""
    cells, copied = given.reshape(given.size), codes.reshape(codes.size)
    for cell in range(len(cells)):
        copied[cell] = cells[cell]


@inlined
def _count_cells(  # type: ignore[no-untyped-def]
    n_columns, sizes, places, told, codes, nearest, joint, linked
):
    all_columns = (np.int64(1) << n_columns) - 1
    for i in range(len(codes)):
        row, key, sum_told = np.uint64(i), np.int64(0), np.int64(0)
        for j in range(n_columns):
            code = np.int64(codes[row, np.uint64(j)])
            if code >= sizes[j]:
                return False
            place = np.uint64(places[row, np.uint64(j)] + code)
            joint[place] += 1
            sum_told += told[place]
            key = key * sizes[j] + code
        at = np.uint64(key)
        is_linked = np.uint64(sum_told >> n_columns == nearest[at])
        linked[at, is_linked, np.uint64(sum_told & all_columns)] += np.int32(1)
    return True


@entered
def spread_records(numbers, pairs, patterns, differences, records):  # type: ignore[no-untyped-def]
    """Add masked records of each combination to pattern counts and contingency tables.

    Combinations that differ in the last column alone are neighbours there as well.
    """
    sizes, _, _, subset_starts, strides, subset_strides = layout_of(numbers)
    n_columns, last = len(sizes), sizes[len(sizes) - 1]
    for key in range(0, len(records), last):
        n_present = 0
        for code in range(last):
            n_present += records[key + code] != 0
        if n_present == 0:
            continue
        for code in range(last):
            if records[key + code] != 0:
                for pattern in range(len(patterns)):
                    patterns[pattern] += records[key + code] * pairs[key + code, pattern]
        for subset in range(len(subset_starts)):
            place, first = subset_starts[subset], subset * n_columns
            for j in range(n_columns - 1):
                if subset_strides[first + j] > 0:
                    place += subset_strides[first + j] * (key // strides[j] % sizes[j])
            if subset_strides[first + n_columns - 1] > 0:
                for code in range(last):
                    differences[place + code] += records[key + code]
            else:
                for code in range(last):
                    differences[place] += records[key + code]


@entered
def sum_up(numbers, joint, differences, sums):  # type: ignore[no-untyped-def]
    """Write the sums of complete tables."""
    n_columns = numbers[0]
    _, _, starts, _, _, _ = layout_of(numbers)
    steps, hits, _, _, _, _ = weights_of(numbers)
    sums[: n_columns + 3] = 0
    for j in range(n_columns):
        for place in range(starts[j], starts[j + 1]):
            sums[j] += joint[place] * steps[place]
            sums[n_columns] += joint[place] * hits[place]
    for place in range(len(differences)):
        sums[n_columns + 1] += abs(differences[place])
    sums[n_columns + 2] = (4 << n_columns) - 1


@entered
def likely_linked(agreement, links, linked):  # type: ignore[no-untyped-def]
    """Count into zeros; twin of ``PatternLinks.linked``."""
    n_combinations, n_patterns = agreement.shape
    for key in range(n_combinations):
        best, records = links[n_patterns + key], np.int64(0)
        for pattern in range(n_patterns):
            records += agreement[key, pattern] * np.int64(links[pattern] == best)
        linked[links[n_patterns + n_combinations + key]] += records
