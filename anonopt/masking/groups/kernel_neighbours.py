"""Compiled kernel (extra ``fast``): nearest and farthest records, on a tree that records leave.

Distances are computed by the same expressions in the same order as in
`anonopt.masking.groups.remaining`. What a box says about the records in it is rounded in the same
direction as the distances themselves, so it rules out nothing that rounding would have let in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.evaluation.continuous.kernel_tree import first

# Without wrappers, since only kernels call these: they take a third of the time to compile.
_OPTIONS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
inner = njit(nogil=True, error_model="numpy", **_OPTIONS)
DEPTH = 64
"""More nodes never wait in a search."""


class Tree(NamedTuple):
    """Distinct records that are left, in the boxes of a tree.

    Attributes
    ----------
    x : float array (n_points, n_columns)
        Records in the order of the tree.
    low, high : float arrays (n_nodes, n_columns)
        Ends of the boxes.
    levels : int
    left, head : int64 arrays (n_points,)
        How many rows of a record are left, and where in `rows` they begin.
    rows : int64 array (n_rows,)
    alive : int64 array (n_nodes,)
        Records of a node that are left.
    leaf_of : int64 array (n_points,)
    stack : int64 array and float array (DEPTH,)
        Room for the nodes that wait in a search.
    """

    x: FloatArray
    low: FloatArray
    high: FloatArray
    levels: int
    left: IntArray
    head: IntArray
    rows: IntArray
    alive: IntArray
    leaf_of: IntArray
    stack: tuple[IntArray, FloatArray]


class Metric(NamedTuple):
    """How far values are apart, by column.

    Attributes
    ----------
    step : float array (n_columns,)
        Distance of numbers and ordered categories that differ by 1.
    unit : float
        Distance of nominal categories, and of a missing cell and any other.
    missing : float array (n_columns,)
        Code of missing cells, NaN without one.
    nominal : bool array (n_columns,)
    """

    step: FloatArray
    unit: float
    missing: FloatArray
    nominal: BoolArray


class Nearest(NamedTuple):
    """Room for the k nearest rows, as a heap with the farthest of them on top: arrays (k,)."""

    distances: FloatArray
    keys: IntArray
    owners: IntArray


@inner
def apart(a, b, column, metric):  # type: ignore[no-untyped-def]
    """Squared distance of two values of a column."""
    step, unit, missing, nominal = metric.step, metric.unit, metric.missing, metric.nominal
    if nominal[column] or a == missing[column] or b == missing[column]:
        distance = 0.0 if a == b else unit
    else:
        distance = abs(a - b) * step[column]
    return distance * distance


@inner
def square(x, at, point, metric):  # type: ignore[no-untyped-def]
    """Squared distance of a record to a point."""
    total = apart(x[at, 0], point[0], 0, metric)
    for column in range(1, x.shape[1]):
        total += apart(x[at, column], point[column], column, metric)
    return total


@inner
def most_square(low, high, node, point, metric):  # type: ignore[no-untyped-def]
    """No record of a node is farther from a point."""
    step, unit, missing, nominal = metric.step, metric.unit, metric.missing, metric.nominal
    total = 0.0
    for column in range(low.shape[1]):
        a, b, p = low[node, column], high[node, column], point[column]
        if nominal[column] or p == missing[column]:
            distance = 0.0 if a == p and b == p else unit
        else:
            distance = max(abs(a - p), abs(b - p)) * step[column]
            if b == missing[column]:
                distance = max(unit, distance)
        total += distance * distance
    return total


@inner
def least_square(low, high, node, point, metric):  # type: ignore[no-untyped-def]
    """No record of a node is nearer to a point."""
    step, unit, missing, nominal = metric.step, metric.unit, metric.missing, metric.nominal
    total = 0.0
    for column in range(low.shape[1]):
        a, b, p = low[node, column], high[node, column], point[column]
        if a <= p <= b:
            continue
        if nominal[column] or p == missing[column] or a == missing[column]:
            distance = unit
        else:
            distance = (a - p if p < a else p - b) * step[column]
        total += distance * distance
    return total


@inner
def farthest(point, tree, metric):  # type: ignore[no-untyped-def]
    """Record farthest from a point, of several that in the lowest row."""
    x, low, high, levels, left = tree.x, tree.low, tree.high, tree.levels, tree.left
    head, rows, alive = tree.head, tree.rows, tree.alive
    nodes, bounds = tree.stack
    nodes[0], bounds[0] = 1, np.inf
    waiting = 1
    best, found, lowest = -1.0, -1, -1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if bounds[waiting] < best:
            continue
        if node >> levels:
            j = node - (1 << levels)
            for at in range(first(len(x), levels, j), first(len(x), levels, j + 1)):
                if left[at] > 0:
                    distance = square(x, at, point, metric)
                    if distance > best or (distance == best and rows[head[at]] < lowest):
                        best, found, lowest = distance, at, rows[head[at]]
            continue
        one, other = 2 * node, 2 * node + 1
        a = most_square(low, high, one, point, metric) if alive[one] else -1.0
        b = most_square(low, high, other, point, metric) if alive[other] else -1.0
        if a > b:
            one, other, a, b = other, one, b, a
        # The more promising one is taken first.
        if a >= best and a >= 0.0:
            nodes[waiting], bounds[waiting] = one, a
            waiting += 1
        if b >= best and b >= 0.0:
            nodes[waiting], bounds[waiting] = other, b
            waiting += 1
    return found


@inner
def sift(distances, keys, owners, size):  # type: ignore[no-untyped-def]
    """Move the top of a heap down to its place; the largest (distance, key) is on top."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            return
        if child + 1 < size and (
            distances[child + 1] > distances[child]
            or (distances[child + 1] == distances[child] and keys[child + 1] > keys[child])
        ):
            child += 1
        if distances[i] > distances[child] or (
            distances[i] == distances[child] and keys[i] > keys[child]
        ):
            return
        distances[i], distances[child] = distances[child], distances[i]
        keys[i], keys[child] = keys[child], keys[i]
        owners[i], owners[child] = owners[child], owners[i]
        i = child


