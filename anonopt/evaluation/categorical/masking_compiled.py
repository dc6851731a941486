"""Masked files measured by compiled kernels (extra ``fast``) on dense tables."""

from __future__ import annotations

import numpy as np

from anonopt._typing import AnyIntArray, CodeArray, IntArray, UnsignedArray
from anonopt.evaluation.categorical.combination_tables import CombinationTables, PatternLinks
from anonopt.evaluation.categorical.kernel_linkage_model import rank_patterns, room_for_ranks
from anonopt.evaluation.categorical.kernel_masking import (
    count_many_rows,
    count_rows,
    likely_linked,
)
from anonopt.evaluation.categorical.kernel_masking_changes import (
    change_cell,
    change_cells,
    change_rows,
)
from anonopt.evaluation.categorical.kernel_masking_figures import file_figures, shared_links
from anonopt.evaluation.categorical.masking_dense import NO_LINKS, DenseCounter, DenseTables
from anonopt.evaluation.categorical.masking_plan import CodeError, MaskingPlan, small_type
from anonopt.evaluation.figures import MaskedFigures
from anonopt.measures.categorical.information_loss import contingency_scale
from anonopt.measures.categorical.record_linkage import FEW_PATTERNS, estimated_ranks

RECOUNT_SHARE = 1 / 4
"""Above this share of changed cells, of the rows, all are counted anew, which is then faster."""
SHARE_OF_COMBINATIONS = 1 / 32
"""Below this share, changed cells are counted one by one and not by their combinations."""


def compiled_ranks(patterns: IntArray, n_columns: int, n_rows: int) -> IntArray:
    """See `estimated_ranks`; by the compiled kernel where the patterns are few."""
    if len(patterns) > FEW_PATTERNS:
        return estimated_ranks(patterns, n_columns, n_rows)
    n_numbers, n_ranks = room_for_ranks(n_columns)
    ranks = np.empty(n_ranks, dtype=np.int64)
    rank_patterns(patterns, n_rows, np.empty(n_numbers), ranks)
    return ranks[: len(patterns)]


