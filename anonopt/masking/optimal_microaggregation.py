"""Optimal univariate microaggregation: the groups of one column that lose least."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonopt._progress import stage, told
from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.masking.base import GroupingMethod
from anonopt.masking.groups.aggregation import aggregate
from anonopt.masking.groups.records import RecordColumn, Records

REPORTED = 4096
"""Cells between two reports of progress."""


class OptimalMicroaggregation(GroupingMethod):
    """Optimal univariate microaggregation, column by column (Hansen and Mukherjee 2003).

    The sorted cells of a column are parted into groups of k to 2k - 1 neighbors at the least
    cost, by a dynamic programme in O(N k) time and O(N + k) memory: the sum of squared
    deviations from the means of a continuous column, the sum of steps to the medians of an ordinal
    one. Missing cells of an ordinal column stand a whole range behind its last category; missing
    numbers stay missing and are in no group.
    Each cell becomes the aggregate of its group, as by :class:`anonopt.masking.MDAV`.

    Parameters
    ----------
    k : int
        Size of the smallest group, from 1 to the number of rows.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`. Nominal columns are refused: their
        categories are in no order.

    Raises
    ------
    ValueError
        From `fit_transform`, if `k` is out of range, a column is nominal or has numbers, but
        fewer than k, or whole numbers beyond 2**53 have a mean that is not whole.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [1, 2, 3, 10, 11, 20, 21, 22]})
    >>> OptimalMicroaggregation(k=2).fit_transform(frame)["x"].tolist()
    [2.0, 2.0, 2.0, 10.5, 10.5, 21.0, 21.0, 21.0]
    """

    summary = "average of the groups of one column that lose least"
    paper = "Hansen and Mukherjee 2003"

    def _masked(self, records: Records, k: int) -> pd.DataFrame:
        records.check_squares()
        masked: list[AnyArray] = []
        for number, column in enumerate(records.columns):
            with stage(number / len(records.columns), (number + 1) / len(records.columns)):
                masked.append(aggregate(column, _groups(column, k)))
        return records.restore(masked)


def _groups(column: RecordColumn, k: int) -> IntArray:
    """Group of each row, int64 array (n_rows,); missing numbers are one of their own."""
    order = np.argsort(column.ranks, kind="stable")
    if column.lacks_numbers:
        order = order[: np.count_nonzero(~column.is_missing)]
        if 0 < len(order) < k:
            raise ValueError(
                f"column {column.name!r}: expected at least k = {k} numbers, found {len(order)} "
                f"beside missing cells"
            )
        if len(order) == 0:
            return np.zeros(len(column.values), dtype=np.int64)
    positions = column.values[order]
    if column.kind == "continuous":
        sizes = optimal_sizes(positions, k, squared=True)
    else:
        positions[positions == column.n_ordered] += max(column.n_ordered - 2, 0)
        sizes = optimal_sizes(positions.astype(np.float64), k, squared=False)
    groups = np.full(len(column.values), len(sizes), dtype=np.int64)
    groups[order] = np.repeat(np.arange(len(sizes)), sizes)
    return groups


def optimal_sizes(values: FloatArray, k: int, *, squared: bool) -> IntArray:
    """Sizes of the groups of sorted numbers that cost least.

    Parameters
    ----------
    values : float array (n,)
        In increasing order.
    k : int
        From 1 to n.
    squared : bool
        Whether a group costs the sum of squared deviations from its mean, or else of absolute
        ones from its median.

    Returns
    -------
    int64 array (n_groups,)
        From k to 2k - 1 (n, if that is less than 2k), in the order of the numbers. Of several
        partitions at the same cost the one with the smallest last groups.

    Examples
    --------
    >>> optimal_sizes(np.array([1.0, 2, 3, 10, 11, 20, 21, 22]), 2, squared=True)
    array([3, 2, 3])
    """
    n = len(values)
    cost = np.full(n + 1, np.inf)
    cost[0] = 0.0
    last = np.zeros(n + 1, dtype=np.int64)
    report = told()
    for end in range(k, n + 1):
        largest = min(2 * k - 1, end)
        group = values[end - largest : end][::-1]
        own = _squared_costs(group) if squared else _absolute_costs(group)
        totals = cost[end - largest : end - k + 1][::-1] + own[k - 1 :]
        best = int(np.argmin(totals))
        if end % REPORTED == 0:
            report(end / n)
        cost[end], last[end] = totals[best], k + best
    sizes = []
    end = n
    while end > 0:
        sizes.append(last[end])
        end -= int(last[end])
    return np.array(sizes[::-1], dtype=np.int64)


def _squared_costs(group: FloatArray) -> FloatArray:
    """Squared deviations from the mean of the first 1, 2, ... numbers."""
    # Around the first number, so that large numbers do not cancel.
    shifted = group - group[0]
    sums = np.cumsum(shifted)
    costs: FloatArray = np.cumsum(shifted * shifted) - sums * sums / np.arange(1, len(group) + 1)
    return np.maximum(costs, 0.0)


def _absolute_costs(group: FloatArray) -> FloatArray:
    """Absolute deviations from the median of the first 1, 2, ... numbers, in decreasing order."""
    sums = np.concatenate([[0.0], np.cumsum(group[0] - group)])
    sizes = np.arange(1, len(group) + 1)
    half, other = sizes // 2, sizes - sizes // 2
    costs: FloatArray = (sums[sizes] - sums[other]) - sums[half]
    return costs
