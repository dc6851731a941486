"""MDAV of many records: rounds on a tree, by compiled kernels (extra ``fast``)."""

from __future__ import annotations

import time

import numpy as np

from anonopt._progress import Progress
from anonopt._typing import IntArray
from anonopt.evaluation.continuous.kernel_tree import build_tree, tree_levels
from anonopt.masking.groups import kernel_mdav as kernel
from anonopt.masking.groups.kernel_neighbours import DEPTH, Metric, Nearest, Tree
from anonopt.masking.groups.remaining import Remaining

SECONDS = 0.1
"""The kernel comes back after about this time, for progress and interruptions."""


class TreeRounds:
    """Makes rounds of MDAV on the records that are left, as :func:`mdav_groups` does.

    Parameters
    ----------
    left : Remaining
        Records that are left; after :meth:`run`, those that still are.
    groups : int64 array (n_rows,)
        Written to.
    k : int
    """

    def __init__(self, left: Remaining, groups: IntArray, k: int) -> None:
        self._left, self._groups, self._k = left, groups, k
        room = np.empty(k), np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
        self._nearest = Nearest(*room)
        self._numbers = np.zeros(4, dtype=np.int64)
        self._points = np.empty(len(left.axes)), np.empty(len(left.axes))
        self._plant()

    def run(self, on_progress: Progress) -> int:
        """Make rounds while 3k rows are left; returns the number of groups."""
        left, k = self._left, self._k
        n_rounds, exact, center = 1, False, np.empty(len(left.axes))
        while self._numbers[kernel.N_ROWS] >= 3 * k:
            started = time.perf_counter()
            why = kernel.rounds(
                k,
                n_rounds,
                exact,
                center,
                self._error,
                self._points,
                self._tree,
                self._metric,
                self._totals,
                self._shell,
                self._nearest,
                self._groups,
                self._numbers,
            )
            exact = why == kernel.TIED
            if exact:
                self._give_back()
                center = np.array([axis.center(left.count) for axis in left.axes], np.float64)
            elif why == kernel.COMPACT:
                self._give_back()
                left.compact()
                self._plant()
            elif time.perf_counter() - started < SECONDS / 2:
                n_rounds *= 2
            elif time.perf_counter() - started > SECONDS:
                n_rounds = max(1, n_rounds // 2)
            on_progress(1 - int(self._numbers[kernel.N_ROWS]) / len(self._groups))
        self._give_back()
        left.compact()
        return int(self._numbers[kernel.N_GROUPS])

    def _plant(self) -> None:
        """Make the tree anew, of what is left alone."""
        left = self._left
        axes = [axis.measured() for axis in left.axes]
        values = np.column_stack([axis.values for axis in left.axes]).astype(np.float64)
        n_points, n_columns = values.shape
        step, unit, missing, nominal, n_ordered = zip(*axes, strict=True)
        weights = np.where(nominal, 1e-9, step)
        self._order, low, high = build_tree(values, weights)
        levels = tree_levels(n_points)
        positions = np.arange(n_points)
        leaf_of = (1 << levels) + ((positions + 1 << levels) - 1) // n_points
        alive = np.bincount(leaf_of, minlength=2 << levels)
        for level in range(levels - 1, -1, -1):
            nodes = np.arange(1 << level, 2 << level)
            alive[nodes] = alive[2 * nodes] + alive[2 * nodes + 1]
        count, head = left.count[self._order], left.next[self._order]
        points = values[self._order]
        stack = np.empty(DEPTH, dtype=np.int64), np.empty(DEPTH)
        self._tree = Tree(
            points, low, high, levels, count, head, left.sorted, alive, leaf_of, stack
        )
        self._metric = Metric(
            np.array(step, np.float64),
            float(max(unit)),
            np.array(missing, np.float64),
            np.array(nominal, np.bool_),
        )
        sums = np.zeros((2, n_columns))
        kernel.sum_up(values, left.count, sums)
        width = max(0, *n_ordered) + 1
        categories = np.zeros((n_columns, width), dtype=np.int64)
        for column, axis in enumerate(left.axes):
            if n_ordered[column] >= 0:
                codes = axis.values.astype(np.int64)
                categories[column] = np.bincount(codes, left.count, minlength=width)
        self._totals = kernel.Totals(sums, categories, np.array(n_ordered, np.int64))
        size = n_points // kernel.SHELL_SHARE + kernel.SHELL_LEAST
        self._shell = kernel.Shell(
            np.empty(size),
            np.empty(size, dtype=np.int64),
            np.zeros(n_columns),
            np.array([np.inf]),
            (np.empty(size), np.zeros(size, dtype=np.int64), np.empty(size, dtype=np.int64)),
        )
        self._numbers[:3] = left.n_rows, n_points, 0
        # Means of as many numbers are rounded by less; those of fewer rows by more.
        largest = np.abs(values[:, np.array(n_ordered) < 0]).max(initial=0.0)
        self._error = 64 * kernel.EPSILON * float(largest) * n_columns * left.n_rows

    def _give_back(self) -> None:
        """Say which records are left, in the order in which they were handed over."""
        left = self._left
        left.count[self._order], left.next[self._order] = self._tree.left, self._tree.head
        left.n_rows = int(self._numbers[kernel.N_ROWS])
        left.recount()
