"""Compiled kernel (extra ``fast``): columns in which masked records agree with the originals.

It finds what `agreement_rows` of `record_agreement` finds, in another order, and is held equal to
it by tests.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def agreement_rows(masked, original, window, histogram, bits, patterns, counts):  # type: ignore[no-untyped-def]
    """Write the patterns of each masked record and their counts; returns the largest number.

    `histogram` has room for every pattern and is 0 before and after; `bits`, and a row of
    `patterns` and `counts`, have room for all originals.
    """
    n, n_columns = masked.shape
    n_rows = original.shape[1]
    width = 0
    for row in range(n):
        bits[:] = 0
        for column in range(n_columns):
            low, high = masked[row, column] - window, masked[row, column] + window
            bit = np.int32(1 << column)
            for other in range(n_rows):
                rank = original[column, other]
                bits[other] |= bit * np.int32((rank >= low) & (rank <= high))
        found = 0
        for other in range(n_rows):
            pattern = np.uint64(bits[other])
            if histogram[pattern] == 0:
                patterns[row, found] = bits[other]
                found += 1
            histogram[pattern] += 1
        for place in range(found):
            pattern = np.uint64(patterns[row, place])
            counts[row, place] = histogram[pattern]
            histogram[pattern] = 0
        patterns[row, found:] = patterns[row, 0]
        counts[row, found:] = 0
        width = max(width, found)
    return width
