"""Compiled kernels (extra ``fast``): groups of rows by cuts from the top down.

They compute what `anonopt.evaluation.local.group_cuts` computes, to the bit, and are held equal to
it by tests. The pieces of one group stand side by side in `order`, which each cut sorts by the
children of one label. The label of a group in a column is the lowest that covers its rows, so
nothing has to be kept of a group but where it stands.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.evaluation.local import cut_scores
from anonopt.evaluation.local.kernel_loans import lend
from anonopt.evaluation.local.kernel_parts import REST, count_children, describe, divide

NEVER = np.int64(-1)

_cut_score = compiled(cut_scores.cut_score)


@compiled
def _score(c, cut, genome, counted, group, tables, left, parts):  # type: ignore[no-untyped-def]
    """Score of the cut of a column into `parts`."""
    at, leaves, values, _, table_highs, losses = tables
    weights, first_weight, exponent, price, lost = genome
    rows, _, below, firsts, _ = counted
    lows, highs, levels = group
    n_rows, rest, lent, suppresses = cut
    loss = losses[at[c] + levels[c] * leaves[c] + lows[c]]
    saved, used = 0.0, left[n_rows]
    largest, largest_loss = np.int64(0), 0.0
    leaf = np.int64(lows[c])
    while leaf <= highs[c]:
        entry = below[c] + leaf
        child = values[entry] - firsts[c]
        if parts[child] != REST:
            saved += rows[c, child] * (loss - losses[entry])
            used -= left[rows[c, child]]
            if rows[c, child] > largest:
                largest, largest_loss = rows[c, child], losses[entry]
        leaf = np.int64(table_highs[entry]) + 1
    if suppresses:
        kept = 0.0
        for other in range(len(levels)):
            kept += losses[at[other] + levels[other] * leaves[other] + lows[other]]
        saved -= price * (rest * (lost - kept))
    else:
        used -= left[rest + lent]
    if lent > 0:
        saved -= lent * (loss - largest_loss)
        used += left[largest] - left[max(largest - lent, np.int64(0))]
    return _cut_score(weights[first_weight[c] + levels[c] - 1], saved, used, exponent)


@compiled
def _choose(n_rows, limits, allowed, genome, counted, group, tables, left, barred, rest):  # type: ignore[no-untyped-def]
    """The column to be cut, or NEVER; whether its rest is suppressed, and rows lent to it."""
    levels, (parts, rest_words, _) = group[2], rest
    best, best_score, best_suppresses, best_lent = NEVER, 0.0, False, np.int64(0)
    for c in range(len(levels)):
        if levels[c] == 0:
            continue
        for suppresses in range(1 + (allowed > 0)):
            can_be, n, lent = divide(c, limits, allowed * suppresses, counted, parts, rest_words)
            if can_be and not (lent > 0 and barred[c]):
                cut = n_rows, n, lent, suppresses == 1
                score = _score(c, cut, genome, counted, group, tables, left, parts)
                if score > best_score:
                    best, best_score = np.int64(c), score
                    best_suppresses, best_lent = suppresses == 1, lent
    if best != NEVER:
        divide(best, limits, allowed * best_suppresses, counted, parts, rest_words)
    return best, best_suppresses, best_lent


@compiled
def _sort_by_parts(place, c, units, pieces, values, counted, parts, ends, spare):  # type: ignore[no-untyped-def]
    """Bring the pieces of each part together, the rest last; empty pieces are left out.

    `ends` is where each child's part ends, and then where the rest does.
    """
    (order, begin, end), codes, (unit_of, rows_of, _) = place, units[0], pieces
    _, _, below, firsts, n_children = counted
    n = n_children[c]
    ends[: n + 1] = 0
    for i in range(begin, end):
        piece = order[i]
        part = parts[values[below[c] + codes[unit_of[piece], c]] - firsts[c]]
        ends[n if part == REST else part] += rows_of[piece] > 0
    total = begin
    for part in range(n + 1):
        total, ends[part] = total + ends[part], total
    for i in range(begin, end):
        piece = order[i]
        part = parts[values[below[c] + codes[unit_of[piece], c]] - firsts[c]]
        if rows_of[piece] > 0:
            part = n if part == REST else part
            spare[ends[part]] = piece
            ends[part] += 1
    order[begin : ends[n]] = spare[begin : ends[n]]


@compiled
def _finish(place, number, pieces, group, tables, is_lost, out):  # type: ignore[no-untyped-def]
    """Give a group its number and its labels."""
    (order, begin, end), (lows, _, levels) = place, group
    at, leaves, _, table_lows, table_highs, _ = tables
    for c in range(len(levels)):
        entry = at[c] + levels[c] * leaves[c] + lows[c]
        out[0][number, c] = table_lows[entry]
        out[1][number, c] = table_highs[entry]
    out[2][number] = is_lost
    for i in range(begin, end):
        pieces[2][order[i]] = number


@compiled
def _wait(waiting, n_waiting, begin, end, is_lost):  # type: ignore[no-untyped-def]
    """Put a part on the stack, unless it is empty; how many are there then."""
    if begin == end:
        return n_waiting
    waiting[n_waiting, 0], waiting[n_waiting, 1] = begin, end
    waiting[n_waiting, 2] = is_lost
    return n_waiting + 1


@compiled
def _leaves_and_levels(n_columns):  # type: ignore[no-untyped-def]
    return (
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.int64),
    )


@compiled
def _counts(n_columns, most_children, n_words):  # type: ignore[no-untyped-def]
    return (
        np.empty((n_columns, most_children), np.int64),
        np.empty((n_columns, most_children, n_words), np.uint64),
        np.empty(n_columns, np.int64),
        np.empty(n_columns, np.int64),
        np.empty(n_columns, np.int64),
    )


@compiled
def cut_groups(units, pieces, tables, left, most_children, genome, limits, budget, out):  # type: ignore[no-untyped-def]
    """Groups of the first pieces, one a unit; returns the numbers of pieces and of groups."""
    n_pieces, n_columns = units[0].shape
    order, spare = np.arange(n_pieces).astype(np.int32), np.empty(n_pieces, np.int32)
    waiting, n_groups, k = np.empty((n_pieces + 1, 3), np.int64), 0, limits[0]
    group, counted = (
        _leaves_and_levels(n_columns),
        _counts(n_columns, most_children, units[2].shape[1]),
    )
    parts, ends = np.empty(most_children, np.int64), np.empty(most_children + 1, np.int64)
    rest = parts, np.empty(units[2].shape[1], np.uint64), _leaves_and_levels(n_columns)
    barred = np.empty(n_columns, np.bool_)
    n_waiting = _wait(waiting, 0, 0, n_pieces, 0)
    while n_waiting > 0:
        n_waiting -= 1
        begin, end, is_lost = waiting[n_waiting]
        place = order, begin, end
        n_rows = describe(place, units, pieces, tables, group)
        best, suppresses, lent, n_lent = NEVER, False, np.int64(0), np.int64(0)
        if is_lost == 0 and (n_rows >= 2 * k or (budget > 0 and n_rows > k)):
            count_children(place, units, pieces, tables, group, counted)
            barred[:] = False
            while True:
                best, suppresses, lent = _choose(
                    n_rows, limits, budget, genome, counted, group, tables, left, barred, rest
                )
                if lent == 0:
                    break
                n_lent = lend(
                    place, best, units, pieces, n_pieces, n_groups, tables, counted, limits, rest
                )
                if n_lent > 0:
                    break
                barred[best] = True
        if best == NEVER:
            _finish(place, n_groups, pieces, group, tables, is_lost == 1, out)
            n_groups += 1
            continue
        _sort_by_parts(place, best, units, pieces, tables[2], counted, parts, ends, spare)
        n = counted[4][best]
        start = ends[n - 1]
        if n_lent > 0:
            _finish((order, start, ends[n]), n_groups, pieces, rest[2], tables, False, out)
            n_groups, n_pieces = n_groups + 1, n_pieces + n_lent
        else:
            n_waiting = _wait(waiting, n_waiting, start, ends[n], np.int64(suppresses))
        if suppresses:
            for i in range(start, ends[n]):
                budget -= pieces[1][order[i]]
        for part in range(n - 1, -1, -1):
            start = begin if part == 0 else ends[part - 1]
            n_waiting = _wait(waiting, n_waiting, start, ends[part], 0)
    return n_pieces, n_groups
