"""Searches for few suppressed cells where a suppressed cell is a value of its own.

Rows that are equal afterwards have the same columns suppressed and agree on the others, so what is
looked for is a set of columns for each row, such that each group of rows holds k: k-anonymity by
suppression, which is NP-hard (Meyerson and Williams 2004).
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import Accelerator, BoolArray, FloatArray, IntArray
from anonopt.evaluation.accelerator import uses_numba
from anonopt.masking.cells import improvement, placement
from anonopt.masking.cells.coded_cells import CodedCells
from anonopt.masking.cells.patterns import Patterns, importance_sets, weights_of

PRICES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
"""What a stage may pay for borrowed rows, for each row that is helped, in mean weights."""

MOST_ROUNDS = 8
"""Rounds of improvement; nearly always two or three are all there are."""


def importance_by_value(
    cells: CodedCells, k: int, *, accelerator: Accelerator = "auto"
) -> BoolArray:
    """Suppress column by column, the least important one first, in rows that lack matches.

    Rows whose class holds k stay as they are; in the others the least important column is
    suppressed, then the next one in those that still lack matches, and so on. What is left at the
    end, rows without any cell, takes rows from others if they are fewer than k.

    Parameters
    ----------
    cells : CodedCells of n_rows
    k : int
        From 1 to n_rows.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``

    Returns
    -------
    bool array (n_rows, n_columns)
        Suppressed cells.
    """
    patterns = Patterns.of_sets(cells, importance_sets(cells), is_complete=False)
    stages = np.arange(len(patterns.sets))
    decoder = ValueDecoder(cells, patterns, k, accelerator=accelerator)
    return decoder.mask(decoder.place(stages, np.zeros(len(stages)), improved=False))


def greedy_by_value(cells: CodedCells, k: int, *, accelerator: Accelerator = "auto") -> BoolArray:
    """Make the group next that costs least for each row that it helps.

    A group is a set of columns and the cells of the others. It takes all rows that still lack
    matches if they are k or more; fewer borrow what is missing from groups that hold more than k,
    and pay for that. Groups come in the order of what a helped row pays, its own cells and its
    share of the borrowed rows'. At the end rows move to cheaper groups that are there, and groups
    that are not worth it dissolve.

    Parameters
    ----------
    cells : CodedCells of n_rows
    k : int
        From 1 to n_rows.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``

    Returns
    -------
    bool array (n_rows, n_columns)
        Suppressed cells, of no more weight than those of `importance_by_value`.
    """
    decoder = ValueDecoder(cells, Patterns.of(cells, k), k, accelerator=accelerator)
    found = decoder.mask(decoder.greedy())
    other = importance_by_value(cells, k, accelerator=accelerator)
    return found if cells.cost(found) <= cells.cost(other) else other


class ValueDecoder:
    """Makes placements of rows in groups of k from an order of stages.

    Parameters
    ----------
    cells : CodedCells of n_rows
    patterns : Patterns
    k : int
        From 1 to n_rows.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
    """

    def __init__(
        self, cells: CodedCells, patterns: Patterns, k: int, *, accelerator: Accelerator = "auto"
    ) -> None:
        self.cells, self.patterns, self.k = cells, patterns, k
        self.uses_numba = uses_numba(accelerator)
        self.held = patterns.rows_of_groups(cells.counts)
        whole = len(patterns.sets) - 1
        mean = cells.weights.mean()
        self.sets = np.repeat(np.arange(whole), len(PRICES))
        self.limits = np.tile(np.array(PRICES) * mean, whole)

    def greedy(self) -> IntArray:
        """Placements of stages in the order of their prices."""
        return self.of_prices(self.patterns.weights[self.sets] + self.limits)

    def of_factors(self, factors: FloatArray, *, share: float = 1.0) -> IntArray:
        """Placements where a column's weight counts by a factor, and borrowing by another.

        Parameters
        ----------
        factors : float array (n_columns,)
            Above 0.
        share : float
            Factor of what is paid for borrowed rows.
        """
        weights = weights_of(self.patterns.sets, self.cells.weights * factors)
        return self.of_prices(weights[self.sets] + share * self.limits)

    def of_prices(self, prices: FloatArray) -> IntArray:
        """Placements of stages in the order of given prices, (n_stages,)."""
        order = np.argsort(prices, kind="stable")
        whole = len(self.patterns.sets) - 1
        stages = np.append(self.sets[order], whole)
        return self.place(stages, np.append(self.limits[order], 0.0))

    def place(self, stages: IntArray, limits: FloatArray, *, improved: bool = True) -> IntArray:
        """Placements of given stages, int64 array (n_placements, 3): distinct row, set, rows."""
        place_rows = placement.place_rows
        if self.uses_numba:
            from anonopt.masking.cells import kernel_placement

            place_rows = kernel_placement.place_rows
        patterns = self.patterns
        sizes = np.zeros(patterns.n_groups, dtype=np.int64)
        placed: IntArray = place_rows(
            patterns.group_of,
            patterns.weights,
            self.cells.counts,
            *patterns.members,
            self.held,
            stages.astype(np.int64),
            limits.astype(np.float64),
            self.k,
            sizes,
        )
        for _ in range(MOST_ROUNDS if improved else 0):
            before = self.cost(placed)
            placed = self._improve(placed, sizes)
            if self.cost(placed) >= before:
                break
        return placed

    def _improve(self, placed: IntArray, sizes: IntArray) -> IntArray:
        """Move rows to cheaper groups, the dearest first, and dissolve groups not worth it."""
        move, dissolve = improvement.move_to_cheaper, improvement.dissolve_dear
        if self.uses_numba:
            from anonopt.masking.cells import kernel_placement

            move, dissolve = kernel_placement.move_to_cheaper, kernel_placement.dissolve_dear
        group_of, weights = self.patterns.group_of, self.patterns.weights
        order = np.argsort(-weights[placed[:, 1]], kind="stable")
        found: IntArray = move(group_of, weights, placed, order, self.k, sizes)
        groups = group_of[found[:, 1], found[:, 0]].astype(np.int64)
        order = np.argsort(groups, kind="stable")
        dissolve(group_of, weights, found, groups, order, self.k, sizes)
        return found

    def cost(self, placed: IntArray) -> float:
        """What all rows of placements pay."""
        return float(placed[:, 2] @ self.patterns.weights[placed[:, 1]])

    def mask(self, placed: IntArray) -> BoolArray:
        """Suppressed cells of placements, bool array (n_rows, n_columns)."""
        return self.patterns.sets[self.set_of_row(placed)]

    def set_of_row(self, placed: IntArray) -> IntArray:
        """Set of each row, int64 array (n_rows,); of equal rows the first ones pay least."""
        order = np.lexsort((placed[:, 1], self.patterns.weights[placed[:, 1]], placed[:, 0]))
        ordered = placed[order]
        by_distinct = np.argsort(self.cells.distinct_of_row, kind="stable")
        found = np.empty(self.cells.n_rows, dtype=np.int64)
        found[by_distinct] = np.repeat(ordered[:, 1], ordered[:, 2])
        return found


def row_bound(cells: CodedCells, k: int, patterns: Patterns | None = None) -> float | None:
    """Cost that no suppression by value is below.

    Rows of one class show the same cells, and as many rows of the original hold these. So each row
    pays at least for the cheapest set whose other cells are those of k rows of the original.

    Parameters
    ----------
    cells : CodedCells of n_rows
    k : int
        From 1 to n_rows.
    patterns : Patterns, optional
        Those of the cells and k, where they are known.

    Returns
    -------
    float, or None
        Weight of cells; None of more columns than every set can be looked at.
    """
    patterns = patterns or Patterns.of(cells, k)
    if not patterns.is_complete:
        return None
    held = patterns.rows_of_groups(cells.counts)[patterns.group_of]
    prices = np.where(held >= k, _paid(cells, patterns), np.inf)
    return float(cells.counts @ prices.min(axis=0))


def _paid(cells: CodedCells, patterns: Patterns) -> FloatArray:
    """What each distinct row pays for each set, (n_sets, n_distinct): nothing for free cells."""
    free, kind = np.unique(cells.free, axis=0, return_inverse=True)
    prices = [weights_of(patterns.sets & ~one, cells.weights) for one in free]
    return np.column_stack(prices)[:, kind.reshape(-1)]
