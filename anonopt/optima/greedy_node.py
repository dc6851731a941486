"""A good node found without going back, for searches with a proof to begin with."""

from __future__ import annotations

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.lattice.partitions import Partition, PartitionRefiner


def greedy_node(
    refiner: PartitionRefiner, partition: Partition, node: IntArray, costs: FloatArray
) -> tuple[IntArray, int]:
    """Lower the column that saves most for each row it suppresses, as long as one can be lowered.

    Parameters
    ----------
    refiner : PartitionRefiner
    partition : Partition
        The one of the top node.
    node : int64 array (n_quasi_identifiers,)
        Lowest feasible level of each column alone.
    costs : float64 array (n_quasi_identifiers, largest height + 1)
        Never falling from level to level.

    Returns
    -------
    node : int64 array (n_quasi_identifiers,)
        Of equal columns the first was lowered.
    tests : int
        Feasibility tests made.
    """
    heights, node, tests = refiner.heights, node.copy(), 0
    tops = costs[np.arange(len(node)), heights]
    undecided = np.flatnonzero(node < heights)
    while len(undecided):
        suppressed = [
            refiner.refine(partition, int(column), int(node[column])).suppressed
            for column in undecided
        ]
        saved = tops[undecided] - costs[undecided, node[undecided]]
        place = int(np.argmax(saved / (np.array(suppressed) - partition.suppressed + 1)))
        column, undecided = int(undecided[place]), np.delete(undecided, place)
        partition = refiner.refine(partition, column, int(node[column]))
        _, more = refiner.lowest_levels(partition, undecided, node, costs=costs, limit=np.inf)
        tests += more
        undecided = undecided[node[undecided] < heights[undecided]]
        partition = refiner.merge(partition, undecided, node)
    return node, tests
