"""What columns can save together, where the rows that they suppress have to fit into a budget.

Each column that is lowered suppresses some rows; several that are lowered suppress at least all of
these. So what they save is at most the value of a knapsack: each row is shared out among the
columns that suppress it, in any shares, and the shares of the columns that are lowered must not
exceed the budget. Shares that make this value small are a good bound.

The functions are plain loops that :mod:`anonopt.optima.kernel_cover` compiles as they stand. A
*mark* is a row, or several that are always in the same class, that a column suppresses.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import CodeArray, FloatArray, IntArray

ROUNDS = 3
"""How often rows are shared out before a bound is taken for what it is."""

HALVINGS = 16
"""Steps in which the price of a row is found; any price gives a true bound."""


def find_loads(
    firsts: IntArray,
    places: CodeArray,
    ends: CodeArray,
    shares: FloatArray,
    rows: IntArray,
    loads: FloatArray,
) -> None:
    """Rows that a column takes of the budget at each level.

    Parameters
    ----------
    firsts : int64 array (n_columns + 1,)
        First mark of each column, and the number of marks.
    places : int32 array (n_marks,)
        Member that is marked.
    ends : int32 array (n_marks,)
        Highest level at which it is suppressed.
    shares : float64 array (n_marks,)
        Those of one member add up to at most 1.
    rows : int64 array (n_members,)
    loads : float64 array (n_columns, n_levels)
        Filled here.
    """
    loads[:] = 0.0
    for column in range(len(firsts) - 1):
        for mark in range(firsts[column], firsts[column + 1]):
            load = shares[mark] * rows[places[mark]]
            for level in range(ends[mark] + 1):
                loads[column, level] += load


def share_evenly(n_marks: int, places: CodeArray, shares: FloatArray, counts: IntArray) -> None:
    """Each member is shared by all columns that suppress it; `counts`, (n_members,), are 0."""
    for mark in range(n_marks):
        counts[places[mark]] += 1
    for mark in range(n_marks):
        shares[mark] = 1.0 / counts[places[mark]]
    for mark in range(n_marks):
        counts[places[mark]] = 0


def most_saved(
    budget: int, lows: IntArray, heights: IntArray, savings: FloatArray, loads: FloatArray
) -> tuple[float, float]:
    """Bound of what columns can save within a budget of rows.

    Parameters
    ----------
    budget : int
    lows, heights : int64 arrays (n_columns,)
        Levels that a column can be at: from the one up to the other, where it saves nothing.
    savings, loads : float64 arrays (n_columns, n_levels)
        What a column saves at a level, not above 0 where it must not be at it, and the rows that
        it takes.

    Returns
    -------
    saved : float
    price : float
        What a row was taken to be worth.
    """
    low = high = price = 0.0
    least = np.inf
    for column in range(len(lows)):
        for level in range(lows[column], heights[column]):
            if loads[column, level] > 0.0:
                high = max(high, savings[column, level] / loads[column, level])
    tried = 0.0
    for _ in range(HALVINGS + 1):
        saved, used = tried * budget, 0.0
        for column in range(len(lows)):
            best, load = 0.0, 0.0
            for level in range(lows[column], heights[column]):
                value = savings[column, level] - tried * loads[column, level]
                if value > best:
                    best, load = value, loads[column, level]
            saved += best
            used += load
        if saved < least:
            least, price = saved, tried
        if used > budget:
            low = tried
        else:
            high = tried
        tried = (low + high) / 2.0
        if high == 0.0:
            break
    return least, price


def share_better(
    price: float,
    firsts: IntArray,
    places: CodeArray,
    shares: FloatArray,
    lows: IntArray,
    heights: IntArray,
    savings: FloatArray,
    loads: FloatArray,
    spare: FloatArray,
    counts: IntArray,
) -> None:
    """Take from columns that are too dear at a price what they do not need, for the others.

    `spare` and `counts`, (n_members,), are 0 before and after.
    """
    n_columns = len(lows)
    for column in range(n_columns):
        value, needed = -1.0, 0.0
        for level in range(lows[column], heights[column]):
            if savings[column, level] > 0.0:
                load = price * loads[column, level]
                value = max(value, savings[column, level] - load)
                if load > 0.0:
                    needed = max(needed, savings[column, level] / load)
        if value < 0.0:
            for mark in range(firsts[column], firsts[column + 1]):
                spare[places[mark]] += shares[mark] * (1.0 - needed)
                shares[mark] *= needed
        elif value > 0.0:
            for mark in range(firsts[column], firsts[column + 1]):
                counts[places[mark]] += 1
                # A share below 0 stands for one that may grow.
                shares[mark] = -shares[mark]
    n_marks = firsts[n_columns]
    for mark in range(n_marks):
        if shares[mark] < 0.0:
            place = places[mark]
            shares[mark] = spare[place] / counts[place] - shares[mark]
    for mark in range(n_marks):
        spare[places[mark]] = 0.0
        counts[places[mark]] = 0


def raise_lows(
    saved: float,
    price: float,
    needed: float,
    lows: IntArray,
    heights: IntArray,
    savings: FloatArray,
    loads: FloatArray,
) -> bool:
    """Raise the lowest levels with which less can be saved than is needed; tell if there are any.

    Parameters
    ----------
    saved, price : float
        See `most_saved`.
    needed : float
        What is saved has to be more.
    lows, heights, savings, loads : arrays
        See there; `lows` are raised.
    """
    raised = False
    for column in range(len(lows)):
        best = 0.0
        for level in range(lows[column], heights[column]):
            best = max(best, savings[column, level] - price * loads[column, level])
        while lows[column] < heights[column]:
            level = lows[column]
            value = savings[column, level] - price * loads[column, level]
            if savings[column, level] > 0.0 and saved - best + value > needed:
                break
            lows[column] += 1
            raised = True
    return raised
