"""Compiled kernel (extra ``fast``): pairs of rows that match.

It counts what `anonopt.masking.cells.matching_rows` counts by sets of columns, and is held equal to
it by tests.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def count_pairs(codes, counts):  # type: ignore[no-untyped-def]
    """Rows that each distinct row matches; code -1 matches everything."""
    n, n_columns = codes.shape
    found = counts.copy()
    has_gap = np.zeros(n, np.bool_)
    for i in range(n):
        for column in range(n_columns):
            if codes[i, column] < 0:
                has_gap[i] = True
    for i in range(n):
        if not has_gap[i]:
            continue
        for j in range(n):
            # Distinct rows without a gap do not match, and pairs of gaps are met twice.
            if has_gap[j] and j <= i:
                continue
            agrees = True
            for column in range(n_columns):
                one, other = codes[i, column], codes[j, column]
                if one != other and one >= 0 and other >= 0:
                    agrees = False
                    break
            if agrees:
                found[i] += counts[j]
                found[j] += counts[i]
    return found
