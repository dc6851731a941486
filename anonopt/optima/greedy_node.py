"""Good nodes found without a proof, for searches with a proof to begin with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonopt._typing import CodeArray, FloatArray, IntArray
from anonopt.evaluation.lattice.partitions import Partition
from anonopt.optima.pair_refiner import PairRefiner

SPARE_ROWS = 1.0, 0.1
"""Added to the rows that a column takes before what it saves is divided by them, in turn."""

MOST_NODES = 40


def greedy_nodes(
    refiner: PairRefiner, partition: Partition, node: IntArray, costs: FloatArray
) -> Iterator[tuple[IntArray, int]]:
    """Nodes that get better and better, each with the feasibility tests made for it.

    The column is lowered that saves most for each row it takes of the budget, as long as one can
    be lowered; a row is shared by all columns that would suppress it. Then one of the lowered
    columns after the other is left at its top, and what this allows is filled in the same way.

    Parameters
    ----------
    refiner : PairRefiner
    partition : Partition
        The one of the top node.
    node : int64 array (n_quasi_identifiers,)
        Lowest feasible level of each column alone.
    costs : float64 array (n_quasi_identifiers, largest height + 1)
        Never falling from level to level.

    Yields
    ------
    node : int64 array (n_quasi_identifiers,)
        Of equal choices the first was taken.
    tests : int
        Feasibility tests made since the node before. A node no better than the one before is
        yielded as well.
    """
    filling = _Filling(refiner, partition, node, costs)
    best, n_nodes = refiner.heights.copy(), 0
    for spare in SPARE_ROWS:
        found, tests = filling.filled(refiner.heights, -1, spare)
        yield found, tests
        best, n_nodes = min(best, found, key=filling.cost_of), n_nodes + 1
    improved = True
    while improved:
        improved = False
        for left in np.flatnonzero(best < refiner.heights):
            if n_nodes == MOST_NODES:
                return
            found, tests = filling.filled(best, int(left), SPARE_ROWS[n_nodes % 2])
            yield found, tests
            n_nodes += 1
            if filling.cost_of(found) < filling.cost_of(best):
                best, improved = found, True
                break


class _Filling:
    """Lowers columns of one table, beginning with some that are lowered."""

    def __init__(
        self, refiner: PairRefiner, partition: Partition, node: IntArray, costs: FloatArray
    ) -> None:
        self._refiner, self._partition, self._node, self._costs = refiner, partition, node, costs

    def cost_of(self, node: IntArray) -> float:
        return float(self._costs[np.arange(len(node)), node].sum())

    def filled(self, lowered: IntArray, left: int, spare: float) -> tuple[IntArray, int]:
        """A node that is lowered as another one, but for a column, and then further; and tests."""
        refiner, tests = self._refiner, 0
        node, found, partition = self._node.copy(), refiner.heights.copy(), self._partition
        for column in np.flatnonzero(lowered < refiner.heights):
            if column != left:
                partition = refiner.refine(partition, int(column), int(lowered[column]))
                found[column] = lowered[column]
        undecided = np.flatnonzero((found == refiner.heights) & (node < refiner.heights))
        undecided = undecided[undecided != left]
        while len(undecided):
            marks = []
            for column in undecided:
                low, mark, more = refiner.marked(partition, int(column), int(node[column]))
                node[column], tests = low, tests + more
                marks.append(mark)
            chosen, level = self._best_choice(partition, undecided, node, marks, spare)
            if node[chosen] == refiner.heights[chosen]:
                break
            found[chosen] = level
            partition = refiner.refine(partition, chosen, level)
            undecided = undecided[
                (undecided != chosen) & (node[undecided] < refiner.heights[undecided])
            ]
            partition = refiner.merge(partition, undecided, node)
        return found, tests

    def _best_choice(
        self,
        partition: Partition,
        columns: IntArray,
        node: IntArray,
        marks: list[tuple[CodeArray, CodeArray]],
        spare: float,
    ) -> tuple[int, int]:
        """The column and level that save most for each row."""
        counts = np.zeros(len(partition.members))
        for places, _ in marks:
            counts[places] += 1.0
        best, choice = -1.0, (int(columns[0]), int(node[columns[0]]))
        for column, (places, ends) in zip(columns.tolist(), marks, strict=True):
            taken = partition.rows[places] / counts[places]
            height = int(self._refiner.heights[column])
            for level in range(int(node[column]), height):
                saved = float(self._costs[column, height] - self._costs[column, level])
                worth = saved / (float(taken[ends >= level].sum()) + spare)
                if worth > best:
                    best, choice = worth, (column, level)
        return choice
