"""Mondrian's regions: boxes of records, cut for as long as both sides keep k of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from anonopt._progress import told
from anonopt._typing import FloatArray, IntArray
from anonopt.masking.groups.records import RecordColumn, Records


class MondrianCut(NamedTuple):
    """A cut of Mondrian.

    Attributes
    ----------
    column : int
        Position of the column that is cut.
    rank : int
        Highest rank of that column (``RecordColumn.ranks``) on the lower side.
    depth : int
        Cuts that made the region that is cut: 0 for the whole table.
    lower, upper : int64 arrays
        Rows of either side, increasing.
    """

    column: int
    rank: int
    depth: int
    lower: IntArray
    upper: IntArray


def mondrian_cuts(records: Records, k: int) -> list[MondrianCut]:
    """Cuts of :class:`anonopt.masking.Mondrian`, in the order in which it makes them.

    Parameters
    ----------
    records : Records of n_rows
        Without nominal columns, and without missing numbers.
    k : int
        From 1 to n_rows.

    Returns
    -------
    list of MondrianCut
        One less than there are regions. A region is cut before its sides, the lower side and all
        within it before the upper one.

    Examples
    --------
    >>> import pandas as pd
    >>> records = Records.of(pd.DataFrame({"x": [1, 1, 2, 3, 3]}), ["x"], None)
    >>> [(cut.lower.tolist(), cut.upper.tolist()) for cut in mondrian_cuts(records, 2)]
    [([0, 1], [2, 3, 4])]
    """
    cuts: list[MondrianCut] = []
    mondrian_regions(records, k, on_cut=cuts.append)
    return cuts


def mondrian_regions(
    records: Records, k: int, *, on_cut: Callable[[MondrianCut], None] | None = None
) -> IntArray:
    """Part records into regions by strict Mondrian (LeFevre 2006; Mares 2013, Section 2.3.3).

    A cut at a value of a column sends the records up to it to one side and the others to the
    other; it is allowable if both hold k records. The column of the widest range, as a share of
    its range in the table, is cut first (of several the first in order), at the allowable value
    that halves the region best (of two the lower); where a column has no allowable cut, the next
    is tried. What has none at all is a region. Missing cells of an ordinal column stand behind
    its last category, and a region with both is as wide as the column.

    Parameters
    ----------
    records : Records of n_rows
        Without nominal columns.
    k : int
        From 1 to n_rows.
    on_cut : callable, optional
        Told each cut as it is made, for those who want to see them; it changes nothing.

    Returns
    -------
    int64 array (n_rows,)
        Region of each row, numbered by cuts, lower sides first.
    """
    records.require_complete("Mondrian")
    n_points, point = records.distinct()
    sample = np.zeros(n_points, dtype=np.int64)
    sample[point] = np.arange(records.n_rows)
    count = np.bincount(point, minlength=n_points)
    axes = [_Axis(column, sample) for column in records.columns]
    region = np.empty(n_points, dtype=np.int64)
    n_regions = n_done = 0
    report = told()
    waiting = [(0, np.arange(n_points))]
    while waiting:
        depth, points = waiting.pop()
        found = _cut_of(axes, points, count[points], k)
        if found is None:
            region[points] = n_regions
            n_regions += 1
            n_done += len(points)
            report(n_done / n_points)
            continue
        column, rank = found
        is_lower = axes[column].ranks[points] <= rank
        sides = points[is_lower], points[~is_lower]
        if on_cut is not None:
            lower, upper = (np.flatnonzero(np.isin(point, side)) for side in sides)
            on_cut(MondrianCut(column, rank, depth, lower, upper))
        waiting += [(depth + 1, sides[1]), (depth + 1, sides[0])]
    return region[point]


class _Axis:
    """A column of the distinct records."""

    def __init__(self, column: RecordColumn, sample: IntArray) -> None:
        self.ranks = column.ranks[sample]
        self._values = column.values[sample]
        self._missing = None if column.kind == "continuous" else column.n_ordered
        present = self._values if self._missing is None else np.arange(column.n_ordered)
        self._range = float(np.ptp(present)) if len(present) else 0.0

    def width(self, points: IntArray) -> float:
        """Range of a region, as a share of that of the table."""
        values = self._values[points]
        lowest, highest = values.min(), values.max()
        if lowest == highest:
            return 0.0
        return 1.0 if highest == self._missing else float(highest - lowest) / self._range


def _cut_of(axes: list[_Axis], points: IntArray, count: IntArray, k: int) -> tuple[int, int] | None:
    """Column that a region is cut in, and the last rank below the cut; None if there is no cut."""
    if int(count.sum()) < 2 * k:
        return None
    widths: FloatArray = np.array([axis.width(points) for axis in axes])
    for position in np.argsort(-widths, kind="stable").tolist():
        if widths[position] == 0.0:
            return None
        cut = _cut(axes[position].ranks[points], count, k)
        if cut is not None:
            return position, cut
    return None


def _cut(ranks: IntArray, count: IntArray, k: int) -> int | None:
    """The allowable value that halves the records best."""
    values, position = np.unique(ranks, return_inverse=True)
    below = np.cumsum(np.bincount(position, weights=count).astype(np.int64))
    total = int(below[-1])
    allowable = np.flatnonzero((below >= k) & (total - below >= k))
    if len(allowable) == 0:
        return None
    return int(values[allowable[np.argmin(np.abs(2 * below[allowable] - total))]])


def region_ends(column: RecordColumn, regions: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Lowest and highest rank of each region, and its number of missing cells.

    Parameters
    ----------
    column : RecordColumn of n_rows values
    regions : int array (n_rows,)

    Returns
    -------
    lowest, highest : int64 arrays (n_regions,)
        Ranks of cells that are not missing (codes, or ranks of the distinct numbers); -1 where
        all are missing.
    n_missing : int64 array (n_regions,)
    """
    n_regions = int(regions.max()) + 1
    ranks, is_missing = column.ranks, column.is_missing
    lowest = np.full(n_regions, np.iinfo(np.int64).max)
    highest = np.full(n_regions, -1, dtype=np.int64)
    np.minimum.at(lowest, regions[~is_missing], ranks[~is_missing])
    np.maximum.at(highest, regions[~is_missing], ranks[~is_missing])
    lowest[highest < 0] = -1
    return lowest, highest, np.bincount(regions[is_missing], minlength=n_regions)
