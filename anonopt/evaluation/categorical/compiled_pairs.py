"""Comparison of masked records with originals by compiled kernels (extra ``fast``)."""

from __future__ import annotations

import numpy as np

from anonopt._typing import IntArray
from anonopt.evaluation.categorical.kernel_pairs import likeliest_records, nearest_records
from anonopt.evaluation.categorical.masking_plan import Codes, MaskingPlan
from anonopt.evaluation.categorical.record_pairs import RecordPairs


class CompiledPairs(RecordPairs):
    """The same as `RecordPairs`, one masked record after the other."""

    def __init__(self, plan: MaskingPlan) -> None:
        super().__init__(plan)
        lengths = [len(unit) for unit in self._units]
        self._column = (
            np.array(plan.distances.n_ordered, dtype=np.int64),
            np.array(plan.distances.scales, dtype=np.int64),
            np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64),
            np.concatenate(self._units),
        )

    def nearest(self, masked: Codes, rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """See `RecordPairs.nearest`."""
        nearest, ties = np.empty((2, len(masked)), dtype=np.int64)
        patterns = np.zeros(1 << self.plan.n_columns, dtype=np.int64)
        nearest_records(
            masked, rows, self._by_column, self.counts, self._column, nearest, ties, patterns
        )
        return nearest, ties, patterns

    def likeliest(self, masked: Codes, ranks: IntArray) -> tuple[IntArray, IntArray]:
        """See `RecordPairs.likeliest`."""
        best, ties = np.empty((2, len(masked)), dtype=np.int64)
        likeliest_records(masked, self._by_column, self.counts, ranks, best, ties)
        return best, ties
