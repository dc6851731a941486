"""Compiled kernels (extra ``fast``): groups of rows by cuts from the top down.

They compute what `anonopt.evaluation.local.group_cuts` computes, to the bit, and are held equal to it
by tests. Units of one group stand side by side in an array of their numbers, which each cut sorts
by the children of one label. The label of a group in a column is the lowest that covers its rows,
so nothing has to be kept of a group but where it stands.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.evaluation.local import cut_scores

JOINED, STRICT = cut_scores.JOINED, cut_scores.STRICT
REST = np.int64(-1)
NEVER = np.int64(-1)

_cut_score = compiled(cut_scores.cut_score)


@compiled
def _bits_set(word):  # type: ignore[no-untyped-def]
    """Number of bits that are set."""
    n = np.int64(0)
    while word:
        word &= word - np.uint64(1)
        n += 1
    return n


@compiled
def _enough(rows, words, rule):  # type: ignore[no-untyped-def]
    """Whether a group holds k rows and the distinct sensitive values asked for."""
    k, least_distinct = rule
    if rows < k:
        return False
    if least_distinct == 0:
        return True
    found = np.int64(0)
    for word in words:
        found += _bits_set(word)
    return found >= least_distinct


@compiled
def _describe(order, begin, end, codes, sizes, tables, lows, highs, levels):  # type: ignore[no-untyped-def]
    """First and last leaf of a group in each column and the level of its label; its rows."""
    at, leaves, values = tables[0], tables[1], tables[2]
    n_columns = codes.shape[1]
    first = order[begin]
    for c in range(n_columns):
        lows[c] = codes[first, c]
        highs[c] = codes[first, c]
    n_rows = np.int64(0)
    for i in range(begin, end):
        unit = order[i]
        n_rows += sizes[unit]
        for c in range(n_columns):
            code = codes[unit, c]
            lows[c] = min(lows[c], code)
            highs[c] = max(highs[c], code)
    for c in range(n_columns):
        level, entry = 0, at[c]
        while values[entry + lows[c]] != values[entry + highs[c]]:
            level += 1
            entry += leaves[c]
        levels[c] = level
    return n_rows


@compiled
def _count(order, begin, end, codes, sizes, present, tables, lows, highs, levels, counted):  # type: ignore[no-untyped-def]
    """Rows (and sets of sensitive values) of each child of each label of a group."""
    at, leaves, values = tables[0], tables[1], tables[2]
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
        unit = order[i]
        size = sizes[unit]
        for c in range(n_columns):
            if n_children[c] > 0:
                child = values[below[c] + codes[unit, c]] - firsts[c]
                rows[c, child] += size
                for w in range(n_words):
                    words[c, child, w] |= present[unit, w]


@compiled
def _complete_rest(c, n_parts, rest, kind, counted, rule, parts, rest_words):  # type: ignore[no-untyped-def]
    """Let the smallest children join the rest of a column until it holds enough; whether it does."""
    rows, words, _, _, n_children = counted
    while not _enough(rest, rest_words, rule):
        if kind != JOINED or n_parts < 2:
            return False
        smallest = -1
        for child in range(n_children[c]):
            if parts[child] != REST and (smallest < 0 or rows[c, child] < rows[c, smallest]):
                smallest = child
        parts[smallest] = REST
        rest += rows[c, smallest]
        rest_words |= words[c, smallest]
        n_parts -= 1
    return True


@compiled
def _divide(c, kind, allowed, counted, rule, parts, rest_words):  # type: ignore[no-untyped-def]
    """Which children of a column's label would be parts of their own; whether it can be cut.

    With rows `allowed` to be suppressed, the rest is one of at most so many that holds too few.
    """
    rows, words, _, _, n_children = counted
    n_parts, n_rest, rest = 0, 0, np.int64(0)
    rest_words[:] = 0
    for child in range(n_children[c]):
        parts[child] = REST
        if rows[c, child] > 0:
            if _enough(rows[c, child], words[c, child], rule):
                parts[child] = child
                n_parts += 1
            else:
                n_rest += 1
                rest += rows[c, child]
                rest_words |= words[c, child]
    if n_parts == 0 or n_rest == 0:
        return n_parts > 0 and allowed == 0
    if allowed > 0:
        return rest <= allowed and not _enough(rest, rest_words, rule)
    return kind != STRICT and _complete_rest(
        c, n_parts, rest, kind, counted, rule, parts, rest_words
    )


@compiled
def _judge(c, n_rows, suppresses, genome, counted, group, tables, bits, parts):  # type: ignore[no-untyped-def]
    """Score of the cut of a column into `parts`."""
    at, leaves, values, _, table_highs, losses = tables
    weights, first_weight, exponent, keeping, lost = genome
    rows, _, below, firsts, _ = counted
    lows, highs, levels = group
    loss = losses[at[c] + levels[c] * leaves[c] + lows[c]]
    saved, used, rest = 0.0, bits[n_rows], np.int64(0)
    leaf = np.int64(lows[c])
    while leaf <= highs[c]:
        entry = below[c] + leaf
        child = values[entry] - firsts[c]
        if parts[child] == REST:
            rest += rows[c, child]
        else:
            saved += rows[c, child] * (loss - losses[entry])
            used -= bits[rows[c, child]]
        leaf = np.int64(table_highs[entry]) + 1
    used -= bits[rest]
    if suppresses:
        kept = 0.0
        for other in range(len(levels)):
            kept += losses[at[other] + levels[other] * leaves[other] + lows[other]]
        saved -= keeping * (rest * (lost - kept))
    weight = weights[first_weight[c] + levels[c] - 1]
    return _cut_score(weight, saved / n_rows, used / n_rows, exponent)


@compiled
def _choose(n_rows, kind, allowed, genome, counted, group, rule, tables, bits, parts, rest_words):  # type: ignore[no-untyped-def]
    """The column to be cut, or NEVER, and whether its rest is suppressed."""
    levels = group[2]
    best, best_score, best_suppresses = NEVER, 0.0, False
    for c in range(len(levels)):
        if levels[c] == 0:
            continue
        for suppresses in range(1 + (allowed > 0)):
            if _divide(c, kind, allowed * suppresses, counted, rule, parts, rest_words):
                score = _judge(
                    c, n_rows, suppresses == 1, genome, counted, group, tables, bits, parts
                )
                if score > best_score:
                    best, best_score, best_suppresses = np.int64(c), score, suppresses == 1
    if best != NEVER:
        _divide(best, kind, allowed * best_suppresses, counted, rule, parts, rest_words)
    return best, best_suppresses


@compiled
def _sort_by_parts(order, begin, end, codes, c, values, counted, parts, ends, spare):  # type: ignore[no-untyped-def]
    """Bring the units of each part together, the rest last; `ends` of all children and the rest."""
    _, _, below, firsts, n_children = counted
    n = n_children[c]
    ends[: n + 1] = 0
    for i in range(begin, end):
        part = parts[values[below[c] + codes[order[i], c]] - firsts[c]]
        ends[n if part == REST else part] += 1
    total = begin
    for part in range(n + 1):
        total, ends[part] = total + ends[part], total
    for i in range(begin, end):
        part = parts[values[below[c] + codes[order[i], c]] - firsts[c]]
        part = n if part == REST else part
        spare[ends[part]] = order[i]
        ends[part] += 1
    order[begin:end] = spare[begin:end]


@compiled
def cut_groups(codes, sizes, present, tables, bits, most_children, genome, rule, kind, budget, out):  # type: ignore[no-untyped-def]
    """Groups of units; returns how many there are."""
    group_of_unit, out_lows, out_highs, suppressed = out
    (n_units, n_columns), n_words = codes.shape, present.shape[1]
    order, spare = np.arange(n_units).astype(np.int32), np.empty(n_units, np.int32)
    waiting, n_waiting, n_groups = np.empty((n_units + 1, 3), np.int64), 1, 0
    lows, highs = np.empty(n_columns, np.int32), np.empty(n_columns, np.int32)
    levels, rest_words = np.empty(n_columns, np.int64), np.empty(n_words, np.uint64)
    group = lows, highs, levels
    counted = (
        np.empty((n_columns, most_children), np.int64),
        np.empty((n_columns, most_children, n_words), np.uint64),
        np.empty(n_columns, np.int64),
        np.empty(n_columns, np.int64),
        np.empty(n_columns, np.int64),
    )
    parts, ends = np.empty(most_children, np.int64), np.empty(most_children + 1, np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, n_units, 0
    while n_waiting > 0:
        n_waiting -= 1
        begin, end, is_lost = waiting[n_waiting]
        n_rows = _describe(order, begin, end, codes, sizes, tables, lows, highs, levels)
        best, suppresses = NEVER, False
        if is_lost == 0 and n_rows > rule[0]:
            _count(order, begin, end, codes, sizes, present, tables, lows, highs, levels, counted)
            best, suppresses = _choose(
                n_rows, kind, budget, genome, counted, group, rule, tables, bits, parts, rest_words
            )
        if best == NEVER:
            for c in range(n_columns):
                entry = tables[0][c] + levels[c] * tables[1][c] + lows[c]
                out_lows[n_groups, c] = tables[3][entry]
                out_highs[n_groups, c] = tables[4][entry]
            for i in range(begin, end):
                group_of_unit[order[i]] = n_groups
            suppressed[n_groups] = is_lost == 1
            n_groups += 1
            continue
        _sort_by_parts(order, begin, end, codes, best, tables[2], counted, parts, ends, spare)
        n = counted[4][best]
        if suppresses:
            rest_begin = begin if n == 0 else ends[n - 1]
            for i in range(rest_begin, end):
                budget -= sizes[order[i]]
        stop = end
        for part in range(n, -1, -1):
            start = begin if part == 0 else ends[part - 1]
            if start < stop:
                waiting[n_waiting, 0], waiting[n_waiting, 1] = start, stop
                waiting[n_waiting, 2] = np.int64(suppresses and part == n)
                n_waiting += 1
            stop = start
    return n_groups
