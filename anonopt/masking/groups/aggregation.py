"""What stands for a group of records: the mean, the median category or the mode."""

from __future__ import annotations

import numpy as np

from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.masking.groups.records import RecordColumn


def aggregate(column: RecordColumn, groups: IntArray) -> AnyArray:
    """Give every row the aggregate of its group (Mares 2013, Section 2.3.2).

    Continuous columns: the mean. Nominal ones: the most frequent category, of equally frequent
    ones that of the lowest code. Ordinal ones: the median, of an even number of cells the lower
    one, so that a category stands for every group; where more than half of the cells are
    missing, a missing cell does. Missing cells of a continuous column stay missing and count in
    no mean.

    Parameters
    ----------
    column : RecordColumn of n_rows values
    groups : int array (n_rows,)
        Number of the group of each row; every number from 0 on is used.

    Returns
    -------
    float64 or int64 array (n_rows,)
        Means are less `column.offset`, as its values.

    Raises
    ------
    ValueError
        If the mean of a group of whole numbers beyond 2**53 is not whole: no float holds it
        (names column, mean and what takes such numbers).
    """
    if column.lacks_numbers:
        means = np.full(len(groups), np.nan)
        present = np.flatnonzero(~column.is_missing)
        _, own = np.unique(groups[present], return_inverse=True)
        if len(present):
            means[present] = _means(column.part(present), own)[own]
        return means
    if column.kind == "continuous":
        return _means(column, groups)[groups]
    if column.kind == "nominal":
        return _modes(column.values, groups)[groups]
    return _medians(column.values, groups, column.n_ordered)[groups]


def center(column: RecordColumn, counts: IntArray) -> int:
    """Aggregate of one group of categories, as in :func:`aggregate`.

    Parameters
    ----------
    column : RecordColumn
        Not a continuous one.
    counts : int array (n_categories,)
        Number of cells of each code, at least one in all.

    Returns
    -------
    int
        Code.
    """
    if column.kind == "nominal":
        return int(np.argmax(counts))
    below = np.cumsum(counts[: column.n_ordered])
    n_ordered = int(below[-1]) if len(below) else 0
    if 2 * (int(counts.sum()) - n_ordered) > counts.sum():
        return column.n_ordered
    return int(np.searchsorted(below, (n_ordered + 1) // 2))


def _means(column: RecordColumn, groups: IntArray) -> FloatArray:
    values = column.values
    sizes = np.bincount(groups)
    if column.offset:
        return _whole_means(column, groups, sizes)
    first = np.zeros(len(sizes))
    # Around a value of the group, so that a group of equal values keeps it to the last bit.
    first[groups] = values
    return first + np.bincount(groups, weights=values - first[groups]) / sizes


def _whole_means(column: RecordColumn, groups: IntArray, sizes: IntArray) -> FloatArray:
    """Means of whole numbers of more than 53 bits, which have to be whole."""
    totals = [0] * len(sizes)
    for group, value in zip(groups.tolist(), column.values.tolist(), strict=True):
        totals[group] += int(value)
    means = np.empty(len(sizes))
    for group, (total, size) in enumerate(zip(totals, sizes.tolist(), strict=True)):
        mean, rest = divmod(total, size)
        if rest:
            raise ValueError(
                f"column {column.name!r}: expected means of whole numbers beyond 2**53 to be "
                f"whole, found {mean + column.offset} and {rest}/{size}, which no float holds "
                f"(ordinal={{{column.name!r}: None}} takes medians)"
            )
        means[group] = mean
    return means


def _modes(codes: IntArray, groups: IntArray) -> IntArray:
    n_codes = int(codes.max()) + 1
    pairs, counts = np.unique(groups * np.int64(n_codes) + codes, return_counts=True)
    owners = pairs // n_codes
    # The last entry written for a group is that of its highest count and lowest code.
    order = np.lexsort((-pairs, counts))
    modes = np.empty(int(groups.max()) + 1, dtype=np.int64)
    modes[owners[order]] = (pairs % n_codes)[order]
    return modes


def _medians(codes: IntArray, groups: IntArray, n_ordered: int) -> IntArray:
    order = np.lexsort((codes, groups))
    sizes = np.bincount(groups)
    # Missing cells have the highest code, so those in the order stand in front.
    present = np.bincount(groups[codes < n_ordered], minlength=len(sizes))
    starts = np.cumsum(sizes) - sizes
    middle = starts + np.maximum(present - 1, 0) // 2
    medians: IntArray = codes[order][middle]
    medians[2 * (sizes - present) > sizes] = n_ordered
    return medians
