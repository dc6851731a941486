"""Compiled kernels (extra ``fast``): single nodes from the distinct tuples.

Keys are sums of one part a quasi-identifier, packed fields or hashes alike, so one kernel
serves tables of any width. Most tuples of wide tables are told apart by a few columns: these are
added up first, and the others only for the tuples that are not alone by then.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_rollup import MULTIPLIER, add_up
from anonopt.evaluation.lattice.kernel_statistics import HISTOGRAM_SIZES, compiled, node_statistics
from anonopt.measures.lattice.statistics import CLASSES, EXCESS, SUPPRESSED, THRESHOLD

MARGIN = 1.3
"""How far the first columns have to go: by 1, one pair of tuples would be left, were columns
independent, which they hardly ever are."""

SLOTS_A_TUPLE = 8
"""At least as many counters for each tuple: not one in eight shares its own by chance."""


@compiled
def _telling_columns(node, agreement, n_tuples, columns):  # type: ignore[no-untyped-def]
    """Write the columns that tell tuples apart, the most telling first; returns their number.

    And how many of them come before the tuples that are alone are left out: all, where even all of
    them leave too many together.
    """
    n = 0
    for a in range(len(node)):
        own = agreement[a, node[a]]
        # A fully generalized column tells no tuples apart.
        if own < 0:
            at = n
            while at > 0 and agreement[columns[at - 1], node[columns[at - 1]]] > own:
                columns[at] = columns[at - 1]
                at -= 1
            columns[at] = a
            n += 1
    pairs, first = MARGIN * np.log(n_tuples), 0
    while first < n and pairs > 0:
        pairs += agreement[columns[first], node[columns[first]]]
        first += 1
    return n, min((first + 3) // 4 * 4, n) if pairs <= 0 else n


@compiled
def _add_columns(columns, node, codes, values, rows, keys):  # type: ignore[no-untyped-def]
    """Add the parts of some columns to the keys of some tuples, all if `rows` is None."""
    parts, first, leaves = values
    n = len(columns)
    for c in range(0, n - n % 4, 4):
        a, b, d, e = columns[c], columns[c + 1], columns[c + 2], columns[c + 3]
        part_a, code_a = parts[first[a] + node[a] * leaves[a] :], codes[a]
        part_b, code_b = parts[first[b] + node[b] * leaves[b] :], codes[b]
        part_d, code_d = parts[first[d] + node[d] * leaves[d] :], codes[d]
        part_e, code_e = parts[first[e] + node[e] * leaves[e] :], codes[e]
        for at in range(len(keys)):
            i = np.uint64(at if rows is None else rows[at])
            keys[at] += (part_a[np.uint64(code_a[i])] + part_b[np.uint64(code_b[i])]) + (
                part_d[np.uint64(code_d[i])] + part_e[np.uint64(code_e[i])]
            )
    for c in range(n - n % 4, n):
        a = columns[c]
        part_a, code_a = parts[first[a] + node[a] * leaves[a] :], codes[a]
        for at in range(len(keys)):
            i = np.uint64(at if rows is None else rows[at])
            keys[at] += part_a[np.uint64(code_a[i])]


@compiled
def _leave_out_alone(keys, rows, seen, class_of, member):  # type: ignore[no-untyped-def]
    """Make a class of each tuple whose key no other can have; returns how many there are.

    What is left of `keys` and `rows` moves to their front. Branches would depend on the data.
    """
    n, left = np.int64(0), np.int64(0)
    slot_mask = np.uint64(len(seen) - 1)
    seen[:] = 0
    for i in range(len(keys)):
        at = ((np.uint64(keys[i]) * MULTIPLIER) >> np.uint64(32)) & slot_mask
        seen[at] = min(seen[at] + 1, 2)
    for i in range(len(keys)):
        at = ((np.uint64(keys[i]) * MULTIPLIER) >> np.uint64(32)) & slot_mask
        alone = np.int64(seen[at] == 1)
        class_of[i], member[n] = n, i
        keys[left], rows[left] = keys[i], i
        n += alone
        left += 1 - alone
    return n


@compiled
def _number_keys(keys, rows, n, slot, class_keys, class_of, member):  # type: ignore[no-untyped-def]
    """Number the distinct keys of some tuples from n on; returns the number that is next."""
    slots = 2
    while slots < 2 * len(keys):
        slots *= 2
    slot_mask = np.uint64(slots - 1)
    slot[:slots] = -1
    last_key, found = np.int64(0), np.int32(-1)
    for at_key in range(len(keys)):
        i, key = np.uint64(at_key if rows is None else rows[at_key]), keys[at_key]
        # Tuples stand in the order of their keys, so runs of equal keys are common.
        if found < 0 or key != last_key:
            at = ((np.uint64(key) * MULTIPLIER) >> np.uint64(32)) & slot_mask
            while slot[at] >= 0 and class_keys[slot[at]] != key:
                at = (at + np.uint64(1)) & slot_mask
            if slot[at] < 0:
                slot[at] = n
                class_keys[n] = key
                member[n] = i
                n += 1
            last_key, found = key, slot[at]
        class_of[i] = found
    return n


@compiled
def _room(n_tuples, n_columns):  # type: ignore[no-untyped-def]
    """Arrays that `_group` works in; the last two are the class of each tuple, and members."""
    slots = 2
    while slots < SLOTS_A_TUPLE * n_tuples:
        slots *= 2
    return (
        np.empty(n_columns, np.int64),
        np.empty(n_tuples, np.int64),
        np.empty(n_tuples, np.int64),
        np.empty(n_tuples, np.int32),
        np.empty(slots, np.uint8),
        np.empty(slots, np.int32),
        np.empty(n_tuples, np.int32),
        np.empty(n_tuples, np.int32),
    )


@compiled
def _group(node, codes, values, agreement, room):  # type: ignore[no-untyped-def]
    """Number the classes of the tuples generalized to a node; returns how many there are."""
    columns, keys, class_keys, rows, seen, slot, class_of, member = room
    n_tuples = len(keys)
    n_columns, first = _telling_columns(node, agreement, n_tuples, columns)
    keys[:] = 0
    _add_columns(columns[:first], node, codes, values, None, keys)
    if first == n_columns:
        return _number_keys(keys, None, np.int64(0), slot, class_keys, class_of, member)
    n = _leave_out_alone(keys, rows, seen, class_of, member)
    keys, rows = keys[: n_tuples - n], rows[: n_tuples - n]
    _add_columns(columns[first:n_columns], node, codes, values, rows, keys)
    return _number_keys(keys, rows, n, slot, class_keys, class_of, member)


@compiled
def _suppressed_excess(n, size, candidates, node, codes, values, excess, room, found):  # type: ignore[no-untyped-def]
    """Sum of ``m - 1`` over suppressed rows, by quasi-identifier, behind the other statistics.

    Added up over the suppressed classes or, where these are fewer, over those that are kept.
    """
    _, first, leaves = values
    of_leaves, of_all = excess
    _, rows_of, _, tuple_of, _, _, _, member = room
    is_kept_added = 2 * found[CLASSES] < n
    n_added = np.int64(0)
    for i in range(n):
        tuple_of[n_added], rows_of[n_added] = member[i], size[i]
        n_added += np.int64((candidates[i] >= found[THRESHOLD]) == is_kept_added)
    for a in range(len(node)):
        of_leaf, code = of_leaves[first[a] + node[a] * leaves[a] :], codes[a]
        total = np.int64(0)
        for at in range(n_added):
            total += rows_of[at] * of_leaf[np.uint64(code[np.uint64(tuple_of[at])])]
        found[EXCESS + a] = of_all[a, node[a]] - total if is_kept_added else total


@compiled
def tuple_statistics(nodes, codes, counts, values, excess, agreement, asked, count_excess, out):  # type: ignore[no-untyped-def]
    """Statistics of single nodes, each grouped from the distinct tuples.

    `codes` has a row a quasi-identifier. `values` are the parts of the keys, by quasi-identifier,
    level and leaf, where those of each quasi-identifier begin, and the leaves of each. `excess`
    holds ``m - 1`` of each leaf's generalized value, laid out like the parts, and the sum over all
    rows by quasi-identifier and level. So does `agreement`, for the logarithm of the share of pairs
    of rows that agree, which is 0 only where all rows do.
    """
    size, present, sensitive, target = counts
    n_tuples = len(size)
    room = _room(n_tuples, len(codes))
    class_of = room[6]
    class_size, class_present = np.empty_like(size), np.empty_like(present)
    class_sensitive, class_target = np.empty_like(sensitive), np.empty_like(target)
    into = (class_of, class_of, class_size, class_present, class_sensitive, class_target)
    counting = np.zeros(HISTOGRAM_SIZES, np.int64), np.empty_like(size)
    for index in range(len(nodes)):
        node, found = nodes[index], out[index]
        n = _group(node, codes, values, agreement, room)
        add_up(class_of, n_tuples, n, size, present, sensitive, target, into)
        candidates = node_statistics(
            n, class_size, class_present, class_sensitive, class_target, asked, counting, found
        )
        if count_excess:
            found[EXCESS:] = 0
            if found[SUPPRESSED] > 0:
                _suppressed_excess(
                    n, class_size, candidates, node, codes, values, excess, room, found
                )


@compiled
def small_class_rows(nodes, codes, size, values, agreement, k, out):  # type: ignore[no-untyped-def]
    """Rows in classes smaller than k at each node: the test of the fixed-k rule, and no more."""
    n_tuples = len(size)
    room = _room(n_tuples, len(codes))
    class_of, class_size = room[6], np.empty(n_tuples, np.int64)
    for index in range(len(nodes)):
        n = _group(nodes[index], codes, values, agreement, room)
        class_size[:n] = 0
        for i in range(n_tuples):
            class_size[np.uint64(class_of[i])] += size[i]
        rows = np.int64(0)
        for i in range(n):
            rows += class_size[i] * np.int64(class_size[i] < k)
        out[index] = rows
