"""Mondrian: every record becomes the intervals of its region."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, IntArray
from anonopt.data.roles import find_columns
from anonopt.data.values import MISSING
from anonopt.masking.base import JointGroupingMethod
from anonopt.masking.groups.records import Records
from anonopt.masking.groups.regions import mondrian_regions, region_ends


class Mondrian(JointGroupingMethod):
    """Multidimensional recoding to intervals (LeFevre 2006; Mares 2013, Section 2.3.3).

    See :func:`~anonopt.masking.groups.regions.mondrian_regions` for the cuts. A cell becomes the
    text of the interval of its column in its region, both ends included and both ends values of
    the region: ``"[20, 35]"``, or the value alone where there is one. ``"[S, M] or <missing>"``
    says that some cells of the region are missing; where all are, they stay so. Missing numbers
    stay missing: the rows that lack the same ones are cut as a table of their own. The masked
    columns are k-anonymous. Intervals are no categories of the original: :func:`anonopt.compare`
    reads them as the values they cover, and :class:`anonopt.masking.GlobalMedian` makes categories
    of them.

    Parameters
    ----------
    k : int
        Least number of records of a region, from 1 to the number of rows.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`. Nominal columns are refused: cuts need
        an order.
    allow_rare_missing : bool
        As for :class:`anonopt.masking.base.JointGroupingMethod`.

    Raises
    ------
    ValueError
        From `fit_transform`, if `k` is out of range, a column is nominal, or fewer than k rows
        lack the same numbers.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [1, 1, 2, 3, 3], "y": ["A", "B", "D", "C", "D"]})
    >>> Mondrian(k=2, ordinal={"y": ["A", "B", "C", "D"]}).fit_transform(frame)
            x       y
    0       1  [A, B]
    1       1  [A, B]
    2  [2, 3]  [C, D]
    3  [2, 3]  [C, D]
    4  [2, 3]  [C, D]
    """

    summary = "intervals of the regions that records are cut into"
    paper = "LeFevre 2006; Mares 2013, Section 2.3.3"

    def groups(self, frame: pd.DataFrame) -> IntArray:
        """Region of each row of a table; nothing is masked.

        Parameters
        ----------
        frame : DataFrame (n_rows, ...)

        Returns
        -------
        int64 array (n_rows,)
            Numbered from 0 without gaps.

        Raises
        ------
        TypeError, ValueError
            As ``fit_transform``.
        """
        names = find_columns(frame, self.columns, ordinal=self.ordinal)
        return self._groups(*self._grouped(frame, names), mondrian_regions)

    def _masked(self, records: Records, k: int) -> pd.DataFrame:
        regions = self._groups(records, k, mondrian_regions)
        masked = records.frame.copy()
        for column in records.columns:
            lowest, highest, n_missing = region_ends(column, regions)
            if column.kind == "continuous":
                n_missing = np.zeros_like(n_missing)
            cells = _labels(lowest, highest, n_missing, records.texts(column))[regions]
            if column.kind == "continuous":
                cells[column.is_missing] = None
            masked[column.name] = pd.Series(cells, index=masked.index, dtype=object)
        return masked


def _labels(
    lowest: IntArray, highest: IntArray, n_missing: IntArray, texts: Sequence[str]
) -> AnyArray:
    labels = np.empty(len(lowest), dtype=object)
    for region, (low, high, missing) in enumerate(zip(lowest, highest, n_missing, strict=True)):
        if high < 0:
            continue
        label = texts[low] if low == high else f"[{texts[low]}, {texts[high]}]"
        labels[region] = f"{label} or {MISSING}" if missing else label
    return labels
