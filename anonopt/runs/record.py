"""The record of a run: one row for every distinct solution, in the order of evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt.algorithms.growing_array import GrowingArray
from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.runs.best_genomes import BestGenomes


class EvaluationRecord:
    """Genomes, objectives and constraints of every distinct solution of a run.

    Parameters
    ----------
    keeps_genomes : bool
        Whether every genome is kept. Without, those of the best solutions are.

    Attributes
    ----------
    X : array (n, n_var), read-only; None if genomes are not kept
        Genomes.
    F : float array (n, n_obj), read-only
        Minimized objectives.
    G : float array (n, n_constr), read-only
        Constraints, met at most 0.
    CV : float array (n,), read-only
        Constraint violation; a solution is feasible at 0.
    """

    def __init__(self, *, keeps_genomes: bool = True) -> None:
        self._F, self._G, self._CV = (GrowingArray() for _ in range(3))
        self._genomes = GrowingArray() if keeps_genomes else BestGenomes()

    def extend(
        self,
        X: npt.NDArray[Any],
        F: npt.NDArray[Any],
        G: npt.NDArray[Any],
        CV: npt.NDArray[Any],
    ) -> None:
        """Append solutions; shapes as in the attributes."""
        if isinstance(self._genomes, BestGenomes):
            self._genomes.add(X, F, CV)
        else:
            self._genomes.extend(X)
        for column, rows in zip((self._F, self._G, self._CV), (F, G, CV), strict=True):
            column.extend(rows)

    def best(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
        """Solutions to report: the feasible non-dominated ones, or the least infeasible one.

        Returns
        -------
        rows : int64 array (n_best,)
            Sorted by objectives, then by genome; of several least infeasible solutions the
            first evaluated. Where genomes are not kept, one solution for each objective vector.
        X : array (n_best, n_var)
            Their genomes.
        """
        if isinstance(self._genomes, BestGenomes):
            return self._genomes.rows, self._genomes.genomes()
        X, feasible = self._genomes.view(), self.CV <= 0
        rows = front_rows(X, self.F, feasible)
        if len(rows) == 0:
            rows = np.array([np.argmin(self.CV)])
        return rows, X[rows]

    def __len__(self) -> int:
        return len(self._F)

    @property
    def X(self) -> npt.NDArray[Any] | None:
        """Genomes, an array (n, n_var); None if they are not kept."""
        return None if isinstance(self._genomes, BestGenomes) else self._genomes.view()

    @property
    def F(self) -> npt.NDArray[Any]:
        """Minimized objectives, an array (n, n_obj)."""
        return self._F.view()

    @property
    def G(self) -> npt.NDArray[Any]:
        """Constraints, an array (n, n_constr)."""
        return self._G.view()

    @property
    def CV(self) -> npt.NDArray[Any]:
        """Constraint violations, an array (n,)."""
        return self._CV.view()
