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
