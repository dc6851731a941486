"""Nodes evaluated by the engine that has the rows: one grouping a node.

Histograms of the classes come back, and the formulas of statistics are computed from them, so what
is held in memory follows the number of different sizes of classes, not that of the tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import numpy as np

from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray
from anonopt.evaluation.engine.engine_classes import counts_of_pairs, engine_classes
from anonopt.evaluation.engine.missed_bounds import MissedBounds, check_bounds
from anonopt.evaluation.lattice.nodes import in_batches
from anonopt.evaluation.lattice.plan import Plan, n_statistics
from anonopt.evaluation.lattice.tuples import CountedColumn, DistinctTuples
from anonopt.measures.lattice import statistics as columns
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.class_table import ClassTable, RowClasses
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.value_counts import ValueCounts
from anonopt.sources.duckdb.duckdb_groups import Grouped, Histogram
from anonopt.sources.duckdb.duckdb_nodes import SENSITIVE, TARGET, DuckDBNodes
from anonopt.sources.large_table import LargeTable
from anonopt.sources.packed_words import numbered

ROLLED_UP = 0.5
"""Nodes are derived from one below them if that has at most this share of the rows."""


class RuledClasses(NamedTuple):
    """Classes of a node with the rule applied.

    Attributes
    ----------
    classes : str
        Their table.
    found : Histogram
    kept : bool array (n,)
        Entries of the histogram whose classes are kept.
    threshold : int
        Smallest size that is kept.
    condition : str
        That classes are kept.
    """

    classes: str
    found: Histogram
    kept: BoolArray
    threshold: int
    condition: str


class LeftOut(NamedTuple):
    """Suppressed classes of a node, and the sizes of the others.

    Attributes
    ----------
    codes : list of int32 arrays (n,)
        Generalized values of the suppressed classes, one array a quasi-identifier.
    sizes : int64 array (n,)
        Their rows.
    kept_sizes, kept_numbers : int64 arrays
        Rows of the classes that are kept, ascending, and how many have so many; a size may stand
        in several places.
    """

    codes: list[CodeArray]
    sizes: IntArray
    kept_sizes: IntArray
    kept_numbers: IntArray


class EngineNodes:
    """Statistics of single nodes, as `NodeEvaluator` gives them.

    Parameters
    ----------
    table : LargeTable
    tuples : DistinctTuples
        Facts of the table; the tuples themselves are in the engine.
    rule : SuppressionRule
    """

    def __init__(self, table: LargeTable, tuples: DistinctTuples, rule: SuppressionRule) -> None:
        self._table, self._tuples, self._rule = table, tuples, rule
        self._missed = None if rule.bounds_distinct_alone else MissedBounds(table, tuples, rule)
        self._engine: DuckDBNodes = table.nodes

    def statistics(self, nodes: IntArray, plan: Plan) -> tuple[IntArray, FloatArray]:
        """Statistics and class measures of nodes.

        Nodes above a common one are derived from it where it has clearly fewer rows.

        Returns
        -------
        statistics : int64 array (n_nodes, n_statistics)
        by_classes : float64 array (n_nodes, n class measures)
        """
        statistics = np.empty((len(nodes), n_statistics(self._tuples)), dtype=np.int64)
        by_classes = np.empty((len(nodes), len(plan.by_classes)))
        for place, base in self._bases(nodes, np.arange(len(nodes)), self._engine.bottom):
            node = nodes[place].tolist()
            statistics[place] = self._summary(base, node, plan)
            for position, measure in enumerate(plan.by_classes):
                if measure.from_rows is not None:
                    self._table.require_rows(f"measure {measure.name!r}")
                by_classes[place, position] = measure.of_classes(self._classes(base, node))
        return statistics, by_classes

    def exact_statistics(
        self, nodes: IntArray, plan: Plan, *, on_progress: Callable[[int], None] | None = None
    ) -> tuple[IntArray, FloatArray]:
        """As `statistics`; `on_progress` is told how many nodes are done, from time to time."""
        return in_batches(self.statistics, nodes, plan, on_progress)

    def small_class_rows(self, nodes: IntArray, k: int) -> IntArray:
        """Rows in classes smaller than k at each node, int64 array (n_nodes,)."""
        rows = np.empty(len(nodes), dtype=np.int64)
        for place, base in self._bases(nodes, np.arange(len(nodes)), self._engine.bottom):
            with self._engine.classes(
                base, nodes[place].tolist(), sensitive=False, target=False
            ) as classes:
                found = self._engine.histogram(classes)
            small = found.sizes < k
            rows[place] = found.sizes[small] @ found.classes[small]
        return rows

    def exact(self, node: IntArray) -> EngineNodes:
        """The same: no hashes are compared."""
        return self

    def classes(self, node: IntArray, needs: Collection[str] = ()) -> ClassTable:
        """Equivalence classes at a node, in memory.

        Raises
        ------
        ValueError
            If they are more than the distinct tuples that may be in memory.
        """
        return self._classes(self._engine.bottom, node.tolist())

    def rows(self, node: IntArray) -> RowClasses:
        """Refused: the rows are not in memory."""
        self._table.require_rows("classes of rows")
        raise ValueError("rows: expected in memory")

    def _bases(
        self, nodes: IntArray, places: IntArray, base: Grouped
    ) -> Iterator[tuple[int, Grouped]]:
        """Each node with what it is best grouped from: the nodes of one table together."""
        if len(places) == 1:
            yield int(places[0]), base
            return
        meet = nodes[places].min(axis=0)
        with self._engine.rolled_up(base, meet.tolist(), at_most=ROLLED_UP) as rows:
            spread = [len(np.unique(levels)) for levels in nodes[places].T]
            attribute = int(np.argmax(spread))
            if spread[attribute] == 1:
                for place in places.tolist():
                    yield place, rows
                return
            levels = nodes[places, attribute]
            for level in np.unique(levels):
                yield from self._bases(nodes, places[levels == level], rows)

    def _summary(self, base: Grouped, node: Sequence[int], plan: Plan) -> IntArray:
        """As `summarize` of the class table."""
        needs = plan.needs
        is_counted = not {columns.SENSITIVE, columns.SENSITIVE_COUNTS}.isdisjoint(needs)
        has_target = columns.TARGET in plan.asked
        with self._ruled(base, node, sensitive=is_counted, target=has_target) as ruled:
            values = summary_of_histogram(
                ruled.found, ruled.kept, ruled.threshold, plan.asked, len(node)
            )
            if columns.GENERALIZED_LEAVES in plan.asked:
                values[columns.EXCESS :] = 0
                if not ruled.kept.all():
                    values[columns.EXCESS :] = self._engine.excess(
                        ruled.classes, node, ruled.condition
                    )
        return values

    @contextmanager
    def _ruled(
        self, base: Grouped, node: Sequence[int], *, sensitive: bool, target: bool
    ) -> Iterator[RuledClasses]:
        """The classes of a node with the rule applied."""
        with ExitStack() as tables:
            classes = tables.enter_context(
                self._engine.classes(base, node, sensitive=sensitive, target=target)
            )
            if self._missed is not None:
                missed = self._missed.found(base, node, classes)
                classes = tables.enter_context(self._engine.flagged(classes, missed))
            found = self._engine.histogram(classes)
            threshold = self._rule.threshold(found.sizes, numbers=found.classes)
            kept = (found.sizes >= threshold) & ~found.missed
            condition = f"n >= {threshold} and not b"
            if self._rule.least_distinct:
                kept &= found.distinct >= self._rule.least_distinct
                condition += f" and d >= {self._rule.least_distinct}"
            yield RuledClasses(classes, found, kept, threshold, condition)

    def left_out(self, node: Sequence[int]) -> LeftOut:
        """The classes of a node that are suppressed; those that are kept stay in the engine."""
        base, is_counted = self._engine.bottom, self._rule.least_distinct > 0
        with self._ruled(base, node, sensitive=is_counted, target=False) as ruled:
            codes, sizes = self._engine.fetched(ruled.classes, node, f"not ({ruled.condition})")
        found, kept = ruled.found, ruled.kept
        return LeftOut(codes, sizes, found.sizes[kept], found.classes[kept])

    def _classes(self, base: Grouped, node: Sequence[int]) -> ClassTable:
        with self._engine.classes(base, node, sensitive=False, target=False) as classes:
            n_classes = int(self._engine.histogram(classes).classes.sum())
            if n_classes > self._table.max_tuples:
                raise ValueError(
                    f"node {list(node)}: expected at most {self._table.max_tuples} classes in "
                    f"memory (max_tuples), found {n_classes}; measures that are formulas of "
                    f"statistics need none"
                )
            codes, sizes = self._engine.fetched(classes, node, "true")
        return engine_classes(
            self._tuples,
            self._rule,
            node,
            codes,
            sizes,
            sensitive=self._counts(base, node, SENSITIVE, self._tuples.sensitive_column),
            target=self._counts(base, node, TARGET, self._tuples.target_column),
        )

    def _counts(
        self, base: Grouped, node: Sequence[int], group: int, column: CountedColumn
    ) -> ValueCounts | None:
        if column.n_values == 0:
            return None
        words, value_words, numbers = self._engine.value_counts(base, node, group)
        owners, values = numbered(words), self._table.values_of(group, value_words)
        return counts_of_pairs(self._tuples, column, owners, values, numbers)


def left_out_of_table(
    table: LargeTable,
    levels: Sequence[int],
    *,
    k: int | None,
    budget: int,
    class_bounds: Mapping[Any, float],
) -> LeftOut:
    """Suppressed classes of a node of a table whose distinct tuples are in the engine.

    Raises
    ------
    TypeError, ValueError
        If a bound is none, or looks at the target.
    """
    rule = SuppressionRule(budget, k, measure_bounds(class_bounds, table))
    check_bounds(rule)
    return EngineNodes(table, DistinctTuples.of(table), rule).left_out(levels)


def summary_of_histogram(
    found: Histogram, kept: BoolArray, threshold: int, needs: Collection[str], n_columns: int
) -> IntArray:
    """Statistics of a node from its classes by size, as `summarize` gives them.

    Parameters
    ----------
    found : Histogram
    kept : bool array (n,)
    threshold : int
        Smallest size that is kept.
    needs : collection of str
        What to compute besides the sizes; not the leaves under labels.
    n_columns : int
        Quasi-identifiers.

    Returns
    -------
    int64 array (11 + n_columns,)
    """
    sizes, classes = found.sizes, found.classes
    rows = sizes * classes
    values = np.full(columns.EXCESS + n_columns, -1, dtype=np.int64)
    values[columns.THRESHOLD] = threshold
    values[columns.SMALLEST] = sizes[kept].min() if kept.any() else 0
    values[columns.SUPPRESSED] = rows[~kept].sum()
    values[columns.CLASSES] = classes[kept].sum()
    values[columns.UNIQUE] = classes[kept & (sizes == 1)].sum()
    values[columns.SQUARES] = rows @ sizes
    values[columns.SQUARES_KEPT] = rows[kept] @ sizes[kept]
    if columns.SENSITIVE in needs:
        values[columns.DISTINCT] = found.distinct[kept].min() if kept.any() else 0
        values[columns.DISTINCT_ALL] = found.distinct.min()
    if columns.SENSITIVE_COUNTS in needs:
        values[columns.SENSITIVE_SQUARES] = found.squares.sum()
    if columns.TARGET in needs:
        values[columns.MAJORITY] = found.majority[kept].sum()
    return values
