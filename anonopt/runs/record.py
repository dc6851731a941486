"""The record of a run: one row for every distinct solution, in the order of evaluation."""

from __future__ import annotations

from typing import Any

import moocore
import numpy as np

from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.algorithms.growing_array import GrowingArray
from anonopt.measures.fronts.non_dominated import front_rows


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
    seconds : float array (n,), read-only
        Time from the start of the run until each was evaluated.
    """

    def __init__(self, *, keeps_genomes: bool = True) -> None:
        self._F, self._G, self._CV, self._seconds = (GrowingArray() for _ in range(4))
        self._genomes = GrowingArray() if keeps_genomes else BestGenomes()

    def extend(
        self, X: AnyArray, F: FloatArray, G: FloatArray, CV: FloatArray, seconds: FloatArray
    ) -> None:
        """Append solutions; shapes as in the attributes."""
        if isinstance(self._genomes, BestGenomes):
            self._genomes.add(X, F, CV)
        else:
            self._genomes.extend(X)
        columns = (self._F, self._G, self._CV, self._seconds)
        for column, rows in zip(columns, (F, G, CV, seconds), strict=True):
            column.extend(rows)

    def best(self) -> tuple[IntArray, AnyArray]:
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
    def X(self) -> AnyArray | None:
        """Genomes, an array (n, n_var); None if they are not kept."""
        return None if isinstance(self._genomes, BestGenomes) else self._genomes.view()

    @property
    def F(self) -> FloatArray:
        """Minimized objectives, an array (n, n_obj)."""
        return self._F.view()

    @property
    def G(self) -> FloatArray:
        """Constraints, an array (n, n_constr)."""
        return self._G.view()

    @property
    def CV(self) -> FloatArray:
        """Constraint violations, an array (n,)."""
        return self._CV.view()

    @property
    def seconds(self) -> FloatArray:
        """Time from the start of the run until each was evaluated, an array (n,)."""
        return self._seconds.view()


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
        self._X: list[AnyArray] = []
        self._F = np.empty((0, 0))
        self._least_violation = np.inf
        self._n_seen = 0

    def add(self, X: AnyArray, F: FloatArray, CV: FloatArray) -> None:
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

    def genomes(self) -> AnyArray:
        """Genomes of the rows, an array (n_best, n_var)."""
        return np.array(self._X)

    def _insert(self, rows: IntArray, genomes: list[Any], F: FloatArray) -> None:
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
