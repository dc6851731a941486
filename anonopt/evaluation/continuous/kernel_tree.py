"""Compiled kernel (extra ``fast``): trees of boxes over points, halved at medians.

A tree of `levels` levels below its root is complete: node 1 is the root, 2i and 2i + 1 are the
halves of node i, and node ``2**level + j`` holds the positions from ``first(n, level, j)`` up to
``first(n, level, j + 1)`` of an order of the points, so that nothing but boxes is stored.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.lattice.kernel_statistics import compiled

LEAF = 16
"""A leaf holds at most so many points."""


def tree_levels(n_points: int) -> int:
    """Levels below the root, so that no leaf holds more than `LEAF` points."""
    return max(0, (-(-n_points // LEAF) - 1).bit_length())


def build_tree(points: FloatArray, weights: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Tree over points, each box halved at the median of its widest side.

    Parameters
    ----------
    points : float array (n_points, n_columns), in row-major order
    weights : float array (n_columns,)
        What a side of length 1 counts as.

    Returns
    -------
    order : int64 array (n_points,)
        Points in the order in which the nodes hold them.
    low, high : float arrays (2 * n_leaves, n_columns)
        Smallest box around the points of each node.
    """
    levels = tree_levels(len(points))
    order = np.arange(len(points))
    low, high = (np.empty((2 << levels, points.shape[1])) for _ in range(2))
    fill_tree(points, weights, levels, order, np.empty(len(points)), low, high)
    return order, low, high


def leaf_bounds(n_points: int) -> IntArray:
    """Where the points of each leaf begin in the order of the tree, and their number at the end."""
    levels = tree_levels(n_points)
    return (n_points * np.arange((1 << levels) + 1)) >> levels


@compiled
def first(n, level, j):  # type: ignore[no-untyped-def]
    """Position of the first point of the j-th node of a level."""
    return (n * j) >> level


@compiled
def fill_tree(points, weights, levels, order, key, low, high):  # type: ignore[no-untyped-def]
    """Write the order and the boxes of `build_tree`."""
    n, n_columns = points.shape
    low[0, :] = 0.0
    high[0, :] = 0.0
    for level in range(levels + 1):
        for j in range(1 << level):
            node = (1 << level) + j
            start, end = first(n, level, j), first(n, level, j + 1)
            widest, width = 0, -1.0
            for column in range(n_columns):
                low[node, column] = np.inf
                high[node, column] = -np.inf
            for at in range(start, end):
                for column in range(n_columns):
                    value = points[order[at], column]
                    low[node, column] = min(low[node, column], value)
                    high[node, column] = max(high[node, column], value)
            for column in range(n_columns):
                side = (high[node, column] - low[node, column]) * weights[column]
                if side > width:
                    widest, width = column, side
            if level < levels and width > 0.0:
                for at in range(start, end):
                    key[at] = points[order[at], widest]
                _select(key, order, start, end - 1, first(n, level + 1, 2 * j + 1))


@compiled
def _select(key, order, left, right, middle):  # type: ignore[no-untyped-def]
    """Reorder so that what is left of `middle` is no larger, and what is right no smaller."""
    while left < right:
        a, b, c = key[left], key[(left + right) >> 1], key[right]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = left, right
        while i <= j:
            while key[i] < pivot:
                i += 1
            while key[j] > pivot:
                j -= 1
            if i <= j:
                key[i], key[j] = key[j], key[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            return
