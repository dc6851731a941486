"""Tables of one masked numeric file that follow each changed cell.

A changed cell moves the statistics of its own column and what its own record contributes to
the risk; both are computed anew from the cells, never by adding to a running sum of floats. So a
state that was changed step by step holds, bit for bit, what a full evaluation gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.continuous.continuous_tables import ColumnTables, RowTables
from anonopt.evaluation.figures import ContinuousFigures
from anonopt.measures.categorical.interval_disclosure import interval_disclosure
from anonopt.measures.categorical.record_linkage import estimated_ranks, linkage
from anonopt.measures.continuous.classical_loss import ClassicalLoss
from anonopt.measures.continuous.probabilistic_loss import ProbabilisticLoss


class Original(Protocol):
    """The original file, as `ContinuousMaskingEvaluator` prepares it."""

    n_rows: int
    n_columns: int
    loss: ProbabilisticLoss
    classical_loss: ClassicalLoss | None

    def row_tables(self, rows: IntArray, masked: FloatArray) -> RowTables:
        """What single records contribute to the risk."""


class ContinuousMaskingState:
    """One masked numeric file and its tables; made by `ContinuousMaskingEvaluator.measure`.

    Parameters
    ----------
    evaluator : ContinuousMaskingEvaluator
    masked : float array (n_rows, n_columns)
        Copied.
    """

    def __init__(self, evaluator: Original, masked: FloatArray) -> None:
        self._evaluator = evaluator
        self._masked = np.array(masked, dtype=np.float64, order="C")
        self._rows = evaluator.row_tables(np.arange(evaluator.n_rows), self._masked)
        self._totals = self._rows.totals(evaluator.n_columns)
        self._columns = ColumnTables.of(self._masked)
        self._undone_by: list[_Change] = []

    @property
    def masked(self) -> FloatArray:
        """The masked values, (n_rows, n_columns), read-only."""
        view = self._masked.view()
        view.flags.writeable = False
        return view

    @property
    def n_bytes(self) -> int:
        """Memory that the file and its tables take, what was taken back not counted."""
        return self._rows.n_bytes + self._totals.nbytes + 2 * self._masked.nbytes

    def apply(
        self, cells: IntArray | Sequence[int], values: FloatArray | Sequence[float]
    ) -> ContinuousMaskingState:
        """Change cells.

        Parameters
        ----------
        cells : int array (n,)
            ``row * n_columns + column`` of each cell; of a cell that comes twice the last value
            counts.
        values : float array (n,)

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the lengths differ, a cell is out of range or a value is not finite.
        """
        at, new = self._checked(cells, values)
        rows = np.unique(at // self._evaluator.n_columns)
        tables, columns = self._rows.take(rows), self._columns.copy()
        self._undone_by.append(_Change(rows, self._masked[rows], tables, columns))
        self._change(at, new, like=None)
        return self

    def changed(
        self,
        cells: IntArray | Sequence[int],
        values: FloatArray | Sequence[float],
        *,
        like: ContinuousMaskingState | None = None,
    ) -> ContinuousMaskingState:
        """A copy with cells changed, and nothing to take back.

        Parameters
        ----------
        cells : int array (n,)
        values : float array (n,)
            Both as for :meth:`apply`.
        like : ContinuousMaskingState, optional
            Another file measured by the same evaluator. Changed records that are equal to its
            records of the same rows are not measured again; the figures are the same without it.

        Raises
        ------
        ValueError
            As :meth:`apply`.
        """
        twin = self.copy()
        twin._change(*self._checked(cells, values), like=like)
        return twin

    def undo(self) -> ContinuousMaskingState:
        """Take back the last `apply` that was not taken back.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If there is none.
        """
        if not self._undone_by:
            raise ValueError("undo: expected a change to take back, found none")
        change = self._undone_by.pop()
        self._masked[change.rows] = change.masked
        if len(change.rows):
            self._replace_rows(change.rows, change.tables)
        self._columns = change.columns
        return self

    def copy(self) -> ContinuousMaskingState:
        """The same file with tables of its own, and nothing to take back."""
        twin = object.__new__(ContinuousMaskingState)
        twin._evaluator = self._evaluator
        twin._masked = self._masked.copy()
        twin._rows = self._rows.copy()
        twin._totals = self._totals.copy()
        twin._columns = self._columns.copy()
        twin._undone_by = []
        return twin

    def figures(self) -> ContinuousFigures:
        """Loss and risk of the file as it is now."""
        evaluator, rows = self._evaluator, self._rows
        linked = np.ones(int((rows.ties > 0).sum()), dtype=np.int64)
        statistics, classical = self._columns.statistics(), evaluator.classical_loss
        return ContinuousFigures.of(
            pil=evaluator.loss(statistics),
            il=None if classical is None else classical(self._masked, statistics),
            id=interval_disclosure(int(rows.hits.sum()), evaluator.n_rows, evaluator.n_columns),
            dbrl=linkage(linked, rows.ties[rows.ties > 0], evaluator.n_rows),
            prl=self._probabilistic(),
        )

    def values(self, names: Sequence[str]) -> FloatArray:
        """Figures by name, float array (n,); see `ContinuousFigures.values`."""
        return self.figures().values(names)

    def _checked(
        self, cells: IntArray | Sequence[int], values: FloatArray | Sequence[float]
    ) -> tuple[IntArray, FloatArray]:
        at, new = np.asarray(cells, dtype=np.int64), np.asarray(values, dtype=np.float64)
        if at.ndim != 1 or at.shape != new.shape:
            raise ValueError(f"expected one value a cell, found shapes {at.shape} and {new.shape}")
        if len(at) and not 0 <= at.min() <= at.max() < self._masked.size:
            raise ValueError(
                f"expected cells in 0..{self._masked.size - 1}, found {at.min()}..{at.max()}"
            )
        check_finite(new)
        return at, new

    def _change(self, at: IntArray, new: FloatArray, like: ContinuousMaskingState | None) -> None:
        self._masked.reshape(-1)[at] = new
        if len(at):
            rows, columns = (np.unique(part) for part in np.divmod(at, self._evaluator.n_columns))
            self._replace_rows(rows, self._row_tables(rows, like))
            self._columns.measure(self._masked, columns)

    def _row_tables(self, rows: IntArray, like: ContinuousMaskingState | None) -> RowTables:
        masked, evaluator = self._masked[rows], self._evaluator
        if like is None:
            return evaluator.row_tables(rows, masked)
        tables = like._rows.take(rows)
        new = np.flatnonzero((like._masked[rows] != masked).any(axis=1))
        if len(new):
            tables.put(new, evaluator.row_tables(rows[new], masked[new]))
        return tables

    def _probabilistic(self) -> float:
        rows, n_rows = self._rows, self._evaluator.n_rows
        ranks = estimated_ranks(self._totals, self._evaluator.n_columns, n_rows)
        by_rank = ranks.astype(np.int32).take(rows.patterns)
        best = by_rank.max(axis=1)
        ties = rows.counts.sum(axis=1, where=by_rank == best[:, np.newaxis], dtype=np.int64)
        return linkage((ranks[rows.own] == best).astype(np.int64), ties, n_rows)

    def _replace_rows(self, rows: IntArray, tables: RowTables) -> None:
        n_columns = self._evaluator.n_columns
        self._totals += tables.totals(n_columns) - self._rows.take(rows).totals(n_columns)
        self._rows.put(rows, tables)


@dataclass(frozen=True, eq=False)
class _Change:
    """What was there before cells were changed."""

    rows: IntArray
    masked: FloatArray
    tables: RowTables
    columns: ColumnTables


def check_finite(values: FloatArray) -> None:
    """Raise if a number is missing or infinite."""
    if not np.isfinite(values).all():
        raise ValueError("expected finite masked values, found missing or infinite ones")
