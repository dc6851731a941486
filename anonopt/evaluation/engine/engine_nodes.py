"""Nodes evaluated by the engine that has the rows: one grouping a node.

Histograms of the classes come back, and the formulas of statistics are computed from them, so what
is held in memory follows the number of different sizes of classes, not that of the tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import numpy as np

from anonopt._typing import CodeArray, FloatArray, IntArray
from anonopt.evaluation.engine.engine_classes import counts_of_pairs, engine_classes
from anonopt.evaluation.engine.engine_measures import is_of_all
from anonopt.evaluation.engine.histogram_measures import is_told, summary_of_histogram, told
from anonopt.evaluation.engine.parts_of_nodes import PartsOfNodes, RuledClasses, check_bounds
from anonopt.evaluation.engine.values_of_parts import is_of_parts
from anonopt.evaluation.lattice.nodes import in_batches
from anonopt.evaluation.lattice.plan import Plan, n_statistics
from anonopt.evaluation.lattice.tuples import CountedColumn, DistinctTuples
from anonopt.measures.lattice import statistics as columns
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.class_table import ClassTable, RowClasses
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.value_counts import ValueCounts
from anonopt.measures.measure import Measure
from anonopt.sources.duckdb.duckdb_groups import Grouped
from anonopt.sources.duckdb.duckdb_node_words import SENSITIVE, TARGET
from anonopt.sources.duckdb.duckdb_nodes import DuckDBNodes
from anonopt.sources.large_table import LargeTable
from anonopt.sources.packed_words import numbered


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
        self._parts = PartsOfNodes(table, tuples, rule)
        self._engine: DuckDBNodes = table.nodes

    def statistics(self, nodes: IntArray, plan: Plan) -> tuple[IntArray, FloatArray]:
        """Statistics and class measures of nodes.

        Nodes are grouped from the fewest rows that are kept of a node below, those of one that
        many are above among them.

        Returns
        -------
        statistics : int64 array (n_nodes, n_statistics)
        by_classes : float64 array (n_nodes, n class measures)
        """
        statistics = np.empty((len(nodes), n_statistics(self._tuples)), dtype=np.int64)
        by_classes = np.empty((len(nodes), len(plan.by_classes)))
        needs = self._needs(plan)
        groups = groups_of(needs | self._rule.needs)
        for place in self._in_turn(nodes, groups):
            node = nodes[place].tolist()
            with (
                self._engine.alone,
                self._engine.rows_of(node, groups) as rows,
                self._ruled(rows) as ruled,
            ):
                statistics[place] = self._summary(node, ruled, needs)
                by_classes[place] = self._values(plan.by_classes, rows, ruled)
        return statistics, by_classes

    def _needs(self, plan: Plan) -> frozenset[str]:
        """What is to be counted for the measures of a plan."""
        needs = {need for measure in plan.measures for need in measure.needs}
        if any(map(is_of_all, plan.by_classes)):
            # A function of classes may read whatever the table has.
            needs |= plan.asked
        elif self._table.sensitive is not None and any(map(is_of_parts, plan.by_classes)):
            needs |= {columns.SENSITIVE_COUNTS}
        return frozenset(needs)

    def _values(
        self, measures: Sequence[Measure], rows: Grouped, ruled: RuledClasses
    ) -> list[float]:
        """Values of a node by measures of classes."""
        by_parts = [m for m in measures if is_of_parts(m) and not is_told(m)]
        values = {}
        if by_parts:
            found = self._parts.values(by_parts, rows, ruled)
            values = {m.name: value for m, value in zip(by_parts, found, strict=True)}
        for measure in measures:
            if is_told(measure):
                values[measure.name] = told(
                    measure, self._engine, self._tuples.facts, rows.node, ruled
                )
            elif measure.from_rows is not None:
                self._table.require_rows(f"measure {measure.name!r}")
            elif measure.name not in values:
                values[measure.name] = measure.of_classes(self._classes(rows))
        return [values[measure.name] for measure in measures]

    def exact_statistics(
        self, nodes: IntArray, plan: Plan, *, on_progress: Callable[[int], None] | None = None
    ) -> tuple[IntArray, FloatArray]:
        """As `statistics`; `on_progress` is told how many nodes are done, from time to time."""
        return in_batches(self.statistics, nodes, plan, on_progress)

    def small_class_rows(self, nodes: IntArray, k: int) -> IntArray:
        """Rows in classes smaller than k at each node, int64 array (n_nodes,)."""
        found = np.empty(len(nodes), dtype=np.int64)
        for place in self._in_turn(nodes, ()):
            with (
                self._engine.alone,
                self._engine.rows_of(nodes[place].tolist()) as rows,
                self._engine.classes(rows) as classes,
            ):
                sizes = self._engine.histogram(classes)
            small = sizes.sizes < k
            found[place] = sizes.sizes[small] @ sizes.classes[small]
        return found

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
        everything = (
            groups_of({columns.SENSITIVE_COUNTS, columns.TARGET}) & self._engine.bottom.groups
        )
        with self._engine.alone, self._engine.rows_of(node.tolist(), everything) as rows:
            return self._classes(rows)

    def rows(self, node: IntArray) -> RowClasses:
        """Refused: the rows are not in memory."""
        self._table.require_rows("classes of rows")
        raise ValueError("rows: expected in memory")

    def _in_turn(self, nodes: IntArray, groups: Collection[int]) -> Iterator[int]:
        """Places of nodes, those above one that pays to be grouped first after it."""
        if len(nodes) <= 1:
            yield from range(len(nodes))
            return
        places = np.arange(len(nodes))
        stack = [places]
        while stack:
            places = stack.pop()
            if len(places) > 1:
                with self._engine.alone:
                    self._engine.prepare(nodes[places].min(axis=0).tolist(), groups)
            spread = [len(np.unique(levels)) for levels in nodes[places].T]
            attribute = int(np.argmax(spread))
            if spread[attribute] == 1:
                yield from places.tolist()
                continue
            levels = nodes[places, attribute]
            stack += [places[levels == level] for level in np.unique(levels)[::-1]]

    def _summary(
        self, node: Sequence[int], ruled: RuledClasses, needs: Collection[str]
    ) -> IntArray:
        """As `summarize` of the class table."""
        found, kept = ruled.found, ruled.kept
        values = summary_of_histogram(found, kept, ruled.threshold, needs, len(node))
        if columns.GENERALIZED_LEAVES in needs:
            values[columns.EXCESS :] = 0
            if not kept.all():
                values[columns.EXCESS :] = self._engine.excess(ruled.classes, node, ruled.condition)
        return values

    @contextmanager
    def _ruled(self, rows: Grouped) -> Iterator[RuledClasses]:
        """The classes of a node with the rule applied."""
        with ExitStack() as tables:
            classes = tables.enter_context(self._engine.classes(rows))
            if not self._rule.bounds_distinct_alone:
                missed = self._parts.missed(rows, classes)
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
        groups = groups_of(self._rule.needs)
        with (
            self._engine.alone,
            self._engine.rows_of(node, groups) as rows,
            self._ruled(rows) as ruled,
        ):
            codes, sizes = self._engine.fetched(ruled.classes, node, f"not ({ruled.condition})")
        found, kept = ruled.found, ruled.kept
        return LeftOut(codes, sizes, found.sizes[kept], found.classes[kept])

    def _classes(self, rows: Grouped) -> ClassTable:
        """All classes of a node, with the values that its rows have."""
        with self._engine.classes(rows) as classes:
            n_classes = int(self._engine.histogram(classes).classes.sum())
            if n_classes > self._table.max_tuples:
                raise ValueError(
                    f"node {list(rows.node)}: expected at most {self._table.max_tuples} classes in "
                    f"memory (max_tuples), found {n_classes}"
                )
            codes, sizes = self._engine.fetched(classes, rows.node, "true")
        return engine_classes(
            self._tuples,
            self._rule,
            rows.node,
            codes,
            sizes,
            sensitive=self._counts(rows, SENSITIVE, self._tuples.sensitive_column),
            target=self._counts(rows, TARGET, self._tuples.target_column),
        )

    def _counts(self, rows: Grouped, group: int, column: CountedColumn) -> ValueCounts | None:
        if group not in rows.groups:
            return None
        words, value_words, numbers = self._engine.value_counts(rows, group)
        owners, values = numbered(words), self._table.values_of(group, value_words)
        return counts_of_pairs(self._tuples, column, owners, values, numbers)


def groups_of(needs: Collection[str]) -> frozenset[int]:
    """Groups of columns whose values are counted for what is needed."""
    sensitive = not {columns.SENSITIVE, columns.SENSITIVE_COUNTS}.isdisjoint(needs)
    return frozenset([SENSITIVE] * sensitive + [TARGET] * (columns.TARGET in needs))


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
