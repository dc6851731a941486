"""Placing rows in groups of k that show the same cells: the core of the searches by value.

The functions are plain loops over arrays, so that the extra ``fast`` compiles them as they stand
(`anonopt.masking.cells.kernel_placement`): both ways run the same statements in the same order and
give the same bits.

A **stage** is a set of columns and the most that may be paid, for each row that is helped, for rows
that need no help themselves. Its groups take all their open rows if they are k or more, or if the
group is there already; else they may borrow what is missing from groups that have more than k.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import CodeArray, FloatArray, IntArray

OPEN = -1
"""Set of rows that have no group yet."""


def place_rows(
    group_of: CodeArray,
    weights: FloatArray,
    counts: IntArray,
    members: IntArray,
    starts: IntArray,
    held: IntArray,
    stages: IntArray,
    limits: FloatArray,
    k: int,
    sizes: IntArray,
) -> IntArray:
    """Place all rows, stage by stage.

    Parameters
    ----------
    group_of : int32 array (n_sets, n_distinct)
    weights : float array (n_sets,)
        What a row pays for each set.
    counts : int64 array (n_distinct,)
    members, starts : int64 arrays
        Distinct rows of each group, see ``Patterns.members``.
    held : int64 array (n_groups,)
        Rows of the table in each group: one of fewer than k never comes about.
    stages : int64 array (n_stages,)
        Set of each stage; the last is that of all columns, which takes whatever is left.
    limits : float array (n_stages,)
        Most that may be paid, for each row that is helped, for borrowed rows.
    k : int
        At most the number of rows.
    sizes : int64 array (n_groups,), zeros
        Gets the rows of each group.

    Returns
    -------
    int64 array (n_placements, 3)
        Distinct row, set, and number of rows.
    """
    n_distinct = len(counts)
    main = np.full(n_distinct, OPEN, np.int64)
    rows = np.zeros(n_distinct, np.int64)
    # A borrowed row is placed once, so there are never more placements than rows beside the main.
    moved = np.zeros((counts.sum(), 3), np.int64)
    n_moved = 0
    waiting = np.arange(n_distinct)
    n_waiting = n_distinct
    done = np.empty(n_distinct, np.int64)
    open_rows = np.zeros(len(sizes), np.int64)
    dear = np.zeros(len(sizes))
    for stage in range(len(stages)):
        if n_waiting == 0:
            break
        place, limit = stages[stage], limits[stage]
        is_last = stage == len(stages) - 1
        for i in range(n_waiting):
            open_rows[group_of[place, waiting[i]]] += counts[waiting[i]]
        for i in range(n_waiting):
            group = group_of[place, waiting[i]]
            n_open = open_rows[group]
            missing = k - n_open - sizes[group]
            if n_open == 0 or missing <= 0:
                continue
            if held[group] < k:
                open_rows[group] = 0
                continue
            # What is looked at once is not looked at again in this stage.
            open_rows[group] = 0
            if not is_last and (limit <= 0.0 or limit < dear[group]):
                continue
            inside = members[starts[group] : starts[group + 1]]
            n_moved, found, cost = borrow(
                group_of, weights, inside, place, missing, limit * n_open, is_last, k, sizes,
                main, rows, moved, n_moved,
            )  # fmt: skip
            if is_last and found < missing:
                lacking = missing - found
                dissolve_cheapest(group_of, weights, place, lacking, sizes, main, rows, moved, n_moved)  # fmt: skip  # noqa: E501
            if found > 0 or is_last:
                open_rows[group] = n_open
            else:
                # Looked at again when as much may be paid; what is too few can become enough.
                dear[group] = cost / n_open
        n_waiting = settle(group_of, place, k, sizes, counts, open_rows, waiting, n_waiting, done, main, rows)  # fmt: skip  # noqa: E501
    return listed(main, rows, moved[:n_moved])


def settle(
    group_of: CodeArray,
    place: int,
    k: int,
    sizes: IntArray,
    counts: IntArray,
    open_rows: IntArray,
    waiting: IntArray,
    n_waiting: int,
    done: IntArray,
    main: IntArray,
    rows: IntArray,
) -> int:
    """Place the open rows of groups that hold k with them; returns how many are left open."""
    n_left, n_done = 0, 0
    for i in range(n_waiting):
        one = waiting[i]
        group = group_of[place, one]
        if open_rows[group] == 0 or open_rows[group] + sizes[group] < k:
            waiting[n_left] = one
            n_left += 1
        else:
            done[n_done] = one
            n_done += 1
    for i in range(n_done):
        one = done[i]
        main[one], rows[one] = place, counts[one]
        sizes[group_of[place, one]] += counts[one]
    for i in range(n_done):
        open_rows[group_of[place, done[i]]] = 0
    for i in range(n_left):
        open_rows[group_of[place, waiting[i]]] = 0
    return n_left


def listed(main: IntArray, rows: IntArray, moved: IntArray) -> IntArray:
    """Placements of the rows that were not moved, and then those that were."""
    placed = np.empty((len(main) + len(moved), 3), np.int64)
    n_placed = 0
    for one in range(len(main)):
        if rows[one] > 0:
            placed[n_placed, 0], placed[n_placed, 1] = one, main[one]
            placed[n_placed, 2] = rows[one]
            n_placed += 1
    for i in range(len(moved)):
        placed[n_placed, 0], placed[n_placed, 1] = moved[i, 0], moved[i, 1]
        placed[n_placed, 2] = moved[i, 2]
        n_placed += 1
    return placed[:n_placed]


def borrow(
    group_of: CodeArray,
    weights: FloatArray,
    members: IntArray,
    place: int,
    missing: int,
    budget: float,
    is_forced: bool,
    k: int,
    sizes: IntArray,
    main: IntArray,
    rows: IntArray,
    moved: IntArray,
    n_moved: int,
) -> tuple[int, int, float]:
    """Move rows that their groups can do without, the cheapest ones, to a set.

    Nothing is moved if they are too few or cost more than the budget, unless it is forced: then
    all that there are move.

    Returns
    -------
    n_moved, n_found : int
        Entries of `moved`, and rows that were moved.
    cost : float
        What enough rows cost; 0 if there are too few.
    """
    chosen = np.empty(len(members), np.int64)
    prices = np.empty(len(members))
    n_chosen = 0
    for one in members:
        if main[one] < 0 or main[one] == place:
            continue
        if sizes[group_of[main[one], one]] > k:
            chosen[n_chosen], prices[n_chosen] = one, weights[place] - weights[main[one]]
            n_chosen += 1
    order = np.argsort(prices[:n_chosen], kind="mergesort")
    taken = np.zeros(n_chosen, np.int64)
    found, cost = 0, 0.0
    for at in order:
        if found == missing:
            break
        one = chosen[at]
        group = group_of[main[one], one]
        n = min(missing - found, rows[one], sizes[group] - k)
        if n > 0:
            sizes[group] -= n
            taken[at] = n
            found += n
            cost += n * prices[at]
    keep = is_forced or (found == missing and cost <= budget)
    for at in order:
        n = taken[at]
        if n == 0:
            continue
        one = chosen[at]
        if not keep:
            sizes[group_of[main[one], one]] += n
            continue
        moved[n_moved, 0], moved[n_moved, 1], moved[n_moved, 2] = one, place, n
        n_moved += 1
        rows[one] -= n
        sizes[group_of[place, one]] += n
    if keep:
        return n_moved, found, cost
    return n_moved, 0, cost if found == missing else 0.0


def dissolve_cheapest(
    group_of: CodeArray,
    weights: FloatArray,
    place: int,
    missing: int,
    sizes: IntArray,
    main: IntArray,
    rows: IntArray,
    moved: IntArray,
    n_moved: int,
) -> None:
    """Move whole groups, each time the one that pays least for it, until enough rows moved.

    Only called when no group has more than k rows. It changes `main` where a row moves whole.
    """
    n_distinct = len(main)
    found = 0
    while found < missing:
        best, best_price = -1, np.inf
        for one in range(n_distinct):
            if main[one] >= 0 and main[one] != place and rows[one] > 0:
                price = weights[place] - weights[main[one]]
                if price < best_price:
                    best, best_price = group_of[main[one], one], price
        for i in range(n_moved):
            one = moved[i, 0]
            if moved[i, 1] != place:
                price = weights[place] - weights[moved[i, 1]]
                if price < best_price:
                    best, best_price = group_of[moved[i, 1], one], price
        target = group_of[place, 0]
        for one in range(n_distinct):
            if main[one] >= 0 and rows[one] > 0 and group_of[main[one], one] == best:
                found += rows[one]
                sizes[target] += rows[one]
                sizes[best] -= rows[one]
                main[one] = place
        for i in range(n_moved):
            if group_of[moved[i, 1], moved[i, 0]] == best:
                found += moved[i, 2]
                sizes[target] += moved[i, 2]
                sizes[best] -= moved[i, 2]
                moved[i, 1] = place
