"""Kernels: go from region to region of a recoding, group it anew, and keep what loses no more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray
from anonopt.local_recoding.regions.kernel_labels import joined, joined_cost
from anonopt.local_recoding.regions.kernel_regroup import (
    Regrouped,
    Units,
    empty_groups,
    regroup,
    set_label,
)
from anonopt.local_recoding.regions.plain_kernel import compiled_or_plain

TOLERANCE = 1e-12
"""Sums of losses that are equal may differ by this."""

OFFSET, STRIDE = 8191, 4099
"""Where in the shared random numbers a region and each of its tries begin."""


class Work(NamedTuple):
    """How much is tried.

    Attributes
    ----------
    tries : int
        Random groupings of a region.
    most_rows : int
        Rows of a region, as long as it has more than one group.
    rows : int
        Rows of all regions together.
    """

    tries: int
    most_rows: int
    rows: int


class Room(NamedTuple):
    """Arrays in which regions are grouped, used again and again.

    Attributes
    ----------
    best, other : Regrouped
    place : int64 array (n_units,)
        Position of each unit in the pool, -1 if it is not there.
    pool, pooled : int64 arrays (n_rows,)
        Units of a pool, and how many rows of each.
    left : int64 array (n_rows,)
    costs : float64 array (n_rows,)
    near : int64 array (n_nearest,)
    far : float64 array (n_nearest,)
    """

    best: Regrouped
    other: Regrouped
    place: IntArray
    pool: IntArray
    pooled: IntArray
    left: IntArray
    costs: FloatArray
    near: IntArray
    far: FloatArray


def room_for(units: Units, k: int, n_nearest: int) -> Room:
    """Room for regions of up to all rows."""
    n_rows, n_columns = int(units.rows.sum()), units.codes.shape[1]
    shape = n_rows, n_columns, units.n_values, k
    return Room(
        empty_groups(*shape),
        empty_groups(*shape),
        np.full(len(units.rows), -1, dtype=np.int64),
        np.empty(n_rows, dtype=np.int64),
        np.empty(n_rows, dtype=np.int64),
        np.empty(n_rows, dtype=np.int64),
        np.empty(n_rows),
        np.empty(n_nearest, dtype=np.int64),
        np.empty(n_nearest),
    )


class Partition(NamedTuple):
    """A recoding that is being changed: groups, and the rows of units that each has.

    Attributes
    ----------
    alive : bool array (n_groups,)
        Places of groups that are in use.
    label : int32 array (n_groups, 2, n_quasi_identifiers)
        Of each group, see `LabelTree`.
    cost : float64 array (n_groups,)
        Of a row of each group.
    rows : int64 array (n_groups,)
    first : int64 array (n_groups,)
        First piece of each group, -1 for none.
    piece_unit, piece_rows, piece_next : int64 arrays (n_pieces,)
        Rows of a unit that a group has, and the next piece of the group.
    free_groups, free_pieces : int64 arrays
        Places that are not in use; the first ones, as many as `counts` says.
    suppressed : int64 array (budget,)
        Unit of each suppressed row; the first ones, as many as `counts` says.
    counts : int64 array (3,)
        Free groups, free pieces, suppressed rows.
    """

    alive: BoolArray
    label: CodeArray
    cost: FloatArray
    rows: IntArray
    first: IntArray
    piece_unit: IntArray
    piece_rows: IntArray
    piece_next: IntArray
    free_groups: IntArray
    free_pieces: IntArray
    suppressed: IntArray
    counts: IntArray


@compiled_or_plain
def nearest_groups(tree, state, label, own, near, far):  # type: ignore[no-untyped-def]
    """Groups whose joined labels with a label cost least, ascending; returns how many.

    `near` is written; `far` is room for as many costs. The group `own` is left out.
    """
    n = 0
    limit = np.inf
    for other in range(len(state.alive)):
        if not state.alive[other] or other == own or state.cost[other] >= limit:
            continue
        cost = joined_cost(tree, label, state.label[other], limit)
        if cost < limit:
            n = min(n + 1, len(near))
            at = n - 1
            while at > 0 and far[at - 1] > cost:
                far[at], near[at] = far[at - 1], near[at - 1]
                at -= 1
            far[at], near[at] = cost, other
            if n == len(near):
                limit = far[n - 1]
    return n


@compiled_or_plain
def _pool_unit(unit, rows, place, pooled, n):  # type: ignore[no-untyped-def]
    """Add rows of a unit to a pool, units and their rows; returns its number of units."""
    if place[unit] < 0:
        place[unit] = n
        pooled[0][n] = unit
        pooled[1][n] = 0
        n += 1
    pooled[1][place[unit]] += rows
    return n


@compiled_or_plain
def _pool_groups(state, region, place, pooled):  # type: ignore[no-untyped-def]
    """Pool the rows of groups; returns the number of units."""
    n = np.int64(0)
    for group in region:
        piece = state.first[group]
        while piece >= 0:
            n = _pool_unit(state.piece_unit[piece], state.piece_rows[piece], place, pooled, n)
            piece = state.piece_next[piece]
    return n


@compiled_or_plain
def _pool_suppressed(tree, state, units, label, limit, place, pooled, n):  # type: ignore[no-untyped-def]
    """Pool the suppressed rows that lie within a cost of a label; returns the number of units.

    They are moved to the end of the list of suppressed rows, and no longer counted there.
    """
    wider = np.empty((2, len(tree.starts)), dtype=np.int32)
    for at in range(state.counts[2] - 1, -1, -1):
        unit = state.suppressed[at]
        if joined(tree, label, units.codes[unit], wider) <= limit:
            n = _pool_unit(unit, np.int64(1), place, pooled, n)
            state.counts[2] -= 1
            last = state.counts[2]
            state.suppressed[at], state.suppressed[last] = state.suppressed[last], unit
    return n


@compiled_or_plain
def _remove(state, region):  # type: ignore[no-untyped-def]
    """Free the places of groups and of their pieces."""
    for group in region:
        piece = state.first[group]
        while piece >= 0:
            state.free_pieces[state.counts[1]] = piece
            state.counts[1] += 1
            piece = state.piece_next[piece]
        state.alive[group] = False
        state.first[group] = -1
        state.free_groups[state.counts[0]] = group
        state.counts[0] += 1


@compiled_or_plain
def _insert(state, found, pool):  # type: ignore[no-untyped-def]
    """Put the groups of a region into free places."""
    places = np.empty(found.counts[0], dtype=np.int64)
    for g in range(found.counts[0]):
        state.counts[0] -= 1
        group = state.free_groups[state.counts[0]]
        places[g] = group
        state.alive[group] = True
        set_label(state.label, group, found.label[g])
        state.cost[group] = found.cost[g]
        state.rows[group] = found.rows[g]
    for p in range(found.counts[1]):
        unit = pool[found.piece_unit[p]]
        if found.piece_group[p] < 0:
            for _ in range(found.piece_rows[p]):
                state.suppressed[state.counts[2]] = unit
                state.counts[2] += 1
            continue
        state.counts[1] -= 1
        piece = state.free_pieces[state.counts[1]]
        group = places[found.piece_group[p]]
        state.piece_unit[piece] = unit
        state.piece_rows[piece] = found.piece_rows[p]
        state.piece_next[piece] = state.first[group]
        state.first[group] = piece


@compiled_or_plain
def chosen_region(tree, state, seed, most_rows, draws, at, near, far):  # type: ignore[no-untyped-def]
    """A group and a random number of the nearest ones, as long as they have few enough rows.

    Returns the groups and the cost of the label that covers the farthest of them.
    """
    n = nearest_groups(tree, state, state.label[seed], seed, near, far)
    n_taken = min(1 + int(draws[at] * n), n)
    region = np.empty(n_taken + 1, dtype=np.int64)
    region[0] = seed
    size, total = 1, state.rows[seed]
    for i in range(n_taken):
        if total + state.rows[near[i]] <= most_rows:
            region[size] = near[i]
            total += state.rows[near[i]]
            size += 1
    return region[:size], far[n_taken - 1] if n_taken > 0 else state.cost[seed]


@compiled_or_plain
def _best_regrouping(tree, units, pooled, n, rules, may_suppress, work, draws, at, room):  # type: ignore[no-untyped-def]
    """Group a pool anew several times; returns the least loss and whether it is in `other`."""
    pool, rows = pooled
    least, is_other = np.inf, False
    best, other = room.best, room.other
    for attempt in range(work.tries):
        start = (at + attempt * STRIDE) % len(draws)
        into = best if is_other else other
        cost = regroup(
            tree, units, pool, rows, n, rules, may_suppress, into, draws, start, room.left,
            room.costs,
        )  # fmt: skip
        if cost < least:
            least, is_other = cost, not is_other
    return least, is_other


@compiled_or_plain
def _regroup_region(tree, units, state, rules, seed, work, draws, at, room, tally):  # type: ignore[no-untyped-def]
    """Group the region around a group anew, and keep what loses no more; returns its rows."""
    region, limit = chosen_region(tree, state, seed, work.most_rows, draws, at, room.near, room.far)
    old, n_rows = 0.0, 0
    for group in region:
        old += state.rows[group] * state.cost[group]
        n_rows += state.rows[group]
    pooled = room.pool, room.pooled
    n = _pool_groups(state, region, room.place, pooled)
    before = state.counts[2]
    n = _pool_suppressed(tree, state, units, state.label[seed], limit, room.place, pooled, n)
    old += rules.price * (before - state.counts[2])
    for i in range(n):
        room.place[room.pool[i]] = -1
    may_suppress = len(state.suppressed) - state.counts[2]
    least, is_other = _best_regrouping(
        tree, units, pooled, n, rules, may_suppress, work, draws, at + 1, room
    )
    tally[0] += 1
    tally[3] += n_rows
    if least > old + TOLERANCE:
        state.counts[2] = before
        return n_rows
    tally[1] += 1
    tally[2] += least < old - TOLERANCE
    _remove(state, region)
    _insert(state, room.other if is_other else room.best, room.pool)
    return n_rows


@compiled_or_plain
def sweep(tree, units, state, rules, seeds, work, draws, room, tally):  # type: ignore[no-untyped-def]
    """Group regions around seeds anew until so many rows were grouped, or seeds end.

    `tally` gets the numbers of regions, of those that were replaced and of those that became
    better, and the rows of all.
    """
    rows_left = work.rows
    for s in range(len(seeds)):
        if rows_left <= 0:
            return
        seed = seeds[s]
        if state.alive[seed] and state.cost[seed] > 0.0:
            at = (s * OFFSET) % len(draws)
            rows_left -= _regroup_region(
                tree, units, state, rules, seed, work, draws, at, room, tally
            )
