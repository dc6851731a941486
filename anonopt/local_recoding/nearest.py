"""Tuples that are left to be clustered, and which of them adds least or most to a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from anonopt._registry import loaded
from anonopt._typing import AnyIntArray, CodeArray, FloatArray, IntArray
from anonopt.local_recoding.leaf_labels import LeafLabels

Losses = Callable[[LeafLabels, AnyIntArray, AnyIntArray], FloatArray]
"""Loss of labels that cover the leaves from one to another, each 0..1."""

CACHED = 1024
"""Labels of a column whose costs are kept."""


class TuplesLeft:
    """Distinct tuples with the rows that are left of each.

    Parameters
    ----------
    codes : int32 array (n_tuples, n_columns)
        Leaf of each tuple in each column.
    counts : int64 array (n_tuples,)
        Rows of each tuple.
    columns : sequence of LeafLabels
    losses : callable
    compiled : bool
        Whether the extra ``fast`` is used; results are the same.

    Attributes
    ----------
    n_rows : int
        Rows that are left.
    """

    def __init__(
        self,
        codes: CodeArray,
        counts: IntArray,
        columns: Sequence[LeafLabels],
        losses: Losses,
        *,
        compiled: bool,
    ) -> None:
        sizes = [column.n_leaves for column in columns]
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._costs = np.zeros(sum(sizes))
        self._counts = counts.copy()
        self._codes = codes
        self._members = np.arange(len(counts))
        self._place_of = np.arange(len(counts))
        self._places = np.ascontiguousarray(codes + self._starts)
        self._left = self._counts.copy()
        self._n_alive = len(counts)
        self.n_rows = int(counts.sum())
        where = "anonopt.local_recoding.kernel_nearest:" if compiled else f"{__name__}:"
        self._least, self._greatest = loaded(f"{where}least_sum"), loaded(f"{where}greatest_sum")
        self._cost_of = [_cached_costs(column, losses) for column in columns]

    def take(self, chosen: int) -> CodeArray:
        """Take a row of a tuple; its leaves, (n_columns,)."""
        place = self._place_of[chosen]
        self._left[place] -= 1
        self.n_rows -= 1
        if self._left[place] == 0:
            self._n_alive -= 1
            if 4 * self._n_alive <= 3 * len(self._left):
                self._compact()
        leaves: CodeArray = self._codes[chosen]
        return leaves

    def nearest(self, lows: CodeArray, highs: CodeArray) -> int:
        """Tuple that adds least to a cluster of these ends, (n_columns,); the first of several."""
        self._set_costs(lows, highs)
        return int(self._members[self._least(self._places, self._costs, self._left)])

    def farthest(self, leaves: CodeArray) -> int:
        """Tuple that is farthest from one of these leaves, (n_columns,); the first of several."""
        self._set_costs(leaves, leaves)
        return int(self._members[self._greatest(self._places, self._costs, self._left)])

    def remaining(self) -> list[int]:
        """Tuple of each row that is left, ascending."""
        return [int(one) for one in np.repeat(self._members, self._left)]

    def _set_costs(self, lows: CodeArray, highs: CodeArray) -> None:
        for start, cost_of, low, high in zip(
            self._starts, self._cost_of, lows.tolist(), highs.tolist(), strict=True
        ):
            costs = cost_of(low, high)
            self._costs[start : start + len(costs)] = costs

    def _compact(self) -> None:
        alive = self._left > 0
        self._members, self._left = self._members[alive], self._left[alive]
        self._places = np.ascontiguousarray(self._places[alive])
        self._place_of[self._members] = np.arange(len(self._members))


def _cached_costs(column: LeafLabels, losses: Losses) -> Callable[[int, int], FloatArray]:
    """Loss of a cluster's label after each leaf is added, by the first and last leaf before."""
    leaves = np.arange(column.n_leaves)

    @lru_cache(maxsize=CACHED)
    def costs(low: int, high: int) -> FloatArray:
        return losses(column, np.minimum(leaves, low), np.maximum(leaves, high))

    return costs


def _sums(places: IntArray, costs: FloatArray) -> FloatArray:
    total = np.zeros(len(places))
    for column in places.T:
        total += costs[column]
    return total


def least_sum(places: IntArray, costs: FloatArray, left: IntArray) -> int:
    """First of the tuples that are left with the least sum of costs."""
    return int(np.argmin(np.where(left > 0, _sums(places, costs), np.inf)))


def greatest_sum(places: IntArray, costs: FloatArray, left: IntArray) -> int:
    """First of the tuples that are left with the greatest sum of costs."""
    return int(np.argmax(np.where(left > 0, _sums(places, costs), -1.0)))
