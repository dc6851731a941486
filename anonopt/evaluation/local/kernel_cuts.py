"""Compiled kernels (extra ``fast``): groups of rows by cuts from the top down.

They compute what `anonopt.evaluation.local.group_cuts` computes, to the bit, and are held equal to
it by tests; for the arrays see `kernel_parts`. The pieces of one group stand side by side in
`order`, which each cut sorts by the children of one label. The label of a group in a column is the
lowest that covers its rows, so nothing has to be kept of a group but where it stands.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.evaluation.local import cut_scores
from anonopt.evaluation.local.kernel_loans import lend
from anonopt.evaluation.local.kernel_parts import (
    AT,
    BELOW,
    CHILDREN,
    FIRST,
    FIRST_WEIGHT,
    LEAVES,
    LEVEL,
    PLACE,
    REST,
    count_children,
    describe,
    divide,
    find_labels,
    inlined,
)

NEVER = np.int64(-1)

_cut_score = compiled(cut_scores.cut_score)


@inlined
def _kept_loss(lows, group, columns, losses):  # type: ignore[no-untyped-def]
    """What one row of a group loses as it is."""
    kept = 0.0
    for c in range(len(lows)):
        kept += losses[columns[c, AT] + group[c, LEVEL] * columns[c, LEAVES] + lows[c]]
    return kept


@inlined
def _score(c, cut, genome, lows, group, counts, tables, losses_of_values, left, parts):  # type: ignore[no-untyped-def]
    """Score of the cut of a column into `parts`."""
    (columns, _, losses), (weights, exponent, price, lost) = tables, genome
    n_rows, rest, lent, suppresses = cut
    place, below = group[c, PLACE], group[c, BELOW]
    loss = losses[below + columns[c, LEAVES] + lows[c]]
    saved, used = 0.0, left[n_rows]
    largest, largest_loss = np.int64(0), 0.0
    value = below + group[c, FIRST]
    for child in range(group[c, CHILDREN]):
        if parts[np.uint64(child)] != REST:
            rows, child_loss = counts[np.uint64(place + child)], losses_of_values[value + child]
            saved += rows * (loss - child_loss)
            used -= left[np.uint64(rows)]
            if rows > largest:
                largest, largest_loss = rows, child_loss
    if suppresses:
        saved -= price * (rest * (lost - _kept_loss(lows, group, columns, losses)))
    else:
        used -= left[rest + lent]
    if lent > 0:
        saved -= lent * (loss - largest_loss)
        used += left[largest] - left[max(largest - lent, np.int64(0))]
    weight = weights[columns[c, FIRST_WEIGHT] + group[c, LEVEL] - 1]
    return _cut_score(weight, saved, used, exponent)


@inlined
def _choose(n_rows, limits, allowed, genome, lows, group, counts, words, tables, losses_of_values, left, barred, parts, rest_words):  # type: ignore[no-untyped-def]  # noqa: E501  # fmt: skip
    """The column to be cut, or NEVER; whether its rest is suppressed, and rows lent to it."""
    best, best_score, best_suppresses, best_lent = NEVER, 0.0, False, np.int64(0)
    for c in range(len(lows)):
        if group[c, LEVEL] == 0:
            continue
        place, n_children = group[c, PLACE], group[c, CHILDREN]
        for suppresses in range(1 + (allowed > 0)):
            may_be_lost = allowed * suppresses
            can_be, rest, lent = divide(
                place, n_children, limits, may_be_lost, counts, words, parts, rest_words
            )
            if can_be and not (lent > 0 and barred[c]):
                cut = n_rows, rest, lent, suppresses == 1
                score = _score(
                    c, cut, genome, lows, group, counts, tables, losses_of_values, left, parts
                )
                if score > best_score:
                    best, best_score = np.int64(c), score
                    best_suppresses, best_lent = suppresses == 1, lent
    if best != NEVER:
        place, n_children = group[best, PLACE], group[best, CHILDREN]
        allowed *= best_suppresses
        divide(place, n_children, limits, allowed, counts, words, parts, rest_words)
    return best, best_suppresses, best_lent


@inlined
def _sort_by_parts(begin, end, pieces, spare, digit, n, parts, ends):  # type: ignore[no-untyped-def]
    """Bring the units of each part together, the rest last; those with no rows are left out.

    `ends` is where each child's part ends, and then where the rest does.
    """
    (order, rows, paths), (spare_order, spare_rows, spare_paths) = pieces, spare
    path, shift, mask = digit[0], digit[1], digit[2]
    for part in range(n + 1):
        ends[part] = 0
    for child in range(n):
        if parts[child] == REST:
            parts[child] = n
    for i in range(begin, end):
        part = parts[(paths[path, i] >> shift) & mask]
        ends[np.uint64(part)] += rows[i] > 0
    total = begin
    for part in range(n + 1):
        total, ends[part] = total + ends[part], total
    for i in range(begin, end):
        if rows[i] > 0:
            part = parts[(paths[path, i] >> shift) & mask]
            to = np.uint64(ends[np.uint64(part)])
            ends[np.uint64(part)] += 1
            spare_order[to], spare_rows[to] = order[i], rows[i]
            for w in range(len(paths)):
                spare_paths[w, to] = paths[w, i]
    for i in range(begin, ends[n]):
        order[i], rows[i] = spare_order[i], spare_rows[i]
    for w in range(len(paths)):
        for i in range(begin, ends[n]):
            paths[w, i] = spare_paths[w, i]


@inlined
def _finish(place, number, group_of, lows, group, columns, labels, is_lost, out):  # type: ignore[no-untyped-def]
    """Give a group its number and its labels."""
    (order, begin, end), (lows_of, highs_of, _) = place, labels
    for c in range(len(lows)):
        entry = columns[c, AT] + group[c, LEVEL] * columns[c, LEAVES] + lows[c]
        out[0][number, c] = lows_of[entry]
        out[1][number, c] = highs_of[entry]
    out[2][number] = is_lost
    for i in range(begin, end):
        group_of[order[i]] = number


@inlined
def _wait(waiting, n_waiting, begin, end, is_lost):  # type: ignore[no-untyped-def]
    """Put a part on the stack, unless it is empty; how many are there then."""
    if begin == end:
        return n_waiting
    waiting[n_waiting, 0], waiting[n_waiting, 1] = begin, end
    waiting[n_waiting, 2] = is_lost
    return n_waiting + 1


@inlined
def _described(n_columns, most_children):  # type: ignore[no-untyped-def]
    """Room for lows, highs, and the rest of what is known of a group."""
    group = np.zeros((n_columns, 5), np.int64)
    for c in range(n_columns):
        group[c, PLACE] = c * most_children
    return np.empty(n_columns, np.int32), np.empty(n_columns, np.int32), group


@inlined
def _choose_and_lend(  # type: ignore[no-untyped-def]
    n_rows, place, units, rows_of, loans, n_loans, limits, budget, genome, lows, group, counts,
    words, tables, losses, left, barred, parts, rest_words, rest,
):  # fmt: skip
    """The column to be cut, whether its rest is suppressed, and how many loans there are then.

    A column whose rest cannot be lent what it needs is barred, and another one is chosen.
    """
    before = n_loans
    barred[:] = False
    while True:
        best, suppresses, lent = _choose(
            n_rows, limits, budget, genome, lows, group, counts, words, tables, losses, left,
            barred, parts, rest_words,
        )  # fmt: skip
        if lent == 0:
            return best, suppresses, n_loans
        cut = best, group[best, BELOW], group[best, FIRST], group[best, PLACE]
        n_loans = lend(
            place, cut, units, rows_of, loans, n_loans, tables, counts, limits, parts, rest_words,
            rest,
        )  # fmt: skip
        if n_loans > before:
            return best, suppresses, n_loans
        barred[best] = True


@compiled
def cut_groups(units, paths, rows_of, loans, group_of, tables, labels, left, most_children, genome, limits, budget, out):  # type: ignore[no-untyped-def]  # noqa: E501  # fmt: skip
    """Groups of units, each of which still has `rows_of` rows in the end; the others are lent.

    `loans` gets the unit, the rows and the group of each loan. Returns how many loans and how many
    groups there are.
    """
    (codes, unit_words), (columns, values, _), k = units, tables, limits[0]
    (n_units, n_columns), n_words = codes.shape, unit_words.shape[1]
    digits, order, rows = paths[0], np.arange(n_units).astype(np.int32), rows_of.copy()
    pieces = order, rows, paths[1].copy()
    spare = np.empty_like(order), np.empty_like(rows), np.empty_like(paths[1])
    differing = np.empty(len(paths[1]), np.uint64)
    waiting, n_groups, n_loans = np.empty((n_units + 1, 3), np.int64), 0, 0
    lows, _, group = _described(n_columns, most_children)
    rest = _described(n_columns, most_children)
    counts = np.empty(n_columns * most_children + 1, np.int64)
    asked = np.empty((n_columns + 1, 4), np.uint64)
    words = np.empty((n_columns * most_children, n_words), np.uint64)
    parts, ends = np.empty(most_children, np.int64), np.empty(most_children + 1, np.int64)
    rest_words, barred = np.empty(n_words, np.uint64), np.empty(n_columns, np.bool_)
    n_waiting = _wait(waiting, 0, 0, n_units, 0)
    while n_waiting > 0:
        n_waiting -= 1
        begin, end, is_lost = waiting[n_waiting, 0], waiting[n_waiting, 1], waiting[n_waiting, 2]
        place = order, begin, end
        n_rows = describe(begin, end, pieces, differing)
        find_labels(order[begin], codes, differing, digits, columns, lows, group)
        best, suppresses, before = NEVER, False, n_loans
        if is_lost == 0 and (n_rows >= 2 * k or (budget > 0 and n_rows > k)):
            count_children(
                begin, end, pieces, unit_words, digits, labels, columns, values, lows, group,
                asked, counts, words,
            )  # fmt: skip
            best, suppresses, n_loans = _choose_and_lend(
                n_rows, place, units, rows_of, loans, n_loans, limits, budget, genome, lows, group,
                counts, words, tables, labels[2], left, barred, parts, rest_words, rest,
            )  # fmt: skip
        if best == NEVER:
            _finish(place, n_groups, group_of, lows, group, columns, labels, is_lost == 1, out)
            n_groups += 1
            continue
        if n_loans > before:
            for i in range(begin, end):
                rows[i] = rows_of[order[i]]
        n, digit = (
            group[best, CHILDREN],
            digits[columns[best, FIRST_WEIGHT] + group[best, LEVEL] - 1],
        )
        _sort_by_parts(begin, end, pieces, spare, digit, n, parts, ends)
        start = ends[n - 1]
        if n_loans > before:
            place = order, start, ends[n]
            _finish(place, n_groups, group_of, rest[0], rest[2], columns, labels, False, out)
            for loan in range(before, n_loans):
                loans[loan, 2] = n_groups
            n_groups += 1
        else:
            n_waiting = _wait(waiting, n_waiting, start, ends[n], np.int64(suppresses))
        if suppresses:
            for i in range(start, ends[n]):
                budget -= rows[i]
        for part in range(n - 1, -1, -1):
            start = begin if part == 0 else ends[part - 1]
            n_waiting = _wait(waiting, n_waiting, start, ends[part], 0)
    return n_loans, n_groups
