"""Loss and risk that PRAM matrices are expected to give, without drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.evaluation.categorical.combination_tables import CombinationTables, PatternLinks
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.evaluation.figures import MaskedFigures
from anonopt.evaluation.pram.expected_counts import agreement_counts, expected_differences
from anonopt.measures.categorical.information_loss import contingency_loss, matrix_entropy_loss
from anonopt.measures.categorical.interval_disclosure import WIDTHS
from anonopt.measures.categorical.record_linkage import estimated_ranks

MAX_PAIRS = 2**24
"""Pairs of a distinct original and a combination that are looked through for nearest ones."""


class ExpectedFigures:
    """Figures of a file masked by PRAM as they are expected, column by column independently.

    ``DBIL``, ``ID`` and ``DBRL`` are linear in the records, so these are exact expectations over
    all draws. ``CTBIL`` is the expectation with masked counts taken as normally distributed
    (the figure of the table of expected counts would be too small: draws scatter around it).
    ``EBIL`` is what definitions give for a known matrix, the figure of the expected joint
    counts; of a drawn file it is slightly smaller, as the file is one sample of the matrix.
    ``PRL`` is the figure of the expected counts of agreement patterns. IL, DR and scores are
    made of these, so a maximum is the maximum of expectations.

    Parameters
    ----------
    plan : MaskingPlan
    compiled : bool
        Whether to rank agreement patterns by the compiled kernel.

    Raises
    ------
    ValueError
        If there are too many combinations of categories for tables of all of them.
    """

    def __init__(self, plan: MaskingPlan, *, compiled: bool = False) -> None:
        if not CombinationTables.fit(plan):
            raise ValueError(
                f"expected=True: expected columns of few categories together, found "
                f"{math.prod(plan.n_categories)} combinations of {plan.n_categories} (use draws)"
            )
        self._plan = plan
        self._compiled = compiled
        self._static = CombinationTables(plan)
        combinations = plan.original.astype(np.int64) @ self._static.strides
        counts = np.bincount(combinations, minlength=math.prod(plan.n_categories))
        self._counts = counts.reshape(plan.n_categories).astype(np.float64)
        self._marginals = [self._margin((j,)) for j in range(plan.n_columns)]
        self._tables = [self._margin(subset) for subset in plan.subsets]
        self._originals, self._masked, self._weights = self._nearest_pairs()

    @property
    def frequencies(self) -> list[FloatArray]:
        """Records of each original category, float arrays (L,), one a column."""
        return list(self._marginals)

    def figures(self, matrices: Sequence[FloatArray]) -> MaskedFigures:
        """Expected figures.

        Parameters
        ----------
        matrices : sequence of float arrays (L, L), one a column
        """
        dbil, ebil, id_ = self._column_figures(matrices)
        return MaskedFigures.of(
            dbil=dbil,
            ctbil=self._contingency_loss(matrices),
            ebil=ebil,
            id=id_,
            dbrl=self._distance_linkage(matrices),
            prl=self._probabilistic_linkage(matrices),
        )

    def _column_figures(self, matrices: Sequence[FloatArray]) -> tuple[float, float, float]:
        plan, static = self._plan, self._static
        distance, entropy, hits = [], [], []
        for j, (matrix, counts) in enumerate(zip(matrices, self._marginals, strict=True)):
            joint = (counts[:, np.newaxis] * matrix).ravel()
            part = slice(static.joint_starts[j], static.joint_starts[j + 1])
            distance.append(joint @ static.steps[part] / plan.distances.scales[j])
            hits.append(joint @ static.hits[part] / WIDTHS)
            entropy.append(matrix_entropy_loss(matrix, counts))
        cells = plan.n_rows * plan.n_columns
        return (
            100 * math.fsum(distance) / cells,
            math.fsum(entropy) / plan.n_columns,
            100 * math.fsum(hits) / cells,
        )

    def _contingency_loss(self, matrices: Sequence[FloatArray]) -> float:
        plan = self._plan
        differences = [
            expected_differences(table, [matrices[j] for j in subset])
            for table, subset in zip(self._tables, plan.subsets, strict=True)
        ]
        total = math.fsum(differences)
        return contingency_loss(total, len(plan.subsets), plan.n_rows, n_cells=plan.n_cells)

    def _distance_linkage(self, matrices: Sequence[FloatArray]) -> float:
        chances = self._weights.copy()
        for matrix, originals, masked in zip(matrices, self._originals, self._masked, strict=True):
            chances *= matrix[originals, masked]
        return 100 * float(chances.sum()) / self._plan.n_rows

    def _probabilistic_linkage(self, matrices: Sequence[FloatArray]) -> float:
        agreement = agreement_counts(self._counts, matrices)
        is_best, links = self._links(agreement)
        linked = np.where(is_best, agreement, 0.0).sum(axis=1)
        return 100 * float((linked / links.ties[links.tie_rank]).sum()) / self._plan.n_rows

    def _links(self, agreement: FloatArray) -> tuple[BoolArray, PatternLinks]:
        """Whether each pattern of each combination links, (M, 2**V), and what to."""
        static = self._static
        patterns = np.rint(agreement.sum(axis=1) @ static.pairs).astype(np.int64)
        ranks = self._pattern_ranks(patterns)
        links = PatternLinks.of(ranks, static.pairs)
        return ranks == links.best[:, np.newaxis], links

    def _pattern_ranks(self, patterns: IntArray) -> IntArray:
        counted = patterns, self._plan.n_columns, self._plan.n_rows
        if self._compiled:
            from anonopt.evaluation.categorical.masking_compiled import compiled_ranks

            return compiled_ranks(*counted)
        return estimated_ranks(*counted)

    def _margin(self, subset: tuple[int, ...]) -> FloatArray:
        others = tuple(j for j in range(self._plan.n_columns) if j not in subset)
        return np.asarray(self._counts.sum(axis=others))

    def _nearest_pairs(self) -> tuple[list[IntArray], list[IntArray], FloatArray]:
        """Originals and combinations they are nearest to: codes of both, records over ties."""
        sizes, static = self._plan.n_categories, self._static
        present = np.flatnonzero(self._counts)
        if len(present) * self._counts.size > MAX_PAIRS:
            raise ValueError(
                f"expected=True: expected at most {MAX_PAIRS} pairs of distinct originals and "
                f"combinations, found {len(present)} x {self._counts.size} (use draws)"
            )
        distance = np.zeros((len(present), self._counts.size), dtype=np.int64)
        codes = np.unravel_index(present, sizes)
        everything = np.unravel_index(np.arange(self._counts.size), sizes)
        for j, size in enumerate(sizes):
            table = static.distances[static.joint_starts[j] : static.joint_starts[j + 1]]
            distance += table.reshape(size, size)[codes[j]][:, everything[j]]
        rows, combinations = np.nonzero(distance == static.nearest)
        ties = static.ties[static.tie_rank[combinations]]
        return (
            [code[rows] for code in codes],
            [code[combinations] for code in everything],
            self._counts.ravel()[present[rows]] / ties,
        )
