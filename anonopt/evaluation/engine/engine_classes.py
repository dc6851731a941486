"""Classes that came from the engine, as measures see them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.evaluation.lattice.tuples import CountedColumn, DistinctTuples
from anonopt.measures.lattice.class_labels import NodeLabels
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.sparse_counts import SparseCounts
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.value_counts import DenseCounts, ValueCounts


def engine_classes(
    tuples: DistinctTuples,
    rule: SuppressionRule,
    node: Sequence[int],
    codes: Sequence[CodeArray],
    sizes: IntArray,
    *,
    sensitive: ValueCounts | None = None,
    target: ValueCounts | None = None,
) -> ClassTable:
    """Some classes of a node, or all.

    Parameters
    ----------
    tuples : DistinctTuples
        Facts of the table.
    rule : SuppressionRule
    node : sequence of int
    codes : sequence of int32 arrays (n_classes,)
        Generalized values, one array a quasi-identifier.
    sizes : int64 array (n_classes,)
    sensitive, target : ValueCounts, optional
    """
    sizes.flags.writeable = False
    return ClassTable(
        facts=tuples.facts,
        rule=rule,
        labels=NodeLabels(
            tuples.facts,
            tuple(node),
            lambda wanted: np.stack([column[wanted] for column in codes], axis=1).astype(np.int64),
        ),
        sizes=sizes,
        sensitive=sensitive,
        target=target,
    )


def counts_of_pairs(
    tuples: DistinctTuples,
    column: CountedColumn,
    owners: IntArray,
    values: AnyIntArray,
    numbers: IntArray,
) -> ValueCounts:
    """Counts with zeros exactly where those of the same table in memory have them.

    Parameters
    ----------
    tuples : DistinctTuples
    column : CountedColumn
    owners : int64 array (n,)
        Class of each pair, ascending from 0.
    values : int array (n,)
    numbers : int64 array (n,)
        Rows of each pair.
    """
    n_classes = int(owners[-1]) + 1
    if tuples.is_dense(column):
        counts = np.zeros((n_classes, column.width), dtype=tuples.lane)
        counts[owners, values] = numbers
        return DenseCounts(counts[:, : column.n_values])
    return SparseCounts.of_pairs(
        owners, values, n_classes=n_classes, n_values=column.n_values, numbers=numbers
    )
