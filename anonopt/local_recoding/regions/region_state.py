"""From groups of rows to the arrays in which regions are grouped anew, and back."""

from __future__ import annotations

import numpy as np

from anonopt._typing import IntArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.local_recoding.regions.kernel_labels import joined
from anonopt.local_recoding.regions.kernel_regions import Partition
from anonopt.local_recoding.regions.kernel_regroup import Rules, Units
from anonopt.local_recoding.regions.label_tree import LabelTree, label_bounds


def units_of(tuples: DistinctTuples, *, by_value: bool) -> tuple[Units, IntArray]:
    """Rows that are alike.

    Parameters
    ----------
    tuples : DistinctTuples
    by_value : bool
        Whether rows of different sensitive values differ.

    Returns
    -------
    units : Units
    unit_of_row : int64 array (n_rows,)
    """
    values = tuples.sensitive_column.codes
    if not by_value or values is None:
        zeros = np.zeros(len(tuples.sizes), dtype=np.int32)
        codes = np.ascontiguousarray(tuples.codes)
        return Units(codes, zeros, tuples.sizes, 1), tuples.tuple_of_row
    keys = tuples.tuple_of_row * tuples.n_sensitive + values
    distinct, unit_of_row, rows = np.unique(keys, return_inverse=True, return_counts=True)
    tuple_of_unit, value = np.divmod(distinct, tuples.n_sensitive)
    codes = np.ascontiguousarray(tuples.codes[tuple_of_unit])
    return Units(codes, value.astype(np.int32), rows, tuples.n_sensitive), unit_of_row


def partition_of(
    groups: RecodedGroups, units: Units, unit_of_row: IntArray, tree: LabelTree, rules: Rules
) -> Partition:
    """A recoding as it is changed region by region.

    A group of 2k rows or more is split into groups of k, which lose no more.

    Parameters
    ----------
    groups : RecodedGroups
        Of groups that meet the rules.
    units, unit_of_row
        See `units_of`.
    tree : LabelTree
    rules : Rules
    """
    keys = groups.group_of_row.astype(np.int64) * len(units.rows) + unit_of_row
    distinct, rows = np.unique(keys, return_counts=True)
    group, unit = np.divmod(distinct, len(units.rows))
    starts = np.searchsorted(group, np.arange(groups.n_groups + 1))
    state = _empty(len(unit_of_row), len(tree.starts), rules.k, len(rows))
    for number in range(groups.n_groups):
        own = slice(starts[number], starts[number + 1])
        pieces = np.column_stack([unit[own], rows[own]])
        if groups.suppressed[number]:
            left_out = np.repeat(pieces[:, 0], pieces[:, 1])
            state = state._replace(suppressed=np.append(state.suppressed, left_out))
            continue
        for part in _parts(pieces, units, rules):
            _add_group(state, part, units, tree)
    return state


def with_budget(state: Partition, budget: int) -> Partition:
    """Room for as many suppressed rows as may be."""
    room = np.zeros(budget, dtype=np.int64)
    n = len(state.suppressed)
    room[:n] = state.suppressed
    state.counts[2] = n
    return state._replace(suppressed=room)


