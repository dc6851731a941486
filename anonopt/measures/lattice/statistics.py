"""Whole-number statistics of a node from which the built-in measures follow by formula.

Everything counted here is an integer, so every back end gives the same bits whatever the
order in which it meets the classes. `summarize` is the definition; compiled kernels are
held equal to it by tests.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from anonopt._typing import AnyArray, AnyIntArray, CodeArray, IntArray
from anonopt.data import Microdata
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.sparse_counts import count_values
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import TableFacts
from anonopt.measures.lattice.value_counts import ValueCounts

THRESHOLD = 0
SMALLEST = 1
SUPPRESSED = 2
CLASSES = 3
UNIQUE = 4
SQUARES = 5
SQUARES_KEPT = 6
DISTINCT = 7
DISTINCT_ALL = 8
SENSITIVE_SQUARES = 9
MAJORITY = 10
EVERY = slice(None)

EXCESS = 11
"""Columns of the table of statistics; from `EXCESS` on there is one a quasi-identifier."""

SENSITIVE = "sensitive"
SENSITIVE_COUNTS = "sensitive counts"
TARGET = "target"
GENERALIZED_LEAVES = "generalized leaves"
SENSITIVE_HIERARCHY = "sensitive hierarchy"
POPULATION = "population"
"""What a measure needs besides class sizes: the number of distinct sensitive values, the
counts of every sensitive value, the counts of the target's labels, the leaves under the
generalized values of suppressed rows; a hierarchy of the sensitive column, a population."""


def check_needs(name: str, needs: Collection[str], table: Microdata) -> None:
    """Refuse a measure of nodes that needs what a table does not have.

    Parameters
    ----------
    name : str
        Of the measure, for the message.
    needs : collection of str
    table : Microdata

    Raises
    ------
    ValueError
        If the table lacks something (says how to give it).
    """
    if not {SENSITIVE, SENSITIVE_COUNTS}.isdisjoint(needs) and table.sensitive is None:
        raise ValueError(f"measure {name!r} needs a sensitive column: give sensitive= to Microdata")
    trees = [column.tree for column in table.sensitive_columns]
    if SENSITIVE_HIERARCHY in needs and all(tree is None for tree in trees):
        raise ValueError(
            f"measure {name!r} needs a hierarchy of the sensitive column "
            f"{table.sensitive!r}: give one in hierarchies= of Microdata"
        )
    if POPULATION in needs and not table.has_population:
        raise ValueError(f"measure {name!r} needs a population: give population= to Microdata")
    if TARGET in needs and table.target is None:
        raise ValueError(f"measure {name!r} needs a target column: give target= to Microdata")


class RoleCounts(TypedDict):
    """Counts of the sensitive values and of the target's labels, as `ClassTable` takes them."""

    sensitive: ValueCounts | None
    target: ValueCounts | None


def role_counts(
    table: Microdata,
    class_of_row: AnyIntArray,
    needs: Collection[str],
    *,
    n_classes: int,
    rows: AnyIntArray | None = None,
) -> RoleCounts:
    """Count what is needed of the values of some rows in each of their classes.

    Parameters
    ----------
    table : Microdata
    class_of_row : int array (n,)
        Class of each of the rows; every class has one.
    needs : collection of str
        Which of `SENSITIVE`, `SENSITIVE_COUNTS` and `TARGET` to count; the first two are one.
    n_classes : int
    rows : int array (n,), optional
        Rows of the table; by default all.
    """

    def counted(codes: CodeArray | None, n_values: int, wanted: set[str]) -> ValueCounts | None:
        if codes is None or wanted.isdisjoint(needs):
            return None
        values = codes if rows is None else codes[rows]
        return count_values(class_of_row, values, n_classes=n_classes, n_values=n_values)

    n_values, n_labels = len(table.sensitive_labels), len(table.target_labels)
    return {
        "sensitive": counted(table.sensitive_codes, n_values, {SENSITIVE, SENSITIVE_COUNTS}),
        "target": counted(table.target_codes, n_labels, {TARGET}),
    }


class _Column:
    """A column of the table of statistics, as an attribute of `NodeStatistics`."""

    def __init__(self, position: int) -> None:
        self._position = position

    def __get__(self, found: NodeStatistics, owner: type[NodeStatistics]) -> IntArray:
        return found.values[:, self._position]


