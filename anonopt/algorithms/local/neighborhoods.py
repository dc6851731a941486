"""Neighbourhoods in the lattice, and the pool of candidates they yield."""

from __future__ import annotations

import numpy as np
import scipy

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.algorithms.local.bounds import OptimisticBounds


class Neighborhoods:
    """Nodes one and two steps from a node; a step raises or lowers one level by 1.

    Parameters
    ----------
    lower, upper : int64 arrays (n_var,)
        Lowest and highest level of each column.

    Examples
    --------
    >>> around = Neighborhoods(np.array([0, 0]), np.array([2, 1]))
    >>> around.one_step(np.array([[1, 0]])).tolist()
    [[2, 0], [1, 1], [0, 0]]
    >>> around.two_steps(np.array([1, 0]), column=0).tolist()
    [[2, 1], [0, 1]]
    """

    def __init__(self, lower: IntArray, upper: IntArray) -> None:
        self.lower, self.upper = lower, upper
        self._steps = np.concatenate([np.eye(len(lower), dtype=np.int64)] * 2)
        self._steps[len(lower) :] *= -1

    def one_step(self, nodes: IntArray) -> IntArray:
        """Nodes one step from one of `nodes`, int64 array (n, n_var); some may repeat."""
        return self._within((nodes[:, np.newaxis] + self._steps).reshape(-1, nodes.shape[1]))

    def two_steps(self, node: IntArray, *, column: int) -> IntArray:
        """Nodes two steps away, of which the first column to differ is `column`.

        Both steps in that column, or one in it and one in a later column: raised and lowered
        (a swap), both raised or both lowered.
        """
        n_columns = len(node)
        first = node + self._steps[[column, column + n_columns]]
        later = np.flatnonzero(np.arange(2 * n_columns) % n_columns > column)
        mixed = (first[:, np.newaxis] + self._steps[later]).reshape(-1, n_columns)
        return self._within(np.concatenate([2 * first - node, mixed]))

    def _within(self, nodes: IntArray) -> IntArray:
        inside: IntArray = nodes[((nodes >= self.lower) & (nodes <= self.upper)).all(axis=1)]
        return inside


class CandidatePool:
    """Nodes that may be evaluated next, each once, with their optimistic bounds.

    Parameters
    ----------
    bounds : OptimisticBounds
        Where the bounds come from.
    lower, upper : int64 arrays (n_var,)
        Lowest and highest level of each column.

    Attributes
    ----------
    nodes : int64 array (n, n_var)
    bounds : float array (n, n_obj + n_constr)
    """

    def __init__(self, bounds: OptimisticBounds, lower: IntArray, upper: IntArray) -> None:
        self._source = bounds
        self._n_learned = 0
        # As small as the levels allow: the keys of a long search in a wide lattice are many.
        self._key_type = np.result_type(*map(np.min_scalar_type, [*lower, *upper]))
        self._keys = np.empty(0, dtype=object)
        # Nodes in the pool, and those that were closed: never to come back.
        self._barred: set[bytes] = set()
        self.nodes = np.empty((0, len(lower)), dtype=np.int64)
        self.bounds = bounds.at(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def add(self, nodes: IntArray) -> None:
        """Take in nodes that are neither in the pool nor closed."""
        keys = self._keys_of(nodes)
        new = {key: row for row, key in enumerate(keys) if key not in self._barred}
        if not new:
            return
        found = nodes[list(new.values())]
        self._barred |= new.keys()
        self._keys = np.concatenate([self._keys, np.array(list(new), dtype=object)])
        self.nodes = np.concatenate([self.nodes, found])
        self.bounds = np.concatenate([self.bounds, self._source.at(found)])

    def close(self, nodes: IntArray) -> None:
        """Bar nodes for good, in the pool or not, and take them out."""
        keys = set(self._keys_of(nodes))
        self._barred |= keys
        self._keep(np.array([key not in keys for key in self._keys], dtype=bool))

    def close_rows(self, rows: BoolArray) -> None:
        """Bar rows of the pool for good and take them out."""
        self._keep(~rows)

    def forget(self, rows: BoolArray) -> None:
        """Take rows out of the pool; `add` may bring them back."""
        self._barred -= set(self._keys[rows].tolist())
        self._keep(~rows)

    def keep_only(self, rows: IntArray) -> None:
        """Forget all rows but these."""
        others = np.ones(len(self), dtype=bool)
        others[rows] = False
        self.forget(others)

    def tighten(self) -> None:
        """Bring the bounds up to what has been learned since the last call."""
        found = self._source.at(self.nodes, since=self._n_learned)
        self.bounds = np.maximum(self.bounds, found)
        self._n_learned = len(self._source)

    def steps_to(self, nodes: IntArray) -> FloatArray:
        """Number of steps from each candidate to the nearest of `nodes`, (n,)."""
        if len(self) == 0:
            return np.empty(0)
        steps: FloatArray = scipy.spatial.distance.cdist(self.nodes, nodes, "cityblock").min(axis=1)
        return steps

    def _keys_of(self, nodes: IntArray) -> list[bytes]:
        return [node.tobytes() for node in nodes.astype(self._key_type)]

    def _keep(self, rows: BoolArray) -> None:
        self._keys, self.nodes, self.bounds = self._keys[rows], self.nodes[rows], self.bounds[rows]
