"""What a part of a group has to hold to be a group of its own: k rows and the bounds of classes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from anonopt._typing import AnyIntArray, BoolArray, CodeArray, IntArray, WordArray
from anonopt.evaluation.lattice.tuples import CountedColumn, DistinctTuples
from anonopt.evaluation.local.label_tables import LabelTables
from anonopt.measures.lattice.class_bounds import COUNTED
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.recoded_classes import RecodedLabels
from anonopt.measures.lattice.sparse_counts import count_values
from anonopt.measures.lattice.statistics import TARGET
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.value_counts import ValueCounts


@dataclass(frozen=True, eq=False)
class PartRule:
    """k and the bounds that each part has to meet.

    Attributes
    ----------
    tuples : DistinctTuples
    tables : LabelTables
    rule : SuppressionRule
        With a fixed k.
    """

    tuples: DistinctTuples
    tables: LabelTables
    rule: SuppressionRule

    def with_k(self, k: int) -> PartRule:
        """The same bounds under another k."""
        return self if k == self.k else replace(self, rule=replace(self.rule, k=k))

    @property
    def k(self) -> int:
        """Least rows of a part."""
        return self.rule.fixed_k

    @property
    def least_distinct(self) -> int:
        """Distinct sensitive values that a part must have; 0 where that is not asked."""
        return self.rule.least_distinct

    @property
    def needs_counts(self) -> bool:
        """Whether there are bounds that rows and sets of values do not tell."""
        return not self.rule.bounds_distinct_alone

    def met_by_sets(self, rows: IntArray, words: WordArray) -> BoolArray:
        """Which parts hold enough, by their rows and the sets of their values, (n_parts,).

        Parameters
        ----------
        rows : int64 array (n_parts,)
        words : uint64 array (n_parts, n_words)
        """
        enough = rows >= self.k
        if self.least_distinct > 0:
            enough &= np.bitwise_count(words).sum(axis=1, dtype=np.int64) >= self.least_distinct
        return enough

    def met_by_rows(self, part_of_row: AnyIntArray, rows: AnyIntArray) -> BoolArray:
        """Which parts of some rows hold enough, as a class that is kept does, (n_parts,).

        Parameters
        ----------
        part_of_row : int array (n,)
            Part of each of the rows, each number from 0 on.
        rows : int array (n,)
            Numbers of rows of the table.
        """
        needs, tuples = self.rule.needs, self.tuples
        sizes = np.bincount(part_of_row)

        def counted(column: CountedColumn, is_needed: bool) -> ValueCounts | None:
            if column.codes is None or not is_needed:
                return None
            values = column.codes[rows]
            return count_values(part_of_row, values, n_classes=len(sizes), n_values=column.n_values)

        parts = ClassTable(
            facts=tuples.facts,
            rule=self.rule,
            labels=RecodedLabels(tuples.facts, *self._labels(part_of_row, rows)),
            sizes=sizes,
            sensitive=counted(tuples.sensitive_column, not needs.isdisjoint(COUNTED)),
            target=counted(tuples.target_column, TARGET in needs),
        )
        return parts.kept

    def _labels(self, part_of_row: AnyIntArray, rows: AnyIntArray) -> tuple[CodeArray, CodeArray]:
        """First and last leaf of the lowest labels of the parts, (n_parts, n_columns) each."""
        order = np.argsort(part_of_row, kind="stable")
        starts = np.searchsorted(part_of_row[order], np.arange(part_of_row.max() + 1))
        codes = self.tuples.codes[self.tuples.tuple_of_row[rows[order]]]
        return self.tables.labels(
            np.minimum.reduceat(codes, starts, axis=0), np.maximum.reduceat(codes, starts, axis=0)
        )
