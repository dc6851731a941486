"""Single nodes, each grouped from the distinct tuples: the back ends direct and wide."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.lattice.hashing import value_hashes, verify_classes
from anonopt.evaluation.lattice.packed import Decoder, PackedClasses, sizes_of_groups
from anonopt.evaluation.lattice.plan import Plan, n_statistics
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.class_labels import NodeLabels
from anonopt.measures.lattice.class_table import ClassTable, RowClasses
from anonopt.measures.lattice.statistics import SENSITIVE_COUNTS, TARGET, summarize
from anonopt.measures.lattice.suppression_rule import SuppressionRule

if TYPE_CHECKING:
    from anonopt.evaluation.lattice.compiled import CompiledTuples

BATCH = 1024
"""Nodes that are evaluated between two reports of progress."""

KEPT_BYTES = 1 << 28
"""Memory for columns of keys."""

ROWS_A_TUPLE = 2
"""With at most as many rows a tuple, sorting the keys of all rows is the fastest way to count."""

EVERYTHING = frozenset({SENSITIVE_COUNTS, TARGET})


class NodeEvaluator:
    """Statistics and class tables of single nodes.

    Parameters
    ----------
    tuples : DistinctTuples
    rule : SuppressionRule
    compiled : bool
        Whether to use the compiled kernels.
    hashed : bool
        Whether keys are sums of hashes, for tables of any width, or exact.
    workers : int
        Threads of the compiled kernels; no result depends on it.
    """

    def __init__(
        self,
        tuples: DistinctTuples,
        rule: SuppressionRule,
        *,
        compiled: bool,
        hashed: bool,
        workers: int = 1,
    ) -> None:
        self.tuples, self.rule, self.hashed = tuples, rule, hashed
        self._accelerated, self._workers = compiled, workers
        self._compiled = compiled and self._parts is not None
        self._key_columns: dict[tuple[int, int], IntArray] = {}

    @cached_property
    def _parts(self) -> tuple[IntArray, ...] | None:
        """Part of the key of each leaf, where a key is a sum of parts."""
        tuples = self.tuples
        if self.hashed:
            return value_hashes(tuples.maps)
        if tuples.layout is None:
            return None
        return tuple(
            maps.astype(np.int64) << shift
            for maps, shift in zip(tuples.maps, tuples.layout.shifts, strict=True)
        )

    @cached_property
    def _kernels(self) -> CompiledTuples:
        from anonopt.evaluation.lattice.compiled import CompiledTuples

        if self._parts is None:
            raise ValueError("compiled kernels need keys that are sums of parts")
        return CompiledTuples(self.tuples, self._parts)

    def keys(self, node: IntArray) -> IntArray:
        """Keys of the tuples generalized to a node, equal for equal tuples, (n_tuples,)."""
        if self._parts is None:
            levels = [self.tuples.maps[i][level] for i, level in enumerate(node)]
            return pack_codes(
                [level[self.tuples.codes[:, i]] for i, level in enumerate(levels)],
                [int(level[-1]) + 1 for level in levels],
            )
        keys = np.zeros(len(self.tuples.sizes), dtype=np.int64)
        heights = self.tuples.facts.heights
        for i, (level, height) in enumerate(zip(node.tolist(), heights, strict=True)):
            # A fully generalized column tells no tuples apart.
            if level < height:
                keys += self._key_column(self._parts[i], i, level)
        return keys

    def _key_column(self, parts: IntArray, attribute: int, level: int) -> IntArray:
        """Part of every tuple's key of one column at one level, (n_tuples,).

        Kept as far as memory goes: adding up a column is several times faster than looking its
        parts up, and a search comes back to the same levels all the time.
        """
        place = (attribute, level)
        if place in self._key_columns:
            return self._key_columns[place]
        column: IntArray = parts[level].take(self.tuples.codes[:, attribute])
        if (len(self._key_columns) + 1) * column.nbytes <= KEPT_BYTES:
            self._key_columns[place] = column
        return column

    def statistics(self, nodes: IntArray, plan: Plan) -> tuple[IntArray, FloatArray]:
        """Statistics and class measures of nodes.

        Returns
        -------
        statistics : int64 array (n_nodes, n_statistics)
        by_classes : float64 array (n_nodes, n class measures)
        """
        by_classes = np.empty((len(nodes), len(plan.by_classes)))
        if self._compiled and plan.is_compiled:
            statistics = self._kernels.statistics(nodes, self.rule, plan, workers=self._workers)
            return statistics, by_classes
        statistics = np.empty((len(nodes), n_statistics(self.tuples)), dtype=np.int64)
        for row, node in enumerate(nodes):
            classes = self.classes(node, plan.needs)
            statistics[row] = summarize(classes, plan.asked)
            for position, measure in enumerate(plan.by_classes):
                if measure.from_rows is not None:
                    value = measure.from_rows(self.rows(node))
                    by_classes[row, position] = measure.one_number(value)
                else:
                    by_classes[row, position] = measure.of_classes(classes)
        return statistics, by_classes

    def small_class_rows(self, nodes: IntArray, k: int) -> IntArray:
        """Rows in classes smaller than k at each node, int64 array (n_nodes,).

        The test of the fixed-k rule and nothing else, for searches that ask it very often.
        """
        if self._compiled:
            return self._kernels.small_class_rows(nodes, k)
        rows = np.empty(len(nodes), dtype=np.int64)
        for index, node in enumerate(nodes):
            sizes = self._sizes(node)
            rows[index] = sizes[sizes < k].sum()
        return rows

    def classes(self, node: IntArray, needs: Collection[str] = EVERYTHING) -> ClassTable:
        """Equivalence classes at a node, with the counts that are needed."""
        levels = tuple(node.tolist())
        if not needs:
            sizes = self._sizes(node)
            # A user's measure must not change what other measures see.
            sizes.flags.writeable = False
            return ClassTable(
                facts=self.tuples.facts,
                rule=self.rule,
                labels=NodeLabels(self.tuples.facts, levels, _LateDecoder(self, node)),
                sizes=sizes,
            )
        return self._merged(node, needs).table(self.tuples, self.rule, levels)

    def _sizes(self, node: IntArray) -> IntArray:
        """Rows of each class at a node, in ascending order of keys, (n_classes,)."""
        rows = self.tuples.reduction.tuple_of_row
        if rows is None or len(rows) > ROWS_A_TUPLE * len(self.tuples.sizes):
            return self._merged(node, ()).sizes
        keys = self.keys(node)
        return sizes_of_groups(keys if len(keys) == len(rows) else keys.take(rows))

    def _merged(self, node: IntArray, needs: Collection[str]) -> PackedClasses:
        keys = self.keys(node)
        start = PackedClasses.of_tuples(self.tuples, keys, needs)
        return start.merged(keys, ascending=False)

    def rows(self, node: IntArray) -> RowClasses:
        """Equivalence classes at a node together with the class of every row."""
        _, class_of_tuple = np.unique(self.keys(node), return_inverse=True)
        return RowClasses(
            classes=self.classes(node),
            class_of_row=class_of_tuple[self.tuples.tuple_of_row],
            sensitive_codes=self.tuples.sensitive_column.codes,
        )

    def exact_statistics(
        self, nodes: IntArray, plan: Plan, *, on_progress: Callable[[int], None] | None = None
    ) -> tuple[IntArray, FloatArray]:
        """As `statistics`, none of them from hashes that collide.

        `on_progress` is called from time to time with the number of nodes that are done.
        """
        return in_batches(self._exact_batch, nodes, plan, on_progress)

    def _exact_batch(self, nodes: IntArray, plan: Plan) -> tuple[IntArray, FloatArray]:
        statistics, by_classes = self.statistics(nodes, plan)
        for row, node in enumerate(nodes if self.hashed else ()):
            exact = self.exact(node)
            if exact is not self:
                found = exact.statistics(node[np.newaxis], plan)
                statistics[row], by_classes[row] = found[0][0], found[1][0]
        return statistics, by_classes

    def exact(self, node: IntArray) -> NodeEvaluator:
        """An evaluator that compares no hashes where those of a node collide; else this one."""
        if self.is_exact(node):
            return self
        return NodeEvaluator(
            self.tuples,
            self.rule,
            compiled=self._accelerated,
            hashed=False,
        )

    def is_exact(self, node: IntArray) -> bool:
        """Whether no two different tuples share a key at a node."""
        return not self.hashed or verify_classes(self.tuples, node, self.keys(node))


def in_batches(
    measure: Callable[[IntArray, Plan], tuple[IntArray, FloatArray]],
    nodes: IntArray,
    plan: Plan,
    on_progress: Callable[[int], None] | None,
) -> tuple[IntArray, FloatArray]:
    """What a function finds of nodes, some at a time, and how many are done after each time."""
    if len(nodes) <= BATCH and on_progress is None:
        return measure(nodes, plan)
    parts = []
    for start in range(0, len(nodes), BATCH):
        parts.append(measure(nodes[start : start + BATCH], plan))
        if on_progress is not None:
            on_progress(min(start + BATCH, len(nodes)))
    return np.concatenate([one for one, _ in parts]), np.concatenate([one for _, one in parts])


@dataclass(frozen=True, eq=False)
class _LateDecoder:
    """Decodes classes of which only the sizes were found: finds a tuple of each when called."""

    evaluator: NodeEvaluator
    node: IntArray

    def __call__(self, classes: IntArray) -> IntArray:
        _, member = np.unique(self.evaluator.keys(self.node), return_index=True)
        return Decoder(member, self.evaluator.tuples, tuple(self.node.tolist()))(classes)
