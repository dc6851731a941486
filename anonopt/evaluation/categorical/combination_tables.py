"""What a combination of masked categories alone decides, for one original file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonopt._typing import AnyArray, CodeArray, IntArray
from anonopt.evaluation.categorical.masking_plan import MaskingPlan

MAX_CELLS = 2**22
"""Largest table over all combinations of categories."""


class CombinationTables:
    """Tables over all combinations of categories, computed once.

    M is the number of combinations, V that of columns. The joint table of a column has a cell
    for each original and masked category, (L, L); those of all columns stand one after the other.

    Attributes
    ----------
    sizes, strides : int64 arrays (V,)
        Categories of each column; position of a combination is the sum of strides times codes.
    joint_starts : int64 array (V + 1,)
        Where the joint table of each column begins.
    steps, hits, distances : int64 arrays (cells of all joint tables,)
        Of each pair of categories: steps between them, intervals that hold them (0..10), and
        distance in units common to all columns.
    subset_starts : int64 array (contingency tables + 1,)
        Where each contingency table begins.
    subset_strides : int64 array (contingency tables, V)
        Weight of each column's code in the position of a cell.
    original_counts : int64 array (cells of all contingency tables,)
    nearest : int64 array (M,)
        Distance to the nearest originals, in common units.
    ties, tie_rank : int64 arrays
        Different numbers of nearest originals, ascending, and which of them each combination
        has, (M,).
    pairs : int64 array (M, 2**V)
        Originals that agree with the combination in exactly the columns of the bits.
    """

    def __init__(self, plan: MaskingPlan) -> None:
        sizes = plan.n_categories
        self.sizes = np.array(sizes, dtype=np.int64)
        self.strides = _starts(sizes)
        self.joint_starts = np.concatenate([[0], np.cumsum(self.sizes**2)]).astype(np.int64)
        steps = [plan.distances.table(j) for j in range(len(sizes))]
        distances = [unit[table] for unit, table in zip(plan.distances.units, steps, strict=True)]
        self.steps, self.distances = _joined(steps), _joined(distances)
        self.hits = _joined(
            [plan.hits(j, *np.indices((size, size))) for j, size in enumerate(sizes)]
        )
        self.subset_starts, self.subset_strides = _subset_layout(plan)
        combinations = plan.original.astype(np.int64) @ self.strides
        originals = np.bincount(combinations, minlength=math.prod(sizes)).reshape(sizes)
        self._subsets = plan.subsets
        self.original_counts = self.contingency(originals)
        self.pairs = _agreeing_pairs(originals)
        self.nearest, ties = _nearest(originals, distances)
        self.ties, self.tie_rank = _ranked(ties)

    @staticmethod
    def fit(plan: MaskingPlan) -> bool:
        """Whether the tables are small enough."""
        largest = math.prod(plan.n_categories) << plan.n_columns
        return max(largest, *(size * size for size in plan.n_categories)) <= MAX_CELLS

    def contingency(self, combinations: IntArray) -> IntArray:
        """Cells of all contingency tables from the counts of all combinations, (cells,)."""
        axes = range(combinations.ndim)
        return np.concatenate(
            [
                combinations.sum(axis=tuple(j for j in axes if j not in subset)).ravel()
                for subset in self._subsets
            ]
        )


@dataclass(frozen=True, eq=False)
class PatternLinks:
    """Which originals probabilistic linkage chooses, under one ranking of agreement patterns.

    Attributes
    ----------
    ranks : int64 array (2**V,)
        See :func:`~anonopt.measures.categorical.record_linkage.pattern_ranks`.
    best : int64 array (M,)
        Largest rank among the originals, for each masked combination.
    ties, tie_rank : int64 arrays
        Different numbers of originals of that rank, and which of them each combination has.
    packed : int64 array
        Ranks, best, tie rank and ties, one after the other.
    """

    ranks: IntArray
    best: IntArray
    ties: IntArray
    tie_rank: IntArray

    @cached_property
    def packed(self) -> IntArray:
        """All of them in one array, as compiled kernels take them."""
        return np.concatenate([self.ranks, self.best, self.tie_rank, self.ties])

    @classmethod
    def of(cls, ranks: IntArray, pairs: IntArray) -> PatternLinks:
        """Choose under a ranking, given the `pairs` of :class:`CombinationTables`."""
        # Pattern by pattern: numpy takes few long rows several times as fast as many short ones.
        counts = np.ascontiguousarray(pairs.T)
        by_rank = np.where(counts > 0, ranks[:, np.newaxis], -1)
        best = by_rank.max(axis=0)
        ties = np.where(by_rank == best, counts, 0).sum(axis=0)
        return cls(ranks, best, *_ranked(ties))

    def linked(self, agreement: CodeArray) -> IntArray:
        """Records whose original is among those chosen, by the number of these, (ties,).

        Parameters
        ----------
        agreement : int32 array (M, 2**V)
            Masked records of each combination by the columns they agree in with their original.
        """
        is_best = self.ranks == self.best[:, np.newaxis]
        records = np.where(is_best, agreement, 0).sum(axis=1)
        # Numbers of rows are far below 2**53, so floats hold them exactly.
        return np.bincount(self.tie_rank, records, minlength=len(self.ties)).astype(np.int64)


def _starts(sizes: tuple[int, ...]) -> IntArray:
    """Mixed-radix weights of positions, the last one fastest."""
    return np.array([math.prod(sizes[j + 1 :]) for j in range(len(sizes))], dtype=np.int64)


def _joined(tables: list[AnyArray]) -> IntArray:
    return np.concatenate([table.ravel() for table in tables]).astype(np.int64)


def _ranked(values: IntArray) -> tuple[IntArray, IntArray]:
    different, ranks = np.unique(values, return_inverse=True)
    return different, ranks.astype(np.int64)


def _subset_layout(plan: MaskingPlan) -> tuple[IntArray, IntArray]:
    sizes = plan.n_categories
    n_cells = [math.prod(sizes[j] for j in subset) for subset in plan.subsets]
    strides = np.zeros((len(plan.subsets), plan.n_columns), dtype=np.int64)
    for row, subset in zip(strides, plan.subsets, strict=True):
        row[list(subset)] = _starts(tuple(sizes[j] for j in subset))
    return np.concatenate([[0], np.cumsum(n_cells)]).astype(np.int64), strides


def _agreeing_pairs(originals: IntArray) -> IntArray:
    """Originals by the columns in which they agree with each combination, (M, 2**V).

    Those that agree in at least some columns are a marginal count; taking away those that
    agree in one more column, column by column, leaves the ones that agree in no others.
    """
    n_columns = originals.ndim
    pairs = np.empty((1 << n_columns, *originals.shape), dtype=np.int64)
    for pattern in range(1 << n_columns):
        others = tuple(j for j in range(n_columns) if not pattern >> j & 1)
        pairs[pattern] = originals.sum(axis=others, keepdims=True)
    for j in range(n_columns):
        for pattern in range(1 << n_columns):
            if not pattern >> j & 1:
                pairs[pattern] -= pairs[pattern | 1 << j]
    return np.ascontiguousarray(pairs.reshape(1 << n_columns, -1).T)


def _nearest(originals: IntArray, distances: list[IntArray]) -> tuple[IntArray, IntArray]:
    """Distance to the nearest originals of each combination and how many there are, (M,) each.

    The distance is a sum over the columns, so the minimum is taken one column after the other.
    """
    far = np.int64(np.iinfo(np.int64).max // 4)
    nearest = np.where(originals > 0, np.int64(0), far)
    ties = originals.astype(np.int64)
    for j, table in enumerate(distances):
        from_nearest, from_ties = np.moveaxis(nearest, j, 0), np.moveaxis(ties, j, 0)
        to_nearest, to_ties = np.full_like(from_nearest, far), np.zeros_like(from_ties)
        shape = (len(table), *[1] * (originals.ndim - 1))
        for original, to_original in enumerate(table):
            distance = from_nearest[original] + to_original.reshape(shape)
            equal = np.where(distance == to_nearest, from_ties[original], 0)
            closer = distance < to_nearest
            to_ties = np.where(closer, from_ties[original], to_ties + equal)
            to_nearest = np.where(closer, distance, to_nearest)
        nearest, ties = np.moveaxis(to_nearest, 0, j), np.moveaxis(to_ties, 0, j)
    return nearest.ravel(), ties.ravel()
