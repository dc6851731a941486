"""Groups of rows by cuts from the top down, group by group in numpy."""

from __future__ import annotations

import numpy as np

from anonopt._typing import CodeArray, IntArray
from anonopt.evaluation.local.column_cuts import ColumnChildren, ColumnCut, PieceGroup
from anonopt.evaluation.local.cut_plan import CutPlan
from anonopt.evaluation.local.cut_units import CutPieces, CutUnits
from anonopt.evaluation.local.row_loans import RowLoans


class GroupCuts:
    """One decoding; see `anonopt.evaluation.local.cut_decoder.CutDecoder` for what it does.

    Parameters
    ----------
    units : CutUnits
    plan : CutPlan
    """

    def __init__(self, units: CutUnits, plan: CutPlan) -> None:
        self._units, self._plan, self._budget = units, plan, plan.budget
        self._left = plan.bits_left(len(units.unit_of_row))
        self._unit_of, self._rows_of = [np.arange(len(units.sizes))], [units.sizes]
        self._group_of = [np.zeros(len(units.sizes), dtype=np.int64)]
        self._rows = units.sizes.astype(np.int64)
        self._labels: list[tuple[CodeArray, CodeArray]] = []
        self._suppressed: list[bool] = []

    def run(self) -> CutPieces:
        """Cut until no cut is allowed any more."""
        waiting = [(np.arange(len(self._rows)), False)]
        while waiting:
            pieces, is_lost = waiting.pop()
            group = self._described(pieces)
            cut = None if is_lost else self._cut(group)
            if cut is None:
                self._finish(group.pieces, group.lows, group.highs, is_suppressed=is_lost)
            else:
                waiting.extend(reversed(self._parts(group, cut)))
        self._rows_of[0] = self._rows
        lows, highs = zip(*self._labels, strict=True)
        return CutPieces(
            np.concatenate(self._unit_of),
            np.concatenate(self._rows_of),
            np.concatenate(self._group_of),
            *self._plan.tables.labels(np.array(lows), np.array(highs)),
            np.array(self._suppressed),
        )

    def _described(self, pieces: IntArray) -> PieceGroup:
        codes = self._units.codes[pieces]
        lows, highs = codes.min(axis=0), codes.max(axis=0)
        levels = self._plan.tables.levels(lows[np.newaxis], highs[np.newaxis])[0]
        return PieceGroup(pieces, pieces, self._rows[pieces], lows, highs, levels)

    def _cut(self, group: PieceGroup) -> ColumnCut | None:
        """The cut of a group, its rest completed; None if it is final."""
        k = self._plan.k
        if group.n_rows < 2 * k and not (self._budget > 0 and group.n_rows > k):
            return None
        columns = [
            ColumnChildren(self._units, self._plan, group, column)
            for column in np.flatnonzero(group.levels > 0).tolist()
        ]
        barred: set[int] = set()
        while True:
            cut = self._best(columns, barred)
            if cut is None or cut.lent == 0 or self._complete(group, cut):
                return cut
            barred.add(cut.column)

    def _best(self, columns: list[ColumnChildren], barred: set[int]) -> ColumnCut | None:
        best, best_score = None, 0.0
        for column in columns:
            for allowed in (0, self._budget) if self._budget > 0 else (0,):
                cut = column.cut(allowed)
                if cut is None or (cut.lent > 0 and cut.column in barred):
                    continue
                score = column.score(cut, self._left)
                if score > best_score:
                    best, best_score = cut, score
        return best

    def _complete(self, group: PieceGroup, cut: ColumnCut) -> bool:
        """Make the rest a group with the rows that are lent to it; whether that can be done."""
        rest = RowLoans(self._units, self._plan, group, cut)
        loans = rest.complete()
        if not loans:
            return False
        self._rows[group.pieces] = rest.rows
        places = [loan.place for loan in loans]
        self._unit_of.append(group.units[places])
        self._rows_of.append(np.array([loan.n_rows for loan in loans], dtype=np.int64))
        self._group_of.append(np.full(len(loans), len(self._labels), dtype=np.int64))
        pieces = group.pieces[~cut.is_part[cut.child_of_piece]]
        self._finish(pieces, rest.lows, rest.highs, is_suppressed=False)
        return True

    def _parts(self, group: PieceGroup, cut: ColumnCut) -> list[tuple[IntArray, bool]]:
        """Pieces of the parts in the order of the children, the rest last unless it is final."""
        has_rows = self._rows[group.pieces] > 0
        parts = [
            (group.pieces[(cut.child_of_piece == child) & has_rows], False)
            for child in np.flatnonzero(cut.is_part).tolist()
        ]
        if cut.rest > 0 and cut.lent == 0:
            parts.append((group.pieces[~cut.is_part[cut.child_of_piece]], cut.suppresses))
        if cut.suppresses:
            self._budget -= cut.rest
        return parts

    def _finish(
        self, pieces: IntArray, lows: CodeArray, highs: CodeArray, *, is_suppressed: bool
    ) -> None:
        """Give a group its number and its labels."""
        self._group_of[0][pieces] = len(self._labels)
        self._labels.append((lows, highs))
        self._suppressed.append(is_suppressed)
