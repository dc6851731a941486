"""Compiled kernels (extra ``fast``): clusters of the closest nodes, by the lists of an index.

They make the clusters that `anonopt.graphs.clustering` makes without them, to the node. `lists`
and `placed` are those of a `ProfileIndex`, unpacked; a node is taken when it has a label. Places
whose nodes are taken are left out by `jumps`, which is shortened on the way, so that each is passed
few times however often its list is asked.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled

SEVENTHS = 7


@compiled
def next_free(place, end, nodes, jumps, labels):  # type: ignore[no-untyped-def]
    """First place from `place` on whose node is free, or `end`."""
    free = place
    while free < end and labels[nodes[free]] >= 0:
        free = jumps[free]
    free = min(free, end)
    while place < free:
        after = jumps[place]
        jumps[place] = free
        place = after
    return free


@compiled
def add_first(begin, end, nodes, jumps, labels, found, n_found, missing):  # type: ignore[no-untyped-def]
    """Put the first free nodes of a list among those found, of which the first are kept, sorted."""
    place = next_free(begin, end, nodes, jumps, labels)
    while place < end:
        node = nodes[place]
        at = n_found
        while at > 0 and found[at - 1] > node:
            at -= 1
        if at == missing:
            break
        if at == 0 or found[at - 1] != node:
            n_found = min(n_found + 1, missing)
            for i in range(n_found - 1, at, -1):
                found[i] = found[i - 1]
            found[at] = node
        place = next_free(place + 1, end, nodes, jumps, labels)
    return n_found


@compiled
def list_of(key, keys, begin, end):  # type: ignore[no-untyped-def]
    """Number of the list of a key among those of a column, or -1."""
    last = end
    while begin < end:
        middle = (begin + end) // 2
        if keys[middle] < key:
            begin = middle + 1
        else:
            end = middle
    return begin if begin < last and keys[begin] == key else -1


@compiled
def at_distance(  # type: ignore[no-untyped-def]
    node, distance, missing, found, labels, n_topics, first_of_misses, ranks, lists,
    has_locations, locations, branches, placed,
):  # fmt: skip
    """First free nodes at a distance of a node, where none is closer; returns how many."""
    n_found = np.int64(0)
    misses, sevenths = distance // SEVENTHS, distance % SEVENTHS
    first, starts, nodes, jumps = lists
    # A location anywhere counts as much as one more topic.
    of_any = misses - 1 if has_locations else misses
    if sevenths == 0 and of_any >= 0:
        for subset in range(first_of_misses[of_any], first_of_misses[of_any + 1]):
            at = first[subset] + ranks[subset, node]
            n_found = add_first(starts[at], starts[at + 1], nodes[subset], jumps[subset], labels,
                                found, n_found, missing)  # fmt: skip
    if not has_locations or misses > n_topics:
        return n_found
    keys, first, starts, nodes, jumps = placed
    branch_starts, related, sevenths_of = branches
    code, size = locations[node], np.int64(len(branch_starts) - 1)
    for i in range(branch_starts[code], branch_starts[code + 1]):
        if sevenths_of[i] != sevenths:
            continue
        for subset in range(first_of_misses[misses], first_of_misses[misses + 1]):
            key = np.int64(ranks[subset, node]) * size + related[i]
            at = list_of(key, keys, first[subset], first[subset + 1] - 1)
            if at >= 0:
                n_found = add_first(starts[at], starts[at + 1], nodes[subset], jumps[subset],
                                    labels, found, n_found, missing)  # fmt: skip
    return n_found


@compiled
def cluster(  # type: ignore[no-untyped-def]
    visits, k, n_full, labels, n_topics, first_of_misses, ranks, lists, has_locations, locations,
    branches, placed,
):  # fmt: skip
    """Label the nodes of all full clusters."""
    found = np.empty(max(k, 1), np.int64)
    label = 0
    for node in visits:
        if label == n_full:
            break
        if labels[node] >= 0:
            continue
        labels[node] = label
        missing, distance = k - 1, np.int64(0)
        while missing > 0:
            n_found = at_distance(node, distance, missing, found, labels, n_topics,
                                  first_of_misses, ranks, lists, has_locations, locations,
                                  branches, placed)  # fmt: skip
            for i in range(n_found):
                labels[found[i]] = label
            missing -= n_found
            distance += 1
        label += 1
