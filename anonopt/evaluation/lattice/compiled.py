"""The compiled evaluation of single nodes (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._typing import CodeArray, FloatArray, IntArray, WordArray
from anonopt.evaluation.lattice.kernel_tuples import small_class_rows, tuple_statistics
from anonopt.evaluation.lattice.plan import Plan, n_statistics
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.threads import in_threads
from anonopt.measures.lattice.statistics import (
    GENERALIZED_LEAVES,
    SENSITIVE,
    SENSITIVE_COUNTS,
    TARGET,
)
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import TableFacts

NODES_A_TASK = 4
"""Least number of nodes that is worth a task of a thread."""


Unsigned = npt.NDArray[np.unsignedinteger]
Counts = tuple[CodeArray, WordArray, Unsigned, Unsigned]
"""Sizes, sets, sensitive and target counts of the tuples."""


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
        # One layout of each array, so that kernels are compiled once.
        self._codes = np.ascontiguousarray(tuples.codes.T)
        sizes = [part.size for part in parts]
        self._values = (
            np.concatenate([part.ravel() for part in parts]),
            np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64),
            np.array([part.shape[1] for part in parts], dtype=np.int64),
        )
        self._agreement = _agreement(tuples.facts)
        excess = [
            (leaves[levels] - 1)
            for maps, counts in zip(tuples.maps, tuples.facts.leaf_counts, strict=True)
            for levels, leaves in zip(maps, counts, strict=True)
        ]
        self._excess = np.concatenate(excess), tuples.facts.excess_by_level
        self._latest: tuple[Plan, Counts] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_latest": None}

    def statistics(
        self, nodes: IntArray, rule: SuppressionRule, plan: Plan, *, workers: int = 1
    ) -> IntArray:
        """Statistics of nodes, int64 array (n_nodes, n_statistics)."""
        nodes = np.ascontiguousarray(nodes)
        out = np.empty((len(nodes), n_statistics(self._tuples)), dtype=np.int64)
        counts, asked = self._counts(plan), asked_of(rule, plan)
        values = self._values, self._excess, self._agreement
        count_excess = GENERALIZED_LEAVES in plan.needs

        def measure(rows: slice) -> None:
            found = out[rows]
            tuple_statistics(nodes[rows], self._codes, counts, *values, asked, count_excess, found)

        length = len(nodes) if workers == 1 else max(len(nodes) // (4 * workers), NODES_A_TASK)
        tasks = [slice(start, start + length) for start in range(0, len(nodes), length or 1)]
        in_threads(tasks, measure, workers=min(workers, len(tasks)))
        return out

    def _counts(self, plan: Plan) -> Counts:
        """What is counted of the tuples; searches ask for the same of one node after the other."""
        latest = self._latest
        if latest is None or latest[0] is not plan:
            latest = self._latest = plan, counts_of(self._tuples, plan)
        return latest[1]

    def small_class_rows(self, nodes: IntArray, k: int) -> IntArray:
        """Rows in classes smaller than k at each node, int64 array (n_nodes,)."""
        out = np.empty(len(nodes), dtype=np.int64)
        nodes, sizes = np.ascontiguousarray(nodes), self._tuples.sizes
        small_class_rows(nodes, self._codes, sizes, self._values, self._agreement, k, out)
        return out


def _agreement(facts: TableFacts) -> FloatArray:
    """Logarithm of the share of pairs of rows that agree, (n_quasi_identifiers, height + 1).

    It is 0 only where all rows agree.
    """
    agreement = np.zeros((len(facts.heights), max(facts.heights) + 1))
    for attribute, levels in enumerate(facts.value_counts):
        for level, rows in enumerate(levels):
            if np.count_nonzero(rows) > 1:
                share = np.square(rows / facts.n_rows).sum()
                agreement[attribute, level] = min(np.log(share), -np.finfo(np.float64).tiny)
    return agreement


def asked_of(rule: SuppressionRule, plan: Plan) -> tuple[int, int, int, bool, bool]:
    """What kernels are asked for: budget, k, distinct values, and which counts to sum up."""
    return (
        rule.budget,
        rule.k or 0,
        plan.least_distinct,
        SENSITIVE in plan.asked,
        SENSITIVE_COUNTS in plan.asked,
    )


def counts_of(tuples: DistinctTuples, plan: Plan) -> Counts:
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
