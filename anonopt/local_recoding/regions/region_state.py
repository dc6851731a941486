"""From groups of rows to the arrays in which regions are grouped anew, and back."""

from __future__ import annotations

import numpy as np

from anonopt._typing import IntArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.local_recoding.regions.kernel_regions import Partition
from anonopt.local_recoding.regions.kernel_regroup import Rules, Units
from anonopt.local_recoding.regions.label_tree import (
    LabelTree,
    label_bounds,
    label_costs,
    lowest_labels,
)


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
    groups: RecodedGroups,
    units: Units,
    unit_of_row: IntArray,
    tree: LabelTree,
    rules: Rules,
    budget: int,
) -> Partition:
    """A recoding as it is changed region by region.

    A group of 2k rows or more is split into groups of k, which lose no more, unless these would
    hold too few distinct values. Labels are the lowest that cover the rows.

    Parameters
    ----------
    groups : RecodedGroups
        Of groups that meet the rules.
    units, unit_of_row
        See `units_of`.
    tree : LabelTree
    rules : Rules
    budget : int
        Rows that may be suppressed.
    """
    group_of_row = groups.group_of_row.astype(np.int64)
    left_out = groups.suppressed[group_of_row]
    state = _empty(len(unit_of_row), len(tree.starts), rules.k, budget)
    state.suppressed[: left_out.sum()] = unit_of_row[left_out]
    state.counts[2] = left_out.sum()
    unit = unit_of_row[~left_out]
    part = _parts(group_of_row[~left_out], unit, units, rules)
    pairs, rows = np.unique(part * len(units.rows) + unit, return_counts=True)
    part, unit = np.divmod(pairs, len(units.rows))
    ends = np.flatnonzero(np.append(part[1:] != part[:-1], True)) + 1
    n, n_pieces = len(ends), len(rows)
    starts = np.append(0, ends[:-1])
    state.alive[:n] = True
    state.counts[:2] -= n, n_pieces
    state.rows[:n] = np.add.reduceat(rows, starts)
    state.first[:n] = starts
    state.piece_unit[:n_pieces], state.piece_rows[:n_pieces] = unit, rows
    following = np.arange(1, n_pieces + 1)
    following[ends - 1] = -1
    state.piece_next[:n_pieces] = following
    codes = units.codes[unit]
    state.label[:n] = lowest_labels(
        tree, np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
    )
    state.cost[:n] = label_costs(tree, state.label[:n])
    return state


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


def _empty(n_rows: int, n_columns: int, k: int, budget: int) -> Partition:
    """A partition without groups; places are taken from the first one on."""
    n_groups = n_rows // k + 1
    return Partition(
        alive=np.zeros(n_groups, dtype=np.bool_),
        label=np.zeros((n_groups, 2, n_columns), dtype=np.int32),
        cost=np.zeros(n_groups),
        rows=np.zeros(n_groups, dtype=np.int64),
        first=np.full(n_groups, -1, dtype=np.int64),
        piece_unit=np.zeros(n_rows, dtype=np.int64),
        piece_rows=np.zeros(n_rows, dtype=np.int64),
        piece_next=np.full(n_rows, -1, dtype=np.int64),
        free_groups=np.arange(n_groups)[::-1].copy(),
        free_pieces=np.arange(n_rows)[::-1].copy(),
        suppressed=np.zeros(budget, dtype=np.int64),
        counts=np.array([n_groups, n_rows, 0], dtype=np.int64),
    )


def _parts(group: IntArray, unit: IntArray, units: Units, rules: Rules) -> IntArray:
    """Number of the part of each row: groups are split into k rows as long as 2k are left."""
    order = np.lexsort((unit, group))
    sizes = np.bincount(group)
    first = np.cumsum(sizes) - sizes
    own = group[order]
    part = np.empty_like(group)
    place = np.arange(len(group)) - first[own]
    part[order] = np.minimum(place // rules.k, np.maximum(sizes[own] // rules.k - 1, 0))
    number = group * len(group) + part
    if rules.distinct:
        _, number = np.unique(number, return_inverse=True)
        pairs = np.unique(number * units.n_values + units.values[unit])
        n_values = np.bincount(pairs // units.n_values)
        short = np.unique(group[n_values[number] < rules.distinct])
        number = np.where(np.isin(group, short), group * len(group), group * len(group) + part)
    return np.asarray(np.unique(number, return_inverse=True)[1], dtype=np.int64)


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
