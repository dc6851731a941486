"""Global median k-anonymity: Mondrian's intervals, each replaced by its middle category."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonopt.masking.base import JointGroupingMethod
from anonopt.masking.groups.records import Records
from anonopt.masking.groups.regions import mondrian_regions, region_ends


class GlobalMedian(JointGroupingMethod):
    """k-anonymity by the middle category of Mondrian's intervals (Mares 2013, Section 5.3.1).

    Records are parted as by :class:`anonopt.masking.Mondrian`. In each region a cell becomes
    the category in the middle between the ends of the interval, counted over all categories of
    the column, whether they occur in the region or not (of two in the middle the lower; a
    declared order may hold categories that do not occur at all). Categories of a continuous
    column are its distinct numbers. Where more than half of the cells of a region are missing, a
    missing cell stands for it; missing numbers stay missing, as by Mondrian.

    Parameters
    ----------
    k : int
        Least number of records of a region, from 1 to the number of rows.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`. Nominal columns are refused.
    allow_rare_missing : bool
        As for :class:`anonopt.masking.base.JointGroupingMethod`.

    Raises
    ------
    ValueError
        From `fit_transform`, if `k` is out of range, a column is nominal, or fewer than k rows
        lack the same numbers.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": ["S", "S", "L", "XL"]})
    >>> masked = GlobalMedian(k=4, ordinal={"size": ["S", "M", "L", "XL"]}).fit_transform(frame)
    >>> masked["size"].tolist()
    ['M', 'M', 'M', 'M']
    """

    summary = "middle category of Mondrian's intervals"
    paper = "Mares 2013, Section 5.3.1"

    def _masked(self, records: Records, k: int) -> pd.DataFrame:
        regions = self._groups(records, k, mondrian_regions)
        sizes = np.bincount(regions)
        masked = []
        for column in records.columns:
            lowest, highest, n_missing = region_ends(column, regions)
            middle = (lowest + highest) // 2
            if column.kind == "continuous":
                masked.append(np.where(column.is_missing, column.n_ranks, middle[regions]))
            else:
                middle[2 * n_missing > sizes] = column.n_ordered
                masked.append(middle[regions])
        return records.restore(masked)
