"""Compiled kernels (extra ``fast``): the statistics of a node.

They compute what `anonopt.measures.lattice.statistics.summarize` computes, to the bit, and are held
equal to it by tests.

In all kernels `size`, `present`, `sensitive` and `target` are what `PackedClasses` holds,
unpacked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit, types
from numba.core.options import DefaultOptions
from numba.extending import intrinsic

from anonopt.measures.lattice.statistics import (
    CLASSES,
    DISTINCT,
    DISTINCT_ALL,
    MAJORITY,
    SENSITIVE_SQUARES,
    SMALLEST,
    SQUARES,
    SQUARES_KEPT,
    SUPPRESSED,
    THRESHOLD,
    UNIQUE,
)

COUNTING = "_nrt"
"""Option that counts references; not a documented one, so that it is only set where it is known."""


def compiled(
    function: Callable[..., Any], *, inlined: bool = False, makes_arrays: bool = True
) -> Any:
    """Compile a kernel, and keep what was compiled where there is a place for it.

    There is none where neither the installation nor the user's home can be written to; each
    process compiles anew then. A user without a home would get a folder named ``~``.

    A kernel that is `inlined` becomes part of those that call it. That is for small ones that are
    called many times, as handing on their arrays can take as long as their work. One that makes no
    arrays, and is called by Python with all of them, need not count the references to them. Only
    kernels may call one that is `inlined` or private: no way in from Python is compiled.

    It is compiled anew for each type of its arguments: arrays have one layout, and counters start
    at ``np.int64(0)``, as a bare 0 that is handed on is of a type of its own.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "forceinline": inlined}
    is_closed = inlined or function.__name__.startswith("_")
    options |= {"no_cpython_wrapper": is_closed, "no_cfunc_wrapper": True}
    if not makes_arrays and COUNTING in vars(DefaultOptions):
        options[COUNTING] = False
    has_place = (
        "NUMBA_CACHE_DIR" in os.environ
        or os.access(Path(__file__).parent, os.W_OK)
        or os.path.isabs(os.path.expanduser("~"))  # noqa: PTH111, PTH117
    )
    if not has_place:
        return njit(**options)(function)
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:
        return njit(**options)(function)


inlined = partial(compiled, inlined=True)

FEW = 4
HISTOGRAM_SIZES = 1024
BLOCK = 64
BLOCK_SIZE = 8192
"""64 classes below 8192 rows: their squared counts add up to less than 2**32."""
HUGE = np.int64(1) << 62


