"""Compiled kernels (extra ``fast``): rows that are lent to the rest of a cut.

They compute what `anonopt.evaluation.local.row_loans` computes, to the bit. `place` is where the
group stands, its order and the begin and end in it; `rest` holds the parts of the cut, the
sensitive values of the rest, and its leaves and levels.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.evaluation.local.kernel_parts import REST, distinct, is_enough, set_levels


@compiled
def _describe_rest(place, c, units, pieces, tables, counted, rest):  # type: ignore[no-untyped-def]
    """Leaves and labels of the rest of a cut, and its rows."""
    (order, begin, end), codes, (unit_of, rows_of, _) = place, units[0], pieces
    (_, _, below, firsts, _), values, (parts, _, group) = counted, tables[2], rest
    lows, highs, _ = group
    n_rows = np.int64(0)
    for i in range(begin, end):
        piece = order[i]
        unit = unit_of[piece]
        if parts[values[below[c] + codes[unit, c]] - firsts[c]] == REST:
            for a in range(codes.shape[1]):
                lows[a] = codes[unit, a] if n_rows == 0 else min(lows[a], codes[unit, a])
                highs[a] = codes[unit, a] if n_rows == 0 else max(highs[a], codes[unit, a])
            n_rows += rows_of[piece]
    set_levels(tables, group)
    return n_rows


@compiled
def _joined_loss(unit, codes, tables, group, most):  # type: ignore[no-untyped-def]
    """Loss of a row of a group if a unit joins it; `most` or more if it is not below that."""
    at, leaves, values, _, _, losses = tables
    lows, highs, levels = group
    loss = 0.0
    for c in range(codes.shape[1]):
        code = codes[unit, c]
        entry = at[c] + levels[c] * leaves[c]
        low, high = min(lows[c], code), max(highs[c], code)
        while values[entry + low] != values[entry + high]:
            entry += leaves[c]
        loss += losses[entry + low]
        if loss >= most:
            break
    return loss


@compiled
def _spare_rows(place, c, lender, units, pieces, counted, values):  # type: ignore[no-untyped-def]
    """Rows of the lender's child with its sensitive value, less the one that has to stay."""
    (order, begin, end), (codes, _, words), (unit_of, rows_of, _) = place, units, pieces
    below, firsts = counted[2], counted[3]
    unit, n = unit_of[lender], np.int64(-1)
    child = values[below[c] + codes[unit, c]] - firsts[c]
    for i in range(begin, end):
        other = unit_of[order[i]]
        is_sibling = values[below[c] + codes[other, c]] - firsts[c] == child
        if is_sibling and (words[other] == words[unit]).all():
            n += rows_of[order[i]]
    return n


@compiled
def _nearest(place, c, units, pieces, tables, counted, limits, rest):  # type: ignore[no-untyped-def]
    """The piece whose row costs the rest least, and how many of its rows may be lent."""
    (order, begin, end), (codes, _, words), (unit_of, rows_of, _) = place, units, pieces
    (rows, _, below, firsts, _), values, (parts, rest_words, group) = counted, tables[2], rest
    needs_values = limits[1] > 0 and distinct(rest_words) < limits[1]
    found, least, may_be_lent = np.int64(-1), np.inf, np.int64(0)
    for i in range(begin, end):
        piece = order[i]
        unit = unit_of[piece]
        child = values[below[c] + codes[unit, c]] - firsts[c]
        if parts[child] == REST or rows[c, child] <= limits[0] or rows_of[piece] == 0:
            continue
        if needs_values and (words[unit] & ~rest_words == 0).all():
            continue
        loss = _joined_loss(unit, codes, tables, group, least)
        if loss < least:
            most = min(rows_of[piece], rows[c, child] - limits[0])
            if limits[1] > 0:
                most = min(most, _spare_rows(place, c, piece, units, pieces, counted, values))
            if most > 0:
                found, least, may_be_lent = np.int64(piece), loss, most
    return found, np.int64(1) if needs_values else may_be_lent


@compiled
def lend(place, c, units, pieces, n_pieces, number, tables, counted, limits, rest):  # type: ignore[no-untyped-def]
    """Lend rows of other parts to the rest until it holds enough: new pieces of group `number`.

    Returns how many pieces are new; 0 if the rest cannot be completed, and nothing is changed.
    """
    (codes, _, words), (unit_of, rows_of, group_of) = units, pieces
    (rows, _, below, firsts, _), values, (_, rest_words, group) = counted, tables[2], rest
    lows, highs, _ = group
    lenders, n = np.empty(limits[0] + limits[1], np.int64), np.int64(0)
    n_rows = _describe_rest(place, c, units, pieces, tables, counted, rest)
    while not is_enough(n_rows, rest_words, limits):
        piece, may_be_lent = _nearest(place, c, units, pieces, tables, counted, limits, rest)
        if piece < 0:
            for new in range(n_pieces, n_pieces + n):
                rows_of[lenders[new - n_pieces]] += rows_of[new]
                child = values[below[c] + codes[unit_of[new], c]] - firsts[c]
                rows[c, child] += rows_of[new]
            return np.int64(0)
        unit = unit_of[piece]
        lent = min(may_be_lent, max(limits[0] - n_rows, np.int64(1)))
        rows[c, values[below[c] + codes[unit, c]] - firsts[c]] -= lent
        rows_of[piece] -= lent
        n_rows += lent
        rest_words |= words[unit]
        new = n_pieces + n
        unit_of[new], rows_of[new], group_of[new] = unit, lent, number
        lenders[n] = piece
        n += 1
        for a in range(codes.shape[1]):
            lows[a] = min(lows[a], codes[unit, a])
            highs[a] = max(highs[a], codes[unit, a])
        set_levels(tables, group)
    return n
