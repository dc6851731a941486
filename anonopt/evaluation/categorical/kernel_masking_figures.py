"""Compiled kernels (extra ``fast``): the figures of masked files, from their tables.

They compute what the functions of `anonopt.measures` compute that they are named twins of, up to
the order of the sums, and are held equal to them by tests.
"""

from __future__ import annotations

import math

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.measures.categorical.interval_disclosure import WIDTHS
from anonopt.measures.categorical.record_linkage import CHANGE, LEAST, ROUNDS, START, TIE


@compiled
def losses(joint, differences, layout, weights, scales, logarithms, n_rows):  # type: ignore[no-untyped-def]
    """DBIL, sum of all differences of contingency tables, EBIL and ID.

    `layout` is as in `kernel_masking`, `weights` is ``(steps, hits)`` by cell of the joint tables.
    """
    sizes, starts, _ = layout
    steps_between, hits_between = weights
    n_columns = len(sizes)
    hits, distance, entropy = np.int64(0), 0.0, 0.0
    for j in range(n_columns):
        size, start = sizes[j], starts[j]
        steps = np.int64(0)
        for place in range(start, starts[j + 1]):
            steps += joint[place] * steps_between[place]
            hits += joint[place] * hits_between[place]
        distance += steps / (scales[j] * n_rows)
        if size > 1:
            unknown = 0.0
            for masked in range(size):
                records = np.int64(0)
                for before in range(size):
                    records += joint[start + before * size + masked]
                of_all = logarithms[records]
                for before in range(size):
                    count = joint[start + before * size + masked]
                    unknown += count * (of_all - logarithms[count])
            entropy += unknown / (n_rows * logarithms[size])
    difference = np.int64(0)
    for place in range(len(differences)):
        difference += abs(differences[place])
    return (
        100 * distance / n_columns,
        difference,
        100 * entropy / n_columns,
        100 * hits / (WIDTHS * n_rows * n_columns),
    )


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
    unrelated, pairs, sums = np.empty(n_patterns), np.empty(n_patterns), np.empty(n_columns)
    prior = 1 / n_rows
    _products(u, 1 - prior, unrelated)
    m[:] = START
    for _ in range(ROUNDS):
        _products(m, prior, pairs)
        for pattern in range(n_patterns):
            matched = pairs[pattern]
            # UnsignedArray that do not occur have to stay 0 where both probabilities vanish.
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