@intrinsic
def _bit_count(typing_context, value):  # type: ignore[no-untyped-def]
    """Number of set bits of a uint64, by the processor's instruction."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@compiled
def _large_threshold(size, n, budget):  # type: ignore[no-untyped-def]
    """Smallest class size that is kept where all classes of the histogram are suppressed."""
    low, high, rows = HUGE, np.int64(0), np.int64(0)
    for i in range(n):
        large = np.int64(size[i])
        if large >= HISTOGRAM_SIZES:
            low, high, rows = min(low, large), max(high, large), rows + large
    if rows <= budget:
        return HUGE
    # Most budgets end at the smallest of them already.
    at = low
    while low < high:
        rows = np.int64(0)
        for i in range(n):
            large = np.int64(size[i])
            rows += large if HISTOGRAM_SIZES <= large <= at else np.int64(0)
        low, high = (low, at) if rows > budget else (at + 1, high)
        at = (low + high) // 2
    return low


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
    for i in range(n):
        if size[i] < HISTOGRAM_SIZES:
            rows_of_size[size[i]] += size[i]
    rows = np.int64(0)
    for small in range(1, HISTOGRAM_SIZES):
        rows += rows_of_size[small]
        if rows > budget:
            return np.int64(small)
    return _large_threshold(size, n, budget - rows)


@compiled
def _smallest(size, n, threshold):  # type: ignore[no-untyped-def]
    """Rows of the smallest class that is kept, 0 if none is."""
    smallest = HUGE
    for i in range(n):
        rows = np.int64(size[i])
        smallest = min(smallest, rows if rows >= threshold else smallest)
    return smallest if smallest < HUGE else np.int64(0)


@compiled
def _narrow_squares(counts):  # type: ignore[no-untyped-def]
    total = np.uint32(0)
    for i in range(len(counts)):
        count = np.uint32(counts[i])
        total = np.uint32(total + np.uint32(count * count))
    return total


@compiled
def _wide_squares(counts):  # type: ignore[no-untyped-def]
    total = np.int64(0)
    for i in range(len(counts)):
        total += np.int64(counts[i]) * np.int64(counts[i])
    return total


@compiled
def _sum_of_squares(n, size, counts):  # type: ignore[no-untyped-def]
    """Sum of the squared counts of the first n classes.

    The squares of a class's counts add up to no more than the square of its size, so a block
    of small classes can be summed in 32 bits, which is several times faster than in 64.
    """
    total = np.int64(0)
    width = counts.shape[1]
    flat = counts.reshape(counts.size)
    for start in range(0, n, BLOCK):
        end = min(start + BLOCK, n)
        part = flat[start * width : end * width]
        largest = size[start]
        for i in range(start + 1, end):
            largest = max(largest, size[i])
        if largest < BLOCK_SIZE:
            total += np.int64(_narrow_squares(part))
        else:
            total += _wide_squares(part)
    return total


@compiled
def _n_distinct(i, present, sensitive):  # type: ignore[no-untyped-def]
    if len(present):
        return np.int64(_bit_count(present[i]))  # type: ignore[call-arg]
    found = np.int32(0)
    for value in range(sensitive.shape[1]):
        found = np.int32(found + np.int32(sensitive[i, value] > 0))
    return np.int64(found)


@compiled
def _diverse_rows(n, size, present, sensitive, least_distinct, diverse):  # type: ignore[no-untyped-def]
    """Rows of the classes that have enough distinct sensitive values, 0 of the others."""
    if len(present):
        least = np.uint64(least_distinct)
        for i in range(n):
            diverse[i] = size[i] * np.int32(_bit_count(present[i]) >= least)  # type: ignore[call-arg]
    else:
        for i in range(n):
            found = np.int32(0)
            for value in range(sensitive.shape[1]):
                found = np.int32(found + np.int32(sensitive[i, value] > 0))
            diverse[i] = size[i] * np.int32(found >= least_distinct)


@compiled
def _distinct(n, rows, present, sensitive, threshold, out):  # type: ignore[no-untyped-def]
    kept, everywhere = HUGE, HUGE
    for i in range(n):
        found = _n_distinct(i, present, sensitive)
        everywhere = min(everywhere, found)
        kept = min(kept, found if rows[i] >= threshold else kept)
    out[DISTINCT_ALL] = everywhere
    out[DISTINCT] = kept if kept < HUGE else 0


@compiled
def _majority(n, rows, target, threshold):  # type: ignore[no-untyped-def]
    total = np.int64(0)
    for i in range(n):
        if rows[i] >= threshold:
            most = target[i, 0]
            for label in range(1, target.shape[1]):
                most = max(most, target[i, label])
            total += np.int64(most)
    return total


@compiled
def node_statistics(n, size, present, sensitive, target, asked, scratch, out):  # type: ignore[no-untyped-def]
    """Write the statistics of the first n classes into `out`; twin of ``summarize``.

    All but the leaves under suppressed values, which depend on how the classes are keyed.
    `scratch` has room for `HISTOGRAM_SIZES` numbers, and for the `candidates` that are returned:
    the rows of the classes that are kept if they reach the threshold, 0 of the others.
    """
    budget, fixed_k, least_distinct, count_distinct, count_squares = asked
    rows_of_size, candidates = scratch
    if least_distinct > 0:
        _diverse_rows(n, size, present, sensitive, least_distinct, candidates)
    else:
        candidates = size
    out[:] = -1
    threshold = _threshold(size, n, budget, fixed_k, rows_of_size)
    unique, squares = np.int32(0), np.int64(0)
    for i in range(n):
        unique = np.int32(unique + np.int32(candidates[i] == 1))
        squares += np.int64(size[i]) * np.int64(size[i])
    suppressed, lost_squares, lost_classes = np.int64(0), np.int64(0), np.int64(0)
    if threshold > 1 or least_distinct > 0:
        for i in range(n):
            rows = np.int64(size[i]) if candidates[i] < threshold else np.int64(0)
            suppressed += rows
            lost_squares += rows * rows
            lost_classes += np.int64(rows > 0)
    out[THRESHOLD] = threshold
    # Under the reverse rule the threshold is itself the size of a class.
    out[SMALLEST] = _smallest(candidates, n, threshold) if fixed_k > 0 else threshold
    out[SUPPRESSED] = suppressed
    out[CLASSES] = n - lost_classes
    out[UNIQUE] = unique if threshold == 1 else 0
    out[SQUARES] = squares
    out[SQUARES_KEPT] = squares - lost_squares
    if count_distinct:
        if unique > 0 and threshold == 1:
            out[DISTINCT], out[DISTINCT_ALL] = 1, 1
        else:
            _distinct(n, candidates, present, sensitive, threshold, out)
    if count_squares:
        out[SENSITIVE_SQUARES] = _sum_of_squares(n, size, sensitive)
    if target.shape[1]:
        out[MAJORITY] = _majority(n, candidates, target, threshold)
    return candidates
