"""Compiled kernels (extra ``fast``): rows that are lent to the rest of a cut.

They compute what `anonopt.evaluation.local.row_loans` computes, to the bit.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.evaluation.local.kernel_parts import REST, distinct, is_enough, set_levels


@compiled
def _describe_rest(order, begin, end, units, pieces, tables, c, counted, parts, rest_group):  # type: ignore[no-untyped-def]
    """Leaves and labels of the rest of a cut, and its rows."""
    codes, (unit_of, rows_of, _) = units[0], pieces
    _, _, below, firsts, _ = counted
    values = tables[2]
    lows, highs, _ = rest_group
    n_columns, n_rows = codes.shape[1], np.int64(0)
    for i in range(begin, end):
        piece = order[i]
        unit = unit_of[piece]
        if parts[values[below[c] + codes[unit, c]] - firsts[c]] == REST:
            for a in range(n_columns):
                lows[a] = codes[unit, a] if n_rows == 0 else min(lows[a], codes[unit, a])
                highs[a] = codes[unit, a] if n_rows == 0 else max(highs[a], codes[unit, a])
            n_rows += rows_of[piece]
    set_levels(tables, rest_group)
    return n_rows


@compiled
def _joined_loss(unit, codes, tables, rest_group, most):  # type: ignore[no-untyped-def]
    """Loss of a row of the rest if a unit joins it; `most` or more if it is not below that."""
    at, leaves, values, _, _, losses = tables
    lows, highs, levels = rest_group
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
def _spare_rows(order, begin, end, units, pieces, c, child, unit, counted, values):  # type: ignore[no-untyped-def]
    """Rows of a child with the sensitive value of a unit, less the one that has to stay."""
    (codes, _, words), (unit_of, rows_of, _) = units, pieces
    _, _, below, firsts, _ = counted
    n = np.int64(-1)
    for i in range(begin, end):
        other = unit_of[order[i]]
        if values[below[c] + codes[other, c]] - firsts[c] == child:
            if (words[other] == words[unit]).all():
                n += rows_of[order[i]]
    return n


@compiled
def _nearest(
    order, begin, end, units, pieces, tables, c, counted, parts, rest_words, limits, rest_group
):  # type: ignore[no-untyped-def]
    """The piece whose row costs the rest least, and how many of its rows may be lent."""
    (codes, _, words), (unit_of, rows_of, _) = units, pieces
    rows, _, below, firsts, _ = counted
    values = tables[2]
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
        loss = _joined_loss(unit, codes, tables, rest_group, least)
        if loss < least:
            most = min(rows_of[piece], rows[c, child] - limits[0])
            if limits[1] > 0:
                most = min(
                    most,
                    _spare_rows(order, begin, end, units, pieces, c, child, unit, counted, values),
                )
            if most > 0:
                found, least, may_be_lent = np.int64(piece), loss, most
    return found, np.int64(1) if needs_values else may_be_lent


@compiled
def lend(
    order,
    begin,
    end,
    units,
    pieces,
    n_pieces,
    tables,
    c,
    counted,
    parts,
    rest_words,
    limits,
    number,
    rest_group,
):  # type: ignore[no-untyped-def]
    """Lend rows of other parts to the rest until it holds enough: new pieces of group `number`.

    Returns how many pieces are new; 0 if the rest cannot be completed, and nothing is changed.
    """
    (codes, _, words), (unit_of, rows_of, group_of) = units, pieces
    rows, _, below, firsts, _ = counted
    lows, highs, _ = rest_group
    values, n = tables[2], np.int64(0)
    lenders = np.empty(limits[0] + limits[1], np.int64)
    n_rows = _describe_rest(order, begin, end, units, pieces, tables, c, counted, parts, rest_group)
    while not is_enough(n_rows, rest_words, limits):
        piece, may_be_lent = _nearest(
            order,
            begin,
            end,
            units,
            pieces,
            tables,
            c,
            counted,
            parts,
            rest_words,
            limits,
            rest_group,
        )
        if piece < 0:
            for back in range(n):
                lent = rows_of[n_pieces + back]
                rows_of[lenders[back]] += lent
                child = values[below[c] + codes[unit_of[n_pieces + back], c]] - firsts[c]
                rows[c, child] += lent
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
        set_levels(tables, rest_group)
    return n
