"""Genomes of the best solutions of a run, where all of them would not fit into memory."""

from __future__ import annotations

from typing import Any

import moocore
import numpy as np
import numpy.typing as npt


class BestGenomes:
    """The feasible non-dominated solutions seen so far, or the least infeasible one.

    Of solutions with equal objectives the first stays: long genomes have many neighbours that
    measure the same, and keeping all of them would keep the whole run.

    Attributes
    ----------
    rows : int64 array (n_best,)
        Positions in the order of evaluation, sorted by objectives.

    Examples
    --------
    >>> best = BestGenomes()
    >>> best.add(np.array([[7], [8]]), np.array([[1.0, 2.0], [3.0, 3.0]]), np.array([0.0, 0.0]))
    >>> best.add(np.array([[9]]), np.array([[0.0, 5.0]]), np.array([0.0]))
    >>> best.rows, best.genomes().tolist()
    (array([2, 0]), [[9], [7]])
    """

    def __init__(self) -> None:
        self.rows = np.empty(0, dtype=np.int64)
        self._X: list[npt.NDArray[Any]] = []
        self._F = np.empty((0, 0))
        self._least_violation = np.inf
        self._n_seen = 0

    def add(
        self, X: npt.NDArray[Any], F: npt.NDArray[np.float64], CV: npt.NDArray[np.float64]
    ) -> None:
        """Take in the solutions evaluated next.

        Parameters
        ----------
        X : array (n, n_var)
            Genomes.
        F : float array (n, n_obj)
            Minimized objectives.
        CV : float array (n,)
            Constraint violations.
        """
        violation = np.maximum(CV, 0)
        least = min(self._least_violation, violation.min(initial=np.inf))
        if least < self._least_violation:
            self.rows, self._X, self._F = self.rows[:0], [], np.empty((0, F.shape[1]))
            self._least_violation = least
        new = np.flatnonzero(violation == least)
        if least > 0:
            # Of infeasible solutions, one is reported: the first of the least violation.
            new = new[: 1 - len(self.rows)]
        self._insert(self._n_seen + new, [X[row] for row in new], F[new])
        self._n_seen += len(X)

    def genomes(self) -> npt.NDArray[Any]:
        """Genomes of the rows, an array (n_best, n_var)."""
        return np.array(self._X)

    def _insert(
        self,
        rows: npt.NDArray[np.int64],
        genomes: list[npt.NDArray[Any]],
        F: npt.NDArray[np.float64],
    ) -> None:
        if len(rows) == 0:
            return
        # Those that are there come first, and the first of equal ones is kept.
        n_held = len(self.rows)
        together = np.concatenate([self._F, F])
        _, first = np.unique(together, axis=0, return_index=True)
        kept = first[moocore.is_nondominated(together[first], keep_weakly=True)]
        self.rows = np.concatenate([self.rows, rows])[kept]
        self._F = together[kept]
        self._X = [
            self._X[i] if i < n_held else np.array(genomes[i - n_held]) for i in kept.tolist()
        ]
