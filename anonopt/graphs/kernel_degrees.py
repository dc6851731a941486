"""Compiled kernel (extra ``fast``): groups of degrees that are raised at least total cost."""

from __future__ import annotations

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def begin_groups(falling, total, k, cost, start):  # type: ignore[no-untyped-def]
    """Where the last group of the first degrees begins, by their number; written to `start`.

    The loop of `anonopt.graphs.degree_anonymity` in the same order, so that of equal costs the
    same one is taken.
    """
    for end in range(k, len(falling) + 1):
        first = max(0, end - 2 * k + 1)
        for begin in range(first, end - k + 1):
            raised = falling[begin] * (end - begin) - (total[end] - total[begin])
            if begin == first or cost[begin] + raised < cost[end]:
                cost[end] = cost[begin] + raised
                start[end] = begin
