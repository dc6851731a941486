"""k-member clustering: clusters of k rows, each grown by the row that adds least to its loss.

Paper: J.-W. Byun, A. Kamra, E. Bertino and N. Li, *Efficient k-Anonymization Using Clustering
Techniques*, DASFAA 2007, Section 4 (Definitions 3 to 6, algorithm of Figure 2).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from anonopt._checks import as_generator, check_choice
from anonopt._progress import told
from anonopt._typing import Accelerator, AnyIntArray, CodeArray, FloatArray, IntArray, RandomState
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.accelerator import uses_numba
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.labelled_groups import labelled_groups, tuple_of_row
from anonopt.local_recoding.leaf_labels import Labels, LeafLabels, leaf_labels
from anonopt.local_recoding.nearest import Losses, TuplesLeft

NominalLoss: TypeAlias = Literal["height", "leaves"]
"""What the label of a nominal column loses: the share of its height, or of the leaves."""

NOMINAL_LOSSES: tuple[NominalLoss, ...] = ("height", "leaves")


def k_member_groups(
    table: Microdata,
    k: int,
    *,
    nominal: NominalLoss = "height",
    labels: Labels = "ranges",
    ordered: Collection[Hashable] | None = None,
    class_bounds: Mapping[Any, float] | None = None,
    random_state: RandomState = None,
    accelerator: Accelerator = "auto",
) -> RecodedGroups:
    """Cluster the rows of a table into groups of k by their loss (Byun 2007).

    A cluster starts with the row that is farthest from the last one that was added, and is grown to
    k rows by the row that raises its loss least; fewer than k rows that are left at the end go one
    by one where they raise the loss least. Of equal rows it is the first in the order of their
    leaves, of equal clusters the first that was made. The loss of a cluster is its size times the
    sum of the losses of its labels:

    - an ordered column loses the share of the other leaves that its label covers;
    - a nominal column loses the height of its label, the lowest value of the hierarchy over its
      rows, as a share of the height of the hierarchy; or the share of the other leaves as well.

    Nothing is suppressed. The paper has no bounds of classes: clusters of too few rows for the
    distinct sensitive values that are wanted are grown to so many rows, and clusters that miss a
    bound are joined, the first of them with the one where it raises the loss least, until all meet
    it.

    Parameters
    ----------
    table : Microdata
    k : int
        Least rows of a group, from 1 to the number of rows.
    nominal : {"height", "leaves"}
        Loss of a nominal column; by height in the paper, by leaves in the general loss metric.
    labels, ordered
        As in :func:`mondrian_groups`.
    class_bounds : mapping of str or Measure to float, optional
        Worst value of a measure that a group may have, such as ``{"l": 3}``.
    random_state : int or numpy Generator, optional
        Draws the row from which the first cluster is farthest, as the paper does. By default it is
        the first row of the table.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        Results are the same.

    Returns
    -------
    RecodedGroups

    Raises
    ------
    ValueError
        If k is above the number of rows, the table as a whole misses a bound, or an option is
        unknown.
    ModuleNotFoundError
        If numba is asked for and not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonopt.data import Hierarchy
    >>> from anonopt.data.recoded_groups import recode
    >>> table = Microdata(
    ...     pd.DataFrame({"age": [20, 41, 22, 45, 21]}), quasi_identifiers=["age"],
    ...     hierarchies={"age": Hierarchy.intervals(range(20, 50), width=10)},
    ... )
    >>> recode(table, k_member_groups(table, 2))[0]["age"].tolist()
    ['[20, 22]', '[41, 45]', '[20, 22]', '[41, 45]', '[20, 22]']
    """
    rule = GroupRule.of(table, k, class_bounds=class_bounds)
    columns = leaf_labels(table, labels=labels, ordered=ordered)
    losses = _LOSSES[check_choice("nominal", nominal, NOMINAL_LOSSES)]
    number = tuple_of_row(table)
    first = np.unique(number, return_index=True)[1]
    left = TuplesLeft(
        table.codes[first], np.bincount(number), columns, losses, compiled=uses_numba(accelerator)
    )
    start = 0 if random_state is None else int(as_generator(random_state).integers(table.n_rows))
    size = rule.least_rows
    members, ends = _grow(left, size, table.codes[start])
    clusters = _Clusters(columns, losses, *ends, np.full(len(ends[0]), size))
    cluster_of = np.repeat(np.arange(len(ends[0])), size).tolist()
    for one in left.remaining():
        leaves = table.codes[first[one]]
        cluster = clusters.cheapest(leaves, leaves, 1)
        clusters.join(cluster, leaves, leaves, 1)
        members.append(one)
        cluster_of.append(cluster)
    # Rows of one tuple are dealt out in the order of the table, as they were taken.
    group_of_row = np.empty(table.n_rows, dtype=np.int64)
    taken = np.argsort(np.array(members), kind="stable")
    group_of_row[np.argsort(number, kind="stable")] = np.array(cluster_of)[taken]
    if rule.rule.bounds:
        group_of_row = _joined(rule, columns, losses, group_of_row)
    return labelled_groups(table, group_of_row, columns)


def _grow(
    left: TuplesLeft, size: int, leaves: CodeArray
) -> tuple[list[int], tuple[CodeArray, CodeArray]]:
    """Tuples of the rows of each cluster, as long as so many are left, and ends of the clusters."""
    members: list[int] = []
    ends: list[tuple[CodeArray, CodeArray]] = []
    report, n_rows = told(), left.n_rows
    while left.n_rows >= size:
        one = left.farthest(leaves)
        leaves = left.take(one)
        lows, highs = leaves.copy(), leaves.copy()
        members.append(one)
        for _ in range(size - 1):
            one = left.nearest(lows, highs)
            leaves = left.take(one)
            np.minimum(lows, leaves, out=lows)
            np.maximum(highs, leaves, out=highs)
            members.append(one)
        ends.append((lows, highs))
        report(1 - left.n_rows / n_rows)
    return members, (np.array([low for low, _ in ends]), np.array([high for _, high in ends]))


class _Clusters:
    """First and last leaf of each cluster in each column, (n_clusters, s), and its rows."""

    def __init__(
        self,
        columns: Sequence[LeafLabels],
        losses: Losses,
        lows: CodeArray,
        highs: CodeArray,
        sizes: IntArray,
    ) -> None:
        self._columns, self._losses = columns, losses
        self._lows, self._highs, self._sizes = lows, highs, sizes
        self._widths = self._widths_of(lows, highs)

    def cheapest(self, lows: CodeArray, highs: CodeArray, size: int, *, but: int = -1) -> int:
        """Cluster whose loss rises least where such rows are added; the first of several."""
        joined = self._widths_of(np.minimum(self._lows, lows), np.maximum(self._highs, highs))
        rise = (self._sizes + size) * joined - self._sizes * self._widths
        if but >= 0:
            rise[but] = np.inf
        return int(np.argmin(rise))

    def join(self, cluster: int, lows: CodeArray, highs: CodeArray, size: int) -> None:
        """Add rows to a cluster."""
        np.minimum(self._lows[cluster], lows, out=self._lows[cluster])
        np.maximum(self._highs[cluster], highs, out=self._highs[cluster])
        self._sizes[cluster] += size
        ends = self._lows[[cluster]], self._highs[[cluster]]
        self._widths[cluster] = self._widths_of(*ends)[0]

    def _widths_of(self, lows: CodeArray, highs: CodeArray) -> FloatArray:
        total = np.zeros(len(lows))
        for column, low, high in zip(self._columns, lows.T, highs.T, strict=True):
            total += self._losses(column, low, high)
        return total


def _joined(
    rule: GroupRule, columns: Sequence[LeafLabels], losses: Losses, group_of_row: IntArray
) -> IntArray:
    """Groups that meet the bounds, and still do where those of equal labels are one class."""
    while True:
        groups = labelled_groups(rule.table, group_of_row, columns)
        first, class_of_group = groups.classes
        group_of_row = class_of_group[group_of_row]
        missing = np.flatnonzero(rule.suppressed(group_of_row))
        if len(missing) == 0:
            return group_of_row
        lows, highs, sizes = groups.lows[first], groups.highs[first], np.bincount(group_of_row)
        clusters = _Clusters(columns, losses, lows, highs, sizes)
        into = np.arange(len(sizes))
        is_joined = np.zeros(len(sizes), dtype=bool)
        for one in missing.tolist():
            if not is_joined[one]:
                other = clusters.cheapest(lows[one], highs[one], int(sizes[one]), but=one)
                is_joined[[one, other]] = True
                into[one] = into[other]
        _, group_of_row = np.unique(into[group_of_row], return_inverse=True)


def _by_height(column: LeafLabels, lows: AnyIntArray, highs: AnyIntArray) -> FloatArray:
    if column.is_ordered:
        return column.shares(lows, highs)
    return np.asarray(column.levels(lows, highs) / max(len(column.maps) - 1, 1))


def _by_leaves(column: LeafLabels, lows: AnyIntArray, highs: AnyIntArray) -> FloatArray:
    return column.shares(lows, highs)


_LOSSES: Mapping[str, Losses] = {"height": _by_height, "leaves": _by_leaves}
