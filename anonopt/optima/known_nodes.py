"""Feasible nodes that a search has met, and the best of them."""

from __future__ import annotations

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.optima.front_goals import FrontGoals


class KnownNodes:
    """Nodes and their objectives; of equal ones the first counts.

    Parameters
    ----------
    goals : FrontGoals
    """

    def __init__(self, goals: FrontGoals) -> None:
        self._goals = goals
        self._nodes: list[IntArray] = []
        self._F: list[FloatArray] = []

    def add(self, node: IntArray, F: FloatArray) -> None:
        """Remember a feasible node, (n_quasi_identifiers,), and its minimized objectives."""
        self._nodes.append(node.copy())
        self._F.append(F)

    def best(self, size: int, limit: float = np.inf) -> tuple[IntArray, FloatArray] | None:
        """The node of least loss, of equal ones that of the largest class size.

        Parameters
        ----------
        size : int
            Least class size.
        limit : float
            Largest third objective, minimized.

        Returns
        -------
        node, F : arrays
            None if no node is known.
        """
        if not self._F:
            return None
        goals, F = self._goals, np.array(self._F)
        usable = -F[:, goals.size_at] >= size
        if goals.third_at is not None:
            usable &= F[:, goals.third_at] <= limit
        rows = np.flatnonzero(usable)
        if len(rows) == 0:
            return None
        order = np.lexsort([F[rows, goals.size_at], F[rows, goals.loss_at]])
        row = rows[order[0]]
        return self._nodes[row], self._F[row]

    @property
    def least_third(self) -> float:
        """Best third objective, minimized; infinite if no node is known."""
        at = self._goals.third_at
        return np.inf if at is None else min((float(F[at]) for F in self._F), default=np.inf)