@inner
def rise(distances, keys, owners, i):  # type: ignore[no-untyped-def]
    """Move the last of a heap up to its place."""
    while i > 0:
        parent = (i - 1) >> 1
        if distances[parent] > distances[i] or (
            distances[parent] == distances[i] and keys[parent] > keys[i]
        ):
            return
        distances[i], distances[parent] = distances[parent], distances[i]
        keys[i], keys[parent] = keys[parent], keys[i]
        owners[i], owners[parent] = owners[parent], owners[i]
        i = parent


@inner
def find_nearest(point, tree, metric, nearest):  # type: ignore[no-untyped-def]
    """Find the k rows nearest to a point, of equally near ones the lowest."""
    x, low, high, levels, left = tree.x, tree.low, tree.high, tree.levels, tree.left
    head, rows, alive = tree.head, tree.rows, tree.alive
    distances, keys, owners = nearest.distances, nearest.keys, nearest.owners
    k, size = len(distances), 0
    nodes, bounds = tree.stack
    nodes[0], bounds[0] = 1, 0.0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = nodes[waiting]
        if size == k and bounds[waiting] > distances[0]:
            continue
        if node >> levels:
            j = node - (1 << levels)
            for at in range(first(len(x), levels, j), first(len(x), levels, j + 1)):
                if left[at] == 0:
                    continue
                distance = square(x, at, point, metric)
                for place in range(head[at], head[at] + min(left[at], k)):
                    row = rows[place]
                    if size < k:
                        distances[size], keys[size], owners[size] = distance, row, at
                        size += 1
                        rise(distances, keys, owners, size - 1)
                    elif distance < distances[0] or (distance == distances[0] and row < keys[0]):
                        distances[0], keys[0], owners[0] = distance, row, at
                        sift(distances, keys, owners, k)
                    else:
                        break
            continue
        one, other = 2 * node, 2 * node + 1
        a = least_square(low, high, one, point, metric) if alive[one] else np.inf
        b = least_square(low, high, other, point, metric) if alive[other] else np.inf
        if a < b:
            one, other, a, b = other, one, b, a
        bound = distances[0] if size == k else np.inf
        if a <= bound and a < np.inf:
            nodes[waiting], bounds[waiting] = one, a
            waiting += 1
        if b <= bound and b < np.inf:
            nodes[waiting], bounds[waiting] = other, b
            waiting += 1


@inner
def shrink(at, tree):  # type: ignore[no-untyped-def]
    """Count a record out that is used up, and make the boxes around it smaller."""
    x, low, high, levels = tree.x, tree.low, tree.high, tree.levels
    left, alive, leaf_of = tree.left, tree.alive, tree.leaf_of
    n_columns = x.shape[1]
    node = leaf_of[at]
    above = node
    while above > 0:
        alive[above] -= 1
        above >>= 1
    inside = True
    for column in range(n_columns):
        value = x[at, column]
        if value == low[node, column] or value == high[node, column]:
            inside = False
    if inside or alive[node] == 0:
        return
    j = node - (1 << levels)
    for column in range(n_columns):
        smallest, largest = np.inf, -np.inf
        for other in range(first(len(x), levels, j), first(len(x), levels, j + 1)):
            if left[other] > 0:
                smallest = min(smallest, x[other, column])
                largest = max(largest, x[other, column])
        low[node, column], high[node, column] = smallest, largest
    node >>= 1
    while node > 0:
        one, other = 2 * node, 2 * node + 1
        changed = False
        for column in range(n_columns):
            smallest, largest = np.inf, -np.inf
            if alive[one]:
                smallest, largest = low[one, column], high[one, column]
            if alive[other]:
                smallest = min(smallest, low[other, column])
                largest = max(largest, high[other, column])
            if smallest != low[node, column] or largest != high[node, column]:
                low[node, column], high[node, column] = smallest, largest
                changed = True
        if not changed:
            return
        node >>= 1
