"""Distances of categories as whole numbers, so that sums and ties of distances are exact."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anonopt._typing import AnyIntArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns

EXACT = 2**53
"""Common denominators below this one are used as they are."""
ROUNDED = 2**40
"""Denominator that distances are rounded to where the exact one is larger."""


@dataclass(frozen=True)
class StepDistances:
    """Distances between categories in whole steps.

    The distance of two categories of column j is ``steps / scales[j]``, from 0 (equal) to 1: of
    nominal ones 1 (Mares 2013, Eq. 2.7), of ordinal ones ``|a - b| / (L - 1)`` (Eq. 2.6, which
    as printed counts both ends, so that equal values would be apart). Sums over columns are
    compared in `units`: ``units[j] * steps`` has one denominator for all columns, the least common
    multiple of the scales. Where that is 2**53 or more, distances are rounded to multiples of
    2**-40, so distances closer than that tie.

    Attributes
    ----------
    n_ordered : tuple of int
        Categories of each column that have a place in its order, 0 if it is nominal.
    scales : tuple of int
        Largest number of steps in each column, at least 1.
    n_categories : tuple of int

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": ["S", "M", "L"], "zone": ["a", "b", "a"]})
    >>> columns = CategoricalColumns.of(frame, ordinal={"size": ["S", "M", "L"]})
    >>> distances = StepDistances.of(columns)
    >>> distances.scales, distances.table(0).tolist()
    ((2, 1), [[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    """

    n_categories: tuple[int, ...]
    n_ordered: tuple[int, ...]
    scales: tuple[int, ...]

    @classmethod
    def of(cls, columns: CategoricalColumns) -> StepDistances:
        """Distances of the categories of columns."""
        n_ordered = tuple(
            n - has_missing if is_ordinal else 0
            for n, is_ordinal, has_missing in zip(
                columns.n_categories, columns.ordinal, columns.has_missing, strict=True
            )
        )
        return cls(
            n_categories=columns.n_categories,
            n_ordered=n_ordered,
            scales=tuple(max(n - 1, 1) for n in n_ordered),
        )

    def steps(self, column: int, a: AnyIntArray, b: AnyIntArray) -> IntArray:
        """Steps between the codes of one column, int64, in the shape that `a` and `b` broadcast to.

        A missing category (the last one of an ordinal column) is at the largest distance from
        every other one.
        """
        n_ordered, scale = self.n_ordered[column], self.scales[column]
        a, b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        if n_ordered == 0:
            return np.asarray(a != b).astype(np.int64)
        in_order = np.maximum(a, b) < n_ordered
        steps: IntArray = np.where(in_order, np.abs(a - b), scale * (a != b))
        return steps

    def table(self, column: int) -> IntArray:
        """Steps between all categories of a column, int64 array (n_categories, n_categories)."""
        codes = np.arange(self.n_categories[column])
        return self.steps(column, codes[:, np.newaxis], codes)

    @property
    def units(self) -> tuple[IntArray, ...]:
        """Per column, distance in common units of each number of steps, (scale + 1,)."""
        common = math.lcm(*self.scales)
        if common >= EXACT:
            return tuple(
                np.rint(np.arange(scale + 1) * (ROUNDED / scale)).astype(np.int64)
                for scale in self.scales
            )
        return tuple(
            np.arange(scale + 1, dtype=np.int64) * (common // scale) for scale in self.scales
        )
