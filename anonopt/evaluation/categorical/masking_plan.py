"""What stays the same while masked versions of one original are measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from anonopt._typing import AnyArray, AnyIntArray, IntArray, UnsignedArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.measures.categorical.interval_disclosure import doubled_mid_ranks, interval_hits
from anonopt.measures.categorical.step_distances import StepDistances

BLOCK = 1024
"""Rows that are taken together."""


@dataclass(frozen=True, eq=False)
class CountedPlan:
    """How masked versions of a file are measured by counts; no row of it is needed.

    Attributes
    ----------
    n_categories : tuple of int
        Categories of each column.
    n_rows : int
    distances : StepDistances
    mid_ranks : tuple of int64 arrays or None, one a column
        See :func:`~anonopt.measures.categorical.interval_disclosure.doubled_mid_ranks`; None if
        nominal.
    subsets : tuple of tuples of int
        Columns of each contingency table of CTBIL: all of 1..dimension columns.
    per_cell : bool
        Whether CTBIL is a difference a cell, Eq. 2.11.
    """

    n_categories: tuple[int, ...]
    n_rows: int
    distances: StepDistances
    mid_ranks: tuple[IntArray | None, ...]
    subsets: tuple[tuple[int, ...], ...]
    per_cell: bool

    @classmethod
    def of_counts(
        cls,
        columns: CategoricalColumns,
        counts: Sequence[AnyIntArray],
        *,
        dimension: int,
        per_cell: bool,
    ) -> CountedPlan:
        """Plan from the counts of the categories of the original.

        Parameters
        ----------
        columns : CategoricalColumns
            Of any number of rows.
        counts : sequence of int arrays (n_categories,), one a column
            Rows of each category.
        dimension : int
            Most columns of a contingency table.
        per_cell : bool
        """
        distances = StepDistances.of(columns)
        mid_ranks = (
            doubled_mid_ranks(rows[:n_ordered]) if n_ordered else None
            for rows, n_ordered in zip(counts, distances.n_ordered, strict=True)
        )
        positions = range(columns.n_columns)
        return CountedPlan(
            n_categories=columns.n_categories,
            n_rows=int(counts[0].sum()),
            distances=distances,
            mid_ranks=tuple(mid_ranks),
            subsets=tuple(
                subset
                for size in range(1, min(dimension, columns.n_columns) + 1)
                for subset in combinations(positions, size)
            ),
            per_cell=per_cell,
        )

    @property
    def n_columns(self) -> int:
        """Columns that are masked."""
        return len(self.n_categories)

    @property
    def n_cells(self) -> int | None:
        """Cells of all contingency tables, where CTBIL is divided by them."""
        if not self.per_cell:
            return None
        return sum(math.prod(self.n_categories[j] for j in subset) for subset in self.subsets)

    def hits(self, column: int, original: AnyArray, masked: AnyArray) -> IntArray:
        """Intervals round masked categories that hold the original ones, 0..10 each."""
        return interval_hits(original, masked, self.mid_ranks[column], self.n_rows)


@dataclass(frozen=True, eq=False)
class MaskingPlan(CountedPlan):
    """The original file and how its masked versions are measured.

    Attributes
    ----------
    columns : CategoricalColumns
    original : unsigned int array (n_rows, n_columns), C order
        UnsignedArray in the smallest type that holds them.
    """

    columns: CategoricalColumns
    original: UnsignedArray

    @classmethod
    def of(cls, columns: CategoricalColumns, *, dimension: int, per_cell: bool) -> MaskingPlan:
        """Prepare the original for masked versions of it.

        Parameters
        ----------
        columns : CategoricalColumns
        dimension : int
            Most columns of a contingency table.
        per_cell : bool
        """
        counts = [
            np.bincount(columns.codes[:, j], minlength=n)
            for j, n in enumerate(columns.n_categories)
        ]
        counted = cls.of_counts(columns, counts, dimension=dimension, per_cell=per_cell)
        return cls.with_rows(counted, columns)

    @classmethod
    def with_rows(cls, counted: CountedPlan, columns: CategoricalColumns) -> MaskingPlan:
        """A plan together with rows of the original, all or the distinct ones."""
        own = small_codes(columns.codes, columns.n_categories)
        return cls(**vars(counted), columns=columns, original=own)


def small_codes(codes: AnyIntArray, n_categories: tuple[int, ...]) -> UnsignedArray:
    """Own copy of codes in the smallest unsigned type that holds them, C order."""
    dtype = np.min_scalar_type(max(n_categories) - 1)
    return np.array(codes, dtype=dtype, order="C", copy=True)


def column_ranges(codes: AnyIntArray) -> tuple[list[int], list[int]]:
    """Least and largest code of each column, of codes (n_rows, n_columns)."""
    n_whole = len(codes) // BLOCK * BLOCK
    # Many rows side by side: numpy takes long rows several times as fast as short ones.
    side_by_side = codes[:n_whole].reshape(-1, BLOCK * codes.shape[1])

    def extremes(reduce: Callable[..., AnyArray]) -> list[int]:
        parts = [codes[n_whole:]]
        if n_whole:
            parts.append(reduce(side_by_side, axis=0).reshape(BLOCK, -1))
        found: list[int] = reduce(np.concatenate(parts), axis=0).tolist()
        return found

    return extremes(np.min), extremes(np.max)
