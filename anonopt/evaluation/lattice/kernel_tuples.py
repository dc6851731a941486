"""Compiled kernels (extra ``fast``): single nodes from the distinct tuples.

Keys are sums of one part a quasi-identifier, packed fields or hashes alike, so one kernel
serves tables of any width.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_rollup import MULTIPLIER, add_up
from anonopt.evaluation.lattice.kernel_statistics import HISTOGRAM_SIZES, compiled, node_statistics
from anonopt.measures.lattice.statistics import EXCESS, SUPPRESSED, THRESHOLD


@compiled
def tuple_keys(node, codes, parts, first, leaves, keys):  # type: ignore[no-untyped-def]
    """Keys of the distinct tuples generalized to a node.

    `parts` holds, for every quasi-identifier and level, the part of the key of each leaf.
    """
    keys[:] = 0
    n_columns = codes.shape[1]
    for a in range(n_columns):
        start = first[a] + node[a] * leaves[a]
        end = first[a + 1] if a + 1 < n_columns else len(parts)
        # A fully generalized column tells no tuples apart.
        if start + leaves[a] == end:
            continue
        for i in range(len(keys)):
            keys[i] += parts[start + codes[i, a]]


@compiled
def group_keys(keys, class_keys, class_of, member):  # type: ignore[no-untyped-def]
    """Number the distinct keys by first appearance; returns how many there are.

    `member` gets the first tuple of each class.
    """
    slots = 2
    while slots < 2 * len(keys):
        slots *= 2
    slot_mask = np.uint64(slots - 1)
    slot = np.full(slots, -1, np.int32)
    n = np.int32(0)
    last_key, found = keys[0], np.int32(-1)
    for i in range(len(keys)):
        key = keys[i]
        # Tuples stand in the order of their keys, so runs of equal keys are common.
        if found < 0 or key != last_key:
            at = ((np.uint64(key) * MULTIPLIER) >> np.uint64(32)) & slot_mask
            while slot[at] >= 0 and class_keys[slot[at]] != key:
                at = (at + np.uint64(1)) & slot_mask
            if slot[at] < 0:
                slot[at] = n
                class_keys[n] = key
                member[n] = i
                n += np.int32(1)
            last_key, found = key, slot[at]
        class_of[i] = found
    return n


@compiled
def tuple_statistics(nodes, codes, counts, parts, excess, first, leaves, asked, count_excess, out):  # type: ignore[no-untyped-def]
    """Statistics of single nodes, each grouped from the distinct tuples.

    `excess` is laid out like `parts` and holds ``m - 1`` of each leaf's generalized value.
    """
    size, present, sensitive, target = counts
    n_tuples = len(size)
    keys, class_keys = np.empty(n_tuples, np.int64), np.empty(n_tuples, np.int64)
    class_of, member = np.empty(n_tuples, np.int32), np.empty(n_tuples, np.int32)
    class_size, class_present = np.empty_like(size), np.empty_like(present)
    class_sensitive, class_target = np.empty_like(sensitive), np.empty_like(target)
    into = (class_of, class_of, class_size, class_present, class_sensitive, class_target)
    counting = np.zeros(HISTOGRAM_SIZES, np.int64), np.empty_like(size)
    for index in range(len(nodes)):
        node, found = nodes[index], out[index]
        tuple_keys(node, codes, parts, first, leaves, keys)
        n = group_keys(keys, class_keys, class_of, member)
        add_up(class_of, n_tuples, n, size, present, sensitive, target, into)
        candidates = node_statistics(
            n, class_size, class_present, class_sensitive, class_target, asked, counting, found
        )
        if count_excess:
            found[EXCESS:] = 0
            if found[SUPPRESSED] > 0:
                for i in range(n):
                    if candidates[i] < found[THRESHOLD]:
                        for a in range(codes.shape[1]):
                            leaf = first[a] + node[a] * leaves[a] + codes[member[i], a]
                            found[EXCESS + a] += np.int64(class_size[i]) * excess[leaf]


@compiled
def small_class_rows(nodes, codes, size, parts, first, leaves, k, out):  # type: ignore[no-untyped-def]
    """Rows in classes smaller than k at each node: the test of the fixed-k rule, and no more."""
    n_tuples = len(size)
    keys, class_keys = np.empty(n_tuples, np.int64), np.empty(n_tuples, np.int64)
    class_of, member = np.empty(n_tuples, np.int32), np.empty(n_tuples, np.int32)
    class_size = np.empty(n_tuples, np.int64)
    for index in range(len(nodes)):
        tuple_keys(nodes[index], codes, parts, first, leaves, keys)
        n = group_keys(keys, class_keys, class_of, member)
        class_size[:n] = 0
        for i in range(n_tuples):
            class_size[np.uint64(class_of[i])] += size[i]
        rows = np.int64(0)
        for i in range(n):
            rows += class_size[i] * np.int64(class_size[i] < k)
        out[index] = rows
