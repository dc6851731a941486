"""Whole lattice, depth first: each node from the classes of a node below it.

The spanning tree: a node's parent lowers the last of its raised fields (in the order of the
key), so only one table for each level above the bottom is alive at a time. The last field is
*streamed*: leaf codes stand in depth-first order of their hierarchy, so raising the least
significant field keeps classes in order, and all its levels follow without sorting or hashing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import Protocol

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.lattice.packed import PackedClasses
from anonopt.evaluation.lattice.plan import Plan, n_statistics, parents_of
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.statistics import summarize
from anonopt.measures.lattice.suppression_rule import SuppressionRule

SPLIT_FIELDS = 2
"""Subtrees below the first two fields are separate tasks for the workers."""


class Walker(Protocol):
    """One depth-first walk; holds the tables alive along its path."""

    def raise_field(self, field: int, level: int) -> None:
        """Push the table with the field at position `field` of the key raised from `level`."""

    def pop(self) -> None:
        """Drop the table pushed last."""

    def evaluate(self, node: IntArray, statistics: IntArray, by_classes: FloatArray) -> None:
        """Evaluate the table pushed last at all levels of the streamed field.

        `node` holds its levels; the other two arrays have a row a streamed level, filled here.
        """

    def fork(self) -> Walker:
        """A walk of its own that starts at the table pushed last."""


@dataclass(frozen=True, eq=False)
class _Lattice:
    """Levels of the fields in the order of the key, and where a node's result goes."""

    order: IntArray
    heights: list[int]
    strides: list[int]

    def row(self, levels: list[int]) -> int:
        return sum(level * stride for level, stride in zip(levels, self.strides, strict=False))


def evaluate_lattice(
    tuples: DistinctTuples,
    walker: Walker,
    plan: Plan,
    *,
    workers: int,
    on_progress: Callable[[int], None] | None = None,
) -> tuple[IntArray, FloatArray]:
    """Statistics and class measures of every node, in the order of ``Lattice.nodes``.

    Parameters
    ----------
    tuples : DistinctTuples
        With a key layout.
    walker : Walker
        Standing at the bottom node.
    plan : Plan
    workers : int
        Threads; the result does not depend on it.
    on_progress : callable, optional
        Called from time to time with the number of nodes that are done.

    Returns
    -------
    statistics : int64 array (n_nodes, n_statistics)
    by_classes : float64 array (n_nodes, n class measures)
    """
    order = tuples.require_layout().order
    all_heights = np.array(tuples.facts.heights, dtype=np.int64)
    heights = all_heights[order].tolist()
    strides = [math.prod(height + 1 for height in heights[i + 1 :]) for i in range(len(heights))]
    lattice = _Lattice(order, heights, strides)
    size = math.prod(height + 1 for height in heights)
    statistics = np.empty((size, n_statistics(tuples)), dtype=np.int64)
    by_classes = np.empty((size, len(plan.by_classes)))

    done = count(heights[-1] + 1, heights[-1] + 1)

    def run(task: tuple[Walker, list[int], int]) -> None:
        branch, levels, first = task
        for _ in _descend(branch, lattice, levels, first, len(heights) - 1):
            _evaluate(branch, lattice, levels, statistics, by_classes)
            if on_progress is not None:
                on_progress(next(done))

    split = min(SPLIT_FIELDS, len(heights) - 1)
    levels = [0] * (len(heights) - 1)
    if workers == 1:
        run((walker, levels, 0))
    else:
        tasks = (
            (walker.fork(), list(levels), split)
            for _ in _descend(walker, lattice, levels, 0, split)
        )
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(run, tasks))
    ranks = _ranks(lattice, all_heights)
    return statistics[ranks], by_classes[ranks]


def _descend(
    walker: Walker, lattice: _Lattice, levels: list[int], first: int, end: int
) -> Iterator[None]:
    """Visit all nodes reached by raising the fields ``first..end - 1``, the present one first."""
    yield
    for field in range(first, end):
        if levels[field] < lattice.heights[field]:
            walker.raise_field(field, levels[field])
            levels[field] += 1
            yield from _descend(walker, lattice, levels, field, end)
            levels[field] -= 1
            walker.pop()


def _evaluate(
    walker: Walker,
    lattice: _Lattice,
    levels: list[int],
    statistics: IntArray,
    by_classes: FloatArray,
) -> None:
    node = np.empty(len(lattice.order), dtype=np.int64)
    node[lattice.order] = [*levels, 0]
    row = lattice.row(levels)
    end = row + lattice.heights[-1] + 1
    walker.evaluate(node, statistics[row:end], by_classes[row:end])


def _ranks(lattice: _Lattice, heights: IntArray) -> IntArray:
    """Position in key order of each node in the order of the table's columns."""
    shape = tuple(height + 1 for height in lattice.heights)
    positions = np.arange(math.prod(shape)).reshape(shape)
    return positions.transpose(np.argsort(lattice.order)).reshape(-1)


class NumpyWalker:
    """Walk with numpy alone; can evaluate measures that are functions of the class table."""

    def __init__(
        self, tuples: DistinctTuples, rule: SuppressionRule, plan: Plan, start: PackedClasses
    ) -> None:
        self._tuples, self._rule, self._plan = tuples, rule, plan
        self._path = [start]
        self._steps = [
            [above.astype(np.int64) - np.arange(len(above)) for above in parents_of(maps)]
            for maps in tuples.maps
        ]

    @classmethod
    def at_bottom(cls, tuples: DistinctTuples, rule: SuppressionRule, plan: Plan) -> NumpyWalker:
        """A walk that starts at the bottom node."""
        return cls(tuples, rule, plan, PackedClasses.of_tuples(tuples, tuples.keys, plan.needs))

    def fork(self) -> NumpyWalker:
        """See `Walker.fork`."""
        return NumpyWalker(self._tuples, self._rule, self._plan, self._path[-1])

    def pop(self) -> None:
        """See `Walker.pop`."""
        self._path.pop()

    def raise_field(self, field: int, level: int) -> None:
        """See `Walker.raise_field`."""
        attribute = int(self._tuples.require_layout().order[field])
        self._path.append(self._raised(self._path[-1], attribute, level, ascending=False))

    def evaluate(self, node: IntArray, statistics: IntArray, by_classes: FloatArray) -> None:
        """See `Walker.evaluate`."""
        streamed = int(self._tuples.require_layout().order[-1])
        classes = self._path[-1]
        levels = [int(level) for level in node]
        for level in range(len(statistics)):
            if level:
                classes = self._raised(classes, streamed, level - 1, ascending=True)
            levels[streamed] = level
            table = classes.table(self._tuples, self._rule, tuple(levels))
            statistics[level] = summarize(table, self._plan.asked)
            for position, measure in enumerate(self._plan.by_classes):
                by_classes[level, position] = measure.of_classes(table)

    def _raised(
        self, classes: PackedClasses, attribute: int, level: int, *, ascending: bool
    ) -> PackedClasses:
        layout = self._tuples.require_layout()
        shift, mask = layout.shifts[attribute], layout.masks[attribute]
        field = (classes.keys >> shift) & mask
        step = self._steps[attribute][level] << shift
        return classes.merged(classes.keys + step[field], ascending=ascending)
