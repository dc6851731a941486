"""Parts that a cut of a group in one column would make, and the score of the cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray, WordArray
from anonopt.evaluation.local.cut_plan import CutPlan
from anonopt.evaluation.local.cut_scores import BALANCED, STRICT, cut_score
from anonopt.evaluation.local.cut_units import CutUnits


@dataclass(frozen=True, eq=False)
class PieceGroup:
    """A group while it is cut.

    Attributes
    ----------
    pieces, units, rows : int64 arrays (n_pieces,)
        Numbers of the pieces, the unit of each, and its rows.
    lows, highs : int32 arrays (n_quasi_identifiers,)
        First and last leaf among the rows.
    levels : int64 array (n_quasi_identifiers,)
        Of the lowest labels that cover them.
    """

    pieces: IntArray
    units: IntArray
    rows: IntArray
    lows: CodeArray
    highs: CodeArray
    levels: IntArray

    @property
    def n_rows(self) -> int:
        """Rows of the group."""
        return int(self.rows.sum())


@dataclass(frozen=True, eq=False)
class ColumnCut:
    """A cut of a group in one column that is allowed.

    Attributes
    ----------
    column : int
    child_of_piece : int64 array (n_pieces,)
        Child of the label, numbered from that of the group's first leaf on.
    rows : int64 array (n_children,)
        Rows of each child.
    is_part : bool array (n_children,)
        Children that become groups of their own; the others are the rest.
    rest : int
        Rows of the rest.
    lent : int
        Rows that must be lent to the rest, at least.
    suppresses : bool
        Whether the rest is suppressed.
    """

    column: int
    child_of_piece: IntArray
    rows: IntArray
    is_part: BoolArray
    rest: int
    lent: int = 0
    suppresses: bool = False


class ColumnChildren:
    """Children of the label of a group in one column.

    Parameters
    ----------
    units : CutUnits
    plan : CutPlan
    group : PieceGroup
    column : int
        Where the label has a level above 0.
    """

    def __init__(self, units: CutUnits, plan: CutPlan, group: PieceGroup, column: int) -> None:
        tables = plan.tables
        self._units, self._plan, self._group, self._column = units, plan, group, column
        level = int(group.levels[column])
        label = int(tables.at[column] + level * tables.leaves[column])
        below = label - int(tables.leaves[column])
        first = tables.values[below + group.lows[column]]
        codes = units.codes[group.units, column]
        self.child_of_piece: IntArray = (tables.values[below + codes] - first).astype(np.int64)
        n_children = int(tables.values[below + group.highs[column]] - first) + 1
        self._losses: FloatArray = tables.losses_of_values[below + first :][:n_children]
        self._loss = float(tables.losses[label + group.lows[column]])
        self._weight = float(plan.genome.weights[plan.first_weight[column] + level - 1])
        self.rows: IntArray = add_up(self.child_of_piece, group.rows, n_children)
        self._words: WordArray = np.zeros((n_children, units.words.shape[1]), dtype=np.uint64)
        np.bitwise_or.at(self._words, self.child_of_piece, units.words[group.units])

    def cut(self, allowed: int) -> ColumnCut | None:
        """The cut in this column, if there is one.

        Parameters
        ----------
        allowed : int
            With 0 no rows are suppressed; else the rest is suppressed, which holds too few and at
            most so many rows.
        """
        parts, kind = self._plan.parts, self._plan.kind
        is_part = self._enough()
        rest = int(self.rows[~is_part].sum())
        cut = ColumnCut(self._column, self.child_of_piece, self.rows, is_part, rest)
        if not is_part.any() or rest == 0:
            return cut if is_part.any() and allowed == 0 else None
        enough, n_distinct = self._rest_holds(is_part)
        if allowed > 0:
            is_lost = rest <= allowed and not enough
            return ColumnCut(**{**vars(cut), "suppresses": True}) if is_lost else None
        if enough or kind < BALANCED:
            return cut if enough and kind != STRICT else None
        lent = max(parts.k - rest, parts.least_distinct - n_distinct)
        spare = int((self.rows[is_part] - parts.k).sum())
        if kind == BALANCED and lent <= spare:
            return ColumnCut(**{**vars(cut), "lent": lent})
        return self._joined(is_part)

    def score(self, cut: ColumnCut, left: FloatArray) -> float:
        """Score of a cut; `left` has the bits left to groups of 0, 1, ... rows."""
        saved, used = 0.0, float(left[self._group.n_rows])
        largest, largest_loss = 0, 0.0
        losses = self._losses.tolist()
        for rows, loss, is_part in zip(self.rows.tolist(), losses, cut.is_part, strict=True):
            if is_part:
                saved += rows * (self._loss - loss)
                used -= float(left[rows])
                if rows > largest:
                    largest, largest_loss = rows, loss
        if cut.suppresses:
            saved -= self._plan.genome.price * (cut.rest * (self._plan.tables.lost - self._kept))
        else:
            used -= float(left[cut.rest + cut.lent])
        if cut.lent > 0:
            saved -= cut.lent * (self._loss - largest_loss)
            used += float(left[largest]) - float(left[max(largest - cut.lent, 0)])
        return cut_score(self._weight, saved, used, self._plan.genome.exponent)

    @property
    def _kept(self) -> float:
        """What one row of the group loses as it is."""
        lows, highs = self._group.lows[np.newaxis], self._group.highs[np.newaxis]
        return float(self._plan.tables.row_losses(lows, highs)[0])

    def _enough(self) -> BoolArray:
        """Which children hold enough, (n_children,)."""
        parts = self._plan.parts
        if not parts.needs_counts:
            return parts.met_by_sets(self.rows, self._words)
        present, part_of_piece = np.unique(self.child_of_piece, return_inverse=True)
        enough = np.zeros(len(self.rows), dtype=bool)
        enough[present] = parts.met_by_rows(part_of_piece, self._table_rows)
        return enough

    def _rest_holds(self, is_part: BoolArray) -> tuple[bool, int]:
        """Whether the rest holds enough together, and its distinct values where they are known."""
        parts = self._plan.parts
        if parts.needs_counts:
            rows = self._table_rows[~is_part[self.child_of_piece]]
            return bool(parts.met_by_rows(np.zeros(len(rows), dtype=np.int64), rows)[0]), 0
        words = np.bitwise_or.reduce(self._words[~is_part], axis=0, keepdims=True)
        rows = self.rows[~is_part].sum(keepdims=True)
        n_distinct = int(np.bitwise_count(words).sum(dtype=np.int64))
        return bool(parts.met_by_sets(rows, words)[0]), n_distinct

    def _joined(self, is_part: BoolArray) -> ColumnCut | None:
        """The cut where the smallest children join the rest until it holds enough."""
        is_part = is_part.copy()
        while not self._rest_holds(is_part)[0]:
            if is_part.sum() < 2:
                return None
            candidates = np.flatnonzero(is_part)
            is_part[candidates[np.argmin(self.rows[candidates])]] = False
        rest = int(self.rows[~is_part].sum())
        return ColumnCut(self._column, self.child_of_piece, self.rows, is_part, rest)

    @property
    def _table_rows(self) -> IntArray:
        return self._units.require_rows()[self._group.units]


def add_up(kinds: IntArray, rows: IntArray, n_kinds: int) -> IntArray:
    """Rows of each kind, int64 array (n_kinds,)."""
    return np.bincount(kinds, weights=rows, minlength=n_kinds).astype(np.int64)
