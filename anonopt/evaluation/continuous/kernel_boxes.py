"""Compiled kernels (extra ``fast``): points in boxes of one half-width around other points.

They count what `anonopt.evaluation.continuous.rank_boxes` counts by other means, and are held equal
to it by tests.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.continuous.kernel_tree import LEAF
from anonopt.evaluation.lattice.kernel_statistics import compiled

DEPTH = 64


@compiled
def count_in_boxes(  # type: ignore[no-untyped-def]
    points, low, high, sizes, levels, middles, about, window, leaves, counts
):
    """Count the points within the window of each middle in all columns.

    `points` (n_leaves, n_columns, LEAF) are those of the leaves of a tree, infinite where a leaf
    holds fewer; `low`, `high` and `sizes` are the boxes of all nodes and their numbers of points.
    `middles` are the leaves of another tree, with the boxes `about`, of which the `leaves` are
    asked for. `counts` is (n_leaves, LEAF).
    """
    n_columns = points.shape[1]
    n_leaves = 1 << levels
    nodes = np.empty(DEPTH, dtype=np.int64)
    open_columns = np.empty(n_columns, dtype=np.int64)
    near = np.empty(LEAF, dtype=np.int32)
    farthest = np.empty(LEAF, dtype=points.dtype)
    for leaf in leaves:
        everywhere = 0
        near[:] = 0
        nodes[0] = 1
        waiting = 1
        while waiting > 0:
            waiting -= 1
            node = nodes[waiting]
            apart, n_open = False, 0
            for column in range(n_columns):
                least, most = about[0, leaf, column], about[1, leaf, column]
                a, b = low[node, column], high[node, column]
                if b < least - window or a > most + window:
                    apart = True
                    break
                if a < most - window or b > least + window:
                    open_columns[n_open] = column
                    n_open += 1
            if apart:
                continue
            if n_open == 0:
                everywhere += sizes[node]
            elif node < n_leaves:
                nodes[waiting], nodes[waiting + 1] = 2 * node, 2 * node + 1
                waiting += 2
            else:
                block = points[node - n_leaves]
                _compare(block, middles[leaf], open_columns[:n_open], window, farthest, near)
        for i in range(LEAF):
            counts[leaf, i] = near[i] + everywhere


@compiled
def _compare(block, middles, columns, window, farthest, near):  # type: ignore[no-untyped-def]
    """Add to `near` the points of a leaf within the window of each middle of another."""
    # Loops of fixed length without a branch are vector instructions.
    if len(columns) == 1:
        points, centers = block[columns[0]], middles[columns[0]]
        for i in range(LEAF):
            middle = centers[i]
            found = np.int32(0)
            for j in range(LEAF):
                found = np.int32(found + np.int32(abs(points[j] - middle) <= window))
            near[i] += found
        return
    for i in range(LEAF):
        points, middle = block[columns[0]], middles[columns[0], i]
        for j in range(LEAF):
            farthest[j] = abs(points[j] - middle)
        for column in columns[1:]:
            points, middle = block[column], middles[column, i]
            for j in range(LEAF):
                apart = abs(points[j] - middle)
                farthest[j] = apart if apart > farthest[j] else farthest[j]
        found = np.int32(0)
        for j in range(LEAF):
            found = np.int32(found + np.int32(farthest[j] <= window))
        near[i] += found


@compiled
def count_pairs(  # type: ignore[no-untyped-def]
    one, other, ranks, by_one, by_middle, low, high, window, sums
):
    """Pairs of points and middles within the window in two columns.

    Points enter and leave as the window moves along the first column, in the order `by_one` of
    their values `one`, for the middles `ranks` in the order `by_middle`. `other` are places of the
    points in the second column, `low` and `high` the places that each middle reaches; `sums` is
    a Fenwick tree over the places, all 0.
    """
    n = len(one)
    entered, left = 0, 0
    total = 0
    for i in by_middle:
        while entered < n and one[by_one[entered]] <= ranks[i] + window:
            at = other[by_one[entered]] + 1
            while at <= n:
                sums[at] += 1
                at += at & -at
            entered += 1
        while left < entered and one[by_one[left]] < ranks[i] - window:
            at = other[by_one[left]] + 1
            while at <= n:
                sums[at] -= 1
                at += at & -at
            left += 1
        at = high[i]
        while at > 0:
            total += sums[at]
            at -= at & -at
        at = low[i]
        while at > 0:
            total -= sums[at]
            at -= at & -at
    return total
