"""Figures of masked numeric files in which cells are missing."""

from __future__ import annotations

import numpy as np

from anonopt._progress import part, told
from anonopt._typing import CodeArray, FloatArray, IntArray
from anonopt.evaluation.accelerator import has_numba
from anonopt.evaluation.categorical.masking_wide import shared_linkage
from anonopt.evaluation.continuous.file_agreement import FileAgreement
from anonopt.evaluation.figures import ContinuousFigures
from anonopt.measures.categorical.interval_disclosure import hits_of_ranks, interval_disclosure
from anonopt.measures.categorical.rank_swapping_linkage import check_percent
from anonopt.measures.categorical.record_linkage import check_columns, estimated_ranks
from anonopt.measures.continuous.continuous_risk import doubled_ranks, rank_window
from anonopt.measures.continuous.incomplete_files import IncompleteRecords, incomplete_loss
from anonopt.measures.continuous.record_agreement import agreement_rows

BLOCK = 2**20
"""Pairs of records that are compared at once: bounds the memory."""
MISSING_RANK = -(2**30)
"""Doubled rank of missing cells: the same for all of them, and far from that of every number."""


class IncompleteFiles:
    """An original and a masked numeric file, NaN where cells are missing.

    A missing cell has a rank of its own: it agrees with missing cells alone, and is disclosed
    where it stays missing. Numbers are ranked among the numbers of the original; percents are
    those of all rows.

    Parameters
    ----------
    original, masked : float arrays (n_rows, n_columns)
        At most 20 columns.

    Raises
    ------
    ValueError
        If there are more columns.

    Examples
    --------
    >>> x = np.array([[1.0], [2.0], [np.nan], [4.0]])
    >>> IncompleteFiles(x, x).figures(agreement=5.0)[:5]
    (0.0, 0.0, 100.0, 100.0, 100.0)
    """

    def __init__(self, original: FloatArray, masked: FloatArray) -> None:
        check_columns(original.shape[1])
        self._original, self._masked = original, masked
        self._n_rows, self._n_columns = original.shape
        self._n_present = [int((~np.isnan(column)).sum()) for column in original.T]
        self._ranks, self._masked_ranks = self._ranked(original), self._ranked(masked)
        self._ranks_by_column = np.ascontiguousarray(self._ranks.T)
        self.uses_numba = has_numba()

    def figures(self, *, agreement: float) -> ContinuousFigures:
        """Loss and risk.

        Parameters
        ----------
        agreement : float
            Window of probabilistic linkage, percent of the rows.
        """
        apart = np.abs(self._ranks.astype(np.int64) - self._masked_ranks)
        hits = int(hits_of_ranks(apart, self._n_rows).sum())
        ties = IncompleteRecords(self._original).ties(self._masked)
        return ContinuousFigures.of(
            pil=incomplete_loss(self._original, self._masked),
            id=interval_disclosure(hits, self._n_rows, self._n_columns),
            dbrl=shared_linkage(ties > 0, ties),
            prl=self._probabilistic(rank_window(agreement, self._n_rows)),
        )

    def rank_swapping_linkage(self, p: float) -> float:
        """RSRL: rank swapping moves each number by at most p percent of the numbers.

        Parameters
        ----------
        p : float
            Percent of the numbers of a column; above 0, up to 100.

        Returns
        -------
        float
            0..100, less is better; missing cells stay where they are.

        Raises
        ------
        ValueError
            If p is out of its range.
        """
        check_percent(p)
        # A swap moves a cell by at least one rank, however small the window.
        windows = np.array([max(rank_window(p, n), 2) for n in self._n_present])
        own = (np.abs(self._ranks - self._masked_ranks) <= windows).all(axis=1)
        ties = np.empty(self._n_rows, dtype=np.int64)
        for block in self._blocks():
            is_candidate = np.ones((len(block), self._n_rows), dtype=bool)
            for j, window in enumerate(windows.tolist()):
                apart = self._masked_ranks[block, j, np.newaxis] - self._ranks[:, j]
                is_candidate &= np.abs(apart) <= window
            ties[block] = is_candidate.sum(axis=1)
        return shared_linkage(own, ties)

    def _probabilistic(self, window: int) -> float:
        """PRL, as for complete files."""
        agreement = FileAgreement(self, self._masked_ranks, window)
        totals = agreement.totals(on_progress=part(told(), 0.3, 0.9))
        likelihood = estimated_ranks(totals, self._n_columns, self._n_rows)
        ties = agreement.ties(likelihood, on_progress=part(told(), 0.9, 1.0))
        return shared_linkage(ties > 0, ties)

    @property
    def original_ranks(self) -> CodeArray:
        """Doubled ranks of the originals, int32 array (n_rows, n_columns)."""
        return self._ranks

    def agreeing(self, ranks: CodeArray, window: int) -> tuple[CodeArray, CodeArray]:
        """Originals by the columns in which they agree with masked records.

        See :func:`~anonopt.measures.continuous.record_agreement.agreement_rows`.
        """
        return agreement_rows(ranks, self._ranks_by_column, window)

    def _ranked(self, values: FloatArray) -> CodeArray:
        ranks = np.full(values.shape, MISSING_RANK, dtype=np.int32)
        for j, column in enumerate(self._original.T):
            is_present = ~np.isnan(values[:, j])
            ordered = np.sort(column[~np.isnan(column)])
            ranks[is_present, j] = doubled_ranks(ordered, values[is_present, j])
        return ranks

    def _blocks(self) -> list[IntArray]:
        size = max(BLOCK // self._n_rows, 1)
        return [
            np.arange(start, min(start + size, self._n_rows))
            for start in range(0, self._n_rows, size)
        ]
