"""Partitions of the distinct tuples, refined column by column: for exact searches under k.

A search that decides one quasi-identifier after the other asks, again and again, how many rows
fall into classes below k once one more column is no longer fully generalized. Three things make
the answer cheap, and all are exact: rows whose class is below k already stay suppressed
whatever is decided later, so they are counted and dropped; within a class only the one column
has to be looked at; and tuples that no later decision can tell apart are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonopt._typing import CodeArray, FloatArray, IntArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.lattice.tuples import DistinctTuples

DENSE = 8
"""Classes are counted in an array if it has at most this many places a member."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Classes of at least k rows at a node, class by class.

    Attributes
    ----------
    members : int32 array (n_members,)
        A distinct tuple of the table that stands for itself or for several merged ones.
    rows : int64 array (n_members,)
        Rows of the table that the member stands for.
    starts : int32 array (n_classes + 1,)
        First member of each class, and the number of members.
    suppressed : int
        Rows in classes below k, which are in no class here.
    """

    members: CodeArray
    rows: IntArray
    starts: CodeArray
    suppressed: int

    @property
    def class_of(self) -> IntArray:
        """Number of the class of each member, (n_members,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


class PartitionRefiner:
    """Refine partitions of one table under one fixed-k rule.

    Parameters
    ----------
    tuples : DistinctTuples
    k : int
        Classes below k are suppressed.
    budget : int
        Rows that may be suppressed.
    compiled : bool
        Whether to use the compiled kernels; the result is the same.
    """

    def __init__(self, tuples: DistinctTuples, *, k: int, budget: int, compiled: bool) -> None:
        self.k, self.budget = k, budget
        self._sizes = tuples.sizes
        self._compiled = compiled
        self.heights = np.array(tuples.facts.heights, dtype=np.int64)
        self._first = np.concatenate([[0], np.cumsum(self.heights + 1)[:-1]])
        values = [levels[:, tuples.codes[:, i]] for i, levels in enumerate(tuples.maps)]
        self._values = np.ascontiguousarray(np.concatenate(values), dtype=np.int32)
        self._n_values = self._values.max(axis=1).astype(np.int64) + 1
        n_scratch = int(self._n_values.max())
        self._scratch = tuple(np.zeros(n_scratch, dtype=np.int64) for _ in range(2))

    def under(self, *, k: int, budget: int) -> PartitionRefiner:
        """The same of another rule; what is known of the table is shared."""
        other = copy(self)
        other.k, other.budget = k, budget
        return other

    def start(self) -> Partition:
        """The partition at the top node: one class of all rows."""
        n = len(self._sizes)
        return Partition(
            members=np.arange(n, dtype=np.int32),
            rows=self._sizes.astype(np.int64),
            starts=np.array([0, n], dtype=np.int32),
            suppressed=0,
        )

    def refine(self, partition: Partition, column: int, level: int) -> Partition:
        """The partition once a fully generalized column is lowered to a level."""
        if level == self.heights[column]:
            return partition
        values = self._values[self._first[column] + level]
        found = partition.members, partition.rows, partition.starts
        if self._compiled:
            from anonopt.evaluation.lattice.kernel_partitions import refine

            members, rows, starts, small = refine(*found, values, self.k, *self._scratch)
        else:
            members, rows, starts, small = _refine(partition, values, self.k)
        return Partition(members, rows, starts, partition.suppressed + int(small))

    def merge(self, partition: Partition, columns: IntArray, node: IntArray) -> Partition:
        """Merge the tuples of a class that agree in `columns` at the levels of a node.

        The columns must be those that later refine the partition, at no lower level.
        """
        lines = self._first[columns] + node[columns]
        found = partition.members, partition.rows, partition.starts
        if self._compiled:
            from anonopt.evaluation.lattice.kernel_partitions import merge

            members, rows, starts = merge(*found, self._values, lines)
            return Partition(members, rows, starts, partition.suppressed)
        values = self._values[lines][:, partition.members]
        return _merge(partition, values, self._n_values[lines].tolist())

    def lowest_levels(
        self,
        partition: Partition,
        columns: IntArray,
        node: IntArray,
        *,
        costs: FloatArray,
        limit: float,
    ) -> tuple[float, int]:
        """Raise a node in each column to its lowest feasible level, the others at the top.

        Parameters
        ----------
        partition : Partition
            `columns` are fully generalized in it.
        columns : int64 array (n_columns,)
        node : int64 array (n_quasi_identifiers,)
            Levels from which to raise; changed in place.
        costs : float64 array (n_quasi_identifiers, largest height + 1)
            Never falling from level to level.
        limit : float
            Stop once the costs added reach this; the later columns are then not raised.

        Returns
        -------
        added : float
            Costs of the levels raised.
        tests : int
            Feasibility tests made.
        """
        if self._compiled:
            from anonopt.evaluation.lattice.kernel_partitions import lowest_levels

            allowed = self.budget - partition.suppressed
            search = (self._values, self._first, self.heights, self.k, self._scratch[0])
            found = partition.members, partition.rows, partition.starts
            added, tests = lowest_levels(*found, search, costs, columns, limit, allowed, node)
            return float(added), int(tests)
        added, tests = 0.0, 0
        for column in columns:
            level = node[column]
            while level < self.heights[column]:
                tests += 1
                if self.is_feasible(partition, int(column), int(level)):
                    break
                level += 1
            added += costs[column, level] - costs[column, node[column]]
            node[column] = level
            if added >= limit:
                break
        return added, tests

    def is_feasible(self, partition: Partition, column: int, level: int) -> bool:
        """Whether a fully generalized column may be lowered to a level."""
        line = self._first[column] + level
        values = self._values[line][partition.members]
        small = _small_rows(partition, values, self._n_values[line], self.k)
        return partition.suppressed + small <= self.budget


def _small_rows(partition: Partition, values: CodeArray, n_values: Any, k: int) -> int:
    """Rows in classes below k once the members' values refine the partition."""
    n_places = (len(partition.starts) - 1) * int(n_values)
    keys = partition.class_of * n_values + values
    if n_places > DENSE * len(keys):
        keys = np.unique(keys, return_inverse=True)[1]
    rows = np.bincount(keys, weights=partition.rows)
    return int(rows[rows < k].sum())


def _refine(
    partition: Partition, values: CodeArray, k: int
) -> tuple[CodeArray, IntArray, CodeArray, int]:
    of_member = values[partition.members].astype(np.int64)
    keys = partition.class_of * (int(values.max()) + 1) + of_member
    _, class_of = np.unique(keys, return_inverse=True)
    rows = np.bincount(class_of, weights=partition.rows).astype(np.int64)
    kept = rows >= k
    order = np.argsort(class_of, kind="stable")
    order = order[kept[class_of[order]]]
    n_members = np.bincount(class_of)[kept]
    starts = np.concatenate([[0], np.cumsum(n_members)]).astype(np.int32)
    return partition.members[order], partition.rows[order], starts, int(rows[~kept].sum())


def _merge(partition: Partition, values: CodeArray, radices: Sequence[int]) -> Partition:
    class_of = partition.class_of
    n_classes = len(partition.starts) - 1
    keys = pack_codes([class_of, *values], [max(n_classes, 1), *radices])
    _, first, merged = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(class_of[first], kind="stable")
    starts = np.searchsorted(class_of[first][order], np.arange(n_classes + 1))
    rows = np.bincount(merged, weights=partition.rows).astype(np.int64)
    return Partition(
        members=partition.members[first][order],
        rows=rows[order],
        starts=starts.astype(np.int32),
        suppressed=partition.suppressed,
    )
