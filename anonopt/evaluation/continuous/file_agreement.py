"""Agreement of a whole masked file with its original: what PRL and RSRL need, in O(N) memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Protocol

import numpy as np

from anonopt._progress import Progress, as_progress, part
from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.evaluation.continuous.rank_boxes import RankBoxes
from anonopt.measures.continuous.record_agreement import own_patterns

BLOCK_CELLS = 2**20
"""Pairs of records that are compared at once: bounds the memory."""
PAIRS_OF_A_BOX = 2**12
"""Counting a box takes about as long as meeting so many pairs of records in one column."""


class RankedOriginal(Protocol):
    """The original file, as `ContinuousMaskingEvaluator` prepares it."""

    uses_numba: bool

    @property
    def original_ranks(self) -> CodeArray:
        """Doubled ranks of the originals, int32 array (n_rows, n_columns)."""

    def agreeing(self, ranks: CodeArray, window: int) -> tuple[AnyIntArray, AnyIntArray]:
        """Patterns of agreement of records, and counts of originals."""


class FileAgreement:
    """Counts the originals that agree with each record of a masked file.

    With few columns, originals are counted in boxes of ranks (:class:`RankBoxes`), one set of
    columns after another; with many sets of columns all pairs of records are met in blocks. Both
    count the same.

    Parameters
    ----------
    evaluator : ContinuousMaskingEvaluator
        Of the original.
    ranks : int32 array (n_rows, n_columns)
        Doubled ranks of the masked file.
    window : int
        Largest difference of doubled ranks that is an agreement.
    by_boxes : bool, optional
        Which of the two; by default what is faster.
    """

    def __init__(
        self,
        evaluator: RankedOriginal,
        ranks: CodeArray,
        window: int,
        *,
        by_boxes: bool | None = None,
    ) -> None:
        self._evaluator, self._ranks, self._window = evaluator, ranks, window
        self._n_rows, self._n_columns = ranks.shape
        if by_boxes is None:
            n_pairs = self._n_rows * self._n_columns
            by_boxes = n_pairs > PAIRS_OF_A_BOX << self._n_columns
        self._boxes = None
        self._everywhere: IntArray | None = None
        if by_boxes:
            originals = evaluator.original_ranks
            self._boxes = RankBoxes(originals, ranks, window, uses_numba=evaluator.uses_numba)

    def own(self) -> CodeArray:
        """Columns in which each masked record agrees with its own original, as bits."""
        return own_patterns(self._ranks, self._evaluator.original_ranks, self._window)

    def totals(self, *, on_progress: Progress | None = None) -> IntArray:
        """Pairs of records by the columns in which they agree, int64 array (2**n_columns,)."""
        report = as_progress(on_progress)
        totals = np.zeros(1 << self._n_columns, dtype=np.int64)
        if self._boxes is None:
            for patterns, counts, _ in self._blocks(report):
                totals += np.bincount(
                    patterns.ravel(), counts.ravel(), minlength=len(totals)
                ).astype(np.int64)
            return totals
        totals[0] = self._n_rows**2
        for pattern in range(1, len(totals)):
            start, end = (pattern - 1) / (len(totals) - 1), pattern / (len(totals) - 1)
            if pattern < len(totals) - 1:
                columns = self._columns(pattern)
                totals[pattern] = self._boxes.total(columns, on_progress=part(report, start, end))
            else:
                totals[pattern] = self._near_everywhere(part(report, start, end)).sum()
            report(end)
        # Pairs that agree in a set of columns and perhaps in others, less those that do in others.
        for column in range(self._n_columns):
            for pattern in range(len(totals)):
                if not pattern >> column & 1:
                    totals[pattern] -= totals[pattern | 1 << column]
        return totals

    def ties(self, likelihood: IntArray, *, on_progress: Progress | None = None) -> IntArray:
        """To how many originals each masked record is linked, 0 if its own is not among them.

        Parameters
        ----------
        likelihood : int64 array (2**n_columns,)
            Rank of each pattern of agreement; a record is linked to the originals of the
            highest.

        Returns
        -------
        int64 array (n_rows,)
        """
        report = as_progress(on_progress)
        mine = likelihood[self.own()]
        ties = np.zeros(self._n_rows, dtype=np.int64)
        if self._boxes is None:
            for patterns, counts, block in self._blocks(report):
                found = np.where(counts > 0, likelihood[patterns], -1)
                best = found.max(axis=1)
                number = counts.sum(axis=1, where=found == best[:, np.newaxis], dtype=np.int64)
                ties[block] = np.where(mine[block] == best, number, 0)
            return ties
        rows = np.arange(self._n_rows)
        for level in np.unique(likelihood)[::-1]:
            counts = self._of_patterns(
                self._boxes, np.flatnonzero(likelihood == level), rows, report
            )
            linked = (counts > 0) & (mine[rows] == level)
            ties[rows[linked]] = counts[linked]
            rows = rows[counts == 0]
            if len(rows) == 0:
                break
        return ties

    def agreeing_everywhere(self, *, on_progress: Progress | None = None) -> IntArray:
        """Originals that agree with each masked record in all columns, int64 array (n_rows,)."""
        report = as_progress(on_progress)
        everywhere = (1 << self._n_columns) - 1
        if self._boxes is not None:
            return self._near_everywhere(report)
        numbers = np.zeros(self._n_rows, dtype=np.int64)
        for patterns, counts, block in self._blocks(report):
            numbers[block] = counts.sum(axis=1, where=patterns == everywhere, dtype=np.int64)
        return numbers

    def _near_everywhere(self, report: Progress) -> IntArray:
        """Originals in the boxes of all columns, counted once."""
        if self._everywhere is None and self._boxes is not None:
            columns = tuple(range(self._n_columns))
            self._everywhere = self._boxes.counts(columns, on_progress=report)
        return np.asarray(self._everywhere)

    def _columns(self, pattern: int) -> tuple[int, ...]:
        return tuple(column for column in range(self._n_columns) if pattern >> column & 1)

    def _of_patterns(
        self, boxes: RankBoxes, patterns: IntArray, rows: IntArray, report: Progress
    ) -> IntArray:
        """Originals that agree with some records in exactly one of the patterns of columns."""
        signs = np.zeros(1 << self._n_columns, dtype=np.int64)
        for pattern in patterns.tolist():
            others = [j for j in range(self._n_columns) if not pattern >> j & 1]
            for size in range(len(others) + 1):
                for more in combinations(others, size):
                    signs[pattern | sum(1 << j for j in more)] += (-1) ** size
        counts = np.full(len(rows), signs[0] * self._n_rows)
        for pattern in np.flatnonzero(signs[1:]) + 1:
            if pattern == len(signs) - 1:
                near = self._near_everywhere(report)[rows]
            else:
                near = boxes.counts(self._columns(int(pattern)), rows, on_progress=report)
            counts += signs[pattern] * near
        return counts

    def _blocks(self, report: Progress) -> Iterator[tuple[IntArray, IntArray, slice]]:
        """Patterns and counts of blocks of records, see `agreeing` of the evaluator."""
        size = max(1, BLOCK_CELLS // self._n_rows)
        for start in range(0, self._n_rows, size):
            block = slice(start, start + size)
            patterns, counts = self._evaluator.agreeing(self._ranks[block], self._window)
            yield patterns.astype(np.int64), counts.astype(np.int64), block
            report(min(1.0, (start + size) / self._n_rows))
