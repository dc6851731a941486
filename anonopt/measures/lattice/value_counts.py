"""How often each value of a column occurs in each class: all counts, or only those above 0.

Formulas are written once for both forms. `ValueCounts.numbers` holds the counts in an order of
its own; `of_class` and `of_value` bring one number a class or a value into that order, and `total`
adds up what a formula makes of them, class by class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anonopt._typing import AnyArray, AnyIntArray, BoolArray, FloatArray, IntArray

LARGEST_DENSE = 1 << 27
"""Counts that are written out as a table: 1 GiB."""

DENSE_COUNTS = 1 << 24
DENSE_A_ROW = 64


def is_dense(n_classes: int, n_values: int, n_rows: int) -> bool:
    """Whether counts are kept as a whole table, zeros included: it is small, or not much larger.

    Parameters
    ----------
    n_classes, n_values : int
        Shape of the table.
    n_rows : int
        Rows that are counted: there are at most as many counts above 0.

    Examples
    --------
    >>> is_dense(20_000, 14, 30_000), is_dense(900_000, 900_000, 1_000_000)
    (True, False)
    """
    n_counts = n_classes * n_values
    return n_counts <= min(max(DENSE_COUNTS, DENSE_A_ROW * n_rows), LARGEST_DENSE)


class ValueCounts(ABC):
    """Rows of each class with each value of a column; no class is empty.

    Attributes
    ----------
    numbers : int64 array, read-only
        The counts: (n_classes, n_values), or those above 0 alone, (n_counts,).
    n_values : int
        Distinct values of the column in the whole table.
    """

    numbers: IntArray
    n_values: int

    @abstractmethod
    def __len__(self) -> int:
        """Number of classes."""

    @abstractmethod
    def chosen(self, classes: BoolArray) -> ValueCounts:
        """The counts of some classes, given as a mask (n_classes,)."""

    @abstractmethod
    def of_class(self, numbers: AnyArray) -> AnyArray:
        """One number a class, (n_classes,), in the order of `numbers`."""

    @abstractmethod
    def of_value(self, numbers: AnyArray) -> AnyArray:
        """One number a value, (n_values,), in the order of `numbers`."""

    @abstractmethod
    def total(self, terms: AnyArray, *, absent: FloatArray | None = None) -> AnyArray:
        """Sum of terms over the values of each class, (n_classes,).

        Parameters
        ----------
        terms : array like `numbers`
            What each count adds.
        absent : float array (n_values,), optional
            What a value adds to a class where it does not occur; 0 by default. `terms` must say
            the same of counts that are 0.
        """

    @abstractmethod
    def most(self, terms: AnyArray, *, absent: float) -> FloatArray:
        """Largest of terms over the values of each class, (n_classes,).

        Parameters
        ----------
        terms : array like `numbers`
        absent : float
            Term of a value that does not occur; `terms` must say the same of counts that are 0.
        """

    @abstractmethod
    def grouped(self, groups: AnyIntArray) -> ValueCounts:
        """Counts of groups of values; `groups` (n_values,) numbers that of each from 0 on."""

    @abstractmethod
    def distinct(self) -> IntArray:
        """Number of distinct values of each class, (n_classes,)."""

    @abstractmethod
    def largest(self) -> IntArray:
        """Largest count of each class, (n_classes,)."""

    @abstractmethod
    def beyond(self, n_values: int) -> IntArray:
        """Rows of each class without those of its `n_values` most frequent values, (n_classes,)."""

    @abstractmethod
    def cumulative_gaps(self, sizes: IntArray, shares: FloatArray) -> FloatArray:
        """Distance of cumulative distributions, summed over all values but the last.

        Parameters
        ----------
        sizes : int64 array (n_classes,)
        shares : float64 array (n_values,)
            Distribution that those of the classes are compared with.

        Returns
        -------
        float64 array (n_classes,)
        """

    @abstractmethod
    def at(self, classes: IntArray, values: AnyIntArray) -> IntArray:
        """Counts of pairs of a class and a value, (n_pairs,)."""

    @abstractmethod
    def table(self) -> IntArray:
        """All counts, zeros included, int64 array (n_classes, n_values).

        Raises
        ------
        ValueError
            If they are more than 1 GiB.
        """


@dataclass(frozen=True, eq=False)
class DenseCounts(ValueCounts):
    """All counts of all classes.

    Parameters
    ----------
    stored : int array (n_classes, n_values)
        As narrow as it fits.
    """

    stored: AnyIntArray = field(repr=False)

    @property
    def n_values(self) -> int:  # type: ignore[override]
        """Distinct values of the column in the whole table."""
        return int(self.stored.shape[1])

    @cached_property
    def numbers(self) -> IntArray:  # type: ignore[override]
        """The counts, (n_classes, n_values), wide enough that their squares do not wrap."""
        numbers = self.stored.astype(np.int64)
        numbers.flags.writeable = False
        return numbers

    def __len__(self) -> int:
        return len(self.stored)

    def chosen(self, classes: BoolArray) -> ValueCounts:
        """See `ValueCounts.chosen`."""
        return DenseCounts(self.stored[classes])

    def of_class(self, numbers: AnyArray) -> AnyArray:
        """See `ValueCounts.of_class`."""
        return numbers[:, np.newaxis]

    def of_value(self, numbers: AnyArray) -> AnyArray:
        """See `ValueCounts.of_value`."""
        return numbers

    def total(self, terms: AnyArray, *, absent: FloatArray | None = None) -> AnyArray:
        """See `ValueCounts.total`."""
        return np.asarray(terms.sum(axis=1))

    def most(self, terms: AnyArray, *, absent: float) -> FloatArray:
        """See `ValueCounts.most`."""
        return np.asarray(terms.max(axis=1))

    def grouped(self, groups: AnyIntArray) -> ValueCounts:
        """See `ValueCounts.grouped`."""
        order = np.argsort(groups, kind="stable")
        starts = np.unique(groups[order], return_index=True)[1]
        return DenseCounts(np.add.reduceat(self.numbers[:, order], starts, axis=1))

    def distinct(self) -> IntArray:
        """See `ValueCounts.distinct`."""
        return np.asarray(np.count_nonzero(self.stored, axis=1))

    def largest(self) -> IntArray:
        """See `ValueCounts.largest`."""
        return np.asarray(self.numbers.max(axis=1))

    def beyond(self, n_values: int) -> IntArray:
        """See `ValueCounts.beyond`."""
        falling = -np.sort(-self.numbers, axis=1)
        return np.asarray(falling[:, n_values:].sum(axis=1))

    def cumulative_gaps(self, sizes: IntArray, shares: FloatArray) -> FloatArray:
        """See `ValueCounts.cumulative_gaps`."""
        difference = self.numbers / sizes[:, np.newaxis] - shares
        return np.asarray(np.abs(np.cumsum(difference, axis=1)[:, :-1]).sum(axis=1))

    def at(self, classes: IntArray, values: AnyIntArray) -> IntArray:
        """See `ValueCounts.at`."""
        return self.numbers[classes, values]

    def table(self) -> IntArray:
        """See `ValueCounts.table`."""
        return self.stored.astype(np.int64)
