"""Compiled kernels (extra ``fast``): rows that are lent to the rest of a cut.

They compute what `anonopt.evaluation.local.row_loans` computes, to the bit; for the arrays see
`kernel_parts`. `place` is where the group stands, the order of units, and the begin and end in it;
`cut` the column with its entries, first child, and place of counts; `rest` the lows, highs and
levels of the rest.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.local.kernel_parts import (
    AT,
    LEAVES,
    LEVEL,
    REST,
    distinct,
    inlined,
    set_levels,
)


@inlined
def _describe_rest(place, cut, codes, rows_of, values, parts, lows, highs):  # type: ignore[no-untyped-def]
    """First and last leaf of the rest of a cut in each column; returns its rows."""
    (order, begin, end), (c, below, first, _) = place, cut
    n_rows = np.int64(0)
    for i in range(begin, end):
        unit = np.uint64(order[i])
        if parts[np.int64(values[np.uint64(below + codes[unit, c])]) - first] == REST:
            for a in range(len(lows)):
                code = codes[unit, a]
                lows[a] = code if n_rows == 0 else min(lows[a], code)
                highs[a] = code if n_rows == 0 else max(highs[a], code)
            n_rows += rows_of[unit]
    return n_rows


@inlined
def _has_others(words, unit, rest_words):  # type: ignore[no-untyped-def]
    """Whether a unit has sensitive values that the rest has not."""
    others = np.uint64(0)
    for w in range(len(rest_words)):
        others |= words[unit, w] & ~rest_words[w]
    return others > 0


@inlined
def _spare_rows(place, cut, lender, units, rows_of, values):  # type: ignore[no-untyped-def]
    """Rows of the lender's child with its sensitive value, less the one that has to stay."""
    (order, begin, end), (codes, words), (c, below, _, _) = place, units, cut
    n, child = np.int64(-1), values[below + codes[lender, c]]
    for i in range(begin, end):
        other = np.uint64(order[i])
        if values[np.uint64(below + codes[other, c])] == child:
            # A unit has one value here, so that to have no others is to have the same.
            n += 0 if _has_others(words, other, words[lender]) else rows_of[other]
    return n


@inlined
def _nearest(place, cut, units, rows_of, tables, counts, limits, parts, rest_words, rest):  # type: ignore[no-untyped-def]
    """The unit whose row costs the rest least, and how many of its rows may be lent.

    What it costs is the loss of one row of the rest by the labels that cover the unit as well.
    """
    (order, begin, end), (codes, words), (c, below, first, at) = place, units, cut
    (columns, values, losses), (lows, highs, group) = tables, rest
    k, least_distinct, _ = limits
    needs_values = least_distinct > 0 and distinct(rest_words) < least_distinct
    found, least, may_be_lent = np.int64(-1), np.inf, np.int64(0)
    for i in range(begin, end):
        unit = np.uint64(order[i])
        child = np.int64(values[np.uint64(below + codes[unit, c])]) - first
        spare = counts[np.uint64(at + child)] - k
        if parts[np.uint64(child)] == REST or spare <= 0 or rows_of[unit] == 0:
            continue
        if needs_values and not _has_others(words, unit, rest_words):
            continue
        loss = 0.0
        for a in range(len(lows)):
            code = codes[unit, a]
            entry = columns[a, AT] + group[a, LEVEL] * columns[a, LEAVES]
            low, high = np.int64(min(lows[a], code)), np.int64(max(highs[a], code))
            while values[np.uint64(entry + low)] != values[np.uint64(entry + high)]:
                entry += columns[a, LEAVES]
            loss += losses[np.uint64(entry + low)]
            if loss >= least:
                break
        if loss < least:
            most = min(rows_of[unit], spare)
            if least_distinct > 0:
                most = min(most, _spare_rows(place, cut, unit, units, rows_of, values))
            if most > 0:
                found, least, may_be_lent = np.int64(unit), loss, most
    return found, np.int64(1) if needs_values else may_be_lent


@inlined
def lend(place, cut, units, rows_of, loans, n_loans, tables, counts, limits, parts, rest_words, rest):  # type: ignore[no-untyped-def]  # noqa: E501  # fmt: skip
    """Lend rows of other parts to the rest until it holds enough; `loans` gets units and rows.

    Returns how many loans there are then; as before if the rest cannot be completed, where nothing
    is changed.
    """
    (codes, words), (columns, values, _), (k, least_distinct, _) = units, tables, limits
    (c, below, first, at), (lows, highs, group) = cut, rest
    n_rows, n = _describe_rest(place, cut, codes, rows_of, values, parts, lows, highs), n_loans
    set_levels(lows, highs, group, columns, values)
    while n_rows < k or (least_distinct > 0 and distinct(rest_words) < least_distinct):
        unit, most = _nearest(
            place, cut, units, rows_of, tables, counts, limits, parts, rest_words, rest
        )
        if unit < 0:
            for back in range(n_loans, n):
                unit, rows = loans[back, 0], loans[back, 1]
                rows_of[unit] += rows
                counts[at + values[below + codes[unit, c]] - first] += rows
            return n_loans
        lent = min(most, max(k - n_rows, np.int64(1)))
        counts[at + values[below + codes[unit, c]] - first] -= lent
        rows_of[unit] -= lent
        n_rows += lent
        loans[n, 0], loans[n, 1] = unit, lent
        n += 1
        for w in range(len(rest_words)):
            rest_words[w] |= words[unit, w]
        for a in range(len(lows)):
            lows[a] = min(lows[a], codes[unit, a])
            highs[a] = max(highs[a], codes[unit, a])
        set_levels(lows, highs, group, columns, values)
    return n
