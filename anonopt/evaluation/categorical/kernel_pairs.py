"""Compiled kernels (extra ``fast``): pairs of masked records and distinct originals.

They compute what `RecordPairs` of `record_pairs` computes, to the bit, and are held
equal to it by tests. `originals` is (n_columns, n_distinct), so that inner loops run over memory
in order; `column` is ``(n_ordered, scales, starts, units)``: the distance of s steps in column j
is ``units[starts[j] + s]``.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def _compare(record, originals, column, distances, bits):  # type: ignore[no-untyped-def]
    """Distances and agreement of one masked record and all originals."""
    n_ordered, scales, starts, units = column
    distances[:] = 0
    bits[:] = 0
    for j in range(len(record)):
        code, bit = np.int64(record[j]), np.int32(1 << j)
        full = units[starts[j] + scales[j]]
        line = originals[j]
        if code >= n_ordered[j]:
            for i in range(len(line)):
                is_equal = np.int64(line[i]) == code
                distances[i] += np.int64(0) if is_equal else full
                bits[i] |= bit if is_equal else np.int32(0)
        else:
            for i in range(len(line)):
                other = np.int64(line[i])
                steps = abs(other - code) if other < n_ordered[j] else scales[j]
                distances[i] += units[starts[j] + steps]
                bits[i] |= bit if other == code else np.int32(0)


@compiled
def nearest_records(masked, rows, originals, counts, column, nearest, ties, patterns):  # type: ignore[no-untyped-def]
    """Twin of ``RecordPairs.nearest``."""
    distances = np.empty(len(counts), np.int64)
    bits = np.empty(len(counts), np.int32)
    for row in range(len(masked)):
        _compare(masked[row], originals, column, distances, bits)
        least = distances[0]
        for i in range(len(counts)):
            least = min(least, distances[i])
        equal = np.int64(0)
        for i in range(len(counts)):
            equal += counts[i] if distances[i] == least else np.int64(0)
        for i in range(len(counts)):
            patterns[bits[i]] += rows[row] * counts[i]
        nearest[row], ties[row] = least, equal


@compiled
def likeliest_records(masked, originals, counts, ranks, best, ties):  # type: ignore[no-untyped-def]
    """Twin of ``RecordPairs.likeliest``."""
    bits = np.empty(len(counts), np.int32)
    for row in range(len(masked)):
        bits[:] = 0
        for j in range(originals.shape[0]):
            code, bit, line = masked[row, j], np.int32(1 << j), originals[j]
            for i in range(len(line)):
                bits[i] |= bit if line[i] == code else np.int32(0)
        largest, equal = np.int64(-1), np.int64(0)
        for i in range(len(counts)):
            rank = ranks[bits[i]]
            if rank > largest:
                largest, equal = rank, np.int64(0)
            equal += counts[i] if rank == largest else np.int64(0)
        best[row], ties[row] = largest, equal


@compiled
def first_place(ordered, code):  # type: ignore[no-untyped-def]
    """Place of the first code that is not below one."""
    below, above = np.int64(0), np.int64(len(ordered))
    while below < above:
        middle = (below + above) // 2
        if ordered[middle] < code:
            below = middle + 1
        else:
            above = middle
    return below


@compiled
def nearest_in_order(masked, originals, counts, column, by, nearest, ties):  # type: ignore[no-untyped-def]
    """Twin of ``RecordPairs.closest``, of originals that are in the order of the column `by`.

    They are tried outward from the masked record, until that column alone is farther than the
    nearest.
    """
    n_ordered, scales, starts, units = column
    n_columns, n = originals.shape
    for row in range(len(masked)):
        code = np.int64(masked[row, by])
        is_ordered = code < n_ordered[by]
        # One that lacks the value is as far from all that have one.
        below = first_place(originals[by], code) if is_ordered else np.int64(0)
        least, equal = np.int64(np.iinfo(np.int64).max), np.int64(0)
        for step in (-1, 1):
            place = below - 1 if step < 0 else below
            while 0 <= place < n:
                distance = np.int64(0)
                for turn in range(n_columns):
                    # The column of the order comes first, and may be enough.
                    j = by if turn == 0 else (turn - 1 if turn <= by else turn)
                    a, b = np.int64(masked[row, j]), np.int64(originals[j, place])
                    if a != b:
                        in_order = max(a, b) < n_ordered[j]
                        distance += units[starts[j] + (abs(a - b) if in_order else scales[j])]
                    if distance > least:
                        if turn == 0 and is_ordered:
                            place = -2 if step < 0 else n
                        break
                if distance < least:
                    least, equal = distance, counts[place]
                elif distance == least:
                    equal += counts[place]
                place += step
        nearest[row], ties[row] = least, equal


@compiled
def rows_within(masked, originals, counts, by, ranges, found):  # type: ignore[no-untyped-def]
    """Twin of ``RecordPairs.n_within``, of originals that are in the order of the column `by`."""
    for row in range(len(masked)):
        first, last = ranges[by, 0, masked[row, by]], ranges[by, 1, masked[row, by]]
        number = np.int64(0)
        for place in range(first_place(originals[by], first), originals.shape[1]):
            if originals[by, place] > last:
                break
            is_within = True
            for j in range(originals.shape[0]):
                own, code = np.int64(originals[j, place]), masked[row, j]
                is_within &= ranges[j, 0, code] <= own <= ranges[j, 1, code]
            number += counts[place] if is_within else np.int64(0)
        found[row] = number
