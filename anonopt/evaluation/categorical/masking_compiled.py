"""Masked files measured by compiled kernels (extra ``fast``) on dense tables."""

from __future__ import annotations

import numpy as np

from anonopt._typing import CodeArray, IntArray, UnsignedArray
from anonopt.evaluation.categorical.combination_tables import PatternLinks
from anonopt.evaluation.categorical.kernel_masking import (
    change_cell,
    change_cells,
    count_rows,
    likely_linked,
)
from anonopt.evaluation.categorical.kernel_masking_figures import (
    losses,
    rank_patterns,
    shared_links,
)
from anonopt.evaluation.categorical.masking_dense import NO_LINKS, DenseCounter, DenseTables
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.evaluation.figures import MaskedFigures
from anonopt.measures.categorical.record_linkage import FEW_PATTERNS, estimated_ranks

RECOUNT_SHARE = 1 / 60
"""Above this share of changed cells all tables are counted anew, which is then faster."""


def compiled_ranks(patterns: IntArray, n_columns: int, n_rows: int) -> IntArray:
    """See `estimated_ranks`; by the compiled kernel where the patterns are few."""
    if len(patterns) > FEW_PATTERNS:
        return estimated_ranks(patterns, n_columns, n_rows)
    ranks = np.empty(len(patterns), dtype=np.int64)
    rank_patterns(patterns, n_rows, ranks)
    return ranks


class CompiledCounter(DenseCounter):
    """The same tables and figures as `DenseCounter`, by compiled kernels."""

    def __init__(self, plan: MaskingPlan) -> None:
        super().__init__(plan)
        static = self.static
        self._layout = (static.sizes, static.joint_starts, static.subset_starts[:-1])
        strides = (static.strides, static.subset_strides)
        lookup = (static.distances, static.nearest, static.tie_rank, static.pairs)
        self._static = (plan.original, self._layout, strides, lookup)
        self._weights = (static.steps, static.hits)
        self._scales = np.array(plan.distances.scales, dtype=np.int64)
        # No record adds nothing, so any number does for the logarithm of 0.
        counts = np.arange(max(plan.n_rows, *plan.n_categories) + 1)
        self._logarithms = np.log(np.maximum(counts, 1))

    def tables(self, codes: UnsignedArray) -> DenseTables:
        """See `DenseCounter.tables`."""
        static = self.static
        tables = DenseTables(
            joint=np.zeros(static.joint_starts[-1], dtype=np.int64),
            differences=-static.original_counts,
            patterns=np.zeros(static.pairs.shape[1], dtype=np.int64),
            agreement=np.zeros(static.pairs.shape, dtype=np.int32),
            nearest_linked=np.zeros(len(static.ties), dtype=np.int64),
            links=NO_LINKS,
            likely_linked=NO_LINKS.ties,
        )
        count_rows(self._static, tables.arrays(), codes)
        return tables

    def change_cell(
        self, tables: DenseTables, codes: UnsignedArray, cell: int, value: int
    ) -> DenseTables:
        """See `DenseCounter.change_cell`."""
        change_cell(self._static, tables.links.arrays(), tables.arrays(), codes, cell, value)
        return tables

    def change(
        self, tables: DenseTables, codes: UnsignedArray, cells: IntArray, values: IntArray
    ) -> DenseTables:
        """See `DenseCounter.change`."""
        if len(cells) > codes.size * RECOUNT_SHARE:
            codes.reshape(-1)[cells] = values
            return self.tables(codes)
        change_cells(self._static, tables.links.arrays(), tables.arrays(), codes, cells, values)
        return tables

    def figures(self, tables: DenseTables, codes: UnsignedArray) -> MaskedFigures:
        """See `DenseCounter.figures`."""
        n_rows = self.plan.n_rows
        static = self._layout, self._weights, self._scales, self._logarithms
        dbil, difference, ebil, interval = losses(tables.joint, tables.differences, *static, n_rows)
        self._link(tables, self._pattern_ranks(tables.patterns))
        return MaskedFigures.of(
            dbil=dbil,
            ctbil=self._contingency_loss(difference),
            ebil=ebil,
            id=interval,
            dbrl=shared_links(tables.nearest_linked, self.static.ties, n_rows),
            prl=shared_links(tables.likely_linked, tables.links.ties, n_rows),
        )

    def _pattern_ranks(self, patterns: IntArray) -> IntArray:
        return compiled_ranks(patterns, self.plan.n_columns, self.plan.n_rows)

    def _linked(self, links: PatternLinks, agreement: CodeArray) -> IntArray:
        linked = np.zeros(len(links.ties), dtype=np.int64)
        likely_linked(agreement, links.ranks, links.best, links.tie_rank, linked)
        return linked
