"""Compiled kernels (extra ``fast``): the roll-up of the lattice.

They compute what `anonopt.evaluation.lattice.rollup.NumpyWalker` computes, to the bit, and are held
equal to it by tests. First the positions of the new classes are found from the codes alone,
then the counts are added up there (`add_up`): that loop does nearly all the work, has no branch
that depends on the data, and runs over blocks of 16 counts, which become vector instructions.
Arrays are never handed to a function inside a loop: counting their references costs more
than the work.

`group` numbers a class's prefix (all fields of the key but the streamed one) and `code` is the
streamed field, so the class's key is ``keys[group] | code``.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled, node_statistics
from anonopt.evaluation.lattice.tuples import LANES
from anonopt.measures.lattice.statistics import EXCESS, SUPPRESSED, THRESHOLD

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@compiled
def add_up(at, n, n_new, size, present, sensitive, target, into):  # type: ignore[no-untyped-def]
    """Add the counts of the first n classes to the new classes at positions `at`."""
    _, _, to_size, to_present, to_sensitive, to_target = into
    to_size[:n_new] = 0
    to_present[:n_new] = 0
    to_sensitive[:n_new] = 0
    to_target[:n_new] = 0
    for i in range(n):
        to = np.uint64(at[i])
        to_size[to] += size[i]
        for block in range(sensitive.shape[1] // LANES):
            for lane in range(LANES):
                to_sensitive[to, block * LANES + lane] += sensitive[i, block * LANES + lane]
    if len(present):
        for i in range(n):
            to_present[np.uint64(at[i])] |= present[i]
    for label in range(target.shape[1]):
        for i in range(n):
            to_target[np.uint64(at[i]), label] += target[i, label]


@compiled
def coarsen(n, parent, group, code, size, present, sensitive, target, at, into):  # type: ignore[no-untyped-def]
    """Raise the streamed field by one level; classes of one group stand in order of its code."""
    to_group, to_code = into[0], into[1]
    position, last_group, last_code = np.int64(-1), np.int32(-1), np.int32(-1)
    for i in range(n):
        raised, prefix = parent[code[i]], group[i]
        position += np.int64((prefix != last_group) | (raised != last_code))
        last_group, last_code = prefix, raised
        to_group[np.uint64(position)] = prefix
        to_code[np.uint64(position)] = raised
        at[i] = position
    add_up(at, n, position + 1, size, present, sensitive, target, into)
    return position + 1


@compiled
def _suppressed_excess(n, keys, classes, level, streamed, tables, rows_of_group, out):  # type: ignore[no-untyped-def]
    """Sum of ``m - 1`` over suppressed rows, by field; twin of the one of ``summarize``.

    The loop over the classes has no branch that depends on them; the fields of the prefix are
    then looked up once a group.
    """
    shifts, masks, excess, offset = tables
    group, code, size, candidates = classes
    out[EXCESS:] = 0
    if out[SUPPRESSED] == 0:
        return
    threshold = out[THRESHOLD]
    rows_of_group[: len(keys)] = 0
    start, total = offset[streamed, level[streamed]], np.int64(0)
    for i in range(n):
        rows = np.int64(size[i]) * np.int64(candidates[i] < threshold)
        total += rows * excess[start + code[i]]
        rows_of_group[np.uint64(group[i])] += rows
    out[EXCESS + streamed] = total
    for a in range(len(shifts)):
        if a != streamed and masks[a] > 0:
            start, total = offset[a, level[a]], np.int64(0)
            for i in range(len(keys)):
                value = (keys[i] >> shifts[a]) & masks[a]
                total += rows_of_group[i] * excess[start + value]
            out[EXCESS + a] = total


@compiled
def stream_levels(keys, starts, table, level, parents, plan, buffers, at, scratch, out):  # type: ignore[no-untyped-def]
    """Statistics of a node and of nodes above it in the streamed field.

    `parents[l]` maps the streamed codes of level l to level l + 1; `out` has one row a level, from
    that of the node on. The streamed level of `level` is then the last of them.
    """
    asked, count_excess, streamed, tables = plan
    rows_of_group, counting = scratch
    group, code, size, present, sensitive, target = table
    into, spare = buffers
    n = np.int64(starts[len(keys)])
    lowest = level[streamed]
    for raised in range(len(out)):
        level[streamed] = lowest + raised
        if raised > 0:
            parent = parents[lowest + raised - 1]
            n = coarsen(n, parent, group, code, size, present, sensitive, target, at, into)
            group, code, size, present, sensitive, target = into
            into, spare = spare, into
        candidates = node_statistics(
            n, size, present, sensitive, target, asked, counting, out[raised]
        )
        if count_excess:
            classes = group, code, size, candidates
            _suppressed_excess(
                n, keys, classes, level, streamed, tables, rows_of_group, out[raised]
            )


@compiled
def _raise_groups(keys, shift, mask, parent):  # type: ignore[no-untyped-def]
    """Raise one field of the group keys and number the groups anew.

    Returns
    -------
    new_group : int32 array (n_groups,)
        New group of each group, numbered by first appearance.
    new_keys : int64 array (n_new,)
    ends : int32 array (n_new + 1,)
        Running number of old groups in the new ones.
    """
    n_groups = len(keys)
    slots = 2
    while slots < 2 * n_groups:
        slots *= 2
    slot_mask = np.uint64(slots - 1)
    slot = np.full(slots, -1, np.int32)
    new_group = np.empty(n_groups, np.int32)
    new_keys = np.empty(n_groups, np.int64)
    ends = np.zeros(n_groups + 1, np.int32)
    n_new = 0
    for i in range(n_groups):
        field = (keys[i] >> shift) & mask
        key = keys[i] + ((np.int64(parent[field]) - field) << shift)
        at = ((np.uint64(key) * MULTIPLIER) >> np.uint64(32)) & slot_mask
        while slot[at] >= 0 and new_keys[slot[at]] != key:
            at = (at + np.uint64(1)) & slot_mask
        if slot[at] < 0:
            slot[at] = n_new
            new_keys[n_new] = key
            n_new += 1
        found = slot[at]
        new_group[i] = found
        ends[found + 1] += 1
    for i in range(n_new):
        ends[i + 1] += ends[i]
    return new_group, new_keys[:n_new].copy(), ends[: n_new + 1].copy()


@compiled
def _members(new_group, ends):  # type: ignore[no-untyped-def]
    """Old groups sorted by new group, (n_groups,)."""
    filled = ends[:-1].copy()
    member = np.empty(len(new_group), np.int32)
    for i in range(len(new_group)):
        member[filled[new_group[i]]] = i
        filled[new_group[i]] += 1
    return member


@compiled
def _merge_groups(starts, table, new_group, ends, n_codes, new_starts, at, into):  # type: ignore[no-untyped-def]
    """Merge the classes of groups that became one, in order of the streamed code.

    One group keeps its order and two are merged (most fields have few values, so these are
    the rule); the codes of more are marked and then met in order.
    """
    _, code, size, present, sensitive, target = table
    to_group, to_code = into[0], into[1]
    member = _members(new_group, ends)
    position = np.full(n_codes, -1, np.int32)
    n = np.int32(0)
    for new in range(len(ends) - 1):
        new_starts[new] = n
        before = n
        first, end = ends[new], ends[new + 1]
        if end - first <= 2:
            left, right = member[first], member[end - 1]
            i, i_end = starts[left], starts[left + 1]
            j, j_end = (i_end, i_end) if left == right else (starts[right], starts[right + 1])
            while i < i_end and j < j_end:
                # The class that is not taken now is placed again, for good, in a later round.
                at[i], at[j] = n, n
                left_code, right_code = code[i], code[j]
                to_code[n] = min(left_code, right_code)
                i += np.int32(left_code <= right_code)
                j += np.int32(right_code <= left_code)
                n += np.int32(1)
            if i == i_end:
                i, i_end = j, j_end
            while i < i_end:
                at[i] = n
                to_code[n] = code[i]
                i += np.int32(1)
                n += np.int32(1)
        else:
            low, high = np.int32(n_codes), np.int32(-1)
            for m in range(first, end):
                i, i_end = starts[member[m]], starts[member[m] + 1]
                low, high = min(low, code[i]), max(high, code[i_end - 1])
                for entry in range(i, i_end):
                    position[code[entry]] = 0
            for value in range(low, high + 1):
                if position[value] == 0:
                    position[value] = n
                    to_code[n] = value
                    n += np.int32(1)
            for m in range(first, end):
                for entry in range(starts[member[m]], starts[member[m] + 1]):
                    at[entry] = position[code[entry]]
            position[low : high + 1] = -1
        to_group[before:n] = new
    new_starts[len(ends) - 1] = n
    n_old = np.int64(starts[len(new_group)])
    add_up(at, n_old, np.int64(n), size, present, sensitive, target, into)


@compiled
def raise_field(keys, starts, table, shift, mask, parent, n_codes, new_starts, at, into):  # type: ignore[no-untyped-def]
    """Raise one field of the group keys and merge the classes; returns the new keys.

    The new classes are written to the front of `into`, where their groups end to `new_starts`.
    """
    new_group, new_keys, ends = _raise_groups(keys, shift, mask, parent)
    _merge_groups(starts, table, new_group, ends, n_codes, new_starts, at, into)
    return new_keys
