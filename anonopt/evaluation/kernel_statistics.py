"""Compiled kernels (extra ``fast``): the statistics of a node.

They compute what `anonopt.measures.statistics.summarize` computes, to the bit, and are held
equal to it by tests.

In all kernels `group` numbers a class's prefix (all fields of the key but the streamed one)
and `code` is the streamed field, so the class's key is ``keys[group] | code``; `size`,
`present`, `sensitive` and `target` are what `PackedClasses` holds, unpacked.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from anonopt.measures.statistics import (
    CLASSES,
    DISTINCT,
    DISTINCT_ALL,
    EXCESS,
    MAJORITY,
    SENSITIVE_SQUARES,
    SMALLEST,
    SQUARES,
    SQUARES_KEPT,
    SUPPRESSED,
    THRESHOLD,
    UNIQUE,
)

compiled = njit(cache=True, nogil=True, error_model="numpy")

FEW = 4
HUGE = np.int64(1) << 62


@intrinsic
def _bit_count(typing_context, value):  # type: ignore[no-untyped-def]
    """Number of set bits of a uint64, by the processor's instruction."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@compiled
def _threshold(size, n, budget, fixed_k, rows_of_size):  # type: ignore[no-untyped-def]
    """Smallest class size that is kept; twin of ``SuppressionRule.threshold``."""
    if fixed_k > 0:
        return np.int64(fixed_k)
    # Most nodes of a lattice run out of budget at classes of one or two rows: counting those
    # is a vector instruction, the histogram below is not.
    rows = np.int64(0)
    for few in range(1, FEW):
        found = np.int32(0)
        for i in range(n):
            found = np.int32(found + np.int32(size[i] == few))
        rows += few * np.int64(found)
        if rows > budget:
            return np.int64(few)
    rows_of_size[:] = 0
    small, smallest_large = np.int64(0), HUGE
    for i in range(n):
        rows = np.int64(size[i])
        if rows <= budget:
            rows_of_size[rows] += rows
            small += rows
        elif rows < smallest_large:
            smallest_large = rows
    if small <= budget:
        return smallest_large
    threshold, rows = np.int64(1), rows_of_size[1]
    while rows <= budget:
        threshold += 1
        rows += rows_of_size[threshold]
    return threshold


@compiled
def _smallest(size, n, threshold):  # type: ignore[no-untyped-def]
    """Rows of the smallest class that is kept, 0 if none is."""
    smallest = HUGE
    for i in range(n):
        rows = np.int64(size[i])
        smallest = min(smallest, rows if rows >= threshold else smallest)
    return smallest if smallest < HUGE else np.int64(0)


@compiled
def _sum_of_squares(flat, n, short):  # type: ignore[no-untyped-def]
    """Sum of the first n squared counts; `short` says that 32 bits can hold it."""
    if short:
        narrow = np.uint32(0)
        for i in range(n):
            count = np.uint32(flat[i])
            narrow = np.uint32(narrow + np.uint32(count * count))
        return np.int64(narrow)
    total = np.int64(0)
    for i in range(n):
        total += np.int64(flat[i]) * np.int64(flat[i])
    return total


@compiled
def _n_distinct(i, present, sensitive):  # type: ignore[no-untyped-def]
    if len(present):
        return np.int64(_bit_count(present[i]))
    found = np.int64(0)
    for value in range(sensitive.shape[1]):
        found += np.int64(sensitive[i, value] > 0)
    return found


@compiled
def _distinct(n, size, present, sensitive, threshold, out):  # type: ignore[no-untyped-def]
    kept, everywhere = HUGE, HUGE
    for i in range(n):
        found = _n_distinct(i, present, sensitive)
        everywhere = min(everywhere, found)
        kept = min(kept, found if size[i] >= threshold else kept)
    out[DISTINCT_ALL] = everywhere
    out[DISTINCT] = kept if kept < HUGE else 0


@compiled
def _majority(n, size, target, threshold):  # type: ignore[no-untyped-def]
    total = np.int64(0)
    for i in range(n):
        if size[i] >= threshold:
            most = target[i, 0]
            for label in range(1, target.shape[1]):
                most = max(most, target[i, label])
            total += np.int64(most)
    return total


@compiled
def node_statistics(  # type: ignore[no-untyped-def]
    n, keys, group, code, size, present, sensitive, target, level, plan, scratch, out
):
    """Write the statistics of the first n classes into `out`; twin of ``summarize``.

    `level` is the node; `plan` says what is asked (see `anonopt.evaluation.plan`).
    """
    budget, fixed_k, short, count_distinct, count_squares, shifts, masks, excess, offset = plan
    out[:] = -1
    threshold = _threshold(size, n, budget, fixed_k, scratch)
    unique, squares = np.int32(0), np.int64(0)
    for i in range(n):
        unique = np.int32(unique + np.int32(size[i] == 1))
        squares += np.int64(size[i]) * np.int64(size[i])
    suppressed, lost_squares, lost_classes = np.int64(0), np.int64(0), np.int64(0)
    out[EXCESS:] = 0
    if threshold > 1:
        for i in range(n):
            rows = np.int64(size[i])
            if rows < threshold:
                suppressed += rows
                lost_squares += rows * rows
                lost_classes += 1
                key = keys[group[i]] | np.int64(code[i])
                for a in range(len(shifts)):
                    value = (key >> shifts[a]) & masks[a]
                    out[EXCESS + a] += rows * excess[offset[a, level[a]] + value]
    out[THRESHOLD] = threshold
    # Under the reverse rule the threshold is itself the size of a class.
    out[SMALLEST] = _smallest(size, n, threshold) if fixed_k > 0 else threshold
    out[SUPPRESSED] = suppressed
    out[CLASSES] = n - lost_classes
    out[UNIQUE] = unique if threshold == 1 else 0
    out[SQUARES] = squares
    out[SQUARES_KEPT] = squares - lost_squares
    if count_distinct:
        if unique > 0 and threshold == 1:
            out[DISTINCT], out[DISTINCT_ALL] = 1, 1
        else:
            _distinct(n, size, present, sensitive, threshold, out)
    if count_squares:
        flat = sensitive.reshape(sensitive.size)
        out[SENSITIVE_SQUARES] = _sum_of_squares(flat, n * sensitive.shape[1], short)
    if target.shape[1]:
        out[MAJORITY] = _majority(n, size, target, threshold)
