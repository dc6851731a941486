"""Two files of which the masked one may be generalized: what each masked cell covers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.data.columns.covered_values import Runs, lengths_of


@dataclass(frozen=True, eq=False)
class GeneralizedColumn:
    """One column: the values of the original, and which of them the masked cells cover.

    Attributes
    ----------
    name : column
    original : int64 array (n_rows,)
        Code of each original value.
    n_values : int
        Values of the domain: the leaves of the hierarchy, or without one the values of the
        original and those of the masked file that are no generalization. Missing cells, if there
        are any, are one of them, with the last code.
    n_ordered : int
        Values that have a place in an order, 0 if the column is nominal. They have the first codes.
    runs : tuple of runs
        Codes that each label covers; labels that cover the same values are one label.
    masked : int64 array (n_rows,)
        Label of each masked cell.
    is_top : bool array (n_rows,)
        Whether the masked cell is ``*``.
    """

    name: Hashable
    original: IntArray
    n_values: int
    n_ordered: int
    runs: tuple[Runs, ...]
    masked: IntArray
    is_top: BoolArray

    @cached_property
    def counts(self) -> IntArray:
        """Original rows of each value, (n_values,)."""
        return np.bincount(self.original, minlength=self.n_values).astype(np.int64)

    @cached_property
    def n_covered(self) -> IntArray:
        """Values that each label covers, (n_labels,)."""
        return lengths_of(self.runs)

    @cached_property
    def flat_runs(self) -> tuple[IntArray, IntArray, IntArray]:
        """Label, first code and last code + 1 of every run, (n_runs,) each."""
        flat = [(label, *run) for label, runs in enumerate(self.runs) for run in runs]
        label, start, stop = np.array(flat, dtype=np.int64).T
        return label, start, stop

    @cached_property
    def weights(self) -> IntArray:
        """Original rows of the values under each label, (n_labels,)."""
        label, start, stop = self.flat_runs
        upto = np.concatenate([[0], np.cumsum(self.counts)])
        found = np.bincount(label, upto[stop] - upto[start], minlength=len(self.runs))
        return np.asarray(found, dtype=np.int64)

    def covers(self, labels: IntArray, values: IntArray) -> BoolArray:
        """Whether labels cover values, (n,) or whatever shape both broadcast to."""
        found = np.zeros(np.broadcast_shapes(labels.shape, values.shape), dtype=bool)
        for has, start, stop in self._each_run(labels):
            found |= has & (values >= start) & (values < stop)
        return found

    def steps(self, labels: IntArray, values: IntArray) -> IntArray:
        """Steps from the nearest value under labels to values, in the shape both broadcast to.

        0 where the value is covered; `scale`, the distance 1, in a nominal column, and between a
        missing cell and a value.
        """
        shape = np.broadcast_shapes(labels.shape, values.shape)
        steps = np.full(shape, self.scale, dtype=np.int64)
        for has, start, stop in self._each_run(labels):
            last = np.minimum(stop, self.n_ordered) - 1
            is_ordered = has & (values < self.n_ordered) & (start <= last)
            apart = np.maximum(np.maximum(start - values, values - last), 0)
            np.minimum(steps, apart, out=steps, where=is_ordered)
            steps[has & (values >= start) & (values < stop)] = 0
        return steps

    def _each_run(self, labels: IntArray) -> Iterator[tuple[BoolArray, IntArray, IntArray]]:
        """First, second, ... run of labels: which labels have it, its first and last code + 1."""
        label, start, stop = self.flat_runs
        first = np.searchsorted(label, labels)
        n_runs = self._n_runs[labels]
        for i in range(int(n_runs.max(initial=0))):
            has = n_runs > i
            run = np.where(has, first + i, 0)
            yield has, start[run], stop[run]

    @property
    def scale(self) -> int:
        """Steps of the distance 1."""
        return max(self.n_ordered - 1, 1)

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Distinct pairs of an original value and a masked label, (n_pairs,), and their rows.

        Returns
        -------
        values, labels, counts : int64 arrays (n_pairs,)
        position : int64 array (n_rows,)
            Pair of each row.
        """
        keys = self.original * len(self.runs) + self.masked
        pairs, position, counts = np.unique(keys, return_inverse=True, return_counts=True)
        values, labels = np.divmod(pairs, len(self.runs))
        return values, labels, counts.astype(np.int64), position.astype(np.int64)

    @cached_property
    def _n_runs(self) -> IntArray:
        return np.array([len(runs) for runs in self.runs], dtype=np.int64)

    @cached_property
    def distances(self) -> IntArray:
        """Steps of each pair of `pairs` from the value to the nearest one under the label."""
        values, labels, _, _ = self.pairs
        return self.steps(labels, values)

    def losses(self) -> FloatArray:
        """Loss of each pair of `pairs`, 0..1.

        ``(m - 1) / (M - 1)`` of the m values under the label and the M of the domain, or the
        distance to the nearest value under the label where that is more: so it is the general
        loss metric of a generalized value and the distance of a replaced one.
        """
        _, labels, _, _ = self.pairs
        spread = (self.n_covered[labels] - 1) / max(self.n_values - 1, 1)
        return np.maximum(spread, self.distances / self.scale)
