"""Improving a placement of rows in groups of k: cheaper groups that are there, dear ones dissolved.

Plain loops over arrays, compiled as they stand: see `anonopt.masking.cells.placement`.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import CodeArray, FloatArray, IntArray


def move_to_cheaper(
    group_of: CodeArray,
    weights: FloatArray,
    placed: IntArray,
    order: IntArray,
    k: int,
    sizes: IntArray,
) -> IntArray:
    """Move rows that their groups have beyond k to cheaper groups that are there.

    Parameters
    ----------
    placed : int64 array (n_placements, 3)
        As `place_rows` returns it.
    order : int64 array (n_placements,)
        Placements in the order in which they may move.
    sizes : int64 array (n_groups,)
        Changed.

    Returns
    -------
    placed : int64 array (n_placements, 3)
        Each row in its group.
    """
    n_sets = len(weights)
    n_placed = len(placed)
    found = np.empty((2 * n_placed + 1, 3), np.int64)
    n_found = 0
    for at in order:
        one, place, n = placed[at]
        group = group_of[place, one]
        if sizes[group] > k:
            best = place
            for other in range(n_sets):
                if weights[other] < weights[best] and sizes[group_of[other, one]] >= k:
                    best = other
            n_moving = min(n, sizes[group] - k)
            if best != place and n_moving > 0:
                sizes[group] -= n_moving
                sizes[group_of[best, one]] += n_moving
                found[n_found, 0], found[n_found, 1], found[n_found, 2] = one, best, n_moving
                n_found += 1
                n -= n_moving
        if n > 0:
            found[n_found, 0], found[n_found, 1], found[n_found, 2] = one, place, n
            n_found += 1
    return found[:n_found]


def dissolve_dear(
    group_of: CodeArray,
    weights: FloatArray,
    placed: IntArray,
    groups: IntArray,
    order: IntArray,
    k: int,
    sizes: IntArray,
) -> None:
    """Dissolve each group whose rows pay less in the cheapest other groups that are there.

    `groups` (n_placements,) are those that rows are in before, and `order` sorts them.
    """
    n_sets = len(weights)
    targets = np.empty(len(placed), np.int64)
    first = 0
    while first < len(order):
        group = groups[order[first]]
        last = first
        while last < len(order) and groups[order[last]] == group:
            last += 1
        gain, total = 0.0, 0
        for at in order[first:last]:
            one, place, n = placed[at]
            total += n
            best, best_weight = -1, np.inf
            for other in range(n_sets):
                there = group_of[other, one]
                if there != group and sizes[there] >= k and weights[other] < best_weight:
                    best, best_weight = other, weights[other]
            targets[at] = best
            gain += n * (weights[place] - best_weight)
        # Rows of groups dissolved before may have joined: then it is needed.
        if gain > 1e-9 and total == sizes[group]:
            for at in order[first:last]:
                one, place, n = placed[at]
                sizes[group] -= n
                sizes[group_of[targets[at], one]] += n
                placed[at, 1] = targets[at]
        first = last
