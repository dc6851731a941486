"""What an evaluation is asked for: measures, the statistics they need, and their formulas."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt.evaluation.tuples import DistinctTuples
from anonopt.measures.class_table import IntArray, SuppressionRule
from anonopt.measures.measure import FloatArray, Measure
from anonopt.measures.statistics import (
    EXCESS,
    GENERALIZED_LEAVES,
    SENSITIVE,
    SENSITIVE_COUNTS,
    TARGET,
    NodeStatistics,
)


@dataclass(frozen=True)
class Plan:
    """Measures to compute, sorted by how they are computed.

    Attributes
    ----------
    measures : tuple of Measure
        In the order asked for.
    needs : frozenset of str
        What the classes must hold besides their sizes.
    by_classes : tuple of Measure
        Those that are functions of the class table or of its rows.
    """

    measures: tuple[Measure, ...]
    needs: frozenset[str]
    by_classes: tuple[Measure, ...]

    @classmethod
    def of(cls, measures: Sequence[Measure], tuples: DistinctTuples) -> Plan:
        """Plan the evaluation of `measures`."""
        needs = {need for measure in measures for need in measure.needs}
        by_classes = tuple(m for m in measures if m.from_statistics is None)
        if by_classes:
            # A function of the class table may read whatever the table has.
            if tuples.n_sensitive:
                needs |= {SENSITIVE_COUNTS}
            if tuples.n_labels:
                needs |= {TARGET}
        return cls(tuple(measures), frozenset(needs), by_classes)

    @property
    def by_rows(self) -> bool:
        """Whether a measure is a function of the rows."""
        return any(measure.from_rows is not None for measure in self.by_classes)

    def columns(
        self, statistics: NodeStatistics, by_classes: FloatArray
    ) -> dict[str, npt.NDArray[Any]]:
        """Values of every measure, in the order asked for.

        Parameters
        ----------
        statistics : NodeStatistics
        by_classes : float64 array (n_nodes, len(self.by_classes))
        """
        columns: dict[str, npt.NDArray[Any]] = {}
        position = 0
        for measure in self.measures:
            if measure.from_statistics is not None:
                columns[measure.name] = np.asarray(measure.from_statistics(statistics))
            else:
                columns[measure.name] = by_classes[:, position]
                position += 1
        return columns


def n_statistics(tuples: DistinctTuples) -> int:
    """Columns of the table of statistics."""
    return EXCESS + len(tuples.maps)


def kernel_plan(
    tuples: DistinctTuples, rule: SuppressionRule, plan: Plan, *, streamed: int = -1
) -> tuple[Any, ...]:
    """The plan as the compiled kernels take it: numbers and arrays.

    `streamed` is the quasi-identifier that is kept apart from the keys, if there is one.
    """
    layout, facts = tuples.require_layout(), tuples.facts
    tallest = max(facts.heights) + 1
    offset = np.zeros((len(tuples.maps), tallest), dtype=np.int64)
    parts: list[IntArray] = []
    end = 0
    for attribute, levels in enumerate(facts.leaf_counts):
        for level, leaves in enumerate(levels):
            offset[attribute, level] = end
            parts.append(leaves - 1)
            end += len(leaves)
    return (
        rule.budget,
        rule.k or 0,
        (
            SENSITIVE in plan.needs,
            SENSITIVE_COUNTS in plan.needs,
            GENERALIZED_LEAVES in plan.needs,
        ),
        streamed,
        (layout.shifts, layout.masks, np.concatenate(parts), offset),
    )


def kernel_arrays(
    tuples: DistinctTuples, plan: Plan
) -> tuple[
    npt.NDArray[np.int32],
    npt.NDArray[np.uint64],
    npt.NDArray[np.unsignedinteger],
    npt.NDArray[np.unsignedinteger],
]:
    """Sizes, sets, sensitive and target counts of the tuples, as far as they are needed."""
    lane = tuples.sensitive.dtype
    by_counting = SENSITIVE in plan.needs and len(tuples.present) == 0
    return (
        tuples.sizes.astype(np.int32),
        tuples.present if SENSITIVE in plan.needs else np.zeros(0, dtype=np.uint64),
        tuples.sensitive
        if SENSITIVE_COUNTS in plan.needs or by_counting
        else np.zeros((len(tuples.sizes), 0), dtype=lane),
        np.ascontiguousarray(tuples.target[:, : tuples.n_labels])
        if TARGET in plan.needs
        else np.zeros((len(tuples.sizes), 0), dtype=lane),
    )


def has_numba() -> bool:
    """Whether the extra ``fast`` is installed."""
    return importlib.util.find_spec("numba") is not None


def parents_of(maps: npt.NDArray[np.int32], level: int) -> npt.NDArray[np.int32]:
    """Code at ``level + 1`` of each code at `level`, (n_values at level,)."""
    parents = np.empty(int(maps[level, -1]) + 1, dtype=np.int32)
    parents[maps[level]] = maps[level + 1]
    return parents