class CompiledCounter(DenseCounter):
    """The same tables and figures as `DenseCounter`, by compiled kernels."""

    def __init__(self, plan: MaskingPlan) -> None:
        super().__init__(plan)
        # What patterns rank like is known in advance of most files; if not they are linked anew.
        self._latest = NO_LINKS
        self._room = room_for_ranks(plan.n_columns)
        self._numbers = packed_numbers(self.static, plan)
        self._static = (self._numbers, self.static.pairs, plan.original)
        is_many = plan.n_rows >= self.static.pairs.size
        self._many = _places(self.static, plan) if is_many else None
        # No record adds nothing, so any number does for the logarithm of 0.
        counts = np.arange(max(plan.n_rows, *plan.n_categories) + 1)
        self._logarithms = np.log(np.maximum(counts, 1))

    def read(self, codes: AnyIntArray) -> tuple[UnsignedArray, DenseTables]:
        """See `DenseCounter.read`.

        Codes of the own size are copied, checked and counted in one step, which lets other threads
        work meanwhile.
        """
        dtype, most = small_type(self.plan.n_categories), max(self.plan.n_categories) - 1
        is_as_small = codes.itemsize == dtype.itemsize and most <= np.iinfo(codes.dtype).max
        if not (is_as_small and codes.dtype.isnative):
            return super().read(codes)
        if not codes.flags.carray:
            # Kernels are compiled for arrays in C order that may be written to, and no others.
            codes = np.array(codes, order="C")
        # Those below 0 become numbers that are too large.
        given = codes.view(dtype)
        own = np.empty_like(given)
        return own, self._counted(given, own)

    def tables(self, codes: UnsignedArray) -> DenseTables:
        """See `DenseCounter.tables`."""
        return self._counted(codes, codes)

    def _counted(self, given: UnsignedArray, codes: UnsignedArray) -> DenseTables:
        """Tables of `given`, which are written into `codes`."""
        n_columns, n_ties = self.plan.n_columns, len(self.static.ties)
        n_numbers, n_ranks = self._room
        links = self._latest
        tables = DenseTables(
            np.zeros(self._ends[-1] + n_ties, dtype=np.int64),
            self._ends,
            np.zeros(self.static.pairs.shape, dtype=np.int32),
            links,
            np.zeros(len(links.ties), dtype=np.int64),
            sums=np.zeros(n_columns + 3 + n_ranks, dtype=np.int64),
            kept=np.zeros(n_columns + 2 + n_numbers),
        )
        tables.differences[:] = -self.static.original_counts
        records = np.empty(len(tables.agreement), dtype=np.int64)
        if self._many is None:
            are_codes = count_rows(
                *self._static, links.packed, _state(tables), given, codes, records
            )
        else:
            linked = np.zeros((len(records), 2, tables.agreement.shape[1]), dtype=np.int32)
            known = self._numbers, self.static.pairs, *self._many
            are_codes = count_many_rows(
                *known, links.packed, _state(tables), given, codes, records, linked
            )
        if not are_codes:
            raise CodeError
        return tables

    def change_cell(
        self, tables: DenseTables, codes: UnsignedArray, cell: int, value: int
    ) -> DenseTables:
        """See `DenseCounter.change_cell`."""
        change_cell(
            *self._static,
            tables.links.packed,
            tables.counts,
            tables.agreement,
            tables.sums,
            tables.likely_linked,
            codes,
            cell,
            value,
        )
        return tables

    def change(
        self, tables: DenseTables, codes: UnsignedArray, cells: IntArray, values: IntArray
    ) -> DenseTables:
        """See `DenseCounter.change`."""
        if len(cells) == 0:
            return tables
        if len(cells) > len(codes) * RECOUNT_SHARE:
            codes.reshape(-1)[cells] = values
            return self.tables(codes)
        if len(cells) < len(self.static.nearest) * SHARE_OF_COMBINATIONS:
            state, links = _state(tables), tables.links.packed
            change_cells(*self._static, links, state, codes, cells, values)
            return tables
        first, last = np.array([cells.min(), cells.max()]) // self.plan.n_columns
        rows = codes[first : last + 1].copy()
        rows.reshape(-1)[cells - first * self.plan.n_columns] = values
        return self.change_rows(tables, codes, rows, int(first))

    def change_rows(
        self, tables: DenseTables, codes: UnsignedArray, rows: UnsignedArray, first: int
    ) -> DenseTables:
        """See `DenseCounter.change_rows`."""
        state, links = _state(tables), tables.links.packed
        records = np.zeros(len(self.static.nearest), dtype=np.int64)
        change_rows(*self._static, links, state, codes, rows, first, records)
        return tables

    def figures(self, tables: DenseTables, codes: UnsignedArray) -> MaskedFigures:
        """See `DenseCounter.figures`."""
        values, holds = file_figures(
            self._numbers,
            self._logarithms,
            tables.counts,
            tables.sums,
            tables.kept,
            tables.links.packed,
            tables.likely_linked,
        )
        figures = MaskedFigures._make(values)
        if holds:
            return figures
        self._link(tables, self._ranks(tables))
        self._latest = tables.links
        linked, ties = tables.likely_linked, tables.links.ties
        return figures.replaced(prl=shared_links(linked, ties, self.plan.n_rows))

    def _ranks(self, tables: DenseTables) -> IntArray:
        """Ranks of the patterns; where they are few the figures have left them in the tables."""
        if not self._room[1]:
            return self._pattern_ranks(tables.patterns)
        first = self.plan.n_columns + 3
        return tables.sums[first : first + len(tables.patterns)].copy()

    def _pattern_ranks(self, patterns: IntArray) -> IntArray:
        return compiled_ranks(patterns, self.plan.n_columns, self.plan.n_rows)

    def _linked(self, links: PatternLinks, agreement: CodeArray) -> IntArray:
        linked = np.zeros(len(links.ties), dtype=np.int64)
        likely_linked(agreement, links.packed, linked)
        return linked


def packed_numbers(static: CombinationTables, plan: MaskingPlan) -> IntArray:
    """What compiled kernels take of the original, in one array; see `kernel_masking`."""
    n_subsets, n_columns = static.subset_strides.shape
    scale = contingency_scale(n_subsets, plan.n_rows, plan.n_cells)
    head = [n_columns, n_subsets, static.joint_starts[-1], static.subset_starts[-1]]
    parts: list[IntArray] = [
        np.array([*head, len(static.nearest), plan.n_rows, scale], dtype=np.int64),
        static.sizes,
        np.array(plan.distances.scales, dtype=np.int64),
        static.joint_starts,
        static.subset_starts[:-1],
        static.strides,
        static.subset_strides.ravel(),
        static.steps,
        static.hits,
        static.distances,
        static.nearest,
        static.tie_rank,
        static.ties,
    ]
    return np.concatenate(parts)


def _places(static: CombinationTables, plan: MaskingPlan) -> tuple[UnsignedArray, IntArray]:
    """What `count_many_rows` takes as `places` and `told`."""
    starts = static.joint_starts[:-1]
    # Not in the very smallest type: each further one would be compiled for.
    dtype = np.uint16 if static.joint_starts[-1] <= 1 << 16 else np.uint32
    places = np.empty(plan.original.shape, dtype=dtype)
    told = static.distances << plan.n_columns
    for j, (start, size) in enumerate(zip(starts.tolist(), plan.n_categories, strict=True)):
        np.add(plan.original[:, j].astype(dtype) * size, start, out=places[:, j])
        told[start : start + size * size : size + 1] |= 1 << j
    return places, told


def _state(tables: DenseTables) -> tuple[IntArray, CodeArray, IntArray, IntArray]:
    return tables.counts, tables.agreement, tables.sums, tables.likely_linked
