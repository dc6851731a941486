"""The front of class size k, a loss and maybe a third measure: one bounded search after the other.

The epsilon-constraint method (Y. Y. Haimes, L. S. Lasdon, D. A. Wismer, *On a Bicriterion
Formulation of the Problems of Integrated System Identification and System Optimization*, IEEE
Transactions on Systems, Man, and Cybernetics 1, 1971): one objective is minimized, the others
are bounded, and the bounds are tightened until nothing is left.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray, IntArray
from anonopt.optima.front_goals import FrontGoals
from anonopt.optima.known_nodes import KnownNodes
from anonopt.optima.size_sweep import SizeSweep

Measured = Callable[[IntArray], tuple[FloatArray, bool]]
"""Minimized objectives of a node, (n_obj,), and whether it meets the constraints."""


class FrontSearch:
    """Find every point of the front, and prove that there is no other.

    Parameters
    ----------
    goals : FrontGoals
        Which objective is what, and the nodes that are searched.
    measured : callable
        Minimized objectives of a node, and whether it is feasible.
    workers : int
        Threads; all results are the same for any number.

    Attributes
    ----------
    known : KnownNodes
        Feasible nodes that were met.
    n_tests : int
        Tests of nodes for their rows in small classes.

    Notes
    -----
    A third objective has to be one that never gets worse when a level is raised. Its bound is
    tightened from sweep to sweep: a sweep is the front of k and loss among the nodes within the
    bound, and the next bound is what the worst node of that front just misses.
    """

    def __init__(self, goals: FrontGoals, measured: Measured, *, workers: int = 1) -> None:
        self._goals, self._measured, self._workers = goals, measured, workers
        self.known = KnownNodes(goals)
        self._add(goals.top)
        self._best: list[IntArray] = []
        # The top node is what every search of nodes evaluates first.
        self._returned = {goals.top.tobytes()}
        self._floors: dict[int, float] = {}
        self._n_tests = 0
        self.is_finished = False
        self._sweep = self._begin(np.inf)

    @property
    def n_tests(self) -> int:
        """Tests made so far."""
        return self._n_tests + self._sweep.n_tests

    @property
    def n_returned(self) -> int:
        """Nodes that `new_nodes` returned so far."""
        return len(self._returned)

    @property
    def gap(self) -> float:
        """Largest loss that any point can still be better than the best known; 0 is a proof."""
        if self.is_finished:
            return 0.0
        return float(self.gaps()["gap"].max())

    def gaps(self) -> pd.DataFrame:
        """What is known and what is proven for each least class size that was asked for.

        Returns
        -------
        DataFrame
            ``k``: the least class size asked for, up to that of the next row; ``incumbent``: the
            least loss known of it; ``bound``: no node is better; ``gap``: their difference. With a
            third objective they are of the bound on it that the search has come to, and the
            incumbents are those of the tightest bound.
        """
        tightest = min(self._sweep.limit, self.known.least_third)
        return self._sweep.gaps(self._sweep.limit if self._goals.third_at is None else tightest)

    def advance(self, *, tests: int | None = None, seconds: float | None = None) -> None:
        """Search on for a while.

        Parameters
        ----------
        tests : int, optional
            Most tests that may be made.
        seconds : float, optional
            After which to stop.

        Raises
        ------
        NoTestLeft
            If a further test would have to be made; what is known stays true.
        """
        self._sweep.advance(tests=tests, seconds=seconds)
        if not self._sweep.is_finished:
            return
        limit = self._next_limit()
        if self._goals.third_at is None or limit < self.known.least_third:
            self.is_finished = True
            return
        self._n_tests += self._sweep.n_tests
        self._best += self._sweep.best_nodes()
        self._floors = self._sweep.optima()
        self._sweep = self._begin(limit)

    def new_nodes(self) -> IntArray:
        """Best nodes known, one for each class size that was asked for, not returned before.

        Returns
        -------
        int64 array (n, n_quasi_identifiers)
        """
        best = [*self._best, *self._sweep.best_nodes()]
        new = {node.tobytes(): node for node in best if node.tobytes() not in self._returned}
        self._best = []
        self._returned.update(new)
        return np.array(list(new.values()), dtype=np.int64).reshape(-1, len(self._goals.top))

    def _begin(self, limit: float) -> SizeSweep:
        return SizeSweep(
            self._goals,
            self.known,
            self._add,
            limit=limit,
            floors=self._floors,
            workers=self._workers,
        )

    def _next_limit(self) -> float:
        """The third objective that the worst of the sweep's best nodes just misses."""
        if self._goals.third_at is None:
            return -np.inf
        return float(np.nextafter(self._sweep.worst_third(), -np.inf))

    def _add(self, node: IntArray) -> FloatArray | None:
        """Objectives of a node, which is known from now on; None if it is not feasible."""
        F, is_feasible = self._measured(node)
        if not is_feasible:
            return None
        self.known.add(node, F)
        return F
