"""A local recoding in which other groups of the same rows took the place of some."""

from __future__ import annotations

import numpy as np

from anonopt._typing import BoolArray, IntArray
from anonopt.data.recoded_groups import RecodedGroups


def replaced_groups(
    groups: RecodedGroups, replaced: BoolArray, rows: IntArray, by: RecodedGroups
) -> RecodedGroups:
    """A recoding in which other groups took the place of some.

    Parameters
    ----------
    groups : RecodedGroups
    replaced : bool array (n_groups,)
    rows : int64 array (n,)
        Rows of the groups that are replaced.
    by : RecodedGroups
        Of these rows: ``group_of_row[i]`` is the group of ``rows[i]``.

    Returns
    -------
    RecodedGroups
        The groups that are left, in their order, then the new ones.
    """
    kept = np.flatnonzero(~replaced)
    number = np.full(groups.n_groups, -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    group_of_row = number[groups.group_of_row]
    group_of_row[rows] = len(kept) + by.group_of_row
    return RecodedGroups(
        group_of_row,
        lows=np.concatenate([groups.lows[kept], by.lows]),
        highs=np.concatenate([groups.highs[kept], by.highs]),
        suppressed=np.concatenate([groups.suppressed[kept], by.suppressed]),
    )
