"""Compiled kernels (extra ``fast``): the figures of masked files, from their tables.

They compute what the functions of `anonopt.measures` compute that they are named twins of, up to
the order of the sums, and are held equal to them by tests.
"""

from __future__ import annotations

import math

import numpy as np

from anonopt.evaluation.categorical.kernel_masking import counts_of, layout_of, ties_of
from anonopt.evaluation.lattice.kernel_statistics import compiled, inlined
from anonopt.measures.categorical.interval_disclosure import WIDTHS
from anonopt.measures.categorical.record_linkage import (
    CHANGE,
    FEW_PATTERNS,
    LEAST,
    ROUNDS,
    START,
    TIE,
)


@compiled
def file_figures(numbers, logarithms, counts, sums, entropies, links, likely_linked):  # type: ignore[no-untyped-def]
    """DBIL, sum of all differences of contingency tables, EBIL, ID, DBRL and PRL.

    Arguments are as in `kernel_masking`. Entropies that are out of date are brought up to the
    tables. Last is whether PRL holds: not if the patterns rank otherwise than the links say, or
    are too many to be ranked here.
    """
    sizes, scales, starts, _, _, _ = layout_of(numbers)
    joint, _, patterns, nearest_linked = counts_of(numbers, counts)
    n_columns, n_combinations, n_rows = len(sizes), numbers[4], numbers[5]
    stale = sums[n_columns + 2]
    sums[n_columns + 2] = 0
    distance, entropy = 0.0, 0.0
    for j in range(n_columns):
        distance += sums[j] / (scales[j] * n_rows)
        if sizes[j] > 1:
            if stale >> j & 1:
                entropies[j] = _unknown(joint[starts[j] : starts[j + 1]], sizes[j], logarithms)
            entropy += entropies[j] / (n_rows * logarithms[sizes[j]])
    by_rank, holds = 0.0, False
    if len(links) and len(patterns) <= FEW_PATTERNS:
        ranks = np.empty(len(patterns), np.int64)
        rank_patterns(patterns, n_rows, ranks)
        holds = True
        for pattern in range(len(patterns)):
            holds &= ranks[pattern] == links[pattern]
        if holds:
            ties = links[len(patterns) + 2 * n_combinations :]
            by_rank = shared_links(likely_linked, ties, n_rows)
    return (
        100 * distance / n_columns,
        sums[n_columns + 1],
        100 * entropy / n_columns,
        100 * sums[n_columns] / (WIDTHS * n_rows * n_columns),
        shared_links(nearest_linked, ties_of(numbers), n_rows),
        by_rank,
        holds,
    )


@compiled
def _unknown(joint, size, logarithms):  # type: ignore[no-untyped-def]
    """Entropy of the originals of all masked categories of a column, times the records."""
    unknown = 0.0
    for masked in range(size):
        records = np.int64(0)
        for before in range(size):
            records += joint[before * size + masked]
        of_all = logarithms[records]
        for before in range(size):
            count = joint[before * size + masked]
            unknown += count * (of_all - logarithms[count])
    return unknown


@compiled
def shared_links(linked, ties, n_rows):  # type: ignore[no-untyped-def]
    """DBRL or PRL; twin of ``linkage``."""
    total = 0.0
    for i in range(len(ties)):
        total += linked[i] / ties[i]
    return 100 * total / n_rows


@compiled
def _products(shares, first, out):  # type: ignore[no-untyped-def]
    """Probability of each agreement pattern under independent columns, times `first`."""
    out[0] = first
    width = 1
    for j in range(len(shares)):
        for pattern in range(width):
            out[width + pattern] = out[pattern] * shares[j]
            out[pattern] *= 1 - shares[j]
        width *= 2


@compiled
def _agreement_shares(patterns, u):  # type: ignore[no-untyped-def]
    """Write u; twin of ``agreement_shares``."""
    total = np.int64(0)
    for pattern in range(len(patterns)):
        total += patterns[pattern]
    for j in range(len(u)):
        agreeing = np.int64(0)
        for pattern in range(len(patterns)):
            agreeing += patterns[pattern] * ((pattern >> j) & 1)
        u[j] = min(max(agreeing / total, LEAST), 1 - LEAST)


@compiled
def _match_probabilities(patterns, u, n_rows, m):  # type: ignore[no-untyped-def]
    """Write m; twin of ``match_probabilities``."""
    n_patterns, n_columns = len(patterns), len(u)
    prior, unrelated = 1 / n_rows, np.empty(n_patterns)
    _products(u, 1 - prior, unrelated)
    if n_columns == 3:
        _match_three_columns(patterns, unrelated, prior, m)
        return
    pairs, sums = np.empty(n_patterns), np.empty(n_columns)
    m[:] = START
    for _ in range(ROUNDS):
        _products(m, prior, pairs)
        for pattern in range(n_patterns):
            matched = pairs[pattern]
            # Patterns that do not occur have to stay 0 where both probabilities vanish.
            share = matched / (matched + unrelated[pattern]) if patterns[pattern] > 0 else 0.0
            pairs[pattern] = patterns[pattern] * share
        # Folding the patterns in halves sums those that agree, column by column.
        width = n_patterns
        for j in range(n_columns - 1, -1, -1):
            width //= 2
            agreeing = 0.0
            for pattern in range(width):
                agreeing += pairs[width + pattern]
                pairs[pattern] += pairs[width + pattern]
            sums[j] = agreeing
        change = 0.0
        for j in range(n_columns):
            share = min(max(sums[j] / pairs[0], LEAST), 1 - LEAST)
            change = max(change, abs(share - m[j]))
            m[j] = share
        if change < CHANGE:
            break


