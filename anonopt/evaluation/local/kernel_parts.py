"""Compiled kernels (extra ``fast``): the parts that a cut of a group would make.

They compute what `anonopt.evaluation.local.column_cuts` computes, to the bit. Few arrays are handed
on, as counting their references costs as much as the work on a small group, and places in arrays
are unsigned where it counts, as signed ones may count from the end. Arrays are

- `columns` (n_columns, 4): where the entries of a column begin, leaves, first weight, height;
- `values`, `highs_of`, `losses` (n_entries,): see `LabelTables`;
- `units`: codes and sets of sensitive values of units; `rows_of` (n_units,): what is left of each;
- `pieces`: units, rows and paths (see `LabelPaths`) in the order in which groups stand, so that
  those of one group are neighbours in memory; rows are counted with ONE_PIECE a piece on top, so
  that one sum tells both;
- `digits` (n_levels, 3): word, shift and mask of the digits in paths;
- `lows`, `highs` (n_columns,): first and last leaf of a group; `lows` any leaf where it stands
  alone;
- `group` (n_columns, 5): level, entries of the level below, first child, number of children, and
  where they stand in `counts` and `words`, the rows and the values of children;
- `n_pieces`: pieces of each child, as `counts` has rows;
- `parts` (n_children,): the child itself, or REST; `rest_words` (n_words,): values of the rest.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.evaluation.local import cut_scores

BALANCED, STRICT = cut_scores.BALANCED, cut_scores.STRICT
inlined = partial(compiled, inlined=True, makes_arrays=False)
entered = partial(compiled, makes_arrays=False)

REST = np.int64(-1)
ONE_PIECE = np.int64(1) << 32
AT, LEAVES, FIRST_WEIGHT, HEIGHT = range(4)
LEVEL, BELOW, FIRST, CHILDREN, PLACE = range(5)


@inlined
def distinct(words):  # type: ignore[no-untyped-def]
    """Number of bits that are set."""
    n = np.int64(0)
    for w in range(len(words)):
        word = words[w]
        while word:
            word &= word - np.uint64(1)
            n += 1
    return n


@inlined
def set_levels(lows, highs, group, columns, values):  # type: ignore[no-untyped-def]
    """Level of the lowest label that covers the leaves of a group, in each column."""
    for c in range(len(lows)):
        level, entry = 0, columns[c, AT]
        low, high = np.int64(lows[c]), np.int64(highs[c])
        while values[np.uint64(entry + low)] != values[np.uint64(entry + high)]:
            level += 1
            entry += columns[c, LEAVES]
        group[c, LEVEL] = level


@inlined
def describe(begin, end, pieces, differing):  # type: ignore[no-untyped-def]
    """Bits in which the paths of a group differ; returns its rows."""
    _, rows, paths = pieces
    for w in range(len(differing)):
        word, first = np.uint64(0), paths[w, begin]
        for i in range(begin, end):
            word |= paths[w, i] ^ first
        differing[w] = word
    n_rows = np.int64(0)
    for i in range(begin, end):
        n_rows += rows[i]
    return n_rows - (end - begin) * ONE_PIECE


@inlined
def find_labels(unit, codes, differing, digits, columns, lows, group):  # type: ignore[no-untyped-def]
    """A leaf and the level of the lowest label that covers a group, in each column."""
    for c in range(len(lows)):
        lows[c] = codes[unit, c]
        level, digit = columns[c, HEIGHT], columns[c, FIRST_WEIGHT] + columns[c, HEIGHT] - 1
        while level > 0:
            if (differing[digits[digit, 0]] >> digits[digit, 1]) & digits[digit, 2]:
                break
            level, digit = level - 1, digit - 1
        group[c, LEVEL] = level


@inlined
def _count_two(begin, end, rows, paths, one, other, counts):  # type: ignore[no-untyped-def]
    """Rows of the children in two columns at once: a sum waits for the one before it."""
    path, shift, mask, place = one[0], one[1], one[2], one[3]
    path2, shift2, mask2, place2 = other[0], other[1], other[2], other[3]
    for i in range(begin, end):
        counts[place + ((paths[path, i] >> shift) & mask)] += rows[i]
        counts[place2 + ((paths[path2, i] >> shift2) & mask2)] += rows[i]


@inlined
def count_children(begin, end, pieces, unit_words, digits, labels, columns, values, lows, group, asked, counts, n_pieces, words):  # type: ignore[no-untyped-def]  # noqa: E501  # fmt: skip
    """Rows, pieces (and sets of sensitive values) of each child of each label of a group."""
    (order, rows, paths), n_words, n = pieces, unit_words.shape[1], 0
    for c in range(len(lows)):
        level = group[c, LEVEL]
        if level == 0:
            continue
        below = columns[c, AT] + (level - 1) * columns[c, LEAVES]
        label = below + columns[c, LEAVES] + lows[c]
        first = np.int64(values[below + labels[0][label]])
        group[c, BELOW], group[c, FIRST] = below, first
        group[c, CHILDREN] = values[below + labels[1][label]] - first + 1
        place = np.uint64(group[c, PLACE])
        for child in range(group[c, PLACE], group[c, PLACE] + group[c, CHILDREN]):
            counts[child] = 0
            for w in range(n_words):
                words[child, w] = np.uint64(0)
        digit = columns[c, FIRST_WEIGHT] + level - 1
        asked[n, 0], asked[n, 1], asked[n, 2] = digits[digit, 0], digits[digit, 1], digits[digit, 2]
        asked[n, 3] = place
        n += 1
    # Nothing that is looked at, where one column would be left over.
    asked[n, 0], asked[n, 1], asked[n, 2], asked[n, 3] = 0, 0, 0, len(counts) - 1
    for pair in range(0, n, 2):
        _count_two(begin, end, rows, paths, asked[pair], asked[pair + 1], counts)
    for c in range(len(lows)):
        if group[c, LEVEL] > 0:
            for child in range(group[c, PLACE], group[c, PLACE] + group[c, CHILDREN]):
                n_pieces[child] = counts[child] >> 32
                counts[child] -= n_pieces[child] << 32
    if n_words > 0:
        for i in range(begin, end):
            unit = np.uint64(order[i])
            for a in range(n):
                to = asked[a, 3] + ((paths[asked[a, 0], i] >> asked[a, 1]) & asked[a, 2])
                for w in range(n_words):
                    words[to, w] |= unit_words[unit, w]


@inlined
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


@inlined
def divide(place, n_children, limits, allowed, counts, words, parts, rest_words):  # type: ignore[no-untyped-def]
    """Which children of a label would be parts of their own, and whether it can be cut.

    With rows `allowed` to be suppressed, the rest is one of at most so many that holds too few.
    Returns whether there is such a cut, the rows of its rest, and how many must be lent to it.
    """
    k, least_distinct, kind = limits
    n_parts, rest, spare = np.int64(0), np.int64(0), np.int64(0)
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
