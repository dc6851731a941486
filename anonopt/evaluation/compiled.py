"""The compiled walk of the lattice and the compiled evaluation of single nodes (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt.evaluation.kernel_grouping import (
    merge_groups,
    raise_groups,
    stream_levels,
    tuple_statistics,
)
from anonopt.evaluation.kernel_statistics import HISTOGRAM_SIZES
from anonopt.evaluation.plan import Plan, kernel_arrays, kernel_plan, n_statistics, parents_of
from anonopt.evaluation.tuples import DistinctTuples
from anonopt.measures.class_table import IntArray, SuppressionRule
from anonopt.measures.measure import FloatArray

Arrays = tuple[npt.NDArray[Any], ...]


class CompiledWalker:
    """Walk of the lattice with compiled kernels; see `anonopt.evaluation.rollup.Walker`.

    Tables are written into buffers that are used again at each depth, so a walk allocates
    as much as its deepest path needs and no more.
    """

    def __init__(
        self,
        tuples: DistinctTuples,
        plan: tuple[Any, ...],
        start: tuple[IntArray, npt.NDArray[np.int32], Arrays],
    ) -> None:
        self._tuples, self._plan = tuples, plan
        layout = tuples.require_layout()
        self._streamed = int(layout.order[-1])
        self._parents = _streamed_parents(tuples.maps[self._streamed])
        self._path = [start]
        self._buffers: list[tuple[npt.NDArray[np.int32], Arrays]] = []
        self._at = np.empty(len(start[2][0]), dtype=np.int32)
        self._scratch = (
            np.zeros(HISTOGRAM_SIZES, dtype=np.int64),
            np.empty(len(start[0]), dtype=np.int64),
        )
        self._streams = (_empty_like(start[2]), _empty_like(start[2]))

    @classmethod
    def at_bottom(cls, tuples: DistinctTuples, rule: SuppressionRule, plan: Plan) -> CompiledWalker:
        """A walk that starts at the bottom node."""
        layout = tuples.require_layout()
        streamed = int(layout.order[-1])
        prefixes = tuples.keys & ~layout.masks[streamed]
        keys, starts, group = np.unique(prefixes, return_index=True, return_inverse=True)
        size, present, sensitive, target = kernel_arrays(tuples, plan)
        code = (tuples.keys & layout.masks[streamed]).astype(np.int32)
        table = (group.astype(np.int32), code, size, present, sensitive, target)
        ends = np.append(starts, len(code)).astype(np.int32)
        return cls(tuples, kernel_plan(tuples, rule, plan, streamed=streamed), (keys, ends, table))

    def fork(self) -> CompiledWalker:
        """See `Walker.fork`."""
        keys, starts, table = self._path[-1]
        own = (keys, starts.copy(), tuple(array.copy() for array in table))
        return CompiledWalker(self._tuples, self._plan, own)

    def pop(self) -> None:
        """See `Walker.pop`."""
        self._path.pop()

    def raise_field(self, field: int, level: int) -> None:
        """See `Walker.raise_field`."""
        layout = self._tuples.require_layout()
        attribute = int(layout.order[field])
        keys, starts, table = self._path[-1]
        new_group, new_keys, ends = raise_groups(
            keys,
            layout.shifts[attribute],
            layout.masks[attribute],
            parents_of(self._tuples.maps[attribute], level),
        )
        new_starts, into = self._buffer(len(self._path) - 1, len(keys), table)
        n_codes = self._tuples.maps[self._streamed].shape[1]
        n = merge_groups(starts, table, new_group, ends, n_codes, new_starts, self._at, into)
        raised = tuple(array[:n] for array in into)
        self._path.append((new_keys, new_starts[: len(new_keys) + 1], raised))

    def evaluate(self, node: IntArray, statistics: IntArray, by_classes: FloatArray) -> None:
        """See `Walker.evaluate`; there are no measures of the class table here."""
        keys, _, table = self._path[-1]
        stream_levels(
            keys,
            table,
            node,
            self._parents,
            self._plan,
            self._streams,
            self._at,
            self._scratch,
            statistics,
        )

    def _buffer(
        self, depth: int, n_groups: int, table: Arrays
    ) -> tuple[npt.NDArray[np.int32], Arrays]:
        """Room for a table that is not larger than `table`."""
        if depth == len(self._buffers):
            self._buffers.append((np.empty(0, dtype=np.int32), ()))
        starts, into = self._buffers[depth]
        if len(starts) <= n_groups or len(into[0]) < len(table[0]):
            self._buffers[depth] = (np.empty(n_groups + 1, dtype=np.int32), _empty_like(table))
        return self._buffers[depth]


def evaluate_nodes(
    tuples: DistinctTuples, rule: SuppressionRule, plan: Plan, nodes: IntArray
) -> IntArray:
    """Statistics of single nodes from the distinct tuples, (n_nodes, n_statistics)."""
    layout = tuples.require_layout()
    maps = np.concatenate([levels.ravel() for levels in tuples.maps])
    lengths = [levels.size for levels in tuples.maps]
    first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    leaves = np.array([levels.shape[1] for levels in tuples.maps])
    statistics = np.empty((len(nodes), n_statistics(tuples)), dtype=np.int64)
    tuple_statistics(
        nodes,
        tuples.codes,
        kernel_arrays(tuples, plan),
        maps,
        first,
        leaves,
        layout.shifts,
        kernel_plan(tuples, rule, plan),
        statistics,
    )
    return statistics


def _streamed_parents(maps: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Code at the next level of each code, one row a level, padded: (height, n_leaves)."""
    parents = np.zeros((len(maps) - 1, maps.shape[1]), dtype=np.int32)
    for level in range(len(maps) - 1):
        found = parents_of(maps, level)
        parents[level, : len(found)] = found
    return parents


def _empty_like(table: Arrays) -> Arrays:
    return tuple(np.empty_like(array) for array in table)
