"""The compiled walk of the lattice (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonopt._typing import AnyArray, CodeArray, FloatArray, IntArray
from anonopt.evaluation.lattice.compiled import asked_of, counts_of
from anonopt.evaluation.lattice.kernel_rollup import coarsen, raise_field
from anonopt.evaluation.lattice.kernel_statistics import HISTOGRAM_SIZES
from anonopt.evaluation.lattice.kernel_walk import walk_part
from anonopt.evaluation.lattice.parts import Box
from anonopt.evaluation.lattice.plan import Plan, parents_of
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.statistics import GENERALIZED_LEAVES
from anonopt.measures.lattice.suppression_rule import SuppressionRule

Arrays = tuple[AnyArray, ...]

Start = tuple[IntArray, CodeArray, Arrays]
"""Keys of the groups, where each begins and the last ends, and the classes."""


class CompiledWalker:
    """Walk of the lattice with compiled kernels; see `anonopt.evaluation.lattice.parts.Walker`."""

    def __init__(self, fixed: _Fixed, start: Start) -> None:
        self._fixed, self._path = fixed, [start]

    @classmethod
    def at(
        cls, tuples: DistinctTuples, rule: SuppressionRule, plan: Plan, node: IntArray
    ) -> CompiledWalker:
        """A walk that starts at a node."""
        fixed = _Fixed.of(tuples, rule, plan)
        walker = cls(fixed, _coarsened(_bottom(tuples, plan), fixed, int(node[fixed.order[-1]])))
        for field, attribute in enumerate(fixed.order[:-1]):
            for level in range(int(node[attribute])):
                walker.raise_field(field, level)
        walker._path = walker._path[-1:]
        return walker

    def fork(self) -> CompiledWalker:
        """See `Walker.fork`."""
        return CompiledWalker(self._fixed, self._path[-1])

    def pop(self) -> None:
        """See `Walker.pop`."""
        self._path.pop()

    def raise_field(self, field: int, level: int) -> None:
        """See `Walker.raise_field`."""
        fixed, attribute = self._fixed, self._fixed.order[field]
        keys, starts, table = self._path[-1]
        n, begin = int(starts[len(keys)]), fixed.fields[3][attribute, level]
        new_starts, into = np.empty(len(keys) + 1, dtype=np.int32), _empty(table, n)
        step = fixed.fields[0][attribute], fixed.fields[1][attribute], fixed.fields[2][begin:]
        at = np.empty(n, dtype=np.int32)
        new_keys = raise_field(keys, starts, table, *step, fixed.fields[4], new_starts, at, into)
        self._path.append(_trimmed(new_keys, new_starts, into))

    def walk(
        self, node: IntArray, first: int, box: Box, statistics: IntArray, by_classes: FloatArray
    ) -> None:
        """See `Walker.walk`; there are no measures of the class table here."""
        fixed, start = self._fixed, self._path[-1]
        steps = (box.upper - node)[box.order[first:-1]]
        n_depths, n_classes, n_groups = int(steps.sum()), len(start[2][0]), len(start[0])
        bounds = box.order, box.upper[box.order], box.strides
        rooms = (
            np.empty((n_depths, n_groups), dtype=np.int64),
            np.empty((n_depths, n_groups + 1), dtype=np.int32),
            _empty(start[2], n_classes, n_depths),
            np.empty(n_depths, dtype=np.int64),
        )
        buffers = (_empty(start[2], n_classes), _empty(start[2], n_classes))
        at = np.empty(n_classes, dtype=np.int32)
        counting = (
            np.zeros(HISTOGRAM_SIZES, dtype=np.int64),
            np.empty(n_classes, dtype=np.int32),
        )
        scratch = np.empty(n_groups, dtype=np.int64), counting
        walk_part(
            start,
            node,
            first,
            bounds,
            fixed.fields,
            (fixed.streamed_parents, fixed.plan),
            rooms,
            buffers,
            at,
            scratch,
            statistics,
        )


@dataclass(frozen=True, eq=False)
class _Fixed:
    """What is the same at all nodes.

    Attributes
    ----------
    order : list of int
        Attributes by field of the key.
    fields : tuple
        As `walk_part` takes it.
    streamed_parents : int32 array (height, n_codes)
        Code at the next level of each code of the streamed field.
    plan : tuple
        As `stream_levels` takes it.
    """

    order: list[int]
    fields: tuple[Any, ...]
    streamed_parents: CodeArray
    plan: tuple[Any, ...]

    @classmethod
    def of(cls, tuples: DistinctTuples, rule: SuppressionRule, plan: Plan) -> _Fixed:
        layout = tuples.require_layout()
        streamed = int(layout.order[-1])
        raised = [parents_of(maps) for maps in tuples.maps]
        begin = np.zeros((len(raised), max(map(len, raised)) + 1), dtype=np.int64)
        end, flat = 0, [np.zeros(0, dtype=np.int32)]
        for attribute, levels in enumerate(raised):
            for level, parents in enumerate(levels):
                begin[attribute, level] = end
                flat.append(parents)
                end += len(parents)
        padded = _padded(raised[streamed], tuples.maps[streamed].shape[1])
        fields = layout.shifts, layout.masks, np.concatenate(flat), begin, padded.shape[1]
        asked = (
            asked_of(rule, plan),
            GENERALIZED_LEAVES in plan.needs,
            streamed,
            _excess_tables(tuples),
        )
        return cls(layout.order.tolist(), fields, padded, asked)


def _bottom(tuples: DistinctTuples, plan: Plan) -> Start:
    """Classes of the bottom node."""
    layout = tuples.require_layout()
    mask = layout.masks[layout.order[-1]]
    keys, starts, group = np.unique(tuples.keys & ~mask, return_index=True, return_inverse=True)
    code = (tuples.keys & mask).astype(np.int32)
    table = (group.astype(np.int32), code, *counts_of(tuples, plan))
    return keys, np.append(starts, len(code)).astype(np.int32), table


def _coarsened(start: Start, fixed: _Fixed, level: int) -> Start:
    """The classes with the streamed field raised from the bottom to a level."""
    keys, starts, table = start
    for parents in fixed.streamed_parents[:level]:
        n = int(starts[len(keys)])
        into, at = _empty(table, n), np.empty(n, dtype=np.int32)
        n_new = coarsen(n, parents, *table, at, into)
        table = tuple(array[:n_new].copy() for array in into)
        starts = np.searchsorted(table[0], np.arange(len(keys) + 1)).astype(np.int32)
    return keys, starts, table


def _trimmed(keys: IntArray, starts: CodeArray, table: Arrays) -> Start:
    """Classes in arrays of their own, which are not longer than they have to be."""
    n = int(starts[len(keys)])
    return keys, starts[: len(keys) + 1].copy(), tuple(array[:n].copy() for array in table)


def _empty(table: Arrays, n: int, *depths: int) -> Arrays:
    """Arrays like those of a table, with n rows; absent sets of values stay absent."""
    return tuple(
        np.empty((*depths, min(n, len(array)), *array.shape[1:]), dtype=array.dtype)
        for array in table
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
