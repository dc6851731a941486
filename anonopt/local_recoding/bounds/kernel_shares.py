"""Compiled kernels (extra ``fast``): how far the labels of nodes bound what rows can be charged.

They compute what `anonopt.local_recoding.bounds.label_shares` computes, to the bit, and are held
equal to it by tests.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_rollup import MULTIPLIER
from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def classes_of(keys, slot, slot_keys, class_of, first):  # type: ignore[no-untyped-def]
    """Number the distinct keys by first appearance; returns how many there are."""
    mask = np.uint64(len(slot) - 1)
    n = 0
    for i in range(len(keys)):
        key = keys[i]
        at = ((np.uint64(key) * MULTIPLIER) >> np.uint64(32)) & mask
        while slot[at] >= 0 and slot_keys[at] != key:
            at = (at + np.uint64(1)) & mask
        if slot[at] < 0:
            slot[at] = n
            slot_keys[at] = key
            first[n] = i
            n += 1
        class_of[i] = slot[at]
    return n


@compiled
def node_shares(nodes, at, keys, losses, rows, sets, shares, rule, is_first, out):  # type: ignore[no-untyped-def]
    """Bounds of the shares of tuples by the labels of nodes.

    `keys` and `losses` (n_levels, n_tuples) hold the parts of every column and level, those of
    column a from ``at[a]`` on; tuples stand in the order of falling shares. In the first pass
    `out` gets the least cost of a label that holds enough rows, later the largest ratio of what k
    rows of a label can be charged to what they lose.
    """
    k, least_distinct = rule
    n = len(rows)
    n_slots = 2
    while n_slots < 2 * n:
        n_slots *= 2
    slot, slot_keys = np.full(n_slots, -1, np.int64), np.empty(n_slots, np.int64)
    key, class_of, first = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    size, charged, value = np.empty(n, np.int64), np.empty(n), np.empty(n)
    held = np.empty(n, np.uint64)
    for node in nodes:
        key[:] = 0
        for a in range(len(node)):
            column = keys[at[a] + node[a]]
            for i in range(n):
                key[i] += column[i]
        slot[:] = -1
        n_classes = classes_of(key, slot, slot_keys, class_of, first)
        for c in range(n_classes):
            size[c] = 0
            charged[c] = 0.0
            held[c] = np.uint64(0)
            cost = 0.0
            for a in range(len(node)):
                cost += losses[at[a] + node[a], first[c]]
            value[c] = cost
        for i in range(n):
            c = class_of[i]
            charged[c] += min(rows[i], max(k - size[c], 0)) * shares[i]
            size[c] += rows[i]
            held[c] |= sets[i]
        for c in range(n_classes):
            enough = size[c] >= k and (least_distinct == 0 or _bits(held[c]) >= least_distinct)
            if is_first:
                value[c] = value[c] if enough else np.inf
            else:
                value[c] = charged[c] / (k * value[c]) if enough and value[c] > 0.0 else 0.0
        for i in range(n):
            found = value[class_of[i]]
            if (found < out[i]) if is_first else (found > out[i]):
                out[i] = found


@compiled
def _bits(word):  # type: ignore[no-untyped-def]
    """Number of bits that are set."""
    n = 0
    while word:
        word &= word - np.uint64(1)
        n += 1
    return n
