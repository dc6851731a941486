"""What all nodes of one table share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.data import Microdata
from anonopt.data.sensitive_columns import SensitiveColumn
from anonopt.measures.lattice.population import Population

MOST_LISTED = 256
"""Leaves of a hierarchy up to which the levels of all labels are kept."""


@dataclass(frozen=True, eq=False)
class SensitivePart:
    """One of several sensitive columns that are coded together.

    Attributes
    ----------
    codes : int32 array (n_combinations,)
        Value of the column in each combination.
    totals : int64 array (n_values,)
        Rows of the table with each value.
    tree : tuple of int32 arrays (n_values,), optional
        Code at each level of each value, where the column has a hierarchy.
    """

    codes: CodeArray
    totals: IntArray
    tree: tuple[CodeArray, ...] | None

    @classmethod
    def of(cls, column: SensitiveColumn, totals: IntArray) -> SensitivePart:
        """A column, with the rows of each combination, (n_combinations,)."""
        rows = np.bincount(column.codes, weights=totals, minlength=len(column.labels))
        return cls(column.codes, rows.astype(np.int64), column.tree)


@dataclass(frozen=True)
class TableFacts:
    """What all nodes of one table share.

    Attributes
    ----------
    names : tuple of str
        The quasi-identifiers.
    n_rows : int
        N, rows of the table.
    leaf_counts : tuple of tuples of int64 arrays
        ``leaf_counts[i][level][code]``: leaves under a value of quasi-identifier i.
    value_counts : tuple of tuples of int64 arrays
        ``value_counts[i][level][code]``: rows of the table with that generalized value.
    sensitive_totals : int64 array (n_sensitive,), optional
        Rows of the table with each sensitive value; of several sensitive columns, with each
        combination.
    sensitive_tree : tuple of int32 arrays (n_sensitive,), optional
        Code at each level of each sensitive value, where the column has a hierarchy.
    population : Population, optional
        Of which the table is a sample.
    sensitive_parts : mapping of str to SensitivePart
        By sensitive column, if there are several.
    """

    names: tuple[str, ...]
    n_rows: int
    leaf_counts: tuple[tuple[IntArray, ...], ...]
    value_counts: tuple[tuple[IntArray, ...], ...]
    sensitive_totals: IntArray | None = None
    sensitive_tree: tuple[CodeArray, ...] | None = None
    population: Population | None = None
    sensitive_parts: Mapping[str, SensitivePart] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Microdata) -> TableFacts:
        """What the nodes of a table share."""
        maps = tuple(table.hierarchies[column].maps for column in table.quasi_identifiers)
        tuples, people = table.reduction(), table.population_counts()
        counts = [column_counts(tuple(m), table.leaf_rows(i)) for i, m in enumerate(maps)]
        columns, totals, parts = table.sensitive_columns, None, {}
        if tuples.sensitive is not None:
            totals = tuples.sensitive.totals
            if len(columns) > 1:
                parts = {str(one.name): SensitivePart.of(one, totals) for one in columns}
        return cls(
            names=tuple(str(column) for column in table.quasi_identifiers),
            n_rows=table.n_rows,
            leaf_counts=tuple(leaves for leaves, _ in counts),
            value_counts=tuple(values for _, values in counts),
            sensitive_totals=totals,
            sensitive_tree=columns[0].tree if len(columns) == 1 else None,
            population=None if people is None else Population(maps, *people),
            sensitive_parts=parts,
        )

    @cached_property
    def heights(self) -> tuple[int, ...]:
        """Height of each quasi-identifier's hierarchy."""
        return tuple(len(levels) - 1 for levels in self.leaf_counts)

    @cached_property
    def n_leaves(self) -> tuple[int, ...]:
        """Leaves of each quasi-identifier's hierarchy (M in the loss formulas)."""
        return tuple(len(levels[0]) for levels in self.leaf_counts)

    @cached_property
    def excess_by_level(self) -> IntArray:
        """Sum over all rows of ``m - 1``, (n_quasi_identifiers, greatest height + 1).

        m is the number of leaves under the row's generalized value; nothing is suppressed. It is 0
        beyond the height of a quasi-identifier.
        """
        table = np.zeros((len(self.heights), max(self.heights) + 1), dtype=np.int64)
        for attribute, levels in enumerate(zip(self.leaf_counts, self.value_counts, strict=True)):
            for level, (leaves, rows) in enumerate(zip(*levels, strict=True)):
                table[attribute, level] = ((leaves - 1) * rows).sum()
        return table

    @cached_property
    def excess_leaves(self) -> tuple[IntArray, ...]:
        """`excess_by_level` of each quasi-identifier, (height + 1,)."""
        table = zip(self.excess_by_level, self.heights, strict=True)
        return tuple(levels[: height + 1] for levels, height in table)

    def label_levels(self, attribute: int, lows: AnyIntArray, highs: AnyIntArray) -> IntArray:
        """Lowest level at which one value covers all leaves of a label.

        Parameters
        ----------
        attribute : int
            Quasi-identifier.
        lows, highs : int arrays (n,)
            First and last leaf of each label.

        Returns
        -------
        int64 array (n,)
        """
        known = self._level_tables.get(attribute)
        if known is not None:
            # One number a label: several times as fast to look up as two.
            return known.take(lows * self.n_leaves[attribute] + highs)
        return self._counted_levels(attribute, lows, highs)

    def _counted_levels(self, attribute: int, lows: AnyIntArray, highs: AnyIntArray) -> IntArray:
        levels = np.zeros(np.broadcast_shapes(lows.shape, highs.shape), dtype=np.int64)
        for leaf_counts in self.leaf_counts[attribute][:-1]:
            value_of_leaf = np.repeat(np.arange(len(leaf_counts)), leaf_counts)
            levels += value_of_leaf[lows] != value_of_leaf[highs]
        return levels

    @cached_property
    def _level_tables(self) -> dict[int, IntArray]:
        """Level of every label, by ``first * n_leaves + last`` leaf, where there are few leaves."""
        return {
            attribute: self._counted_levels(
                attribute, np.arange(n_leaves)[:, np.newaxis], np.arange(n_leaves)
            ).ravel()
            for attribute, n_leaves in enumerate(self.n_leaves)
            if n_leaves <= MOST_LISTED
        }


def column_counts(
    maps: Sequence[CodeArray], rows: IntArray
) -> tuple[tuple[IntArray, ...], tuple[IntArray, ...]]:
    """Count leaves and rows under every value of one column.

    Parameters
    ----------
    maps : int32 arrays (n_leaves,), one a level
        Code at each level of each leaf.
    rows : int64 array (n_leaves,)
        Rows with each leaf.

    Returns
    -------
    leaf_counts, value_counts : tuples of int64 arrays, one a level, each (n_values,)
    """
    leaf_counts = tuple(np.bincount(level) for level in maps)
    value_counts = tuple(np.bincount(level, weights=rows).astype(np.int64) for level in maps)
    return leaf_counts, value_counts
