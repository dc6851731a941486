"""Masked files measured without tables over all combinations of categories.

For many columns or categories: only what occurs is counted, and nothing is kept between two
evaluations.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import BoolArray, IntArray, UnsignedArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.evaluation.categorical.record_pairs import CompiledPairs, RecordPairs, distinct_records
from anonopt.evaluation.figures import MaskedFigures
from anonopt.measures.categorical.information_loss import (
    contingency_loss,
    distance_loss,
    entropy_loss,
)
from anonopt.measures.categorical.interval_disclosure import interval_disclosure
from anonopt.measures.categorical.record_linkage import estimated_ranks, linkage


class NoTables:
    """Nothing is kept between two evaluations."""

    def copy(self) -> NoTables:
        """Itself."""
        return self


class WideCounter:
    """Measures masked files of many columns or categories, each time from its codes.

    Parameters
    ----------
    plan : MaskingPlan
    compiled : bool
        Whether pairs of records are compared by compiled kernels.
    """

    def __init__(self, plan: MaskingPlan, *, compiled: bool) -> None:
        self.plan = plan
        self._pairs = CompiledPairs(plan) if compiled else RecordPairs(plan)

    def tables(self, codes: UnsignedArray) -> NoTables:
        """Nothing: all is counted when figures are asked for."""
        return NoTables()

    def change_cell(
        self, tables: NoTables, codes: UnsignedArray, cell: int, value: int
    ) -> NoTables:
        """Write a value into a cell of the codes."""
        codes.reshape(-1)[cell] = value
        return tables

    def change(
        self, tables: NoTables, codes: UnsignedArray, cells: IntArray, values: IntArray
    ) -> NoTables:
        """Write values into cells of the codes."""
        codes.reshape(-1)[cells] = values
        return tables

    def change_rows(
        self, tables: NoTables, codes: UnsignedArray, rows: UnsignedArray, first: int
    ) -> NoTables:
        """Write rows of codes over those from the first one on."""
        codes[first : first + len(rows)] = rows
        return tables

    def figures(self, tables: NoTables, codes: UnsignedArray) -> MaskedFigures:
        """The figures of a masked file."""
        plan = self.plan
        columns = range(plan.n_columns)
        pairs = [
            np.unique(
                plan.original[:, j].astype(np.int64) * plan.n_categories[j] + codes[:, j],
                return_counts=True,
            )
            for j in columns
        ]
        steps, hits, joints = [], 0, []
        for j, (keys, counts) in zip(columns, pairs, strict=True):
            original, masked = np.divmod(keys, plan.n_categories[j])
            steps.append(int(plan.distances.steps(j, original, masked) @ counts))
            hits += int(plan.hits(j, original, masked) @ counts)
            joints.append((counts, np.bincount(masked, counts)[masked].astype(np.int64)))
        by_distance, probabilistic = self._linkages(codes)
        return MaskedFigures.of(
            dbil=distance_loss(steps, plan.distances.scales, plan.n_rows),
            ctbil=contingency_loss(
                self._difference(codes), len(plan.subsets), plan.n_rows, n_cells=plan.n_cells
            ),
            ebil=entropy_loss(joints, plan.n_categories, plan.n_rows),
            id=interval_disclosure(hits, plan.n_rows, plan.n_columns),
            dbrl=by_distance,
            prl=probabilistic,
        )

    def _difference(self, codes: UnsignedArray) -> int:
        """Sum of the absolute differences of all contingency tables."""
        n_rows = self.plan.n_rows
        both = np.concatenate([self.plan.original, codes])
        signs = np.repeat([-1, 1], n_rows)
        difference = 0
        for subset in self.plan.subsets:
            sizes = [self.plan.n_categories[j] for j in subset]
            _, group = np.unique(
                pack_codes([both[:, j] for j in subset], sizes), return_inverse=True
            )
            difference += int(np.abs(np.bincount(group, signs)).sum())
        return difference

    def _linkages(self, codes: UnsignedArray) -> tuple[float, float]:
        """DBRL and PRL."""
        plan, pairs = self.plan, self._pairs
        masked, rows, position = distinct_records(codes, plan.n_categories)
        distances, agreement = pairs.own(codes)
        nearest, ties, patterns = pairs.nearest(masked, rows)
        by_distance = shared_linkage(distances == nearest[position], ties[position])
        ranks = estimated_ranks(patterns, plan.n_columns, plan.n_rows)
        best, ties = pairs.likeliest(masked, ranks)
        return by_distance, shared_linkage(ranks[agreement] == best[position], ties[position])


def shared_linkage(is_linked: BoolArray, ties: IntArray) -> float:
    """Share of rows that are linked correctly, ties shared, 0..100.

    Parameters
    ----------
    is_linked : bool array (n_rows,)
        Whether the original of each masked row is among those it is linked to.
    ties : int64 array (n_rows,)
        How many these are.
    """
    different, position = np.unique(ties, return_inverse=True)
    linked = np.bincount(position[is_linked], minlength=len(different))
    return linkage(linked, different, len(ties))
