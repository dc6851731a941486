"""How many originals lie near masked records in the ranks of some columns, without meeting pairs.

The originals that agree with a masked record in a set of columns lie in a box around its ranks.
Boxes are counted on trees, so time grows as that of range searches and not with the square of
the rows; memory is O(N).
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import scipy

from anonopt._progress import Progress, as_progress
from anonopt._typing import CodeArray, IntArray

MOST_FLOAT32 = 2**24
"""Whole numbers up to here are exact in 32 bits."""
BLOCK = 2**14
"""Records whose boxes are counted at once: so often may the work be interrupted."""


class RankBoxes:
    """Counts originals in the boxes around masked records.

    Parameters
    ----------
    original, masked : int32 arrays (n_rows, n_columns)
        Doubled ranks.
    window : int
        Half-width of the boxes.
    uses_numba : bool

    Examples
    --------
    >>> ranks = np.array([[2, 2], [4, 6], [6, 4]], dtype=np.int32)
    >>> boxes = RankBoxes(ranks, ranks, 2, uses_numba=False)
    >>> boxes.counts((0,)).tolist(), boxes.counts((0, 1)).tolist(), boxes.total((0, 1))
    ([2, 3, 2], [1, 2, 2], 5)
    """

    def __init__(
        self, original: CodeArray, masked: CodeArray, window: int, *, uses_numba: bool
    ) -> None:
        self._original, self._masked, self._window = original, masked, window
        self._uses_numba = uses_numba
        self._sorted = np.sort(original, axis=0)

    def counts(
        self,
        columns: tuple[int, ...],
        rows: IntArray | None = None,
        *,
        on_progress: Progress | None = None,
    ) -> IntArray:
        """Originals that agree with each masked record in all of some columns.

        Parameters
        ----------
        columns : tuple of int
            At least one.
        rows : int64 array (n,), optional
            Masked records, by default all.

        Returns
        -------
        int64 array (n,)
        """
        masked = self._masked if rows is None else self._masked[rows]
        if len(columns) == 1:
            low, high = self._reach(masked[:, columns[0]], columns[0])
            return np.asarray(high - low, dtype=np.int64)
        report = as_progress(on_progress)
        middles = np.ascontiguousarray(masked[:, columns])
        points = np.ascontiguousarray(self._original[:, columns])
        if self._uses_numba:
            return self._compiled_counts(points, middles, report)
        tree, counts = scipy.spatial.cKDTree(points), np.empty(len(middles), dtype=np.int64)
        for start in range(0, len(middles), BLOCK):
            block = slice(start, start + BLOCK)
            counts[block] = tree.query_ball_point(
                middles[block], self._window, p=np.inf, return_length=True
            )
            report(min(1.0, (start + BLOCK) / len(middles)))
        return counts

    def total(self, columns: tuple[int, ...], *, on_progress: Progress | None = None) -> int:
        """Pairs of an original and a masked record that agree in all of some columns."""
        if len(columns) == 1:
            return int(self.counts(columns).sum())
        if not self._uses_numba:
            trees = (
                scipy.spatial.cKDTree(ranks[:, columns]) for ranks in (self._masked, self._original)
            )
            masked, original = trees
            return int(masked.count_neighbors(original, self._window, p=np.inf))
        if len(columns) == 2:
            return self._pairs_of_two(*columns)
        return int(self.counts(columns, on_progress=on_progress).sum())

    def _reach(self, middles: CodeArray, column: int) -> tuple[IntArray, IntArray]:
        """First and last place, in the order of a column, within the window."""
        ordered = self._sorted[:, column]
        low = np.searchsorted(ordered, middles - self._window, side="left")
        return low, np.searchsorted(ordered, middles + self._window, side="right")

    def _pairs_of_two(self, one: int, other: int) -> int:
        from anonopt.evaluation.continuous import kernel_boxes

        first, ranks = self._original[:, one].copy(), self._masked[:, one].copy()
        places = np.searchsorted(self._sorted[:, other], self._original[:, other])
        total = kernel_boxes.count_pairs(
            first,
            places,
            ranks,
            np.argsort(first, kind="stable"),
            np.argsort(ranks, kind="stable"),
            *self._reach(self._masked[:, other], other),
            np.int32(self._window),
            np.zeros(len(first) + 1, dtype=np.int32),
        )
        return int(total)

    def _compiled_counts(
        self, points: CodeArray, middles: CodeArray, on_progress: Progress
    ) -> IntArray:
        from anonopt.evaluation.continuous import kernel_boxes
        from anonopt.evaluation.continuous.kernel_tree import LEAF

        # Whole numbers all the same: eight of them are compared at once.
        dtype = np.float32 if 4 * len(self._original) < MOST_FLOAT32 else np.float64
        tree, asked = _Boxes(points, dtype), _Boxes(middles, dtype)
        found = np.zeros((len(asked.sizes), LEAF), dtype=np.int64)
        about = np.stack([asked.low[len(asked.sizes) :], asked.high[len(asked.sizes) :]])

        def count(start: int) -> int:
            end = min(start + BLOCK // LEAF, len(found))
            kernel_boxes.count_in_boxes(
                tree.points,
                tree.low,
                tree.high,
                tree.nodes,
                tree.levels,
                asked.points,
                about,
                dtype(self._window),
                np.arange(start, end),
                found,
            )
            return end

        pool = ThreadPoolExecutor(os.cpu_count())
        try:
            for end in pool.map(count, range(0, len(found), BLOCK // LEAF)):
                on_progress(end / len(found))
        finally:
            # An interruption does not wait for what has not begun.
            pool.shutdown(cancel_futures=True)
        counts = np.empty(len(middles), dtype=np.int64)
        counts[asked.order] = found[asked.leaf, asked.place]
        return counts


class _Boxes:
    """A tree over ranks, its leaves side by side."""

    def __init__(self, ranks: CodeArray, dtype: type[np.floating[Any]]) -> None:
        from anonopt.evaluation.continuous import kernel_tree

        n_points, n_columns = ranks.shape
        self.levels = kernel_tree.tree_levels(n_points)
        bounds = kernel_tree.leaf_bounds(n_points)
        self.sizes = np.diff(bounds)
        self.order, low, high = kernel_tree.build_tree(ranks.astype(np.float64), np.ones(n_columns))
        self.low, self.high = low.astype(dtype), high.astype(dtype)
        self.leaf = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.place = np.arange(n_points) - bounds[self.leaf]
        self.points = np.full((len(self.sizes), n_columns, kernel_tree.LEAF), np.inf, dtype)
        self.points[self.leaf, :, self.place] = ranks[self.order]
        self.nodes = np.zeros(2 << self.levels, dtype=np.int64)
        self.nodes[1 << self.levels :] = self.sizes
        for level in range(self.levels - 1, -1, -1):
            below = self.nodes[2 << level : 4 << level]
            self.nodes[1 << level : 2 << level] = below[::2] + below[1::2]
