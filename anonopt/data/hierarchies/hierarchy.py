"""The generalization hierarchy of one column (DGH): a value's labels from itself to `*`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Sequence
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt._notebook import notebook_html
from anonopt._typing import CodeArray, IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.equal_values import equal_keys
from anonopt.data.hierarchies.builders import HierarchyBuilders
from anonopt.data.hierarchies.hierarchy_files import write_hierarchy
from anonopt.data.hierarchies.hierarchy_levels import Labels, code_levels
from anonopt.data.hierarchies.masked_texts import MaskedLabels
from anonopt.data.immutable import Immutable
from anonopt.data.values import MISSING, TOP, as_text, as_texts


class Hierarchy(Immutable, HierarchyBuilders):
    """Levels of generalization of one column; level 0 holds the values, level H one value.

    Every level refines the next: a label has exactly one parent. Leaf codes run in
    depth-first order of the tree, so each row of `maps` is non-decreasing and the leaves
    under a value are neighbors. Siblings keep the order in which they were given.

    A hierarchy never changes. It is made by one of ``from_csv``, ``from_tree``,
    ``from_frame``, ``intervals``, ``text``, ``dates`` and ``ordered``, or from its levels.

    Parameters
    ----------
    levels : sequence of H + 1 sequences, each of length n_paths
        ``levels[l][i]`` is the label of path i at level l; anything but text is written as
        text. A path given twice counts once.

    Attributes
    ----------
    labels : tuple of H + 1 tuples of text
        ``labels[level][code]`` is the text of a value at a level.
    maps : int32 array (H + 1, n_leaves), read-only
        ``maps[level][leaf]`` is the code of a leaf at a level.

    Raises
    ------
    ValueError
        If there is no leaf, the levels differ in length, a label is missing, a leaf or a
        label has two parents (names label, level and both), or the top has several values.

    Examples
    --------
    >>> zone = Hierarchy([["A", "B", "C"], ["North", "North", "South"], ["*", "*", "*"]])
    >>> zone.height, zone.n_leaves, zone.labels[1]
    (2, 3, ('North', 'South'))
    >>> zone.maps.tolist()
    [[0, 1, 2], [0, 0, 1], [0, 0, 0]]
    """

    _arrays = ("maps",)

    labels: Labels
    maps: CodeArray

    def __init__(self, levels: Sequence[Sequence[object]]) -> None:
        texts = [as_texts(level, f"level {number}") for number, level in enumerate(levels)]
        lengths = {len(level) for level in texts}
        if len(lengths) > 1:
            raise ValueError(
                f"hierarchy: expected as many labels on every level, found {sorted(lengths)}"
            )
        self.labels, self.maps = code_levels(texts)
        self._lock()

    @classmethod
    def _coded(cls, labels: Labels, maps: CodeArray) -> Hierarchy:
        made = cls.__new__(cls)
        made.labels, made.maps = labels, maps
        made._lock()
        return made

    @property
    def height(self) -> int:
        """H, the number of steps from a value to the top."""
        return len(self.labels) - 1

    @property
    def n_leaves(self) -> int:
        """Number of values at level 0."""
        return len(self.labels[0])

    def n_values(self, level: int) -> int:
        """Count the values at `level`, 0..H."""
        return len(self.labels[self._checked(level)])

    def leaf_counts(self, level: int) -> IntArray:
        """Leaves under each value of `level`.

        Returns
        -------
        int64 array (n_values,)

        Examples
        --------
        >>> Hierarchy([["A", "B", "C"], ["N", "N", "S"], ["*", "*", "*"]]).leaf_counts(1)
        array([2, 1])
        """
        counts = np.bincount(self.maps[self._checked(level)], minlength=self.n_values(level))
        return counts.astype(np.int64)

    def parents(self, level: int) -> CodeArray:
        """Code at ``level + 1`` of each value of `level`, 0..H-1.

        Returns
        -------
        int32 array (n_values,)

        Examples
        --------
        >>> Hierarchy([["A", "B", "C"], ["N", "N", "S"], ["*", "*", "*"]]).parents(0)
        array([0, 0, 1], dtype=int32)
        """
        check_integer("level", level, least=0, most=self.height - 1)
        first = np.unique(self.maps[level], return_index=True)[1]
        return np.take(self.maps[level + 1], first)

    def encode(self, values: pd.Series[Any], column: Hashable) -> CodeArray:
        """Leaf code of each value.

        Values match the leaves that they are equal to, however they are written: 39, 39.0 and
        "39" are one leaf (``anonopt.data.values``). Missing values match the leaf
        ``<missing>``.

        Parameters
        ----------
        values : Series (n_rows,)
        column : text
            Name of the column for messages.

        Returns
        -------
        int32 array (n_rows,)

        Raises
        ------
        ValueError
            If a value is absent from the hierarchy (names column, value and number of rows), or
            values and leaves cannot be compared without guessing (names both types).

        Examples
        --------
        >>> Hierarchy.intervals(range(3), width=2).encode(pd.Series([2.0, 0.0]), "n")
        array([2, 0], dtype=int32)
        """
        return self.encode_cells(ColumnValues.of(values), column)

    def encode_cells(self, cells: ColumnValues, column: Hashable) -> CodeArray:
        """Leaf code of each cell of a column, as :meth:`encode`."""
        keys, leaf_keys = equal_keys(column, cells, self._leaf_values, is_lookup=True)
        leaves = dict(zip(leaf_keys, self._leaf_codes, strict=True))
        found = np.fromiter((leaves.get(key, -1) for key in keys), np.int32, count=len(keys))
        absent = np.flatnonzero(found < 0)
        if len(absent):
            others = f", and {len(absent) - 1} more values are absent" if len(absent) > 1 else ""
            raise ValueError(
                f"column {column!r}: expected a value of its hierarchy, found "
                f"{as_text(cells.values[absent[0]])!r} in {cells.n_rows_with(absent[0])} rows"
                f"{others}"
            )
        missing = self._leaves.get(MISSING, -1)
        if missing < 0 and (n_missing := cells.n_rows_with(-1)):
            raise ValueError(
                f"column {column!r}: expected a value of its hierarchy, found missing values in "
                f"{n_missing} rows (with_missing() adds the leaf {MISSING!r})"
            )
        # The last entry is that of missing values, whose code is -1.
        return np.append(found, np.int32(missing))[cells.codes]

    def with_missing(self) -> Hierarchy:
        """Return the same hierarchy with a leaf ``<missing>`` of its own below the top.

        A hierarchy that has the leaf already is returned unchanged. One of height 0 gets a
        level ``*``, since the top must be one value.

        Examples
        --------
        >>> Hierarchy([["A", "B"], ["*", "*"]]).with_missing().labels
        (('A', 'B', '<missing>'), ('*',))
        """
        if MISSING in self._leaves:
            return self
        if isinstance(self.labels, MaskedLabels):
            labels = self.labels.with_missing()
            return self._coded(labels, labels.maps)
        paths = self._paths()
        if self.height == 0:
            return Hierarchy([[*paths[0], MISSING], [TOP, TOP]])
        return Hierarchy([*([*level, MISSING] for level in paths[:-1]), [*paths[-1], paths[-1][0]]])

    def to_frame(self) -> pd.DataFrame:
        """One row a leaf, columns ``level0`` to ``levelH``, all text."""
        return pd.DataFrame({f"level{n}": level for n, level in enumerate(self._paths())})

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write one line a leaf under the header ``level0,...,levelH`` (UTF-8, commas)."""
        write_hierarchy(path, self._paths())

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the labels and of the tree, 64 hexadecimal digits."""
        content = hashlib.sha256()
        for level, labels in enumerate(self.labels):
            # As JSON of all levels at once, which may not fit into memory.
            content.update((", " if level else "[").encode() + json.dumps(labels).encode())
        content.update(b"]" + self.maps.astype("<i4").tobytes())
        return content.hexdigest()

    @cached_property
    def _leaves(self) -> dict[str, int]:
        return {label: code for code, label in enumerate(self.labels[0])}

    @cached_property
    def _leaf_codes(self) -> list[int]:
        return [code for label, code in self._leaves.items() if label != MISSING]

    @cached_property
    def _leaf_values(self) -> ColumnValues:
        return ColumnValues.of_list(self.labels[0], "the leaves of its hierarchy")

    def _paths(self) -> list[list[str]]:
        """Label of each leaf, level by level."""
        return [
            [labels[code] for code in codes]
            for labels, codes in zip(self.labels, self.maps.tolist(), strict=True)
        ]

    def _checked(self, level: int) -> int:
        return check_integer("level", level, least=0, most=self.height)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.maps, other.maps)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"Hierarchy(n_leaves={self.n_leaves}, height={self.height})"

    def _repr_html_(self) -> str:
        """Labels by level for notebooks, and how many there are."""
        return notebook_html(
            f"Hierarchy: {self.n_leaves:,} values, {self.height + 1} levels",
            {"labels a level": ", ".join(f"{len(labels):,}" for labels in self.labels)},
            [("", self.to_frame())],
        )
