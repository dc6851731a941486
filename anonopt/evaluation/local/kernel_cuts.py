"""Compiled kernels (extra ``fast``): groups of rows by cuts from the top down.

They compute what `anonopt.evaluation.local.group_cuts` computes, to the bit, and are held equal to
it by tests; for the arrays see `kernel_parts`. The pieces of one group stand side by side in
`order`, which each cut sorts by the children of one label. The label of a group in a column is the
lowest that covers its rows, so nothing has to be kept of a group but where it stands.
"""

from __future__ import annotations

import numpy as np

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
    ONE_PIECE,
    PLACE,
    REST,
    count_children,
    describe,
    divide,
    entered,
    find_labels,
    inlined,
)

NEVER = np.int64(-1)
ZERO, KEPT = np.int64(0), np.bool_(False)
"""Of the types of what else stands in their places: nothing is compiled for a bare 0 as well."""

_cut_score = inlined(cut_scores.cut_score)


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
def _sort_by_parts(begin, end, to, pieces, digit, cut, n_pieces, parts, ends):  # type: ignore[no-untyped-def]
    """Bring the pieces of each part together from `to` on, the rest last.

    Those that are lent whole are left out. `ends` is where each child's part ends, and then where
    the rest does.
    """
    (order, rows, paths), (place, n) = pieces, cut
    path, shift, mask = digit[0], digit[1], digit[2]
    for part in range(n + 1):
        ends[part] = 0
    for child in range(n):
        if parts[child] == REST:
            parts[child] = n
        ends[np.uint64(parts[child])] += n_pieces[place + child]
    for part in range(n + 1):
        to, ends[part] = to + ends[part], to
    for i in range(begin, end):
        if rows[i] > 0:
            of = np.uint64(parts[(paths[path, i] >> shift) & mask])
            at = np.uint64(ends[of])
            ends[of] += 1
            order[at], rows[at] = order[i], rows[i]
            for w in range(len(paths)):
                paths[w, at] = paths[w, i]


@inlined
def _take_loans(begin, end, pieces, rows_of, digit, place, n_pieces):  # type: ignore[no-untyped-def]
    """Leave to the pieces of a group what they still have, and count out those with no rows."""
    (order, rows, paths), path, shift, mask = pieces, digit[0], digit[1], digit[2]
    for i in range(begin, end):
        left = rows_of[order[i]]
        if left == 0:
            n_pieces[place + ((paths[path, i] >> shift) & mask)] -= 1
        rows[i] = left + ONE_PIECE * (left > 0)


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


@inlined
def _start(units, rows_of, words, pieces, group, most_children):  # type: ignore[no-untyped-def]
    """Put all units into the first half of the pieces, and tell columns where children stand."""
    order, rows, paths = pieces
    for i in range(len(units)):
        order[i], rows[i] = i, rows_of[i] + ONE_PIECE
        for w in range(len(words)):
            paths[w, i] = words[w, i]
    for c in range(len(group)):
        group[c, PLACE] = c * most_children


@entered
def cut_groups(units, paths, rows_of, loans, group_of, tables, labels, left, most_children, genome, limits, budget, room, out):  # type: ignore[no-untyped-def]  # noqa: E501  # fmt: skip
    """Groups of units, each of which still has `rows_of` rows in the end; the others are lent.

    `loans` gets the unit, the rows and the group of each loan; `room` is what `cut_room` makes. A
    cut moves the pieces of a group to the same places in the other half of the room. Returns how
    many loans and how many groups there are.
    """
    (codes, unit_words), (columns, values, _), k = units, tables, limits[0]
    n_units, n_groups, n_loans, digits = len(codes), ZERO, ZERO, paths[0]
    pieces, (lows, _, group), rest, (asked, counts, n_pieces, words, parts, ends), others = room
    (order, rows, _), (differing, waiting, rest_words, barred) = pieces, others
    _start(codes, rows_of, paths[1], pieces, group, most_children)
    n_waiting = _wait(waiting, ZERO, ZERO, n_units, ZERO)
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
                asked, counts, n_pieces, words,
            )  # fmt: skip
            best, suppresses, n_loans = _choose_and_lend(
                n_rows, place, units, rows_of, loans, n_loans, limits, budget, genome, lows, group,
                counts, words, tables, labels[2], left, barred, parts, rest_words, rest,
            )  # fmt: skip
        if best == NEVER:
            _finish(place, n_groups, group_of, lows, group, columns, labels, is_lost == 1, out)
            n_groups += 1
            continue
        digit = digits[columns[best, FIRST_WEIGHT] + group[best, LEVEL] - 1]
        n, at = group[best, CHILDREN], group[best, PLACE]
        if n_loans > before:
            _take_loans(begin, end, pieces, rows_of, digit, np.uint64(at), n_pieces)
        to = begin + n_units if begin < n_units else begin - n_units
        _sort_by_parts(begin, end, to, pieces, digit, (at, n), n_pieces, parts, ends)
        start = ends[n - 1]
        if n_loans > before:
            place = order, start, ends[n]
            _finish(place, n_groups, group_of, rest[0], rest[2], columns, labels, KEPT, out)
            for loan in range(before, n_loans):
                loans[loan, 2] = n_groups
            n_groups += 1
        else:
            n_waiting = _wait(waiting, n_waiting, start, ends[n], np.int64(suppresses))
        if suppresses:
            for i in range(start, ends[n]):
                budget -= rows[i] - ONE_PIECE
        for part in range(n - 1, -1, -1):
            start = to if part == 0 else ends[part - 1]
            n_waiting = _wait(waiting, n_waiting, start, ends[part], ZERO)
    return n_loans, n_groups