@dataclass(frozen=True, eq=False)
class NodeStatistics:
    """Statistics of many nodes of one table under one suppression rule.

    Attributes
    ----------
    facts : TableFacts
    rule : SuppressionRule
    nodes : int64 array (n_nodes, n_quasi_identifiers)
        Generalization levels; of local recodings the mean level of the kept rows, float64.
    values : int64 array (n_nodes, 11 + n_quasi_identifiers)
        One column a statistic; a statistic that was not asked for is -1.
    everything : int64 array (n_nodes, n_quasi_identifiers), optional
        Sum over all rows of ``m - 1``, m the leaves under a row's label; by default that of the
        levels.
    """

    facts: TableFacts
    rule: SuppressionRule
    nodes: AnyArray
    values: IntArray
    everything: IntArray | None = None

    threshold = _Column(THRESHOLD)
    """Smallest class size that is kept, (n_nodes,)."""

    smallest = _Column(SMALLEST)
    """Rows of the smallest class that is kept, 0 where none is, (n_nodes,)."""

    suppressed = _Column(SUPPRESSED)
    """Rows in suppressed classes, (n_nodes,)."""

    classes = _Column(CLASSES)
    """Number of classes that are kept, (n_nodes,)."""

    unique = _Column(UNIQUE)
    """Number of classes of one row that are kept, (n_nodes,)."""

    squares = _Column(SQUARES)
    """Sum of the squared sizes of all classes, (n_nodes,)."""

    squares_kept = _Column(SQUARES_KEPT)
    """Sum of the squared sizes of the classes that are kept, (n_nodes,)."""

    distinct = _Column(DISTINCT)
    """Least number of distinct sensitive values over kept classes, 0 where none is kept."""

    distinct_all = _Column(DISTINCT_ALL)
    """Least number of distinct sensitive values over all classes, (n_nodes,)."""

    sensitive_squares = _Column(SENSITIVE_SQUARES)
    """Sum over all classes and sensitive values of the squared count, (n_nodes,)."""

    majority = _Column(MAJORITY)
    """Sum over kept classes of the rows with a most frequent label, (n_nodes,)."""

    @classmethod
    def of(cls, classes: ClassTable, needs: Collection[str]) -> NodeStatistics:
        """Statistics of one node, or of any other table that is in classes.

        Parameters
        ----------
        classes : ClassTable
        needs : collection of str
            As in :func:`~anonopt.measures.lattice.statistics.summarize`.
        """
        labels = classes.labels
        nodes = labels.levels(classes.sizes, classes.kept)[np.newaxis]
        values = summarize(classes, needs)[np.newaxis]
        everything = labels.everything(classes.sizes)
        return cls(
            classes.facts,
            classes.rule,
            nodes,
            values,
            None if everything is None else everything[np.newaxis],
        )

    def excess_kept(self, rows: slice = EVERY) -> IntArray:
        """Sum over kept rows of ``m - 1`` at some nodes, (n_nodes, n_quasi_identifiers).

        m is the number of leaves under the row's generalized value.
        """
        if self.everything is None:
            table = self.facts.excess_by_level
            everything = table[np.arange(len(table)), self.nodes[rows]]
        else:
            everything = self.everything[rows]
        return np.asarray(everything - self.values[rows, EXCESS:])


def summarize(classes: ClassTable, needs: Collection[str]) -> IntArray:
    """Compute the statistics of one node.

    Parameters
    ----------
    classes : ClassTable
    needs : collection of str
        Which of `SENSITIVE`, `SENSITIVE_COUNTS`, `TARGET` and `GENERALIZED_LEAVES` to compute
        besides the sizes.

    Returns
    -------
    int64 array (11 + n_quasi_identifiers,)
    """
    sizes, kept = classes.sizes, classes.kept
    kept_sizes = sizes[kept]
    values = np.full(EXCESS + len(classes.facts.names), -1, dtype=np.int64)
    values[THRESHOLD] = classes.threshold
    values[SMALLEST] = kept_sizes.min() if len(kept_sizes) else 0
    values[SUPPRESSED] = sizes.sum() - kept_sizes.sum()
    values[CLASSES] = len(kept_sizes)
    values[UNIQUE] = np.count_nonzero(kept_sizes == 1)
    values[SQUARES] = sizes @ sizes
    values[SQUARES_KEPT] = kept_sizes @ kept_sizes
    if SENSITIVE in needs:
        distinct = classes.distinct_sensitive()
        values[DISTINCT] = distinct[kept].min() if len(kept_sizes) else 0
        values[DISTINCT_ALL] = distinct.min()
    if SENSITIVE_COUNTS in needs:
        # Not a dot product: for floating point that is BLAS, whose threads cost more here.
        counts = classes.counted_sensitive().numbers.ravel()
        values[SENSITIVE_SQUARES] = np.einsum("i,i->", counts, counts)
    if TARGET in needs:
        values[MAJORITY] = classes.counted_target().largest()[kept].sum()
    if GENERALIZED_LEAVES in needs:
        values[EXCESS:] = _suppressed_excess(classes)
    return values


def _suppressed_excess(classes: ClassTable) -> IntArray:
    """Sum over suppressed rows of ``m - 1``, (n_quasi_identifiers,)."""
    left_out = np.flatnonzero(~classes.kept)
    if len(left_out) == 0:
        return np.zeros(len(classes.facts.names), dtype=np.int64)
    return classes.labels.excess(left_out, classes.sizes[left_out])