@compiled
def _match_three_columns(patterns, unrelated, prior, m):  # type: ignore[no-untyped-def]
    """The same rounds for three columns, as the sets of the thesis have.

    In single numbers a round takes half of the time that it takes in arrays, and up to 500 rounds
    are most of the work after a changed cell. Patterns are named by the columns that agree.
    """
    none, x, y, xy = unrelated[0], unrelated[1], unrelated[2], unrelated[3]
    z, xz, yz, xyz = unrelated[4], unrelated[5], unrelated[6], unrelated[7]
    n_none, n_x = np.float64(patterns[0]), np.float64(patterns[1])
    n_y, n_xy = np.float64(patterns[2]), np.float64(patterns[3])
    n_z, n_xz = np.float64(patterns[4]), np.float64(patterns[5])
    n_yz, n_xyz = np.float64(patterns[6]), np.float64(patterns[7])
    m_x, m_y, m_z = START, START, START
    for _ in range(ROUNDS):
        off, on = prior * (1 - m_x), prior * m_x
        off_off, on_off, off_on, on_on = off * (1 - m_y), on * (1 - m_y), off * m_y, on * m_y
        p_none, p_x = _pairs(off_off * (1 - m_z), none, n_none), _pairs(on_off * (1 - m_z), x, n_x)
        p_y, p_xy = _pairs(off_on * (1 - m_z), y, n_y), _pairs(on_on * (1 - m_z), xy, n_xy)
        p_z, p_xz = _pairs(off_off * m_z, z, n_z), _pairs(on_off * m_z, xz, n_xz)
        p_yz, p_xyz = _pairs(off_on * m_z, yz, n_yz), _pairs(on_on * m_z, xyz, n_xyz)
        # In the order in which the sums of arrays are added up.
        sum_z = p_z + p_xz + p_yz + p_xyz
        p_none, p_x, p_y, p_xy = p_none + p_z, p_x + p_xz, p_y + p_yz, p_xy + p_xyz
        sum_y = p_y + p_xy
        p_none, sum_x = p_none + p_y, p_x + p_xy
        total = p_none + sum_x
        new_x, new_y, new_z = _share(sum_x, total), _share(sum_y, total), _share(sum_z, total)
        change = max(abs(new_x - m_x), abs(new_y - m_y), abs(new_z - m_z))
        m_x, m_y, m_z = new_x, new_y, new_z
        if change < CHANGE:
            break
    m[0], m[1], m[2] = m_x, m_y, m_z


@inlined
def _pairs(matched, unrelated, count):  # type: ignore[no-untyped-def]
    return count * (matched / (matched + unrelated)) if count > 0 else 0.0


@inlined
def _share(agreeing, total):  # type: ignore[no-untyped-def]
    return min(max(agreeing / total, LEAST), 1 - LEAST)


@compiled
def _rank(m, u, ranks):  # type: ignore[no-untyped-def]
    """Write ranks of patterns; twin of ``pattern_ranks``."""
    n_patterns = len(ranks)
    order, weights = np.empty(n_patterns, np.int64), np.zeros(n_patterns)
    width = 1
    for j in range(len(u)):
        agree, differ = math.log(m[j] / u[j]), math.log((1 - m[j]) / (1 - u[j]))
        for pattern in range(width):
            weights[width + pattern] = weights[pattern] + agree
            weights[pattern] += differ
        width *= 2
    for pattern in range(n_patterns):
        place = pattern
        while place > 0 and weights[order[place - 1]] > weights[pattern]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = pattern
    rank = np.int64(0)
    ranks[order[0]] = 0
    for place in range(1, n_patterns):
        larger = weights[order[place]]
        rank += np.int64(larger - weights[order[place - 1]] > TIE * max(1.0, abs(larger)))
        ranks[order[place]] = rank


@compiled
def rank_patterns(patterns, n_rows, ranks):  # type: ignore[no-untyped-def]
    """Write ranks of agreement patterns under the estimated probabilities."""
    n_columns = 0
    while (1 << n_columns) < len(patterns):
        n_columns += 1
    m, u = np.empty(n_columns), np.empty(n_columns)
    _agreement_shares(patterns, u)
    _match_probabilities(patterns, u, n_rows, m)
    _rank(m, u, ranks)
