"""Kernels: group the rows of a region anew, greedily and with noise.

A region is a pool of units (rows that are alike), with how many rows of each. Groups grow one
after the other from a random unit by the unit that costs least, as k-member clustering grows
them (Byun et al. 2007), but by rows: of a unit of many rows a group takes what it needs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray
from anonopt.local_recoding.regions.kernel_labels import joined
from anonopt.local_recoding.regions.plain_kernel import compiled_or_plain


class Rules(NamedTuple):
    """What groups must meet, and what suppression costs.

    Attributes
    ----------
    k : int
    distinct : int
        Distinct sensitive values that a group must hold, 0 for no bound.
    price : float
        What a suppressed row costs.
    noise : float
        Candidates are compared by ``cost * (1 + noise * draw)``.
    """

    k: int
    distinct: int
    price: float
    noise: float


class Units(NamedTuple):
    """Rows that are alike: one tuple, and one sensitive value where those are bounded.

    Attributes
    ----------
    codes : int32 array (n_units, n_quasi_identifiers)
    values : int32 array (n_units,)
        Sensitive value, 0 where none is bounded.
    rows : int64 array (n_units,)
    n_values : int
    """

    codes: CodeArray
    values: CodeArray
    rows: IntArray
    n_values: int


class Regrouped(NamedTuple):
    """Groups of one region, in arrays that are used again and again.

    Attributes
    ----------
    label : int32 array (n, 2, n_quasi_identifiers)
        Of each group, see `LabelTree`.
    cost : float64 array (n,)
        Of a row of each group.
    rows, kinds : int64 arrays (n,)
        Rows and distinct sensitive values of each group.
    held : bool array (n, n_values)
        Sensitive values of each group.
    piece_unit, piece_rows, piece_group : int64 arrays (2 * n,)
        Rows of a unit (a position in the pool) that a group has; group -1 is suppressed.
    counts : int64 array (3,)
        Groups, pieces, and suppressed rows.
    """

    label: CodeArray
    cost: FloatArray
    rows: IntArray
    kinds: IntArray
    held: BoolArray
    piece_unit: IntArray
    piece_rows: IntArray
    piece_group: IntArray
    counts: IntArray


def empty_groups(n: int, n_columns: int, n_values: int, k: int) -> Regrouped:
    """Empty arrays for regions of up to n rows."""
    n_groups = n // k + 1
    return Regrouped(
        label=np.zeros((n_groups, 2, n_columns), dtype=np.int32),
        cost=np.zeros(n_groups),
        rows=np.zeros(n_groups, dtype=np.int64),
        kinds=np.zeros(n_groups, dtype=np.int64),
        held=np.zeros((n_groups, n_values), dtype=np.bool_),
        piece_unit=np.zeros(2 * n + 1, dtype=np.int64),
        piece_rows=np.zeros(2 * n + 1, dtype=np.int64),
        piece_group=np.zeros(2 * n + 1, dtype=np.int64),
        counts=np.zeros(3, dtype=np.int64),
    )


@compiled_or_plain
def set_label(labels, group, label):  # type: ignore[no-untyped-def]
    """Write the label of a group; returns whether it is another one."""
    changed = False
    for a in range(label.shape[1]):
        changed |= labels[group, 0, a] != label[0, a] or labels[group, 1, a] != label[1, a]
        labels[group, 0, a] = label[0, a]
        labels[group, 1, a] = label[1, a]
    return changed


@compiled_or_plain
def add_piece(found, units, unit, position, rows, group):  # type: ignore[no-untyped-def]
    """Give rows of a unit of the pool to a group; -1 suppresses them."""
    at = found.counts[1]
    found.piece_unit[at] = position
    found.piece_rows[at] = rows
    found.piece_group[at] = group
    found.counts[1] += 1
    if group < 0:
        found.counts[2] += rows
        return
    found.rows[group] += rows
    value = units.values[unit]
    if not found.held[group, value]:
        found.held[group, value] = True
        found.kinds[group] += 1


@compiled_or_plain
def _candidate_costs(tree, units, pool, n, left, found, group, noise, draws, at, costs):  # type: ignore[no-untyped-def]
    """What the label of a group would cost with each unit that is left, made uneven by draws."""
    label = np.empty((2, len(tree.starts)), dtype=np.int32)
    for i in range(n):
        if left[i] > 0:
            cost = joined(tree, found.label[group], units.codes[pool[i]], label)
            costs[i] = cost * (1.0 + noise * draws[at])
            at = (at + 1) % len(draws)
    return at


@compiled_or_plain
def _cheapest(units, pool, n, left, found, group, only_new, costs):  # type: ignore[no-untyped-def]
    """Position of the cheapest unit that is left, -1 if none will do."""
    best = -1
    for i in range(n):
        if left[i] == 0 or (best >= 0 and costs[i] >= costs[best]):
            continue
        if not only_new or not found.held[group, units.values[pool[i]]]:
            best = i
    return best


@compiled_or_plain
def _grow(tree, units, pool, n, left, seed, rules, found, draws, at, costs):  # type: ignore[no-untyped-def]
    """Grow one group from a unit; returns the next draw, -1 if the rows that are left do not do."""
    group = found.counts[0]
    found.kinds[group] = 0
    found.rows[group] = 0
    found.cost[group] = 0.0
    for value in range(units.n_values):
        found.held[group, value] = False
    for a in range(len(tree.starts)):
        found.label[group, 0, a] = units.codes[pool[seed], a]
        found.label[group, 1, a] = 0
    label = np.empty((2, len(tree.starts)), dtype=np.int32)
    chosen, changed = seed, True
    while True:
        missing = max(rules.distinct - found.kinds[group], 0)
        wanted = max(rules.k - found.rows[group], missing)
        if wanted == 0:
            break
        if found.rows[group] > 0:
            if changed:
                at = _candidate_costs(
                    tree, units, pool, n, left, found, group, rules.noise, draws, at, costs
                )
            chosen = _cheapest(units, pool, n, left, found, group, wanted == missing, costs)
            if chosen < 0:
                return -1
        unit = pool[chosen]
        # Only its first row can bring a sensitive value that is missing.
        is_new = missing > 0 and not found.held[group, units.values[unit]]
        room = wanted - missing + 1 if is_new else wanted - missing
        taken = min(left[chosen], max(room, 1))
        left[chosen] -= taken
        cost = joined(tree, found.label[group], units.codes[unit], label)
        changed = set_label(found.label, group, label) or found.rows[group] == 0
        found.cost[group] = cost
        add_piece(found, units, unit, chosen, taken, group)
    found.counts[0] += 1
    return at


@compiled_or_plain
def _place_rest(tree, units, pool, n, left, rules, may_suppress, found):  # type: ignore[no-untyped-def]
    """Add what is left to the groups where it costs least, or suppress it where that is less."""
    label = np.empty((2, len(tree.starts)), dtype=np.int32)
    for i in range(n):
        codes = units.codes[pool[i]]
        while left[i] > 0:
            best, least = np.int64(-1), np.inf
            for g in range(found.counts[0]):
                cost = joined(tree, found.label[g], codes, label)
                more = (found.rows[g] + left[i]) * cost - found.rows[g] * found.cost[g]
                if more < least:
                    best, least = np.int64(g), more
            if found.counts[2] < may_suppress and (best < 0 or rules.price * left[i] < least):
                taken = min(left[i], may_suppress - found.counts[2])
                add_piece(found, units, pool[i], i, taken, np.int64(-1))
                left[i] -= taken
            elif best < 0:
                return False
            else:
                found.cost[best] = joined(tree, found.label[best], codes, label)
                set_label(found.label, best, label)
                add_piece(found, units, pool[i], i, left[i], best)
                left[i] = 0
    return True


@compiled_or_plain
def regroup(tree, units, pool, rows, n, rules, may_suppress, found, draws, at, left, costs):  # type: ignore[no-untyped-def]
    """Group a pool of n units anew; returns what all rows cost, infinite if no grouping is found.

    `left` and `costs` are room for n numbers; `found` is written.
    """
    total = 0
    for i in range(3):
        found.counts[i] = 0
    for i in range(n):
        left[i] = rows[i]
        total += rows[i]
    while total >= max(rules.k, rules.distinct):
        n_left = 0
        for i in range(n):
            n_left += left[i] > 0
        pick = int(draws[at] * n_left)
        at = (at + 1) % len(draws)
        seed = -1
        while pick >= 0:
            seed += 1
            if left[seed] > 0:
                pick -= 1
        before = found.counts[1]
        after = _grow(tree, units, pool, n, left, seed, rules, found, draws, at, costs)
        if after < 0:
            for p in range(before, found.counts[1]):
                left[found.piece_unit[p]] += found.piece_rows[p]
            found.counts[1] = before
            break
        at = after
        total -= found.rows[found.counts[0] - 1]
    if not _place_rest(tree, units, pool, n, left, rules, may_suppress, found):
        return np.inf
    cost = rules.price * found.counts[2]
    for g in range(found.counts[0]):
        cost += found.rows[g] * found.cost[g]
    return cost
