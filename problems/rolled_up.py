"""Measures of nodes that are asked for in lattice order: a box of nodes is rolled up ahead."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from anonopt._typing import AnyArray, IntArray
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import Measure

AHEAD = 1 << 15
"""Most nodes of a box: what a search that stops early has measured for nothing."""


class RolledUpNodes:
    """Nodes of an evaluator, measured a box at a time, each from one below it.

    A box has all nodes that agree in the first columns. One is kept.

    Parameters
    ----------
    evaluator : LatticeEvaluator
    lower, upper : int64 arrays (n_quasi_identifiers,)
        Nodes that are asked for lie between them.
    most : int
        Nodes that will be asked for at most.
    """

    def __init__(
        self, evaluator: LatticeEvaluator, lower: IntArray, upper: IntArray, *, most: int
    ) -> None:
        self._evaluator, self._lower, self._upper = evaluator, lower, upper
        sizes = (upper - lower + 1).tolist()
        below = [math.prod(sizes[column:]) for column in range(len(sizes) + 1)]
        self._first = next(i for i, size in enumerate(below) if size <= min(AHEAD, 2 * most))
        self._strides = np.array(below[self._first + 1 :], dtype=np.int64)
        self._box: bytes | None = None
        self._measures: Sequence[Measure] = ()
        self._columns: Mapping[str, AnyArray] = {}

    def values(self, nodes: IntArray, measures: Sequence[Measure]) -> Mapping[str, AnyArray]:
        """Measures of nodes, by name; as `LatticeEvaluator.values`.

        Parameters
        ----------
        nodes : int64 array (n_nodes, n_quasi_identifiers)
            Those of a box one after the other.
        measures : sequence of Measure
        """
        prefixes = nodes[:, : self._first]
        changes = np.flatnonzero((prefixes[1:] != prefixes[:-1]).any(axis=1)) + 1
        parts = [self._of_one_box(part, measures) for part in np.split(nodes, changes) if len(part)]
        if len(parts) == 1:
            return parts[0]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _of_one_box(self, nodes: IntArray, measures: Sequence[Measure]) -> dict[str, AnyArray]:
        prefix = nodes[0, : self._first]
        if self._box != prefix.tobytes() or list(self._measures) != list(measures):
            lower, upper = self._lower.copy(), self._upper.copy()
            lower[: self._first] = upper[: self._first] = prefix
            self._columns = self._evaluator.values_between(lower, upper, measures)
            self._box, self._measures = prefix.tobytes(), measures
        rows = (nodes - self._lower)[:, self._first :] @ self._strides
        return {name: column[rows] for name, column in self._columns.items()}
