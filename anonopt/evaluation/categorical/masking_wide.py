"""Masked files measured without tables over all combinations of categories.

For many columns or categories: only what occurs is counted, and nothing is kept between two
evaluations.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import AnyIntArray, BoolArray, IntArray, UnsignedArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.categorical.cell_figures import cell_figures
from anonopt.evaluation.categorical.masking_plan import MaskingPlan, checked_codes
from anonopt.evaluation.categorical.record_pairs import CompiledPairs, RecordPairs, distinct_records
from anonopt.evaluation.figures import MaskedFigures
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

    def read(self, codes: AnyIntArray) -> tuple[UnsignedArray, NoTables]:
        """A copy of codes; all is counted when figures are asked for. See `Counter`."""
        return checked_codes(codes, self.plan.n_categories), NoTables()

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
        figures = cell_figures(plan, pairs, self._difference(codes))
        by_distance, probabilistic = record_linkages(self._pairs, codes)
        return MaskedFigures.of(**figures, dbrl=by_distance, prl=probabilistic)

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


def record_linkages(
    pairs: RecordPairs, codes: UnsignedArray, weights: IntArray | None = None
) -> tuple[float, float]:
    """DBRL and PRL of a masked file.

    Parameters
    ----------
    pairs : RecordPairs
        Of the originals.
    codes : unsigned int array (n, n_columns)
        Masked records, of the rows of the codes of the plan.
    weights : int64 array (n,), optional
        Rows that each of them stands for, as `pairs` was given them.
    """
    plan = pairs.plan
    masked, rows, position = distinct_records(codes, plan.n_categories, weights)
    distances, agreement = pairs.own(codes)
    nearest, ties, patterns = pairs.nearest(masked, rows)
    by_distance = shared_linkage(distances == nearest[position], ties[position], weights)
    ranks = estimated_ranks(patterns, plan.n_columns, plan.n_rows)
    best, ties = pairs.likeliest(masked, ranks)
    is_best = ranks[agreement] == best[position]
    return by_distance, shared_linkage(is_best, ties[position], weights)


def shared_linkage(is_linked: BoolArray, ties: IntArray, weights: IntArray | None = None) -> float:
    """Share of rows that are linked correctly, ties shared, 0..100.

    Parameters
    ----------
    is_linked : bool array (n_rows,)
        Whether the original of each masked row is among those it is linked to.
    ties : int64 array (n_rows,)
        How many these are.
    weights : int64 array (n_rows,), optional
        What each row counts; by default 1.
    """
    different, position = np.unique(ties, return_inverse=True)
    if weights is None:
        linked = np.bincount(position[is_linked], minlength=len(different))
        return linkage(linked, different, len(ties))
    counted = np.bincount(position[is_linked], weights[is_linked], minlength=len(different))
    return linkage(counted.astype(np.int64), different, int(weights.sum()))
