"""Evaluation of masked numeric files against one original, fully or cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_choice
from anonopt._progress import Progress, as_progress, part
from anonopt._typing import Accelerator, CodeArray, FloatArray, IntArray, UnsignedArray
from anonopt.evaluation.accelerator import uses_numba
from anonopt.evaluation.continuous.continuous_state import ContinuousMaskingState, check_finite
from anonopt.evaluation.continuous.continuous_tables import ColumnTables, RowTables, widened
from anonopt.evaluation.continuous.file_agreement import BLOCK_CELLS, FileAgreement
from anonopt.evaluation.figures import ContinuousFigures
from anonopt.measures.categorical.interval_disclosure import hits_of_ranks, interval_disclosure
from anonopt.measures.categorical.record_linkage import check_columns, estimated_ranks, linkage
from anonopt.measures.continuous.classical_loss import LOSS_KINDS, ClassicalLoss, LossKind
from anonopt.measures.continuous.continuous_risk import doubled_ranks, rank_window
from anonopt.measures.continuous.nearest_records import NearestRecords
from anonopt.measures.continuous.probabilistic_loss import ProbabilisticLoss
from anonopt.measures.continuous.record_agreement import AGREEMENT, agreement_rows, own_patterns


class ContinuousMaskingEvaluator:
    """Measures masked versions of one numeric file.

    What never changes is computed once: statistics of the original and their standard deviations,
    sorted columns, ranks, a k-d tree of the records. The evaluator is not changed by measuring.

    Parameters
    ----------
    original : float array (n_rows, n_columns)
        Finite numbers; at most 20 columns (there are 2**n patterns of agreement).
    agreement : float
        Two records agree in a column, for probabilistic linkage, if their ranks differ by at most
        this percent of the rows; 0..100, where 0 asks for equal ranks.
    information_loss : ``"probabilistic"`` or ``"classical"``
        What IL and the scores take: PIL, or
        :class:`~anonopt.measures.continuous.classical_loss.ClassicalLoss`.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        Compiled kernels give the same figures.

    Raises
    ------
    ValueError
        If there are no rows, more than 20 columns, or an option is out of range.

    Examples
    --------
    >>> original = np.array([[1.0, 9.0], [2.0, 7.0], [4.0, 8.0], [9.0, 1.0]])
    >>> evaluator = ContinuousMaskingEvaluator(original)
    >>> state = evaluator.measure(original)
    >>> state.values(["PIL", "ID", "DBRL"])
    array([  0., 100., 100.])
    >>> _ = state.apply([0], [7.0])
    >>> state.values(["DBRL"])
    array([75.])
    >>> state.undo().values(["PIL", "ID", "DBRL"])
    array([  0., 100., 100.])
    """

    def __init__(
        self,
        original: FloatArray,
        *,
        agreement: float = AGREEMENT,
        information_loss: LossKind = "probabilistic",
        accelerator: Accelerator = "auto",
    ) -> None:
        self.information_loss = check_choice("information_loss", information_loss, LOSS_KINDS)
        if original.ndim != 2 or 0 in original.shape:
            raise ValueError(
                f"expected an original of at least one row and column, found {original.shape}"
            )
        check_columns(original.shape[1])
        self.uses_numba = uses_numba(accelerator)
        self.original = original.astype(np.float64)
        self.original.flags.writeable = False
        self.n_rows, self.n_columns = original.shape
        self.agreement = agreement
        self.loss = ProbabilisticLoss(self.original)
        is_classical = self.information_loss == "classical"
        self.classical_loss = ClassicalLoss(self.original) if is_classical else None
        self._window = rank_window(agreement, self.n_rows)
        self._ordered = np.sort(self.original, axis=0).T.copy()
        self._nearest = NearestRecords(self.original)
        self._ranks = self.ranks(self.original)
        self._ranks_by_column = self._ranks.T.copy()

    def measure(self, masked: FloatArray) -> ContinuousMaskingState:
        """State of a masked file, evaluated in full.

        Parameters
        ----------
        masked : float array (n_rows, n_columns)
            The rows of the original in its order.

        Raises
        ------
        ValueError
            If the shape is another one, or a number is not finite.
        """
        self._check(masked)
        return ContinuousMaskingState(self, masked)

    def figures(
        self, masked: FloatArray, *, on_progress: Progress | None = None
    ) -> ContinuousFigures:
        """Figures of a masked file that is measured once, as ``measure(masked).figures()``.

        No tables of records are kept: memory is O(N), and with few columns time grows little faster
        than N.

        Parameters
        ----------
        masked : float array (n_rows, n_columns)
        on_progress : callable, optional
            Called now and then with the share of the work that is done, 0..1.

        Raises
        ------
        ValueError
            As :meth:`measure`.
        """
        self._check(masked)
        report = as_progress(on_progress)
        ranks, n_rows = self.ranks(masked), self.n_rows
        hits = sum(
            int(hits_of_ranks(np.abs(one - other).astype(np.int64), n_rows).sum())
            for one, other in zip(self._ranks_by_column, ranks.T, strict=True)
        )
        statistics = ColumnTables.of(masked).statistics()
        classical = self.classical_loss
        loss = None if classical is None else classical(masked, statistics)
        report(0.1)
        rows = np.arange(n_rows)
        near = self._nearest.ties(rows, masked, on_progress=part(report, 0.1, 0.3))
        agreement = FileAgreement(self, ranks, self._window)
        totals = agreement.totals(on_progress=part(report, 0.3, 0.9))
        likelihood = estimated_ranks(totals, self.n_columns, n_rows)
        likely = agreement.ties(likelihood, on_progress=part(report, 0.9, 1.0))
        report(1.0)
        by_distance, probabilistic = (
            linkage(np.ones_like(ties[ties > 0]), ties[ties > 0], n_rows) for ties in (near, likely)
        )
        return ContinuousFigures.of(
            pil=self.loss(statistics),
            il=loss,
            id=interval_disclosure(hits, n_rows, self.n_columns),
            dbrl=by_distance,
            prl=probabilistic,
        )

    def _check(self, masked: FloatArray) -> None:
        if masked.shape != self.original.shape:
            raise ValueError(
                f"expected a masked file of shape {self.original.shape}, found {masked.shape}"
            )
        check_finite(masked)

    @property
    def original_ranks(self) -> CodeArray:
        """Doubled ranks of the originals, int32 array (n_rows, n_columns)."""
        return self._ranks

    def ranks(self, values: FloatArray) -> CodeArray:
        """Doubled ranks of values among the originals, int32 array of the shape (n, n_columns)."""
        columns = zip(self._ordered, values.T, strict=True)
        return np.column_stack([doubled_ranks(*pair) for pair in columns]).astype(np.int32)

    def row_tables(self, rows: IntArray, masked: FloatArray) -> RowTables:
        """What single records contribute to the risk.

        Parameters
        ----------
        rows : int64 array (n,)
        masked : float array (n, n_columns)
            The masked records of these rows.
        """
        own, ranks = self._ranks[rows], self.ranks(masked)
        hits = hits_of_ranks(np.abs(own - ranks).astype(np.int64), self.n_rows)
        patterns, counts = self.agreeing(ranks, self._window)
        return RowTables(
            hits=hits.sum(axis=1),
            ties=self._nearest.ties(rows, masked),
            own=own_patterns(ranks, own, self._window),
            patterns=patterns,
            counts=counts,
        )

    def agreeing(self, ranks: CodeArray, window: int) -> tuple[UnsignedArray, UnsignedArray]:
        """Originals by the columns in which they agree with masked records.

        As :func:`~anonopt.measures.continuous.record_agreement.agreement_rows`, in the smallest
        types, since a search holds the tables of many files. Blocks of records are compared at
        once: beside what is returned, memory is O(N).

        Parameters
        ----------
        ranks : int32 array (n, n_columns)
            Doubled ranks of masked records.
        window : int

        Returns
        -------
        patterns, counts : unsigned int arrays (n, width)
        """
        size = max(1, BLOCK_CELLS // self.n_rows)
        blocks = [
            self._agreeing_block(ranks[start : start + size], window)
            for start in range(0, len(ranks), size)
        ]
        width = max(patterns.shape[1] for patterns, _ in blocks)
        return (
            np.concatenate([widened(patterns, width) for patterns, _ in blocks]),
            np.concatenate([widened(counts, width, filler=0) for _, counts in blocks]),
        )

    def _agreeing_block(self, ranks: CodeArray, window: int) -> tuple[UnsignedArray, UnsignedArray]:
        patterns, counts = self._agreement_rows(ranks, window)
        # Copies: a view would keep the whole table of pairs.
        return (
            patterns.astype(np.min_scalar_type((1 << self.n_columns) - 1)),
            counts.astype(np.min_scalar_type(self.n_rows)),
        )

    def _agreement_rows(self, ranks: CodeArray, window: int) -> tuple[CodeArray, CodeArray]:
        if not self.uses_numba:
            return agreement_rows(ranks, self._ranks_by_column, window)
        from anonopt.evaluation.continuous import kernel_agreement

        original = self._ranks_by_column
        histogram = np.zeros(1 << self.n_columns, dtype=np.int32)
        bits = np.empty(self.n_rows, dtype=np.int32)
        patterns, counts = (np.empty((len(ranks), self.n_rows), dtype=np.int32) for _ in range(2))
        width = kernel_agreement.agreement_rows(
            ranks, original, np.int32(window), histogram, bits, patterns, counts
        )
        return patterns[:, :width], counts[:, :width]

    def __deepcopy__(self, memo: dict[int, Any]) -> ContinuousMaskingEvaluator:
        return self
