"""Searches that lay out their solutions in batches, whatever the objectives say of them."""

from __future__ import annotations

import operator
from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.termination import Termination
from pymoo.util.display.multi import MultiObjectiveOutput


class BatchSearch(Algorithm):
    """Base class: hand out one batch after the other, keep the best, end after the last.

    The optimum is the non-dominated set of everything seen so far, or the least infeasible
    solution while nothing is feasible. Subclasses implement :meth:`_start` and :meth:`_batch`.

    Parameters
    ----------
    batch_size : int
        Most genomes in a batch, at least 1.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search before its last batch.

    Raises
    ------
    ValueError
        If the batch size is below 1, or, when the search is set up, the problem's genomes are
        not integers with bounds.
    """

    def __init__(
        self,
        *,
        batch_size: int,
        termination: Termination | tuple[Any, ...] | None,
    ) -> None:
        super().__init__(termination=termination, output=MultiObjectiveOutput())
        self.batch_size = operator.index(batch_size)
        if self.batch_size < 1:
            raise ValueError(f"expected a batch size of at least 1; found {batch_size}")
        self.n_left = 0

    @abstractmethod
    def _start(self, problem: Problem) -> int:
        """Prepare the order of the genomes; returns how many there are."""

    @abstractmethod
    def _batch(self, n_genomes: int) -> npt.NDArray[np.int64]:
        """Return the next genomes, an array (n_genomes, n_var)."""

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        self.n_left = self._start(problem)

    def _infill(self) -> Population:
        n_genomes = min(self.batch_size, self.n_left)
        self.n_left -= n_genomes
        return Population.new("X", self._batch(n_genomes))

    def _initialize_infill(self) -> Population:
        return self._infill()

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self._advance(infills)

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = Population.merge(self.opt, infills)
        if self.n_left == 0:
            self.termination.terminate()
