"""Masked files measured by tables over all combinations of categories.

Every figure is a function of integer tables that a changed cell moves in a few places.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from anonopt._typing import (
    AnyArray,
    AnyIntArray,
    CodeArray,
    FloatArray,
    IntArray,
    UnsignedArray,
)
from anonopt.evaluation.categorical.combination_tables import CombinationTables, PatternLinks
from anonopt.evaluation.categorical.masking_plan import MaskingPlan, checked_codes
from anonopt.evaluation.figures import MaskedFigures
from anonopt.measures.categorical.information_loss import (
    contingency_loss,
    distance_loss,
    entropy_loss,
    joint_pairs,
)
from anonopt.measures.categorical.interval_disclosure import interval_disclosure
from anonopt.measures.categorical.record_linkage import estimated_ranks, linkage

RECOUNT_SHARE = 1 / 1000
"""Above this share of changed cells all tables are counted anew, which is then faster."""
MAX_RANKINGS = 64
"""Rankings of agreement patterns whose links are kept, as far as their size allows."""
MAX_KEPT = 2**22
"""Combinations of all rankings that are kept."""


NO_LINKS = PatternLinks(*(np.zeros(0, dtype=np.int64) for _ in range(4)))
"""Before the patterns are ranked for the first time."""


def _no_counts() -> IntArray:
    return NO_LINKS.ties


@dataclass(eq=False)
class DenseTables:
    """Integer tables of one masked file.

    Parameters
    ----------
    counts : int64 array
        The tables `joint`, `differences`, `patterns` and `nearest_linked`, one after the other.
    ends : tuple of int
        Where the first three of them end.
    agreement : int32 array (M, 2**V)
        Masked records of each combination by the columns they agree in with their original.
    links : PatternLinks, optional
        Links under the ranking of patterns that was used last.
    likely_linked : int64 array (ties of the links,)
        Records whose original is among those that they choose, by the number of these.
    sums, kept : int64 array, float array, or empty
        What compiled kernels carry along. First V + 3 sums, see `kernel_masking`; first entropies
        of the V columns, DBRL and PRL. Behind them is room for `rank_patterns`.

    Attributes
    ----------
    joint : int64 array (sum of L**2,)
        Rows of each original and masked category, one (L, L) table after the other.
    differences : int64 array (cells,)
        Masked less original counts of the contingency tables, one after the other.
    patterns : int64 array (2**V,)
        Pairs of an original and a masked record that agree in exactly the columns of the bits.
    nearest_linked : int64 array (ties,)
        Records whose original is among the nearest, by the number of nearest ones.
    """

    counts: IntArray
    ends: tuple[int, int, int]
    agreement: CodeArray
    links: PatternLinks = NO_LINKS
    likely_linked: IntArray = field(default_factory=_no_counts)
    sums: IntArray = field(default_factory=_no_counts)
    kept: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        first, second, third = self.ends
        self.joint, self.differences = self.counts[:first], self.counts[first:second]
        self.patterns, self.nearest_linked = self.counts[second:third], self.counts[third:]

    def arrays(self) -> tuple[AnyArray, ...]:
        """The tables, without what is computed from them."""
        return self.counts, self.agreement, self.likely_linked

    def copy(self) -> DenseTables:
        """Tables of their own."""
        return DenseTables(
            self.counts.copy(),
            self.ends,
            self.agreement.copy(),
            self.links,
            self.likely_linked.copy(),
            self.sums.copy(),
            self.kept.copy(),
        )


class DenseCounter:
    """Counts and changes the tables of masked files, and computes figures from them.

    Parameters
    ----------
    plan : MaskingPlan
    """

    def __init__(self, plan: MaskingPlan) -> None:
        self.plan = plan
        self.static = CombinationTables(plan)
        self._originals = np.ascontiguousarray(plan.original.T)
        self._joint_rows = self._originals * self.static.sizes[:, np.newaxis]
        self._kept: dict[bytes, PatternLinks] = {}
        lengths = [self.static.joint_starts[-1], self.static.subset_starts[-1]]
        first, second, third = np.cumsum([*lengths, 1 << plan.n_columns]).tolist()
        self._ends = first, second, third

    def read(self, codes: AnyIntArray) -> tuple[UnsignedArray, DenseTables]:
        """A copy of codes, and all tables of a masked file; see `Counter`."""
        own = checked_codes(codes, self.plan.n_categories)
        return own, self.tables(own)

    def tables(self, codes: UnsignedArray) -> DenseTables:
        """Count all tables of a masked file with codes (n_rows, n_columns)."""
        plan, static = self.plan, self.static
        joints = []
        # Columns that are contiguous and codes that stay small are several times faster.
        columns = np.ascontiguousarray(codes.T)
        keys, distance = np.zeros(plan.n_rows, np.int64), np.zeros(plan.n_rows, np.int64)
        agrees = np.zeros(plan.n_rows, dtype=np.min_scalar_type((1 << plan.n_columns) - 1))
        for j, size in enumerate(plan.n_categories):
            pair = self._joint_rows[j] + columns[j]
            joints.append(np.bincount(pair, minlength=size * size))
            distance += static.distances[static.joint_starts[j] :].take(pair)
            keys *= size
            keys += columns[j]
            agrees |= (self._originals[j] == columns[j]).astype(agrees.dtype) << j
        agreement = np.bincount(
            (keys << plan.n_columns) | agrees, minlength=static.pairs.size
        ).reshape(static.pairs.shape)
        records = agreement.sum(axis=1)
        is_linked = distance == static.nearest.take(keys)
        ranks = static.tie_rank.take(keys[is_linked])
        counts = static.contingency(records.reshape(plan.n_categories))
        tables = (
            *joints,
            counts - static.original_counts,
            records @ static.pairs,
            np.bincount(ranks, minlength=len(static.ties)),
        )
        return DenseTables(np.concatenate(tables), self._ends, agreement.astype(np.int32))

    def change_cell(
        self, tables: DenseTables, codes: UnsignedArray, cell: int, value: int
    ) -> DenseTables:
        """Write a value into a cell of the codes, and bring the tables up to it."""
        row, column = divmod(cell, self.plan.n_columns)
        original = self.plan.original[row].astype(np.int64)
        start = self.static.joint_starts[column] + original[column] * self.static.sizes[column]
        tables.joint[start + int(codes[row, column])] -= 1
        tables.joint[start + value] += 1
        self._count_row(tables, codes[row], original, -1)
        codes[row, column] = value
        self._count_row(tables, codes[row], original, 1)
        return tables

    def change(
        self, tables: DenseTables, codes: UnsignedArray, cells: IntArray, values: IntArray
    ) -> DenseTables:
        """Write values into cells of the codes, and bring the tables up to them."""
        if len(cells) > codes.size * RECOUNT_SHARE:
            codes.reshape(-1)[cells] = values
            return self.tables(codes)
        for cell, value in zip(cells.tolist(), values.tolist(), strict=True):
            self.change_cell(tables, codes, cell, value)
        return tables

    def change_rows(
        self, tables: DenseTables, codes: UnsignedArray, rows: UnsignedArray, first: int
    ) -> DenseTables:
        """Write rows of codes over those from the first one on, and bring the tables up to them."""
        before = codes[first : first + len(rows)]
        cells = np.flatnonzero(rows.reshape(-1) != before.reshape(-1))
        values = rows.reshape(-1)[cells].astype(np.int64)
        return self.change(tables, codes, cells + first * self.plan.n_columns, values)

    def _count_row(
        self, tables: DenseTables, masked: UnsignedArray, original: IntArray, by: int
    ) -> None:
        """Add a row to all tables but the joint ones, or take it away."""
        static, links = self.static, tables.links
        codes = masked.astype(np.int64)
        key = int(codes @ static.strides)
        agrees = int(((masked == original) << np.arange(len(codes))).sum())
        places = static.joint_starts[:-1] + original * static.sizes + codes
        tables.differences[static.subset_starts[:-1] + static.subset_strides @ codes] += by
        tables.agreement[key, agrees] += by
        tables.patterns += by * static.pairs[key]
        if static.distances[places].sum() == static.nearest[key]:
            tables.nearest_linked[static.tie_rank[key]] += by
        if len(links.ranks) and links.ranks[agrees] == links.best[key]:
            tables.likely_linked[links.tie_rank[key]] += by

    def figures(self, tables: DenseTables, codes: UnsignedArray) -> MaskedFigures:
        """The figures of a masked file, from its tables alone."""
        plan, static = self.plan, self.static
        joints = [
            joint_pairs(part.reshape(size, size))
            for part, size in zip(
                np.split(tables.joint, static.joint_starts[1:-1]), plan.n_categories, strict=True
            )
        ]
        steps = np.add.reduceat(tables.joint * static.steps, static.joint_starts[:-1])
        hits = int(tables.joint @ static.hits)
        difference = int(np.abs(tables.differences).sum())
        n_tables = len(plan.subsets)
        ctbil = contingency_loss(difference, n_tables, plan.n_rows, n_cells=plan.n_cells)
        self._link(tables, self._pattern_ranks(tables.patterns))
        return MaskedFigures.of(
            dbil=distance_loss(steps.tolist(), plan.distances.scales, plan.n_rows),
            ctbil=ctbil,
            ebil=entropy_loss(joints, plan.n_categories, plan.n_rows),
            id=interval_disclosure(hits, plan.n_rows, plan.n_columns),
            dbrl=linkage(tables.nearest_linked, static.ties, plan.n_rows),
            prl=linkage(tables.likely_linked, tables.links.ties, plan.n_rows),
        )

    def _pattern_ranks(self, patterns: IntArray) -> IntArray:
        """Ranks of the agreement patterns under the estimated probabilities."""
        return estimated_ranks(patterns, self.plan.n_columns, self.plan.n_rows)

    def _link(self, tables: DenseTables, ranks: IntArray) -> None:
        """Bring the links of the tables up to a ranking of the patterns, which rarely changes."""
        key = ranks.tobytes()
        if key == tables.links.ranks.tobytes():
            return
        links = self._kept.get(key)
        if links is None:
            links = PatternLinks.of(ranks, self.static.pairs)
            if len(self._kept) >= min(MAX_RANKINGS, MAX_KEPT // len(self.static.nearest)):
                self._kept.clear()
            self._kept[key] = links
        tables.links, tables.likely_linked = links, self._linked(links, tables.agreement)

    def _linked(self, links: PatternLinks, agreement: CodeArray) -> IntArray:
        """See `PatternLinks.linked`."""
        return links.linked(agreement)