def recoded_groups(
    state: Partition, units: Units, unit_of_row: IntArray, tree: LabelTree
) -> RecodedGroups:
    """Groups of the rows of a table, in the order of their first rows.

    Of a unit that several groups share, the first rows go to the group of the lowest place.
    """
    alive = np.flatnonzero(state.alive)
    lows, highs = label_bounds(tree, state.label[alive])
    group, unit, rows = _pieces(state, alive)
    n_suppressed = int(state.counts[2])
    if n_suppressed:
        left_out, n_rows = np.unique(state.suppressed[:n_suppressed], return_counts=True)
        group = np.concatenate([group, np.full(len(left_out), len(alive))])
        unit, rows = np.concatenate([unit, left_out]), np.concatenate([rows, n_rows])
        tops = tree.leaves - 1
        lows, highs = np.vstack([lows, 0 * tops]), np.vstack([highs, tops])
    order = np.lexsort((group, unit))
    group_of_row = np.empty(len(unit_of_row), dtype=np.int64)
    group_of_row[np.argsort(unit_of_row, kind="stable")] = np.repeat(group[order], rows[order])
    _, first, new = np.unique(group_of_row, return_index=True, return_inverse=True)
    by_row = np.argsort(first)
    rank = np.empty_like(by_row)
    rank[by_row] = np.arange(len(by_row))
    suppressed = np.arange(len(lows)) >= len(alive)
    return RecodedGroups(
        rank[new], lows=lows[by_row], highs=highs[by_row], suppressed=suppressed[by_row]
    )


def _empty(n_rows: int, n_columns: int, k: int, n_pieces: int) -> Partition:
    """A partition without groups."""
    n_groups, room = n_rows // k + 1, n_rows + n_pieces
    return Partition(
        alive=np.zeros(n_groups, dtype=np.bool_),
        label=np.zeros((n_groups, 2, n_columns), dtype=np.int32),
        cost=np.zeros(n_groups),
        rows=np.zeros(n_groups, dtype=np.int64),
        first=np.full(n_groups, -1, dtype=np.int64),
        piece_unit=np.zeros(room, dtype=np.int64),
        piece_rows=np.zeros(room, dtype=np.int64),
        piece_next=np.full(room, -1, dtype=np.int64),
        free_groups=np.arange(n_groups)[::-1].copy(),
        free_pieces=np.arange(room)[::-1].copy(),
        suppressed=np.empty(0, dtype=np.int64),
        counts=np.array([n_groups, room, 0], dtype=np.int64),
    )


def _parts(pieces: IntArray, units: Units, rules: Rules) -> list[IntArray]:
    """Pieces (n, 2) of a group, unit and rows, in groups of k rows that meet the rules."""
    k, parts, taken = rules.k, [], 0
    n_parts = int(pieces[:, 1].sum()) // k
    ends = np.cumsum(pieces[:, 1])
    for number in range(n_parts):
        last = ends[-1] if number == n_parts - 1 else taken + k
        rows = np.minimum(ends, last) - np.maximum(ends - pieces[:, 1], taken)
        part = np.column_stack([pieces[:, 0], rows])[rows > 0]
        if len(np.unique(units.values[part[:, 0]])) < rules.distinct:
            return [pieces]
        parts.append(part)
        taken = last
    return parts


def _add_group(state: Partition, pieces: IntArray, units: Units, tree: LabelTree) -> None:
    """Put a group with its lowest label into a free place."""
    state.counts[0] -= 1
    group = state.free_groups[state.counts[0]]
    label = np.zeros((2, len(tree.starts)), dtype=np.int32)
    label[0] = units.codes[pieces[0, 0]]
    wider = np.empty_like(label)
    for unit, rows in pieces.tolist():
        state.cost[group] = joined(tree, label, units.codes[unit], wider)
        label, wider = wider, label
        state.counts[1] -= 1
        piece = state.free_pieces[state.counts[1]]
        state.piece_unit[piece], state.piece_rows[piece] = unit, rows
        state.piece_next[piece] = state.first[group]
        state.first[group] = piece
    state.label[group] = label
    state.rows[group] = pieces[:, 1].sum()
    state.alive[group] = True


def _pieces(state: Partition, alive: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Position of the group among those alive, unit and rows of each piece."""
    positions, at = np.arange(len(alive)), state.first[alive]
    found: list[IntArray] = []
    while len(at):
        found.append(np.stack([positions, state.piece_unit[at], state.piece_rows[at]]))
        at = state.piece_next[at]
        positions, at = positions[at >= 0], at[at >= 0]
    group, unit, rows = np.concatenate(found, axis=1)
    return group, unit, rows
