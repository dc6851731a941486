"""What stays the same while masked versions of one original are measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from anonopt._typing import AnyArray, AnyIntArray, IntArray, UnsignedArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.measures.categorical.interval_disclosure import doubled_mid_ranks, interval_hits
from anonopt.measures.categorical.step_distances import StepDistances

BLOCK = 1024
"""Rows that are taken together."""
BLOCKS = 64
"""Blocks that are compared at once."""


class CodeError(ValueError):
    """A code is none of a category."""


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
    return np.array(codes, dtype=small_type(n_categories), order="C", copy=True)


def checked_codes(codes: AnyIntArray, n_categories: tuple[int, ...]) -> UnsignedArray:
    """Own copy of codes of any integer type in the smallest one.

    Raises
    ------
    CodeError
        If a code is none of a category.
    """
    if not are_codes(codes, n_categories):
        raise CodeError
    return small_codes(codes, n_categories)


def small_type(n_categories: tuple[int, ...]) -> np.dtype[np.unsignedinteger[Any]]:
    """The smallest unsigned type that holds codes."""
    return np.min_scalar_type(max(n_categories) - 1)


def are_codes(codes: AnyIntArray, n_categories: tuple[int, ...]) -> bool:
    """Whether codes (n_rows, n_columns) of any integer type are all those of categories."""
    # As unsigned numbers, those below 0 are beyond every category of their type.
    numbers = codes.view(np.dtype(codes.dtype.str.replace("i", "u"))).reshape(-1)
    most = int(np.iinfo(codes.dtype).max)
    highest = np.array([min(n - 1, most) for n in n_categories], dtype=numbers.dtype)
    # Many rows side by side: numpy takes long rows several times as fast as short ones.
    block = np.tile(highest, max(1, min(BLOCK, len(codes))))
    n_whole = len(numbers) // len(block) * len(block)
    rest, blocks = numbers[n_whole:], numbers[:n_whole].reshape(-1, len(block))
    # Some at a time: memory for the comparison of all would take longer to get than it.
    parts = (blocks[start : start + BLOCKS] > block for start in range(0, len(blocks), BLOCKS))
    return not any(part.any() for part in parts) and not (rest > block[: len(rest)]).any()
