"""Mondrian over hierarchies: groups of rows, cut for as long as all parts may be groups.

Paper: K. LeFevre, D. J. DeWitt and R. Ramakrishnan, *Mondrian Multidimensional K-Anonymity*,
ICDE 2006: strict partitioning (Section 3.1, Figure 7), relaxed partitioning (Section 3.2).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from anonopt._progress import told
from anonopt._typing import CodeArray, IntArray
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.labelled_groups import labelled_groups, rows_by_tuple
from anonopt.local_recoding.leaf_labels import Labels, LeafLabels, leaf_labels


def mondrian_groups(
    table: Microdata,
    k: int,
    *,
    relaxed: bool = False,
    labels: Labels = "ranges",
    ordered: Collection[Hashable] | None = None,
    class_bounds: Mapping[Any, float] | None = None,
) -> RecodedGroups:
    """Part the rows of a table into groups by Mondrian (LeFevre 2006).

    A group is cut in the column whose label covers the largest share of the hierarchy's leaves
    (of several the first); where no cut of it is allowed, in the next. A cut is allowed if each of
    its parts holds k rows and meets the bounds. A group without one is final.

    - An ordered column is cut between two leaves, at the allowed cut that halves the rows best (of
      two the lower). Relaxed, the rows are halved in the order of their leaves, the lower half
      having the odd row; rows at the median may go to either half, those of one combination of
      values in the order of the table.
    - A nominal column is cut into the children of its label, those with rows; all of them need k
      rows, relaxed or not.

    Nothing is suppressed.

    Parameters
    ----------
    table : Microdata
    k : int
        Least rows of a group, from 1 to the number of rows.
    relaxed : bool
        Whether rows of one value may go to either side of a cut.
    labels : {"ranges", "hierarchy"}
        Whether the label of an ordered column is the range of its leaves, or the lowest value of
        the hierarchy that covers it.
    ordered : collection of columns, optional
        Ordered quasi-identifiers; by default those of numbers or dates in increasing order.
    class_bounds : mapping of str or Measure to float, optional
        Worst value of a measure that a group may have, such as ``{"l": 3}``.

    Returns
    -------
    RecodedGroups

    Raises
    ------
    ValueError
        If k is above the number of rows, the table as a whole misses a bound, an option is
        unknown, or groups of equal labels could miss a bound together that each of them meets.

    Examples
    --------
    The patients of LeFevre 2006, Figure 1, cut as in Figure 3 (right):

    >>> import pandas as pd
    >>> from anonopt.data import Hierarchy
    >>> from anonopt.data.recoded_groups import recode
    >>> frame = pd.DataFrame({
    ...     "sex": ["M", "F", "M", "M", "F", "M"], "age": [25, 25, 26, 27, 27, 28],
    ...     "zip": [53711, 53712, 53711, 53710, 53712, 53711],
    ... })
    >>> ages, codes = (Hierarchy.ordered(sorted(set(frame[c]))) for c in ("age", "zip"))
    >>> table = Microdata(
    ...     frame, quasi_identifiers=["sex", "age", "zip"],
    ...     hierarchies={"sex": "flat", "age": ages, "zip": codes},
    ... )
    >>> recode(table, mondrian_groups(table, 2))[0].iloc[[0, 1, 3]]
      sex       age             zip
    0   M  [25, 26]           53711
    1   F  [25, 27]           53712
    3   M  [27, 28]  [53710, 53711]
    """
    rule = GroupRule.of(table, k, class_bounds=class_bounds)
    columns = leaf_labels(table, labels=labels, ordered=ordered)
    if relaxed or labels == "hierarchy":
        rule.require_united_bounds()
    group_of_row = np.empty(table.n_rows, dtype=np.int64)
    n_groups = n_done = 0
    report = told()
    waiting = [rows_by_tuple(table)]
    while waiting:
        rows = waiting.pop()
        parts = _cut(rule, columns, rows, relaxed=relaxed)
        if parts:
            waiting += parts[::-1]
            continue
        group_of_row[rows] = n_groups
        n_groups += 1
        n_done += len(rows)
        report(n_done / table.n_rows)
    return labelled_groups(table, group_of_row, columns)


def _cut(
    rule: GroupRule, columns: Sequence[LeafLabels], rows: IntArray, *, relaxed: bool
) -> list[IntArray]:
    """Parts of a group, none if no cut is allowed."""
    if len(rows) < 2 * rule.k:
        return []
    codes = rule.table.codes[rows]
    lows, highs = codes.min(axis=0), codes.max(axis=0)
    widths = np.array(
        [column.shares(low, high) for column, low, high in zip(columns, lows, highs, strict=True)]
    )
    for position in np.argsort(-widths, kind="stable").tolist():
        if lows[position] == highs[position]:
            continue
        column, leaves = columns[position], codes[:, position]
        if not column.is_ordered:
            cuts = _by_children(column, leaves, int(lows[position]), int(highs[position]))
        elif relaxed:
            cuts = _by_half(leaves)
        else:
            cuts = _by_leaves(leaves, rule.k)
        for part_of_row in cuts:
            if rule.allowed(part_of_row, rows).all():
                n_parts = int(part_of_row.max()) + 1
                return [rows[part_of_row == part] for part in range(n_parts)]
    return []


def _by_children(column: LeafLabels, leaves: CodeArray, low: int, high: int) -> Iterator[IntArray]:
    """The cut into the children of a label that have rows; there are two or more."""
    first, last = (int(end) for end in column.covering(low, high))
    child = np.searchsorted(column.children(first, last), leaves, side="right")
    yield np.unique(child, return_inverse=True)[1]


def _by_half(leaves: CodeArray) -> Iterator[IntArray]:
    """The cut into halves of equal size."""
    part_of_row = np.zeros(len(leaves), dtype=np.int64)
    part_of_row[np.argsort(leaves, kind="stable")[(len(leaves) + 1) // 2 :]] = 1
    yield part_of_row


def _by_leaves(leaves: CodeArray, k: int) -> Iterator[IntArray]:
    """Cuts between leaves with k rows on either side, those that halve best first."""
    values, counts = np.unique(leaves, return_counts=True)
    below = np.cumsum(counts)
    balances = np.abs(2 * below - len(leaves))
    for last in np.argsort(balances, kind="stable"):
        if k <= below[last] <= len(leaves) - k:
            yield (leaves > values[last]).astype(np.int64)
