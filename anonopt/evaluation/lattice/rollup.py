"""Whole lattice, depth first: each node from the classes of a node below it.

The spanning tree: a node's parent lowers the last of its raised fields (in the order of the
key), so only one table for each level above the bottom is alive at a time. The last field is
*streamed*: leaf codes stand in depth-first order of their hierarchy, so raising the least
significant field keeps classes in order, and all its levels follow without sorting or hashing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.lattice.packed import PackedClasses
from anonopt.evaluation.lattice.parts import (
    Box,
    Done,
    Hopeless,
    Part,
    Walker,
    descend,
    parts_of,
)
from anonopt.evaluation.lattice.plan import Plan, n_statistics, parents_of
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.threads import in_threads
from anonopt.measures.lattice.statistics import summarize
from anonopt.measures.lattice.suppression_rule import SuppressionRule


class RollUp:
    """Evaluation of whole boxes of the lattice.

    Parameters
    ----------
    tuples : DistinctTuples
        With a key layout.
    rule : SuppressionRule
    compiled : bool
        Whether to use the compiled kernels where they can compute what is asked for.
    workers : int
        Threads; no result depends on it.
    """

    def __init__(
        self, tuples: DistinctTuples, rule: SuppressionRule, *, compiled: bool, workers: int
    ) -> None:
        self._tuples, self._rule, self._compiled = tuples, rule, compiled
        self._workers = workers

    def evaluate(
        self,
        plan: Plan,
        lower: IntArray,
        upper: IntArray,
        *,
        on_progress: Callable[[int], None] | None = None,
    ) -> tuple[IntArray, FloatArray]:
        """Statistics and class measures of every node of a box, the last attribute fastest.

        Parameters
        ----------
        plan : Plan
        lower, upper : int64 arrays (n_quasi_identifiers,)
            Both included.
        on_progress : callable, optional
            Called from time to time with the number of nodes that are done.

        Returns
        -------
        statistics : int64 array (n_nodes, n_statistics)
        by_classes : float64 array (n_nodes, n class measures)
        """
        box = self._box(lower, upper)
        statistics, by_classes = self._room(plan, box.size)

        def run(part: Part) -> None:
            part.evaluate(statistics[part.rows], by_classes[part.rows])

        self._each_part(plan, box, run, Done(on_progress))
        ranks = box.ranks()
        return statistics[ranks], by_classes[ranks]

    def visit(
        self,
        plan: Plan,
        lower: IntArray,
        upper: IntArray,
        take: Callable[[IntArray, IntArray, FloatArray], None],
        *,
        hopeless: Hopeless | None = None,
        done: Done,
    ) -> None:
        """Evaluate every node of a box of any size, and keep none.

        Parameters
        ----------
        take : callable
            Gets the nodes (n, n_quasi_identifiers), statistics and class measures of one part after
            the other, in no certain order, each in the thread that evaluated it.
        hopeless : callable, optional
            Of the lowest and the highest of some nodes: whether these can be left out.
        done : Done
            Is told of nodes that are done or left out.
        plan, lower, upper
            As in `evaluate`.
        """

        def run(part: Part) -> None:
            for piece in [part] if hopeless is None else part.pieces(hopeless):
                nodes = piece.nodes()
                statistics, by_classes = self._room(plan, len(nodes))
                piece.evaluate(statistics, by_classes)
                take(nodes, statistics, by_classes)

        self._each_part(plan, self._box(lower, upper), run, done, hopeless)

    def _each_part(
        self,
        plan: Plan,
        box: Box,
        run: Callable[[Part], None],
        done: Done,
        hopeless: Hopeless | None = None,
    ) -> None:
        def run_and_count(part: Part) -> None:
            run(part)
            done.add(part.rows.stop - part.rows.start)

        parts = parts_of(
            self._walker(plan, box.lower),
            box,
            workers=self._workers,
            hopeless=hopeless,
            skipped=done.add,
        )
        in_threads(parts, run_and_count, workers=self._workers)

    def _box(self, lower: IntArray, upper: IntArray) -> Box:
        return Box(self._tuples.require_layout().order, lower, upper)

    def _room(self, plan: Plan, n_nodes: int) -> tuple[IntArray, FloatArray]:
        statistics = np.empty((n_nodes, n_statistics(self._tuples)), dtype=np.int64)
        return statistics, np.empty((n_nodes, len(plan.by_classes)))

    def _walker(self, plan: Plan, node: IntArray) -> Walker:
        if self._compiled and plan.is_compiled:
            from anonopt.evaluation.lattice.compiled_walk import CompiledWalker

            return CompiledWalker.at(self._tuples, self._rule, plan, node)
        return NumpyWalker.at(self._tuples, self._rule, plan, node)


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
    def at(
        cls, tuples: DistinctTuples, rule: SuppressionRule, plan: Plan, node: IntArray
    ) -> NumpyWalker:
        """A walk that starts at a node."""
        bottom = PackedClasses.of_tuples(tuples, tuples.keys, plan.needs)
        walker, start = cls(tuples, rule, plan, bottom), bottom
        streamed = int(tuples.require_layout().order[-1])
        for attribute, height in enumerate(node.tolist()):
            for level in range(height):
                # Classes stay in the order of their keys, which the streamed field is the end of.
                start = walker._raised(start, attribute, level, ascending=attribute == streamed)
        walker._path = [start]
        return walker

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

    def walk(
        self, node: IntArray, first: int, box: Box, statistics: IntArray, by_classes: FloatArray
    ) -> None:
        """See `Walker.walk`."""
        streamed, strides, start = int(box.order[-1]), box.strides, node.copy()
        n_streamed = int(box.upper[streamed] - box.lower[streamed]) + 1
        for _ in descend(self, box, node, first, len(box.order) - 1):
            row = int(((node - start)[box.order] * strides).sum())
            rows = slice(row, row + n_streamed)
            self._stream(node.copy(), statistics[rows], by_classes[rows])

    def _stream(self, node: IntArray, statistics: IntArray, by_classes: FloatArray) -> None:
        """Evaluate the table pushed last and those above it in the streamed field."""
        streamed = int(self._tuples.require_layout().order[-1])
        classes = self._path[-1]
        for row in range(len(statistics)):
            if row:
                classes = self._raised(classes, streamed, int(node[streamed]), ascending=True)
                node[streamed] += 1
            table = classes.table(self._tuples, self._rule, tuple(node.tolist()))
            statistics[row] = summarize(table, self._plan.asked)
            for position, measure in enumerate(self._plan.by_classes):
                by_classes[row, position] = measure.of_classes(table)

    def _raised(
        self, classes: PackedClasses, attribute: int, level: int, *, ascending: bool
    ) -> PackedClasses:
        layout = self._tuples.require_layout()
        shift, mask = layout.shifts[attribute], layout.masks[attribute]
        field = (classes.keys >> shift) & mask
        step = self._steps[attribute][level] << shift
        return classes.merged(classes.keys + step[field], ascending=ascending)
