"""The compiled evaluation of single nodes (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonopt._typing import CodeArray, IntArray, WordArray
from anonopt.evaluation.lattice.kernel_tuples import small_class_rows, tuple_statistics
from anonopt.evaluation.lattice.parts import in_threads
from anonopt.evaluation.lattice.plan import Plan, n_statistics
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.statistics import (
    GENERALIZED_LEAVES,
    SENSITIVE,
    SENSITIVE_COUNTS,
    TARGET,
)
from anonopt.measures.lattice.suppression_rule import SuppressionRule

NODES_A_TASK = 4
"""Least number of nodes that is worth a task of a thread."""


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

    def statistics(
        self, nodes: IntArray, rule: SuppressionRule, plan: Plan, *, workers: int = 1
    ) -> IntArray:
        """Statistics of nodes, int64 array (n_nodes, n_statistics)."""
        out = np.empty((len(nodes), n_statistics(self._tuples)), dtype=np.int64)
        counts, asked = counts_of(self._tuples, plan), asked_of(rule, plan)
        values = self._parts, self._excess, self._first, self._leaves
        count_excess = GENERALIZED_LEAVES in plan.needs

        def measure(rows: slice) -> None:
            found = out[rows]
            tuple_statistics(
                nodes[rows], self._tuples.codes, counts, *values, asked, count_excess, found
            )

        length = len(nodes) if workers == 1 else max(len(nodes) // (4 * workers), NODES_A_TASK)
        tasks = [slice(start, start + length) for start in range(0, len(nodes), length or 1)]
        in_threads(tasks, measure, workers=min(workers, len(tasks)))
        return out

    def small_class_rows(self, nodes: IntArray, k: int) -> IntArray:
        """Rows in classes smaller than k at each node, int64 array (n_nodes,)."""
        out = np.empty(len(nodes), dtype=np.int64)
        values = self._parts, self._first, self._leaves
        small_class_rows(nodes, self._tuples.codes, self._tuples.sizes, *values, k, out)
        return out


def asked_of(rule: SuppressionRule, plan: Plan) -> tuple[int, int, int, bool, bool]:
    """What kernels are asked for: budget, k, distinct values, and which counts to sum up."""
    return (
        rule.budget,
        rule.k or 0,
        plan.least_distinct,
        SENSITIVE in plan.asked,
        SENSITIVE_COUNTS in plan.asked,
    )


def counts_of(
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
