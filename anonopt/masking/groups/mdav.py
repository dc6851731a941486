"""MDAV-generic: groups of at least k similar records of any kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from anonopt._progress import Progress, told
from anonopt._typing import Accelerator, FloatArray, IntArray
from anonopt.evaluation.accelerator import uses_numba
from anonopt.masking.groups.records import Records
from anonopt.masking.groups.remaining import Remaining

MANY = 10_000
"""Above so many distinct records, or groups, a tree is worth its compiled kernels."""
REPORTED = 64
"""Groups between two reports of progress."""


class MDAVGroup(NamedTuple):
    """A group that MDAV makes.

    Attributes
    ----------
    seed : int or None
        Row of the record that the others were nearest to; None of the last group, which is what
        was left.
    rows : int64 array (n,)
        Rows of the group, increasing.
    """

    seed: int | None
    rows: IntArray


def mdav_steps(records: Records, k: int) -> list[MDAVGroup]:
    """Groups of :func:`mdav_groups` in the order in which it makes them, and their seeds.

    Parameters
    ----------
    records : Records of n_rows
        Without missing numbers.
    k : int
        From 1 to n_rows.

    Returns
    -------
    list of MDAVGroup

    Examples
    --------
    >>> import pandas as pd
    >>> records = Records.of(pd.DataFrame({"x": [1, 2, 2, 30, 31, 16]}), ["x"], None)
    >>> [(group.seed, group.rows.tolist()) for group in mdav_steps(records, 2)]
    [(4, [3, 4]), (0, [0, 1]), (None, [2, 5])]
    """
    groups: list[MDAVGroup] = []
    mdav_groups(records, k, accelerator="numpy", on_group=groups.append)
    return groups


def mdav_groups(
    records: Records,
    k: int,
    *,
    accelerator: Accelerator = "auto",
    on_progress: Progress | None = None,
    on_group: Callable[[MDAVGroup], None] | None = None,
) -> IntArray:
    """Part records into groups by MDAV-generic (Mares 2013, Algorithm 4).

    While 3k records are left: find the record r farthest from the centroid of those left, make a
    group of it and its k - 1 nearest, and another of the record s farthest from r, outside
    that group, and its nearest. With 2k left, one more group around the record farthest from the
    centroid; what is then left is the last group.

    The squared distance of two records is the sum of the squared distances of their columns:
    differences in standard deviations, steps between ordered categories as a share of all steps,
    0 or 1 for nominal categories; missing cells are at distance 1 of all others. Of records
    at equal distance, that in the lowest row is taken first. The centroid is made of the means,
    medians and modes of :func:`anonopt.masking.groups.aggregation.aggregate`.

    Distances are computed between distinct records, never pairwise: memory is O(N). Up to 10,000
    distinct records M and 10,000 groups, and without the extra ``fast``, time is O(M N / k).
    Above, compiled kernels search a tree of the records instead, and make the same groups.

    Parameters
    ----------
    records : Records of n_rows
    k : int
        From 1 to n_rows.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        What searches: distances to all records, or compiled kernels however few there are.
    on_progress : callable, optional
        Called now and then with the share of the rows that are in groups, 0..1; by default what
        ``fit_transform`` was given.
    on_group : callable, optional
        Told each group as it is made, for those who want to see them; it changes nothing, but
        compiled kernels are not used.

    Returns
    -------
    int64 array (n_rows,)
        Group of each row, numbered in the order in which they are made.

    Raises
    ------
    ValueError, ModuleNotFoundError
        If the accelerator is unknown or not installed.
    """
    records.require_complete("MDAV")
    compiled = uses_numba(accelerator) and on_group is None
    report = told() if on_progress is None else on_progress
    if k == 1:
        if on_group is not None:
            for row in range(records.n_rows):
                on_group(MDAVGroup(row, np.array([row])))
        return np.arange(records.n_rows, dtype=np.int64)
    left = Remaining(records)
    groups = np.empty(records.n_rows, dtype=np.int64)
    n_groups = 0
    is_long = max(len(left.count), records.n_rows // k) > MANY
    if compiled and (accelerator == "numba" or is_long):
        # Here, because numba is slow to import.
        from anonopt.masking.groups.mdav_tree import TreeRounds

        n_groups = TreeRounds(left, groups, k).run(report)

    def group(at: int, distances: FloatArray) -> None:
        nonlocal n_groups
        seed = left.row(at)
        rows = left.take(distances, k)
        groups[rows] = n_groups
        n_groups += 1
        if on_group is not None:
            on_group(MDAVGroup(seed, np.sort(rows)))

    while left.n_rows >= 3 * k:
        first = left.farthest(left.distances_to_center())
        from_first = left.distances(first)
        group(first, from_first)
        second = left.farthest(from_first)
        group(second, left.distances(second))
        left.compact()
        if n_groups % REPORTED == 0:
            report(1 - left.n_rows / records.n_rows)
    if left.n_rows >= 2 * k:
        first = left.farthest(left.distances_to_center())
        group(first, left.distances(first))
    rows = left.rows()
    groups[rows] = n_groups
    if on_group is not None:
        on_group(MDAVGroup(None, np.sort(rows)))
    return groups
