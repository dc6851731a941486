"""Compiled kernels (extra ``fast``): the figures of masked files, from their tables.

They compute what the functions of `anonopt.measures` compute that they are named twins of, up to
the order of the sums, and are held equal to them by tests.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.categorical.kernel_linkage_model import rank_patterns
from anonopt.evaluation.categorical.kernel_masking import (
    counts_of,
    entered,
    inlined,
    layout_of,
    weights_of,
)
from anonopt.measures.categorical.disclosure_risk import disclosure_risk, larger_score, mean_score
from anonopt.measures.categorical.information_loss import information_loss
from anonopt.measures.categorical.interval_disclosure import WIDTHS
from anonopt.measures.categorical.record_linkage import FEW_PATTERNS

_information_loss, _disclosure_risk = inlined(information_loss), inlined(disclosure_risk)
_larger_score, _mean_score = inlined(larger_score), inlined(mean_score)


@entered
def file_figures(numbers, logarithms, counts, sums, kept, links, likely_linked):  # type: ignore[no-untyped-def]
    """The fields of `MaskedFigures`, and whether PRL and what follows from it hold.

    They do not if the patterns rank otherwise than the links say, or are too many to be ranked
    here. Arguments are as in `kernel_masking`. What of `kept` is out of date is brought up to the
    tables.
    """
    sizes, scales, starts, _, _, _ = layout_of(numbers)
    joint, _, patterns, nearest_linked = counts_of(numbers, counts)
    n_columns, n_combinations, n_rows = len(sizes), numbers[4], numbers[5]
    stale = sums[n_columns + 2]
    distance, entropy = 0.0, 0.0
    for j in range(n_columns):
        distance += sums[j] / (scales[j] * n_rows)
        if sizes[j] > 1:
            if stale >> j & 1:
                kept[j] = _unknown(joint[starts[j] : starts[j + 1]], sizes[j], logarithms)
            entropy += kept[j] / (n_rows * logarithms[sizes[j]])
    if stale >> n_columns & 1:
        _, _, _, _, _, ties = weights_of(numbers)
        kept[n_columns] = shared_links(nearest_linked, ties, n_rows)
    by_rank_is_stale, holds = stale >> n_columns > 1, False
    if len(patterns) <= FEW_PATTERNS:
        ranks = sums[n_columns + 3 :]
        rank_patterns(patterns, n_rows, kept[n_columns + 2 :], ranks)
        holds = len(links) > 0
        if holds:
            for pattern in range(len(patterns)):
                holds &= ranks[pattern] == links[pattern]
        if holds and by_rank_is_stale:
            chosen = links[len(patterns) + 2 * n_combinations :]
            kept[n_columns + 1] = shared_links(likely_linked, chosen, n_rows)
    sums[n_columns + 2] = np.int64(0) if holds else np.int64(2) << n_columns
    dbil, ebil = 100 * distance / n_columns, 100 * entropy / n_columns
    ctbil = 100 * sums[n_columns + 1] / numbers[6]
    interval = 100 * sums[n_columns] / (WIDTHS * n_rows * n_columns)
    dbrl, prl = kept[n_columns], kept[n_columns + 1]
    loss, risk = _information_loss(dbil, ctbil, ebil), _disclosure_risk(interval, dbrl, prl)
    scores = _larger_score(loss, risk), _mean_score(loss, risk)
    return (dbil, ctbil, ebil, loss, interval, dbrl, prl, risk, scores[0], scores[1]), holds


@inlined
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


@entered
def shared_links(linked, ties, n_rows):  # type: ignore[no-untyped-def]
    """DBRL or PRL; twin of ``linkage``."""
    total = 0.0
    for i in range(len(ties)):
        total += linked[i] / ties[i]
    return 100 * total / n_rows
