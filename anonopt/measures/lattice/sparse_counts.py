"""Counts of values that hold no zeros: at most one a row, however many values a column has."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonopt._typing import AnyArray, AnyIntArray, BoolArray, FloatArray, IntArray, WordArray
from anonopt.measures.lattice.value_counts import (
    LARGEST_DENSE,
    DenseCounts,
    ValueCounts,
    is_dense,
)


@dataclass(frozen=True, eq=False)
class SparseCounts(ValueCounts):
    """The counts above 0, at most one a row, in order of class and value.

    Attributes
    ----------
    owners, values, numbers : int64 arrays (n_counts,), read-only
        Class, value and count.
    n_classes, n_values : int

    Examples
    --------
    >>> counts = SparseCounts.of_pairs(
    ...     np.array([1, 0, 1, 1]), np.array([5, 2, 5, 0]), n_classes=2, n_values=9
    ... )
    >>> counts.owners.tolist(), counts.values.tolist(), counts.numbers.tolist()
    ([0, 1, 1], [2, 0, 5], [1, 1, 2])
    >>> counts.distinct().tolist(), counts.largest().tolist()
    ([1, 2], [1, 2])
    """

    owners: IntArray = field(repr=False)
    values: IntArray = field(repr=False)
    numbers: IntArray = field(repr=False)
    n_classes: int
    n_values: int

    @classmethod
    def of_pairs(
        cls,
        owners: AnyIntArray,
        values: AnyIntArray,
        *,
        n_classes: int,
        n_values: int,
        numbers: IntArray | None = None,
    ) -> SparseCounts:
        """Count pairs of a class and a value, (n_pairs,), each as often as `numbers` says."""
        pairs = owners.astype(np.int64) * n_values + values
        if numbers is None:
            pairs, found = np.unique(pairs, return_counts=True)
        else:
            order = np.argsort(pairs, kind="stable")
            pairs, sorted_numbers = pairs[order], numbers[order]
            first = np.flatnonzero(np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)])
            pairs = pairs[first]
            found = np.add.reduceat(sorted_numbers, first) if len(first) else sorted_numbers
        owner, value = np.divmod(pairs, n_values)
        counts = found.astype(np.int64)
        for array in (owner, value, counts):
            # Classes of other nodes are derived from these.
            array.flags.writeable = False
        return cls(owner, value, counts, n_classes, n_values)

    def merged(self, class_of: IntArray, n_classes: int) -> SparseCounts:
        """Counts of merged classes.

        Parameters
        ----------
        class_of : int64 array (self.n_classes,)
            The new class of each class.
        n_classes : int
            Number of the new ones.
        """
        return SparseCounts.of_pairs(
            class_of[self.owners],
            self.values,
            n_classes=n_classes,
            n_values=self.n_values,
            numbers=self.numbers,
        )

    def sets(self, bits: WordArray) -> WordArray:
        """Set of the values of each class, as the "or" of the bits of each, (n_classes,)."""
        return np.asarray(np.bitwise_or.reduceat(bits[self.values], self._first))

    @cached_property
    def _first(self) -> npt.NDArray[np.intp]:
        """First count of each class."""
        return np.flatnonzero(
            np.append(True, self.owners[1:] != self.owners[:-1])[: self._n_counts]
        )

    @property
    def _n_counts(self) -> int:
        return len(self.owners)

    def __len__(self) -> int:
        return self.n_classes

    def chosen(self, classes: BoolArray) -> ValueCounts:
        """See `ValueCounts.chosen`."""
        new = np.cumsum(classes) - 1
        left = classes[self.owners]
        return SparseCounts(
            new[self.owners[left]],
            self.values[left],
            self.numbers[left],
            int(np.count_nonzero(classes)),
            self.n_values,
        )

    def of_class(self, numbers: AnyArray) -> AnyArray:
        """See `ValueCounts.of_class`."""
        return numbers[self.owners]

    def of_value(self, numbers: AnyArray) -> AnyArray:
        """See `ValueCounts.of_value`."""
        return numbers[self.values]

    def total(self, terms: AnyArray, *, absent: FloatArray | None = None) -> AnyArray:
        """See `ValueCounts.total`."""
        if self.n_classes == 0:
            return np.zeros(0)
        if absent is None:
            return np.asarray(np.add.reduceat(terms, self._first))
        here = np.add.reduceat(terms - absent[self.values], self._first)
        return np.asarray(here + absent.sum())

    def most(self, terms: AnyArray, *, absent: float) -> FloatArray:
        """See `ValueCounts.most`."""
        largest = np.maximum.reduceat(terms, self._first)
        return np.where(self.distinct() < self.n_values, np.maximum(largest, absent), largest)

    def grouped(self, groups: AnyIntArray) -> ValueCounts:
        """See `ValueCounts.grouped`."""
        return SparseCounts.of_pairs(
            self.owners,
            groups[self.values],
            n_classes=self.n_classes,
            n_values=int(groups.max()) + 1,
            numbers=self.numbers,
        )

    def distinct(self) -> IntArray:
        """See `ValueCounts.distinct`."""
        return np.diff(self._first, append=self._n_counts).astype(np.int64)

    def largest(self) -> IntArray:
        """See `ValueCounts.largest`."""
        return np.asarray(np.maximum.reduceat(self.numbers, self._first))

    def beyond(self, n_values: int) -> IntArray:
        """See `ValueCounts.beyond`."""
        falling = self.numbers[np.lexsort((-self.numbers, self.owners))]
        rank = np.arange(self._n_counts) - self._first[self.owners]
        return np.asarray(self.total(np.where(rank >= n_values, falling, 0)))

    def cumulative_gaps(self, sizes: IntArray, shares: FloatArray) -> FloatArray:
        """See `ValueCounts.cumulative_gaps`.

        Between two values that occur, the share of the class stays and that of the table rises,
        so the two cross once at most: sums of the table's shares give all gaps on either side.
        """
        rising = np.cumsum(shares)
        sums = np.concatenate([[0.0], np.cumsum(rising)])
        counted = np.cumsum(self.numbers)
        before = counted[self._first] - self.numbers[self._first]
        reached = (counted - before[self.owners]) / sizes[self.owners]
        # A stretch begins at each value that occurs; one of share 0 comes before the first.
        end = np.append(self.values[1:], 0)
        last = np.append(self.owners[1:] != self.owners[:-1], True)[: self._n_counts]
        end[last] = self.n_values - 1
        start = np.minimum(self.values, self.n_values - 1)
        cross = np.clip(np.searchsorted(rising, reached), start, end)
        gaps = reached * (2 * cross - start - end) - 2 * sums[cross] + sums[start] + sums[end]
        first_value = np.minimum(self.values[self._first], self.n_values - 1)
        return np.asarray(self.total(gaps) + sums[first_value])

    def at(self, classes: IntArray, values: AnyIntArray) -> IntArray:
        """See `ValueCounts.at`."""
        known = self.owners * self.n_values + self.values
        asked = classes * self.n_values + values
        place = np.minimum(np.searchsorted(known, asked), self._n_counts - 1)
        return np.where(known[place] == asked, self.numbers[place], 0)

    def table(self) -> IntArray:
        """See `ValueCounts.table`."""
        if self.n_classes * self.n_values > LARGEST_DENSE:
            raise ValueError(
                f"counts: expected at most {LARGEST_DENSE} for a whole table, found "
                f"{self.n_classes} classes of {self.n_values} values; those above 0 are in "
                "counted_sensitive() and counted_target()"
            )
        table = np.zeros((self.n_classes, self.n_values), dtype=np.int64)
        table[self.owners, self.values] = self.numbers
        return table


def count_values(
    class_of_row: AnyIntArray, values: AnyIntArray, *, n_classes: int, n_values: int
) -> ValueCounts:
    """Count the values of a column in each class: all counts, or only those above 0.

    Parameters
    ----------
    class_of_row : int array (n_rows,)
        Class of each row; every class has one.
    values : int array (n_rows,)
        Value of each row, in 0..n_values - 1.
    n_classes, n_values : int
    """
    if not is_dense(n_classes, n_values, len(values)):
        return SparseCounts.of_pairs(class_of_row, values, n_classes=n_classes, n_values=n_values)
    cells = class_of_row.astype(np.int64) * n_values + values
    counts = np.bincount(cells, minlength=n_classes * n_values)
    return DenseCounts(counts.reshape(n_classes, n_values))


def count_pairs(
    classes: AnyIntArray,
    values: AnyIntArray,
    numbers: IntArray,
    *,
    n_classes: int,
    n_values: int,
    n_rows: int,
) -> ValueCounts:
    """Counts of the pairs of a class and a value, as :func:`count_values` has them of rows.

    Parameters
    ----------
    classes, values : int arrays (n_pairs,)
        Each pair once.
    numbers : int64 array (n_pairs,)
        Rows of each.
    n_classes, n_values, n_rows : int

    Examples
    --------
    >>> counts = count_pairs(
    ...     np.array([0, 1]), np.array([2, 0]), np.array([7, 1]), n_classes=2, n_values=3, n_rows=8
    ... )
    >>> counts.table().tolist()
    [[0, 0, 7], [1, 0, 0]]
    """
    if not is_dense(n_classes, n_values, n_rows):
        return SparseCounts.of_pairs(
            classes, values, n_classes=n_classes, n_values=n_values, numbers=numbers
        )
    counts = np.zeros((n_classes, n_values), dtype=np.int64)
    counts[classes, values] = numbers
    return DenseCounts(counts)
