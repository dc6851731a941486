"""What all nodes of one table share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonopt._typing import CodeArray, IntArray
from anonopt.data import Microdata
from anonopt.measures.lattice.population import Population


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
        Rows of the table with each sensitive value.
    sensitive_tree : tuple of int32 arrays (n_sensitive,), optional
        Code at each level of each sensitive value, where the column has a hierarchy.
    population : Population, optional
        Of which the table is a sample.
    """

    names: tuple[str, ...]
    n_rows: int
    leaf_counts: tuple[tuple[IntArray, ...], ...]
    value_counts: tuple[tuple[IntArray, ...], ...]
    sensitive_totals: IntArray | None = None
    sensitive_tree: tuple[CodeArray, ...] | None = None
    population: Population | None = None

    @classmethod
    def of(cls, table: Microdata) -> TableFacts:
        """What the nodes of a table share."""
        maps = tuple(table.hierarchies[column].maps for column in table.quasi_identifiers)
        counts = [column_counts(tuple(m), table.codes[:, i]) for i, m in enumerate(maps)]
        sensitive, people = table.sensitive_codes, table.population_codes
        return cls(
            names=tuple(str(column) for column in table.quasi_identifiers),
            n_rows=table.n_rows,
            leaf_counts=tuple(leaves for leaves, _ in counts),
            value_counts=tuple(values for _, values in counts),
            sensitive_totals=None if sensitive is None else np.bincount(sensitive),
            sensitive_tree=table.sensitive_tree,
            population=None if people is None else Population.of(people, maps),
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
    def excess_leaves(self) -> tuple[IntArray, ...]:
        """Sum over all rows of ``m - 1``, one array (height + 1,) by level a quasi-identifier.

        m is the number of leaves under the row's generalized value; nothing is suppressed.
        """
        return tuple(
            np.array([((m - 1) * n).sum() for m, n in zip(leaves, rows, strict=True)])
            for leaves, rows in zip(self.leaf_counts, self.value_counts, strict=True)
        )


def column_counts(
    maps: Sequence[CodeArray], codes: CodeArray
) -> tuple[tuple[IntArray, ...], tuple[IntArray, ...]]:
    """Count leaves and rows under every value of one column.

    Parameters
    ----------
    maps : int32 arrays (n_leaves,), one a level
        Code at each level of each leaf.
    codes : int32 array (n_rows,)
        Leaf of each row.

    Returns
    -------
    leaf_counts, value_counts : tuples of int64 arrays, one a level, each (n_values,)
    """
    rows = np.bincount(codes, minlength=len(maps[0]))
    leaf_counts = tuple(np.bincount(level) for level in maps)
    value_counts = tuple(np.bincount(level, weights=rows).astype(np.int64) for level in maps)
    return leaf_counts, value_counts
