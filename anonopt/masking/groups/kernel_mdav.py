"""Compiled kernel (extra ``fast``): rounds of MDAV on a tree of the records that are left.

It makes the groups of `anonopt.masking.groups.mdav`, to the row, and is held equal to it by tests.

The record farthest from the centroid would need most of the time, since those left lie within
about one distance of it. So the records farthest from an earlier centroid, the shell, are kept
in order: a centroid that has moved by some length changes no distance by more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.continuous.kernel_tree import first
from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.masking.groups.kernel_neighbours import (
    apart,
    farthest,
    find_nearest,
    inner,
    most_square,
    rise,
    shrink,
    sift,
    square,
)

AGAIN, COMPACT, TIED = 0, 1, 2
"""Why rounds end: they are done, many records are used up, the centroid has to be exact."""

EPSILON = 2.0**-52
SHELL_SHARE = 128
SHELL_LEAST = 64
N_ROWS, N_ALIVE, N_SHELL, N_GROUPS = 0, 1, 2, 3
"""Places of the numbers that change: rows, records and shell that are left, groups made."""


class Totals(NamedTuple):
    """What the centroid is made of.

    Attributes
    ----------
    sums : float array (2, n_columns)
        Sums of numbers, and what rounding lost of them.
    categories : int64 array (n_columns, width)
        Rows of each category.
    n_ordered : int64 array (n_columns,)
        Categories, that of missing cells left out; -1 of a continuous column.
    """

    sums: FloatArray
    categories: IntArray
    n_ordered: IntArray


class Shell(NamedTuple):
    """Records farthest from an earlier centroid.

    Attributes
    ----------
    far, members : float and int64 arrays (size,)
        Distances, the largest first, and whose they are.
    reference : float array (n_columns,)
        The earlier centroid.
    beyond : float array (1,)
        No other record is farther from it.
    heap : float array and two int64 arrays (size,)
        Room to find them.
    """

    far: FloatArray
    members: IntArray
    reference: FloatArray
    beyond: FloatArray
    heap: tuple[FloatArray, IntArray, IntArray]


@inner
def _take(tree, nearest, totals, groups, numbers):  # type: ignore[no-untyped-def]
    """Make a group of the rows that were found nearest, and count them out."""
    x, left, head = tree.x, tree.left, tree.head
    keys, owners = nearest.keys, nearest.owners
    sums, categories, n_ordered = totals.sums, totals.categories, totals.n_ordered
    for i in range(len(keys)):
        at = owners[i]
        groups[keys[i]] = numbers[N_GROUPS]
        head[at] += 1
        left[at] -= 1
        for column in range(x.shape[1]):
            if n_ordered[column] < 0:
                add_to(sums, column, -x[at, column])
            else:
                categories[column, np.int64(x[at, column])] -= 1
        if left[at] == 0:
            numbers[N_ALIVE] -= 1
            shrink(at, tree)
    numbers[N_ROWS] -= len(keys)
    numbers[N_GROUPS] += 1


@inner
def add_to(sums, column, value):  # type: ignore[no-untyped-def]
    """Add to a sum, and what rounding loses to another (Neumaier 1974)."""
    old = sums[0, column]
    new = old + value
    if abs(old) >= abs(value):
        sums[1, column] += (old - new) + value
    else:
        sums[1, column] += (value - new) + old
    sums[0, column] = new


@compiled
def sum_up(values, count, sums):  # type: ignore[no-untyped-def]
    """Add up the columns over all rows, nearly exactly."""
    for at in range(len(values)):
        for column in range(values.shape[1]):
            add_to(sums, column, values[at, column] * count[at])


@inner
def _center(totals, nominal, n_rows, center):  # type: ignore[no-untyped-def]
    """Mean, median or mode of what is left, see `anonopt.masking.groups.aggregation.center`."""
    sums, categories, n_ordered = totals.sums, totals.categories, totals.n_ordered
    for column in range(len(center)):
        if n_ordered[column] < 0:
            center[column] = (sums[0, column] + sums[1, column]) / n_rows
        elif nominal[column]:
            mode = 0
            for code in range(1, categories.shape[1]):
                if categories[column, code] > categories[column, mode]:
                    mode = code
            center[column] = mode
        else:
            code = n_ordered[column]
            missing = categories[column, code]
            if 2 * missing <= n_rows:
                wanted = (n_rows - missing + 1) // 2
                code = 0
                below = categories[column, 0]
                while below < wanted:
                    code += 1
                    below += categories[column, code]
            center[column] = code


@inner
def _make_shell(center, tree, metric, shell, numbers):  # type: ignore[no-untyped-def]
    """Keep the records farthest from a centroid, in decreasing order."""
    x, low, high, levels = tree.x, tree.low, tree.high, tree.levels
    left, alive = tree.left, tree.alive
    far, members, reference = shell.far, shell.members, shell.reference
    beyond, heap = shell.beyond, shell.heap
    size = min(len(far), numbers[N_ALIVE] // SHELL_SHARE + SHELL_LEAST)
    distances, keys, owners = heap
    nodes, bounds = tree.stack
    nodes[0], bounds[0] = 1, np.inf
    waiting, found = 1, 0
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        # Distances are negative here, so that the least of the farthest is on top of the heap.
        least = -distances[0] if found == size else -1.0
        if bounds[waiting] < least:
            continue
        if node >> levels:
            j = node - (1 << levels)
            for at in range(first(len(x), levels, j), first(len(x), levels, j + 1)):
                if left[at] == 0:
                    continue
                distance = -square(x, at, center, metric)
                if found < size:
                    distances[found], owners[found] = distance, at
                    found += 1
                    rise(distances, keys, owners, found - 1)
                elif distance < distances[0]:
                    distances[0], owners[0] = distance, at
                    sift(distances, keys, owners, size)
            continue
        one, other = 2 * node, 2 * node + 1
        a = most_square(low, high, one, center, metric) if alive[one] else -1.0
        b = most_square(low, high, other, center, metric) if alive[other] else -1.0
        if a > b:
            one, other, a, b = other, one, b, a
        if a >= 0.0:
            nodes[waiting], bounds[waiting] = one, a
            waiting += 1
        if b >= 0.0:
            nodes[waiting], bounds[waiting] = other, b
            waiting += 1
    # Taken from the heap one by one, the nearest of them comes first.
    for i in range(found - 1, -1, -1):
        far[i], members[i] = np.sqrt(-distances[0]), owners[0]
        distances[0], owners[0] = distances[i], owners[i]
        sift(distances, keys, owners, i)
    numbers[N_SHELL] = found
    beyond[0] = far[found - 1] if found < numbers[N_ALIVE] else -np.inf
    copy_to(reference, center)


@inner
def _outermost(center, error, tree, metric, shell, numbers):  # type: ignore[no-untyped-def]
    """Record farthest from a centroid, -1 if there is doubt.

    No coordinate of the exact centroid is farther than `error` from this one's.
    """
    left = tree.left
    far, members, reference, beyond = shell.far, shell.members, shell.reference, shell.beyond
    for attempt in range(2):
        shift = 0.0
        for column in range(len(center)):
            shift += apart(center[column], reference[column], column, metric)
        shift = np.sqrt(shift)
        best, second, found = -1.0, -1.0, -1
        doubt = 0.0
        outside = beyond[0]
        for i in range(numbers[N_SHELL]):
            if left[members[i]] == 0:
                continue
            if far[i] + shift < best - doubt:
                outside = -np.inf
                break
            distance = np.sqrt(square(tree.x, members[i], center, metric))
            if distance > best:
                best, second, found = distance, best, members[i]
                doubt = 4 * error + 64 * EPSILON * (best + shift)
            elif distance > second:
                second = distance
        if outside + shift < best - doubt:
            return found if second < best - doubt else -1
        if attempt == 0:
            _make_shell(center, tree, metric, shell, numbers)
    return -1


@inner
def copy_to(target, source):  # type: ignore[no-untyped-def]
    """Copy a point."""
    for column in range(len(target)):
        target[column] = source[column]


@compiled
def rounds(  # type: ignore[no-untyped-def]
    k, n_rounds, exact, given, error, points, tree, metric, totals, shell, nearest, groups, numbers
):
    """Make two groups a round; returns why it ends.

    `exact` says that `given` is the exact centroid of what is left, for the first round;
    without columns of numbers it always is. `error` is that of a mean over all rows there are.
    """
    x = tree.x
    n_ordered = totals.n_ordered
    center, point = points
    has_numbers = False
    for column in range(len(n_ordered)):
        has_numbers = has_numbers or n_ordered[column] < 0
    for _ in range(n_rounds):
        if numbers[N_ROWS] < 3 * k:
            return AGAIN
        if 4 * numbers[N_ALIVE] <= 3 * len(x):
            return COMPACT
        _center(totals, metric.nominal, numbers[N_ROWS], center)
        if exact:
            copy_to(center, given)
        one = -1
        if has_numbers and not exact:
            one = _outermost(center, error / numbers[N_ROWS], tree, metric, shell, numbers)
            if one < 0:
                return TIED
        exact = False
        copy_to(point, center)
        for _ in range(2):
            if one < 0:
                one = farthest(point, tree, metric)
            for column in range(len(point)):
                point[column] = x[one, column]
            find_nearest(point, tree, metric, nearest)
            _take(tree, nearest, totals, groups, numbers)
            one = -1
    return AGAIN
