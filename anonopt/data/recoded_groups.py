"""A local recoding: groups of rows, each with a label of its own in every quasi-identifier.

A node of the lattice recodes a value in one way in all rows; a local recoding may keep it in one
group and generalize it in another. Leaves of a hierarchy run in depth-first order, so the leaves
that a label stands for are neighbours, and a label is told by the first and the last of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._typing import BoolArray, CodeArray, IntArray
from anonopt.data.grouping import pack_codes
from anonopt.data.hierarchies.leaf_ranges import label_of_each
from anonopt.data.immutable import Immutable
from anonopt.data.microdata import Microdata
from anonopt.data.values import TOP

DIGEST_SIZE = 16
"""Bytes of a digest."""


class RecodedGroups(Immutable):
    """Groups of the rows of a table, and the leaves that their labels cover.

    Two groups may have the same labels, and are then one equivalence class. What a label covers
    need not be a value of the hierarchy: numbers can be recoded to ``[17, 24]`` as well.

    Parameters
    ----------
    group_of_unit : int array (n_units,)
        Group of each unit, a number in 0..n_groups - 1.
    lows, highs : int arrays (n_groups, n_quasi_identifiers)
        First and last leaf that the label of a group covers in each quasi-identifier.
    suppressed : bool array (n_groups,), optional
        Groups whose rows are suppressed; by default none.
    unit_of_row : int array (n_rows,), optional
        Unit of each row, such as its distinct tuple (shared by all recodings of a table). Without
        it each row is a unit.

    Attributes
    ----------
    group_of_row : int32 array (n_rows,)
    sizes : int64 array (n_groups,)
        Rows of each group.

    Raises
    ------
    ValueError
        If the shapes do not fit, a group is absent, or a label ends before it begins.

    Examples
    --------
    >>> groups = RecodedGroups([0, 0, 1], lows=[[0], [2]], highs=[[1], [2]])
    >>> groups.n_groups, groups.sizes.tolist()
    (2, [2, 1])
    """

    _arrays = ("group_of_unit", "lows", "highs", "suppressed")

    def __init__(
        self,
        group_of_unit: npt.ArrayLike,
        *,
        lows: npt.ArrayLike,
        highs: npt.ArrayLike,
        suppressed: npt.ArrayLike | None = None,
        unit_of_row: IntArray | None = None,
    ) -> None:
        self.group_of_unit: CodeArray = np.array(group_of_unit, dtype=np.int32)
        self.lows: CodeArray = np.array(lows, dtype=np.int32)
        self.highs: CodeArray = np.array(highs, dtype=np.int32)
        n_groups = len(self.lows)
        self.suppressed: BoolArray = (
            np.zeros(n_groups, dtype=bool)
            if suppressed is None
            else np.array(suppressed, dtype=bool)
        )
        self.unit_of_row = unit_of_row
        self._check()
        self._lock()

    def _check(self) -> None:
        n_groups = len(self.lows)
        if self.lows.ndim != 2 or self.highs.shape != self.lows.shape:
            raise ValueError(
                f"lows, highs: expected arrays (n_groups, n_quasi_identifiers), found shapes "
                f"{self.lows.shape} and {self.highs.shape}"
            )
        if self.suppressed.shape != (n_groups,):
            raise ValueError(
                f"suppressed: expected one a group, ({n_groups},), found {self.suppressed.shape}"
            )
        units = self.group_of_unit
        if units.ndim != 1 or not _is_numbering(units, n_groups):
            raise ValueError(
                f"group_of_unit: expected each of the groups 0..{n_groups - 1}, "
                f"found {len(np.unique(units))} different numbers"
            )
        if (self.lows < 0).any() or (self.highs < self.lows).any():
            raise ValueError("lows, highs: expected 0 <= low <= high of every label, found others")

    @property
    def n_groups(self) -> int:
        """Number of groups, suppressed ones included."""
        return len(self.lows)

    @cached_property
    def group_of_row(self) -> CodeArray:
        """Group of each row, int32 array (n_rows,)."""
        if self.unit_of_row is None:
            return self.group_of_unit
        return self.group_of_unit[self.unit_of_row]

    @cached_property
    def sizes(self) -> IntArray:
        """Rows of each group, int64 array (n_groups,)."""
        return np.bincount(self.group_of_row, minlength=self.n_groups)

    def suppressing(self, suppressed: npt.ArrayLike) -> RecodedGroups:
        """The same groups, of which others are suppressed: a bool array (n_groups,)."""
        return RecodedGroups(
            self.group_of_unit,
            lows=self.lows,
            highs=self.highs,
            suppressed=suppressed,
            unit_of_row=self.unit_of_row,
        )

    @cached_property
    def classes(self) -> tuple[IntArray, IntArray]:
        """Equivalence classes that the groups make: rows of equal labels, suppressed ones apart.

        Returns
        -------
        first_group : int64 array (n_classes,)
            A group of each class.
        class_of_group : int64 array (n_groups,)
        """
        keys = self.class_keys(range(self.lows.shape[1]))
        _, first, class_of_group = np.unique(keys, return_index=True, return_inverse=True)
        return first, class_of_group

    def class_keys(self, order: Sequence[int]) -> IntArray:
        """Key of each group, equal for those of one class, int64 array (n_groups,).

        Parameters
        ----------
        order : sequence of int (n_quasi_identifiers,)
            Quasi-identifiers from the most to the least significant one for the order of keys:
            that of the first leaves under the labels, then of the last ones.
        """
        columns = [*self.lows[:, order].T, *self.highs[:, order].T, self.suppressed]
        places = list(order)
        lows, highs = (labels.max(axis=0)[places] for labels in (self.lows, self.highs))
        highest = [*lows.tolist(), *highs.tolist(), int(self.suppressed.max())]
        return pack_codes(columns, [code + 1 for code in highest])

    @cached_property
    def digest(self) -> bytes:
        """Digest of 16 bytes of the labels of every row, and of what is suppressed.

        Equal for recodings that write the same file, however their groups are numbered.
        """
        first, class_of_group = self.classes
        class_of_row, order = pd.factorize(class_of_group[self.group_of_row])
        digest = hashlib.sha256(class_of_row.astype(np.int32).tobytes())
        for labels in (self.lows, self.highs, self.suppressed):
            digest.update(np.ascontiguousarray(labels[first[order]]).tobytes())
        return digest.digest()[:DIGEST_SIZE]

    def __getstate__(self) -> dict[str, Any]:
        # The units of rows are shared by the recodings of a table, which a pickle would not see.
        return {
            "group_of_unit": self.group_of_row,
            "lows": self.lows,
            "highs": self.highs,
            "suppressed": self.suppressed,
            "unit_of_row": None,
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecodedGroups):
            return NotImplemented
        pairs = [(getattr(self, name), getattr(other, name)) for name in _COMPARED]
        return all(np.array_equal(one, another) for one, another in pairs)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name).tobytes() for name in _COMPARED))

    def __str__(self) -> str:
        n_classes = len(self.classes[0])
        noun = "class" if n_classes == 1 else "classes"
        return f"{n_classes} {noun} {self.digest.hex()[:12]}"

    def __repr__(self) -> str:
        return f"RecodedGroups(n_rows={len(self.group_of_row)}, n_groups={self.n_groups})"


def _is_numbering(units: CodeArray, n_groups: int) -> bool:
    """Whether numbers are 0..n_groups - 1, each of them at least once."""
    if len(units) == 0 or units.min() < 0 or units.max() >= n_groups:
        return len(units) == n_groups == 0
    return bool(np.bincount(units, minlength=n_groups).all())


_COMPARED = ("group_of_row", "lows", "highs", "suppressed")


def recode(table: Microdata, groups: RecodedGroups) -> tuple[pd.DataFrame, BoolArray]:
    """The protected table of a local recoding, and the mask of its suppressed rows.

    Parameters
    ----------
    table : Microdata
    groups : RecodedGroups
        Of its rows.

    Returns
    -------
    frame : DataFrame (n_rows, n_columns - identifiers)
        As :meth:`Microdata.apply` returns it: quasi-identifiers as text of labels, ``*`` in all of
        them where a row is suppressed. A label that is no value of the hierarchy is written as an
        interval of numbers or dates, ``"[17, 24]"``, or as a set, ``"{B, C}"``.
    mask : bool array (n_rows,)
        Suppressed rows.

    Raises
    ------
    ValueError
        If the groups are not of the rows or the hierarchies of the table, or a label's text is
        not clear (see `label_texts`).

    Examples
    --------
    >>> from anonopt.data import Hierarchy
    >>> zone = Hierarchy([["A", "B", "C"], ["N", "N", "C"], ["*", "*", "*"]])
    >>> table = Microdata(
    ...     pd.DataFrame({"zone": ["A", "B", "C"]}), quasi_identifiers=["zone"],
    ...     hierarchies={"zone": zone},
    ... )
    >>> groups = RecodedGroups([0, 0, 1], lows=[[0], [2]], highs=[[1], [2]])
    >>> recode(table, groups)[0]["zone"].tolist()
    ['N', 'N', 'C']
    """
    check_groups_of(table, groups)
    mask = groups.suppressed[groups.group_of_row]
    protected = table.frame.drop(columns=list(table.identifiers))
    for position, column in enumerate(table.quasi_identifiers):
        ranges = zip(
            groups.lows[:, position].tolist(), groups.highs[:, position].tolist(), strict=True
        )
        texts = label_of_each(table.hierarchies[column], column, list(ranges))
        labels = np.array(texts, dtype=object)
        labels[groups.suppressed] = TOP
        protected[column] = labels[groups.group_of_row]
    return protected, mask


def check_groups_of(table: Microdata, groups: RecodedGroups) -> None:
    """Refuse groups that are not those of a table, or whose labels do not cover their rows.

    Raises
    ------
    ValueError
        Names what was expected and found.
    """
    shape = (table.n_rows, len(table.quasi_identifiers))
    found = (len(groups.group_of_row), groups.lows.shape[1])
    if shape != found:
        raise ValueError(
            f"groups: expected those of {shape[0]} rows and {shape[1]} quasi-identifiers, "
            f"found {found[0]} and {found[1]}"
        )
    group_of_row = groups.group_of_row
    for position, column in enumerate(table.quasi_identifiers):
        codes = table.codes[:, position]
        low, high = groups.lows[:, position], groups.highs[:, position]
        outside = (codes < low[group_of_row]) | (codes > high[group_of_row])
        if outside.any():
            raise ValueError(
                f"groups: expected labels that cover the values of their rows, found one of column "
                f"{column!r} that does not cover row {int(np.argmax(outside))}"
            )
        n_leaves = table.hierarchies[column].n_leaves
        if high.max(initial=0) >= n_leaves:
            raise ValueError(
                f"groups: expected labels of the {n_leaves} leaves of column {column!r}, "
                f"found one up to leaf {int(high.max())}, counted from 0"
            )
