"""Compiled kernels (extra ``fast``): the parts that a cut of a group would make."""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.evaluation.local import cut_scores

BALANCED, JOINED, STRICT = cut_scores.BALANCED, cut_scores.JOINED, cut_scores.STRICT
REST = np.int64(-1)


@compiled
def distinct(words):  # type: ignore[no-untyped-def]
    """Number of bits that are set."""
    n = np.int64(0)
    for w in range(len(words)):
        word = words[w]
        while word:
            word &= word - np.uint64(1)
            n += 1
    return n


@compiled
def is_enough(rows, words, limits):  # type: ignore[no-untyped-def]
    """Whether some rows hold k and the distinct sensitive values that are asked for."""
    return rows >= limits[0] and (limits[1] == 0 or distinct(words) >= limits[1])


@compiled
def set_levels(tables, group):  # type: ignore[no-untyped-def]
    """Level of the lowest label that covers the leaves of a group, in each column."""
    at, leaves, values = tables[0], tables[1], tables[2]
    lows, highs, levels = group
    for c in range(len(levels)):
        level, entry = 0, at[c]
        while values[entry + lows[c]] != values[entry + highs[c]]:
            level += 1
            entry += leaves[c]
        levels[c] = level


@compiled
def describe(place, units, pieces, tables, group):  # type: ignore[no-untyped-def]
    """First and last leaf of a group in each column and the level of its label; its rows."""
    (order, begin, end), codes, (unit_of, rows_of, _) = place, units[0], pieces
    lows, highs, _ = group
    n_columns = codes.shape[1]
    unit = unit_of[order[begin]]
    for c in range(n_columns):
        lows[c] = codes[unit, c]
        highs[c] = codes[unit, c]
    n_rows = np.int64(0)
    for i in range(begin, end):
        piece = order[i]
        unit = unit_of[piece]
        n_rows += rows_of[piece]
        for c in range(n_columns):
            code = codes[unit, c]
            lows[c] = min(lows[c], code)
            highs[c] = max(highs[c], code)
    set_levels(tables, group)
    return n_rows


@compiled
def count_children(place, units, pieces, tables, group, counted):  # type: ignore[no-untyped-def]
    """Rows (and sets of sensitive values) of each child of each label of a group."""
    (order, begin, end), (codes, _, unit_words), (unit_of, rows_of, _) = place, units, pieces
    at, leaves, values = tables[0], tables[1], tables[2]
    lows, highs, levels = group
    rows, words, below, firsts, n_children = counted
    n_columns, n_words = codes.shape[1], words.shape[2]
    for c in range(n_columns):
        n_children[c] = 0
        if levels[c] > 0:
            below[c] = at[c] + (levels[c] - 1) * leaves[c]
            firsts[c] = values[below[c] + lows[c]]
            n_children[c] = values[below[c] + highs[c]] - firsts[c] + 1
            rows[c, : n_children[c]] = 0
            words[c, : n_children[c]] = 0
    for i in range(begin, end):
        piece = order[i]
        unit, size = unit_of[piece], rows_of[piece]
        for c in range(n_columns):
            if n_children[c] > 0:
                child = values[below[c] + codes[unit, c]] - firsts[c]
                rows[c, child] += size
                for w in range(n_words):
                    words[c, child, w] |= unit_words[unit, w]


@compiled
def _join_smallest(c, n_parts, rest, counted, limits, parts, rest_words):  # type: ignore[no-untyped-def]
    """Let the smallest children join the rest until it holds enough; its rows, or 0 if never."""
    rows, words, _, _, n_children = counted
    while not is_enough(rest, rest_words, limits):
        if n_parts < 2:
            return np.int64(0)
        smallest = -1
        for child in range(n_children[c]):
            if parts[child] != REST and (smallest < 0 or rows[c, child] < rows[c, smallest]):
                smallest = child
        parts[smallest] = REST
        rest += rows[c, smallest]
        rest_words |= words[c, smallest]
        n_parts -= 1
    return rest


@compiled
def divide(c, limits, allowed, counted, parts, rest_words):  # type: ignore[no-untyped-def]
    """Which children of a column's label would be parts of their own, and whether it can be cut.

    With rows `allowed` to be suppressed, the rest is one of at most so many that holds too few.
    Returns whether there is such a cut, the rows of its rest, and how many must be lent to it.
    """
    rows, words, _, _, n_children = counted
    k, least_distinct, kind = limits
    n_parts, rest, spare = 0, np.int64(0), np.int64(0)
    rest_words[:] = 0
    for child in range(n_children[c]):
        parts[child] = REST
        if is_enough(rows[c, child], words[c, child], limits):
            parts[child] = child
            n_parts += 1
            spare += rows[c, child] - k
        elif rows[c, child] > 0:
            rest += rows[c, child]
            rest_words |= words[c, child]
    if n_parts == 0 or rest == 0:
        return n_parts > 0 and allowed == 0, rest, np.int64(0)
    enough = is_enough(rest, rest_words, limits)
    if allowed > 0:
        return rest <= allowed and not enough, rest, np.int64(0)
    if enough or kind < BALANCED:
        return enough and kind != STRICT, rest, np.int64(0)
    lent = k - rest
    if least_distinct > 0:
        lent = max(lent, least_distinct - distinct(rest_words))
    if kind == BALANCED and lent <= spare:
        return True, rest, lent
    rest = _join_smallest(c, n_parts, rest, counted, limits, parts, rest_words)
    return rest > 0, rest, np.int64(0)
