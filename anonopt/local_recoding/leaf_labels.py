"""What the labels of a column can be: values of its hierarchy, or ranges of ordered leaves."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_choice
from anonopt._typing import AnyIntArray, CodeArray, FloatArray, IntArray
from anonopt.data import Microdata
from anonopt.data.columns.value_scales import scale_of
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.hierarchies.leaf_ranges import value_ends
from anonopt.data.values import MISSING

Labels: TypeAlias = Literal["ranges", "hierarchy"]
"""What a label of an ordered column may be: any range of leaves, or a value of the hierarchy."""

LABELS: tuple[Labels, ...] = ("ranges", "hierarchy")


class LeafLabels:
    """Labels of one column, each the leaves that it covers.

    Parameters
    ----------
    hierarchy : Hierarchy
    is_ordered : bool
        Whether a value above or below another one means something, so that values can be cut
        between any two leaves. ``<missing>`` stands behind all others.
    has_ranges : bool
        Whether labels are ranges of leaves; else they are values of the hierarchy.

    Attributes
    ----------
    maps : int32 array (height + 1, n_leaves)
        Those of the hierarchy.
    n_leaves : int

    Examples
    --------
    >>> zone = Hierarchy([["A", "B", "C"], ["N", "N", "C"], ["*", "*", "*"]])
    >>> LeafLabels(zone, is_ordered=False, has_ranges=False).covering([0, 1], [1, 2])
    (array([0, 0]), array([1, 2]))
    """

    def __init__(self, hierarchy: Hierarchy, *, is_ordered: bool, has_ranges: bool) -> None:
        self.maps = hierarchy.maps
        self.n_leaves = hierarchy.n_leaves
        self.is_ordered = is_ordered
        self._has_ranges = has_ranges and is_ordered
        ends_missing = hierarchy.n_leaves > 1 and hierarchy.labels[0][-1] == MISSING
        self._missing = hierarchy.n_leaves - 1 if ends_missing else -1

    @property
    def takes_any_run(self) -> bool:
        """Whether any run of neighbouring leaves is a label; ``<missing>`` can be in none."""
        return self._has_ranges and self._missing < 0

    @cached_property
    def ends(self) -> tuple[CodeArray, CodeArray]:
        """First and last leaf under the value of each leaf at each level, as `maps`."""
        firsts, lasts = np.empty_like(self.maps), np.empty_like(self.maps)
        for level, codes in enumerate(self.maps):
            firsts[level], lasts[level] = (ends[codes] for ends in value_ends(codes))
        return firsts, lasts

    def levels(self, lows: npt.ArrayLike, highs: npt.ArrayLike) -> IntArray:
        """Lowest level at which the leaves from one to another have one value, (n,)."""
        lows, highs = np.asarray(lows), np.asarray(highs)
        return np.asarray((self.maps[:, lows] != self.maps[:, highs]).sum(axis=0))

    def covering(
        self, lows: npt.ArrayLike, highs: npt.ArrayLike
    ) -> tuple[AnyIntArray, AnyIntArray]:
        """The least labels that cover the leaves from one to another.

        Where some cells of an ordered column are missing and others are not, that is the top.

        Parameters
        ----------
        lows, highs : int arrays (n,)
            First and last leaf.

        Returns
        -------
        lows, highs : int arrays (n,)
            First and last leaf that the label covers.
        """
        lows, highs = np.asarray(lows), np.asarray(highs)
        if not self._has_ranges:
            levels = self.levels(lows, highs)
            firsts, lasts = self.ends
            return firsts[levels, lows].astype(np.int64), lasts[levels, lows].astype(np.int64)
        mixed = (highs == self._missing) & (lows != self._missing)
        return np.where(mixed, 0, lows), np.where(mixed, self.n_leaves - 1, highs)

    def shares(self, lows: npt.ArrayLike, highs: npt.ArrayLike) -> FloatArray:
        """Share of the other leaves that the labels of ranges cover, 0..1, (n,).

        ``(m - 1)/(M - 1)`` of the general loss metric.
        """
        firsts, lasts = self.covering(lows, highs)
        return np.asarray((lasts - firsts) / max(self.n_leaves - 1, 1))

    def children(self, low: int, high: int) -> IntArray:
        """First leaf of each child of a value of the hierarchy, (n_children,).

        Parameters
        ----------
        low, high : int
            First and last leaf of the value. Of values that cover the same leaves the children
            are those of the lowest.
        """
        level = int(self.levels([low], [high])[0])
        if level == 0:
            return np.array([low])
        codes = self.maps[level - 1, low : high + 1]
        return low + np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))


def leaf_labels(
    table: Microdata, *, labels: Labels = "ranges", ordered: Collection[Hashable] | None = None
) -> list[LeafLabels]:
    """Labels of each quasi-identifier of a table.

    Parameters
    ----------
    table : Microdata
    labels : {"ranges", "hierarchy"}
        What a label of an ordered column may be; those of the others are values of the hierarchy.
    ordered : collection of columns, optional
        Quasi-identifiers that are ordered, such as those of :meth:`anonopt.Hierarchy.ordered`. By
        default those whose leaves are numbers, or ISO dates, in increasing order; ``<missing>``
        does not count.

    Raises
    ------
    ValueError
        If `labels` is unknown, or a column is no quasi-identifier.
    """
    check_choice("labels", labels, LABELS)
    for column in ordered or ():
        if column not in table.hierarchies or column not in table.quasi_identifiers:
            raise ValueError(
                f"ordered: expected quasi-identifiers of the table "
                f"({', '.join(map(str, table.quasi_identifiers))}), found {column!r}"
            )
    return [
        LeafLabels(
            table.hierarchies[column],
            is_ordered=(
                is_ordered(table.hierarchies[column]) if ordered is None else column in ordered
            ),
            has_ranges=labels == "ranges",
        )
        for column in table.quasi_identifiers
    ]


def is_ordered(hierarchy: Hierarchy) -> bool:
    """Whether the leaves are numbers, or ISO dates, in increasing order.

    Examples
    --------
    >>> is_ordered(Hierarchy.intervals(range(17, 91), width=5))
    True
    >>> is_ordered(Hierarchy([["A", "B"], ["*", "*"]]))
    False
    """
    present = [leaf for leaf in hierarchy.labels[0] if leaf != MISSING]
    return scale_of(present, is_ordinal=False) is not None
