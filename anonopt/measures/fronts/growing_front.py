"""The non-dominated set of solutions that come some thousands at a time, and are not kept."""

from __future__ import annotations

from threading import Lock

import moocore
import numpy as np

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.measures.fronts.non_dominated import front_rows

SAMPLED = 32
"""Points of the front that new solutions are compared with first: most are dominated by these."""


class GrowingFront:
    """Feasible solutions that none of those seen so far dominates; ties are all kept.

    Neither the order in which solutions come nor the thread that brings them makes a difference.

    Parameters
    ----------
    n_var, n_obj : int
        Genes and objectives of a solution.

    Examples
    --------
    >>> front = GrowingFront(1, 2)
    >>> F = np.array([[2.0, 1.0], [1.0, 2.0], [2.0, 2.0]])
    >>> front.add(np.array([[0], [1], [2]]), F, np.array([True, True, True]))
    >>> front.add(np.array([[3]]), np.array([[0.0, 2.0]]), np.array([True]))
    >>> front.solutions()
    (array([[3],
           [0]]), array([[0., 2.],
           [2., 1.]]))
    """

    def __init__(self, n_var: int, n_obj: int) -> None:
        self._X: AnyArray = np.empty((0, n_var), dtype=np.int64)
        self._F: FloatArray = np.empty((0, n_obj))
        self._lock = Lock()

    def add(self, X: AnyArray, F: FloatArray, feasible: BoolArray) -> None:
        """Take solutions in; several threads may do so at a time.

        Parameters
        ----------
        X : array (n, n_var)
            Genomes, each given once.
        F : float array (n, n_obj)
            Minimized objectives.
        feasible : bool array (n,)
        """
        rows = np.flatnonzero(feasible)
        for point in self._sample():
            rows = rows[~_dominated_by(point, F[rows])]
        if len(rows) == 0:
            return
        rows = rows[moocore.is_nondominated(F[rows], keep_weakly=True)]
        with self._lock:
            together = np.concatenate([self._F, F[rows]])
            kept = moocore.is_nondominated(together, keep_weakly=True)
            self._X = np.concatenate([self._X, X[rows]])[kept]
            self._F = together[kept]

    def dominates(self, F: FloatArray) -> bool:
        """Whether one of the solutions dominates minimized objectives, (n_obj,)."""
        points = self._F
        return bool(((points <= F).all(axis=1) & (points < F).any(axis=1)).any())

    def solutions(self) -> tuple[AnyArray, FloatArray]:
        """Genomes and minimized objectives, sorted by objectives, then by genome."""
        rows = front_rows(self._X, self._F, np.ones(len(self._X), dtype=bool))
        return self._X[rows], self._F[rows]

    def _sample(self) -> FloatArray:
        """Some points of the front, evenly over it in the order of the first objective."""
        F = self._F
        if len(F) <= SAMPLED:
            return F
        order: IntArray = np.argsort(F[:, 0])
        return F[order[np.linspace(0, len(F) - 1, SAMPLED).astype(np.int64)]]


def _dominated_by(point: FloatArray, F: FloatArray) -> BoolArray:
    """Which solutions (n, n_obj) a point (n_obj,) dominates."""
    return np.asarray((point <= F).all(axis=1) & (point < F).any(axis=1))
