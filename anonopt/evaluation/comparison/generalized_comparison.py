"""Every figure of a generalized file in one call, comparable with those of masked files."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.comparison.covered_records import CoveredRecords
from anonopt.evaluation.comparison.expected_tables import expected_difference
from anonopt.evaluation.comparison.generalized_columns import GeneralizedColumn
from anonopt.evaluation.figures import MaskedFigures
from anonopt.measures.categorical.information_loss import contingency_loss, entropy_loss
from anonopt.measures.categorical.interval_disclosure import WIDTHS, doubled_mid_ranks
from anonopt.measures.categorical.record_linkage import check_columns


def compare_generalized(
    columns: Sequence[GeneralizedColumn], *, dimension: int = 2, per_cell: bool = False
) -> MaskedFigures:
    """Loss and risk of a generalized file.

    A cell covers the values of its column that its label stands for. Where every cell covers one
    value, all figures are those of a masked file of categories; in general

    - DBIL is the mean over the cells of ``(m - 1) / (M - 1)``, m values under the label of M in
      all (the general loss metric, in percent of its largest value), or of the distance from the
      original to the nearest value under the label where that is more. A record of ``*`` in every
      column costs 1 in each.
    - CTBIL takes expected tables of the masked file: a cell counts for each value under its label
      by the share that the value has among the originals under the label, independently of the
      other cells of its record.
    - EBIL is the entropy of the original given the label, from the joint counts of both files, by
      ``log M``.
    - ID is the probability that a value drawn by those shares lies in the interval.
    - DBRL and PRL link a record to the originals that it covers, see
      :class:`~anonopt.evaluation.comparison.covered_records.CoveredRecords`.

    Parameters
    ----------
    columns : sequence of GeneralizedColumn
    dimension : int
        Most columns of a contingency table, 1 or 2.
    per_cell : bool
        See :class:`~anonopt.evaluation.categorical.masking_evaluator.MaskingEvaluator`.

    Raises
    ------
    ValueError
        If there are more than 20 columns, or tables of more than two are asked for.
    """
    check_columns(len(columns))
    n_rows = len(columns[0].original)
    by_distance, probabilistic = CoveredRecords(columns).linkages()
    return MaskedFigures.of(
        dbil=_distance_loss(columns),
        ctbil=_contingency_loss(columns, dimension, per_cell=per_cell),
        ebil=entropy_loss(
            [_joint(column) for column in columns], [column.n_values for column in columns], n_rows
        ),
        id=100 * math.fsum(_hits(column) for column in columns) / (n_rows * len(columns)),
        dbrl=by_distance,
        prl=probabilistic,
    )


def _distance_loss(columns: Sequence[GeneralizedColumn]) -> float:
    n_rows = len(columns[0].original)
    suppressed = np.logical_and.reduce([column.is_top for column in columns])
    total = []
    for column in columns:
        *_, position = column.pairs
        kept = np.bincount(position[~suppressed], minlength=len(column.pairs[0]))
        total.append(math.fsum((kept * column.losses()).tolist()))
    return 100 * (math.fsum(total) / len(columns) + int(suppressed.sum())) / n_rows


def _contingency_loss(
    columns: Sequence[GeneralizedColumn], dimension: int, *, per_cell: bool
) -> float:
    if dimension > 2:
        raise ValueError(f"dimension: expected at most 2 for a generalized file, found {dimension}")
    tables = [[column] for column in columns]
    if dimension == 2:
        tables += [[a, b] for i, a in enumerate(columns) for b in columns[i + 1 :]]
    n_cells = sum(math.prod(column.n_values for column in table) for table in tables)
    return contingency_loss(
        math.fsum(expected_difference(table) for table in tables),
        len(tables),
        len(columns[0].original),
        n_cells=n_cells if per_cell else None,
    )


def _joint(column: GeneralizedColumn) -> tuple[IntArray, IntArray]:
    """Rows of each pair of value and label, and of its label, as `entropy_loss` takes them."""
    _, labels, counts, _ = column.pairs
    return counts, np.bincount(column.masked, minlength=len(column.runs))[labels]


def _hits(column: GeneralizedColumn) -> float:
    """Sum over the rows of the share of the intervals that hold the original value, expected."""
    values, labels, counts, _ = column.pairs
    weights = column.counts if column.n_ordered else np.zeros(0, dtype=np.int64)
    shares = np.zeros(len(values))
    n, n_rows = column.n_ordered, len(column.original)
    is_ranked = values < n
    is_covered = column.distances == 0
    total = column.weights[labels]
    # Values without a rank are disclosed by themselves alone.
    alone = ~is_ranked & is_covered
    shares[alone] = column.counts[values[alone]] / total[alone]
    if n:
        ranks = doubled_mid_ranks(weights[:n])
        at = np.flatnonzero(is_ranked)
        for percent in range(1, WIDTHS + 1):
            reach = percent * n_rows
            low = np.searchsorted(50 * ranks, 50 * ranks[values[at]] - reach, side="left")
            high = np.searchsorted(50 * ranks, 50 * ranks[values[at]] + reach, side="right")
            shares[at] += _share_within(column, labels[at], low, high) / WIDTHS
    return math.fsum((shares * counts).tolist())


def _share_within(
    column: GeneralizedColumn, labels: IntArray, low: IntArray, high: IntArray
) -> FloatArray:
    """Share of the originals under labels whose code is in ``low..high - 1``, (n,).

    Of a label that covers values of no original, each value counts once.
    """
    by_row = np.concatenate([[0], np.cumsum(column.counts)])
    by_value = np.arange(column.n_values + 1)
    is_seen = column.weights[labels] > 0
    label, start, stop = column.flat_runs
    first = np.searchsorted(label, labels)
    n_runs = np.bincount(label, minlength=len(column.runs))[labels]
    within = np.zeros(len(labels))
    for i in range(int(n_runs.max(initial=0))):
        at = np.flatnonzero(n_runs > i)
        run = first[at] + i
        left = np.maximum(start[run], low[at])
        right = np.maximum(np.minimum(stop[run], high[at]), left)
        rows, values = by_row[right] - by_row[left], right - left
        within[at] += np.where(is_seen[at], rows, by_value[values])
    return within / np.where(is_seen, column.weights[labels], column.n_covered[labels])
