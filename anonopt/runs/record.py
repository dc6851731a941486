"""The record of a run: one row for every distinct solution, in the order of evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt.algorithms.best_genomes import BestGenomes
from anonopt.measures.fronts import front_rows


class GrowingArray:
    """Rows appended at the end in constant time on average.

    Examples
    --------
    >>> import numpy as np
    >>> rows = GrowingArray()
    >>> rows.extend(np.array([[1, 2], [3, 4]]))
    >>> rows.extend(np.array([[5.5, 6.0]]))
    >>> rows.view()
    array([[1. , 2. ],
           [3. , 4. ],
           [5.5, 6. ]])
    """

    def __init__(self) -> None:
        self._rows: npt.NDArray[Any] | None = None
        self._length = 0

    def extend(self, rows: npt.NDArray[Any]) -> None:
        """Append rows, an array (n, ...); the type of the whole grows to hold them."""
        length = self._length + len(rows)
        old = rows[:0] if self._rows is None else self._rows
        dtype = np.result_type(old.dtype, rows.dtype)
        if self._rows is None or length > len(old) or dtype != old.dtype:
            capacity = max(length, 2 * len(old))
            self._rows = np.empty((capacity, *rows.shape[1:]), dtype=dtype)
            self._rows[: self._length] = old[: self._length]
        self._rows[self._length : length] = rows
        self._length = length

    def view(self) -> npt.NDArray[Any]:
        """Read-only view of the rows so far, an array (n, ...)."""
        if self._rows is None:
            return np.empty(0)
        rows = self._rows[: self._length]
        rows.flags.writeable = False
        return rows

    def __len__(self) -> int:
        return self._length


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
