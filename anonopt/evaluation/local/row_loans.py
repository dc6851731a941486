"""Rows that are lent to the rest of a cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray
from anonopt.evaluation.local.column_cuts import ColumnCut, PieceGroup, add_up
from anonopt.evaluation.local.cut_plan import CutPlan
from anonopt.evaluation.local.cut_units import CutUnits


class Loan(NamedTuple):
    """Rows of a piece that join a rest: where the piece stands in the group, and how many."""

    place: int
    n_rows: int


class RowLoans:
    """The rest of a cut while rows are lent to it.

    Parameters
    ----------
    units : CutUnits
    plan : CutPlan
    group : PieceGroup
        The group that is cut.
    cut : ColumnCut

    Attributes
    ----------
    lows, highs : int32 arrays (n_quasi_identifiers,)
        First and last leaf of the rest.
    rows : int64 array (n_pieces,)
        Rows that each piece of the group still has.
    """

    def __init__(self, units: CutUnits, plan: CutPlan, group: PieceGroup, cut: ColumnCut) -> None:
        self._plan, self._cut = plan, cut
        self._codes, self._words = units.codes[group.units], units.words[group.units]
        self._is_lender: BoolArray = cut.is_part[cut.child_of_piece]
        self.lows: CodeArray = self._codes[~self._is_lender].min(axis=0)
        self.highs: CodeArray = self._codes[~self._is_lender].max(axis=0)
        self.rows: IntArray = group.rows.copy()
        self._rest_rows = cut.rest
        self._rest_words = np.bitwise_or.reduce(
            self._words[~self._is_lender], axis=0, keepdims=True
        )

    def complete(self) -> list[Loan]:
        """Lend rows until the rest holds enough; none at all if it cannot be completed."""
        parts, loans = self._plan.parts, []
        while not parts.met_by_sets(np.array([self._rest_rows]), self._rest_words)[0]:
            loan = self._next()
            if loan is None:
                return []
            loans.append(loan)
            self.rows[loan.place] -= loan.n_rows
            self._rest_rows += loan.n_rows
            self._rest_words = self._rest_words | self._words[loan.place]
            self.lows = np.minimum(self.lows, self._codes[loan.place])
            self.highs = np.maximum(self.highs, self._codes[loan.place])
        return loans

    def _next(self) -> Loan | None:
        """The rows that cost the rest least."""
        parts = self._plan.parts
        most = self._most()
        n_distinct = int(np.bitwise_count(self._rest_words).sum(dtype=np.int64))
        needs_values = n_distinct < parts.least_distinct
        if needs_values:
            most[~(self._words & ~self._rest_words).any(axis=1)] = 0
        candidates = np.flatnonzero(most > 0)
        if not len(candidates):
            return None
        place = int(candidates[np.argmin(self._losses(candidates))])
        wanted = 1 if needs_values else max(parts.k - self._rest_rows, 1)
        return Loan(place, min(int(most[place]), wanted))

    def _most(self) -> IntArray:
        """Rows that each piece may lend at most, (n_pieces,)."""
        children = add_up(self._cut.child_of_piece, self.rows, len(self._cut.rows))
        spare = children[self._cut.child_of_piece] - self._plan.parts.k
        most = np.where(self._is_lender, np.minimum(self.rows, spare), 0)
        if self._plan.parts.least_distinct > 0:
            # The last row of a child with some value stays.
            keys = np.column_stack([self._cut.child_of_piece.astype(np.uint64), self._words])
            _, kind = np.unique(keys, axis=0, return_inverse=True)
            alike = add_up(kind.reshape(-1), self.rows, len(most))
            most = np.minimum(most, alike[kind.reshape(-1)] - 1)
        return most

    def _losses(self, candidates: IntArray) -> FloatArray:
        """Loss of a row of the rest if some rows of a piece join it, (n_candidates,)."""
        codes = self._codes[candidates]
        return self._plan.tables.row_losses(
            np.minimum(self.lows, codes), np.maximum(self.highs, codes)
        )
