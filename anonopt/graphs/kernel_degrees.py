"""Compiled kernels (extra ``fast``): groups of equal degrees, and the ties they miss."""

from __future__ import annotations

import heapq

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def begin_groups(falling, total, k, least, cost, start):  # type: ignore[no-untyped-def]
    """Where the last group of at least `least` first degrees begins, by their number.

    It is written to `start`. The loop of `anonopt.graphs.degree_sequence` in the same order, so
    that of equal costs the same one is taken.
    """
    for end in range(least, len(falling) + 1):
        first = max(0, end - 2 * k + 1)
        for begin in range(first, end - k + 1):
            raised = falling[begin] * (end - begin) - (total[end] - total[begin])
            if begin == first or cost[begin] + raised < cost[end]:
                cost[end] = cost[begin] + raised
                start[end] = begin


@compiled
def raise_groups(falling, order, start, degrees):  # type: ignore[no-untyped-def]
    """Give each node the largest degree of its group; written to `degrees`."""
    end = len(order)
    while end > 0:
        begin = start[end]
        for place in range(begin, end):
            degrees[order[place]] = falling[begin]
        end = begin


@compiled
def tie_nodes(keys, open_nodes, missing, starts, nodes, added):  # type: ignore[no-untyped-def]
    """Tie the open nodes, and write the ties to `added`; tell whether all could be tied.

    The loop of `anonopt.graphs.missing_ties` in the same order; `missing` is changed.
    """
    n = len(open_nodes)
    is_known = np.zeros(len(missing), dtype=np.bool_)
    n_added = 0
    heap = list(keys)
    while len(heap):
        key = heapq.heappop(heap)
        place = key % n
        node, needed = open_nodes[place], (place - key) // n
        n_left = len(heap)
        for other in nodes[starts[node] : starts[node + 1]]:
            is_known[other] = True
            n_left -= missing[other] > 0
        if n_left < needed:
            return False
        missing[node] = 0
        # An empty list of numbers: compiled code has to know of what.
        passed = [key for _ in range(0)]
        while needed:
            key = heapq.heappop(heap)
            other = open_nodes[key % n]
            if is_known[other]:
                passed.append(key)
                continue
            needed -= 1
            missing[other] -= 1
            added[n_added] = node, other
            n_added += 1
            if key + n < 0:
                passed.append(key + n)
        for key in passed:
            heapq.heappush(heap, key)
        for other in nodes[starts[node] : starts[node + 1]]:
            is_known[other] = False
    return True
