"""Compiled kernels (extra ``fast``): the parts that a cut of a group would make.

They compute what `anonopt.evaluation.local.column_cuts` computes, to the bit. Few arrays are handed
on, as counting their references costs as much as the work on a small group, and places in arrays
are unsigned where it counts, as signed ones may count from the end. Arrays are

- `columns` (n_columns, 3): where the entries of a column begin, leaves, first weight;
- `values`, `highs_of`, `losses` (n_entries,): see `LabelTables`;
- `units`: codes and sets of sensitive values of units; `rows_of` (n_units,): what is left of each;
- `lows`, `highs` (n_columns,): first and last leaf of a group;
- `group` (n_columns, 5): level, entries of the level below, first child, number of children, and
  where they stand in `counts` and `words`, the rows and the values of children;
- `parts` (n_children,): the child itself, or REST; `rest_words` (n_words,): values of the rest.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.evaluation.local import cut_scores

BALANCED, STRICT = cut_scores.BALANCED, cut_scores.STRICT
REST = np.int64(-1)
AT, LEAVES, FIRST_WEIGHT = range(3)
LEVEL, BELOW, FIRST, CHILDREN, PLACE = range(5)


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
def set_levels(lows, highs, group, columns, values):  # type: ignore[no-untyped-def]
    """Level of the lowest label that covers the leaves of a group, in each column."""
    for c in range(len(lows)):
        level, entry = 0, columns[c, AT]
        low, high = np.int64(lows[c]), np.int64(highs[c])
        while values[np.uint64(entry + low)] != values[np.uint64(entry + high)]:
            level += 1
            entry += columns[c, LEAVES]
        group[c, LEVEL] = level


@compiled
def describe(order, begin, end, codes, rows_of, lows, highs):  # type: ignore[no-untyped-def]
    """First and last leaf of a group in each column; returns its rows."""
    n_columns = codes.shape[1]
    n_rows = np.int64(0)
    for c in range(n_columns):
        lows[c] = codes[order[begin], c]
        highs[c] = codes[order[begin], c]
    for i in range(begin, end):
        unit = np.uint64(order[i])
        n_rows += rows_of[unit]
        for c in range(n_columns):
            at = np.uint64(c)
            code = codes[unit, at]
            lows[at] = min(lows[at], code)
            highs[at] = max(highs[at], code)
    return n_rows


@compiled
def count_children(order, begin, end, units, rows_of, columns, values, lows, highs, group, counts, words):  # type: ignore[no-untyped-def]  # noqa: E501  # fmt: skip
    """Rows (and sets of sensitive values) of each child of each label of a group."""
    (codes, unit_words), n_words = units, words.shape[1]
    n_columns, n = len(lows), 0
    active, below, place = np.empty((3, n_columns), np.int64)
    for c in range(n_columns):
        group[c, CHILDREN] = 0
        if group[c, LEVEL] > 0:
            entry = columns[c, AT] + (group[c, LEVEL] - 1) * columns[c, LEAVES]
            first = np.int64(values[entry + lows[c]])
            group[c, BELOW], group[c, FIRST] = entry, first
            group[c, CHILDREN] = values[entry + highs[c]] - first + 1
            active[n], below[n], place[n] = c, entry, group[c, PLACE] - first
            n += 1
            for child in range(group[c, PLACE], group[c, PLACE] + group[c, CHILDREN]):
                counts[child] = 0
                for w in range(n_words):
                    words[child, w] = np.uint64(0)
    for i in range(begin, end):
        unit = np.uint64(order[i])
        rows = rows_of[unit]
        for a in range(n):
            at = np.uint64(a)
            code = np.int64(codes[unit, np.uint64(active[at])])
            to = np.uint64(place[at] + values[np.uint64(below[at] + code)])
            counts[to] += rows
            for w in range(n_words):
                words[to, w] |= unit_words[unit, w]


@compiled
def _join_smallest(n_parts, rest, place, n_children, limits, counts, words, parts, rest_words):  # type: ignore[no-untyped-def]
    """Let the smallest children join the rest until it holds enough; its rows, or 0 if never."""
    k, least_distinct, _ = limits
    while rest < k or (least_distinct > 0 and distinct(rest_words) < least_distinct):
        if n_parts < 2:
            return np.int64(0)
        smallest = -1
        for child in range(n_children):
            is_less = smallest < 0 or counts[place + child] < counts[place + smallest]
            if parts[child] != REST and is_less:
                smallest = child
        parts[smallest] = REST
        rest += counts[place + smallest]
        for w in range(len(rest_words)):
            rest_words[w] |= words[place + smallest, w]
        n_parts -= 1
    return rest


@compiled
def divide(place, n_children, limits, allowed, counts, words, parts, rest_words):  # type: ignore[no-untyped-def]
    """Which children of a label would be parts of their own, and whether it can be cut.

    With rows `allowed` to be suppressed, the rest is one of at most so many that holds too few.
    Returns whether there is such a cut, the rows of its rest, and how many must be lent to it.
    """
    k, least_distinct, kind = limits
    n_parts, rest, spare = 0, np.int64(0), np.int64(0)
    for w in range(len(rest_words)):
        rest_words[w] = np.uint64(0)
    for child in range(n_children):
        rows = counts[np.uint64(place + child)]
        enough = rows >= k
        if enough and least_distinct > 0:
            enough = distinct(words[place + child]) >= least_distinct
        if enough:
            parts[np.uint64(child)] = child
            n_parts += 1
            spare += rows - k
        else:
            parts[np.uint64(child)] = REST
            rest += rows
            for w in range(len(rest_words)):
                rest_words[w] |= words[place + child, w]
    if n_parts == 0 or rest == 0:
        return n_parts > 0 and allowed == 0, rest, np.int64(0)
    n_distinct = distinct(rest_words) if least_distinct > 0 else np.int64(0)
    enough = rest >= k and n_distinct >= least_distinct
    if allowed > 0:
        return rest <= allowed and not enough, rest, np.int64(0)
    if enough or kind < BALANCED:
        return enough and kind != STRICT, rest, np.int64(0)
    lent = max(k - rest, least_distinct - n_distinct)
    if kind == BALANCED and lent <= spare:
        return True, rest, lent
    rest = _join_smallest(
        n_parts, rest, place, n_children, limits, counts, words, parts, rest_words
    )
    return rest > 0, rest, np.int64(0)
