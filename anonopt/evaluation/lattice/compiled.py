"""The compiled walk of the lattice and the compiled evaluation of single nodes (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._typing import AnyArray, CodeArray, FloatArray, IntArray, WordArray
from anonopt.evaluation.lattice.kernel_rollup import raise_field, stream_levels
from anonopt.evaluation.lattice.kernel_statistics import HISTOGRAM_SIZES
from anonopt.evaluation.lattice.kernel_tuples import small_class_rows, tuple_statistics
from anonopt.evaluation.lattice.plan import Plan, n_statistics, parents_of
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.statistics import (
    GENERALIZED_LEAVES,
    SENSITIVE,
    SENSITIVE_COUNTS,
    TARGET,
)
from anonopt.measures.lattice.suppression_rule import SuppressionRule

Arrays = tuple[AnyArray, ...]


class CompiledWalker:
    """Walk of the lattice with compiled kernels; see `anonopt.evaluation.lattice.rollup.Walker`.

    Tables are written into buffers that are used again at each depth, so a walk allocates
    as much as its deepest path needs and no more.
    """

    def __init__(
        self,
        tuples: DistinctTuples,
        plan: tuple[Any, ...],
        start: tuple[IntArray, CodeArray, Arrays],
        raised: list[list[CodeArray]],
    ) -> None:
        self._tuples, self._plan = tuples, plan
        layout = tuples.require_layout()
        self._streamed = int(layout.order[-1])
        self._raised = raised
        self._parents = _padded(raised[self._streamed], tuples.maps[self._streamed].shape[1])
        self._path = [start]
        self._buffers: list[tuple[CodeArray, Arrays]] = []
        self._at = np.empty(len(start[2][0]), dtype=np.int32)
        n = len(start[2][0])
        counting = np.zeros(HISTOGRAM_SIZES, dtype=np.int64), np.empty(n, dtype=np.int32)
        self._scratch = np.empty(len(start[0]), dtype=np.int64), counting
        self._streams = (_empty(start[2], n), _empty(start[2], n))
        self._fields = [
            (int(attribute), layout.shifts[attribute], layout.masks[attribute])
            for attribute in layout.order
        ]

    @classmethod
    def at_bottom(cls, tuples: DistinctTuples, rule: SuppressionRule, plan: Plan) -> CompiledWalker:
        """A walk that starts at the bottom node."""
        layout = tuples.require_layout()
        streamed = int(layout.order[-1])
        prefixes = tuples.keys & ~layout.masks[streamed]
        keys, starts, group = np.unique(prefixes, return_index=True, return_inverse=True)
        size, present, sensitive, target = _counts(tuples, plan)
        code = (tuples.keys & layout.masks[streamed]).astype(np.int32)
        table = (group.astype(np.int32), code, size, present, sensitive, target)
        ends = np.append(starts, len(code)).astype(np.int32)
        asked = (
            _asked(rule, plan),
            GENERALIZED_LEAVES in plan.needs,
            streamed,
            _excess_tables(tuples),
        )
        raised = [parents_of(maps) for maps in tuples.maps]
        return cls(tuples, asked, (keys, ends, table), raised)

    def fork(self) -> CompiledWalker:
        """See `Walker.fork`."""
        keys, starts, table = self._path[-1]
        n = int(starts[len(keys)])
        own = (keys, starts.copy(), tuple(array[:n].copy() for array in table))
        return CompiledWalker(self._tuples, self._plan, own, self._raised)

    def pop(self) -> None:
        """See `Walker.pop`."""
        self._path.pop()

    def raise_field(self, field: int, level: int) -> None:
        """See `Walker.raise_field`."""
        attribute, shift, mask = self._fields[field]
        keys, starts, table = self._path[-1]
        new_starts, into = self._buffer(len(self._path) - 1, keys, starts, table)
        step = shift, mask, self._raised[attribute][level], self._parents.shape[1]
        new_keys = raise_field(keys, starts, table, *step, new_starts, self._at, into)
        self._path.append((new_keys, new_starts, into))

    def evaluate(self, node: IntArray, statistics: IntArray, by_classes: FloatArray) -> None:
        """See `Walker.evaluate`; there are no measures of the class table here."""
        buffers = self._streams, self._at, self._scratch
        stream_levels(*self._path[-1], node, self._parents, self._plan, *buffers, statistics)

    def _buffer(
        self, depth: int, keys: IntArray, starts: CodeArray, table: Arrays
    ) -> tuple[CodeArray, Arrays]:
        """Room for a table that is not larger than `table`."""
        n_groups, n = len(keys), int(starts[len(keys)])
        if depth == len(self._buffers):
            self._buffers.append((np.empty(0, dtype=np.int32), ()))
        new_starts, into = self._buffers[depth]
        if len(new_starts) <= n_groups or len(into[0]) < n:
            room = (np.empty(n_groups + 1, dtype=np.int32), _empty(table, n))
            self._buffers[depth] = room
        return self._buffers[depth]


class CompiledTuples:
    """Single nodes with compiled kernels, each grouped from the distinct tuples.

    Parameters
    ----------
    tuples : DistinctTuples
    parts : tuple of int64 arrays (height + 1, n_leaves)
        Part of the key of each leaf, one array a quasi-identifier.
    """

    def __init__(self, tuples: DistinctTuples, parts: Sequence[IntArray]) -> None:
        self._tuples = tuples
        self._parts = np.concatenate([part.ravel() for part in parts])
        sizes = [part.size for part in parts]
        self._first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        self._leaves = np.array([part.shape[1] for part in parts], dtype=np.int64)
        excess = [
            (leaves[levels] - 1)
            for maps, counts in zip(tuples.maps, tuples.facts.leaf_counts, strict=True)
            for levels, leaves in zip(maps, counts, strict=True)
        ]
        self._excess = np.concatenate(excess)

    def statistics(self, nodes: IntArray, rule: SuppressionRule, plan: Plan) -> IntArray:
        """Statistics of nodes, int64 array (n_nodes, n_statistics)."""
        out = np.empty((len(nodes), n_statistics(self._tuples)), dtype=np.int64)
        counts, asked = _counts(self._tuples, plan), _asked(rule, plan)
        values = self._parts, self._excess, self._first, self._leaves
        count_excess = GENERALIZED_LEAVES in plan.needs
        tuple_statistics(nodes, self._tuples.codes, counts, *values, asked, count_excess, out)
        return out

    def small_class_rows(self, nodes: IntArray, k: int) -> IntArray:
        """Rows in classes smaller than k at each node, int64 array (n_nodes,)."""
        out = np.empty(len(nodes), dtype=np.int64)
        values = self._parts, self._first, self._leaves
        small_class_rows(nodes, self._tuples.codes, self._tuples.sizes, *values, k, out)
        return out


def _asked(rule: SuppressionRule, plan: Plan) -> tuple[int, int, int, bool, bool]:
    return (
        rule.budget,
        rule.k or 0,
        plan.least_distinct,
        SENSITIVE in plan.asked,
        SENSITIVE_COUNTS in plan.asked,
    )


def _counts(
    tuples: DistinctTuples, plan: Plan
) -> tuple[CodeArray, WordArray, npt.NDArray[np.unsignedinteger], npt.NDArray[np.unsignedinteger]]:
    """Sizes, sets, sensitive and target counts of the tuples, as far as they are needed."""
    nothing = np.zeros((len(tuples.sizes), 0), dtype=tuples.lane)
    by_counting = SENSITIVE in plan.needs and len(tuples.present) == 0
    return (
        tuples.sizes.astype(np.int32),
        # Where the counts are carried anyway, the sets of values follow from them.
        tuples.present
        if SENSITIVE in plan.needs and SENSITIVE_COUNTS not in plan.needs
        else np.zeros(0, dtype=np.uint64),
        tuples.sensitive if SENSITIVE_COUNTS in plan.needs or by_counting else nothing,
        np.ascontiguousarray(tuples.target[:, : tuples.n_labels])
        if TARGET in plan.needs
        else nothing,
    )


def _excess_tables(tuples: DistinctTuples) -> Arrays:
    """Fields of the key, and ``m - 1`` of every value, by quasi-identifier and level."""
    layout, leaf_counts = tuples.require_layout(), tuples.facts.leaf_counts
    offset = np.zeros((len(leaf_counts), max(tuples.facts.heights) + 1), dtype=np.int64)
    parts: list[IntArray] = []
    end = 0
    for attribute, levels in enumerate(leaf_counts):
        for level, leaves in enumerate(levels):
            offset[attribute, level] = end
            parts.append(leaves - 1)
            end += len(leaves)
    return (layout.shifts, layout.masks, np.concatenate(parts), offset)


def _padded(rows: Sequence[CodeArray], width: int) -> CodeArray:
    """Rows of different lengths as one array, (n_rows, width)."""
    padded = np.zeros((len(rows), width), dtype=np.int32)
    for row, values in zip(padded, rows, strict=True):
        row[: len(values)] = values
    return padded


def _empty(table: Arrays, n: int) -> Arrays:
    """Arrays like those of a table, with n rows; absent sets of values stay absent."""
    return tuple(
        np.empty((min(n, len(array)), *array.shape[1:]), dtype=array.dtype) for array in table
    )
