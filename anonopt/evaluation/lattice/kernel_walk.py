"""Compiled kernel (extra ``fast``): all nodes of a part of the lattice, depth first.

It does what the walk of `anonopt.evaluation.lattice.rollup.NumpyWalker` does, to the bit. A whole
part is one call, so that threads wait neither for the interpreter nor for each other meanwhile.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_rollup import raise_field, stream_levels
from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def _table_at(depth, start, rooms):  # type: ignore[no-untyped-def]
    """Classes of the node at a depth of the path: those of the start, or written there last."""
    group, code, size, present, sensitive, target = rooms
    if depth == 0:
        return start
    at = depth - 1
    return group[at], code[at], size[at], present[at], sensitive[at], target[at]


@compiled
def walk_part(start, level, first, bounds, fields, streams, rooms, buffers, at, scratch, out):  # type: ignore[no-untyped-def]
    """Statistics of all nodes reached by raising the fields from `first` on.

    Parameters
    ----------
    start : tuple
        Keys of the groups, their ends and the classes of the node that the walk starts from.
    level : int64 array (n_fields,)
        Its levels, by attribute; it holds those of the walk's place meanwhile.
    first : int
        First field that is raised.
    bounds : tuple of int64 arrays (n_fields,)
        By field: the attribute, its highest level, and how many rows of `out` a level is.
    fields : tuple
        Shifts and masks of the attributes' fields; the codes at the next level, one attribute and
        level after the other, and where those of each begin; the number of streamed codes.
    streams : tuple
        The streamed codes at the next level of each level, and the plan of `stream_levels`.
    rooms : tuple
        For each depth of the path: keys, ends, classes; the number of groups (n_depths,).
    buffers, at, scratch
        As `stream_levels` takes them.
    out : int64 array (n_nodes, n_statistics)
        In the order of the key.
    """
    attributes, highest, strides = bounds
    shifts, masks, parents, parents_begin, n_codes = fields
    streamed_parents, plan = streams
    keys_room, starts_room, table_room, n_groups = rooms
    streamed = len(attributes) - 1
    lowest = level[attributes[streamed]]
    n_streamed = highest[streamed] - lowest + 1
    path, next_field = np.empty(len(n_groups) + 1, np.int64), first
    depth, row, is_new = np.int64(0), np.int64(0), True
    while True:
        keys, starts = start[0], start[1]
        if depth > 0:
            keys, starts = keys_room[depth - 1, : n_groups[depth - 1]], starts_room[depth - 1]
        table = _table_at(depth, start[2], table_room)
        if is_new:
            found = out[row : row + n_streamed]
            stream_levels(
                keys, starts, table, level, streamed_parents, plan, buffers, at, scratch, found
            )
            level[attributes[streamed]] = lowest
        while next_field < streamed and level[attributes[next_field]] == highest[next_field]:
            next_field += 1
        is_new = next_field < streamed
        if is_new:
            attribute = attributes[next_field]
            parent = parents[parents_begin[attribute, level[attribute]] :]
            shift, mask = shifts[attribute], masks[attribute]
            into = _table_at(depth + 1, start[2], table_room)
            new_keys = raise_field(
                keys, starts, table, shift, mask, parent, n_codes, starts_room[depth], at, into
            )
            n_groups[depth] = len(new_keys)
            for group in range(len(new_keys)):
                keys_room[depth, group] = new_keys[group]
            level[attribute] += 1
            row += strides[next_field]
            path[depth] = next_field
            depth += 1
        elif depth > 0:
            depth -= 1
            level[attributes[path[depth]]] -= 1
            row -= strides[path[depth]]
            next_field = path[depth] + 1
        else:
            break
