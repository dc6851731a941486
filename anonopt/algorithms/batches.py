"""Searches that lay out their solutions in batches, whatever the objectives say of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import AnyArray
from anonopt.algorithms.base import Search


class BatchSearch(Search):
    """Base class: hand out one batch after the other, keep the best, end after the last.

    The optimum is the non-dominated set of everything seen so far, or the least infeasible
    solution while nothing is feasible. Subclasses implement :meth:`_start` and :meth:`_batch`.

    Parameters
    ----------
    batch_size : int
        Most genomes in a batch, at least 1.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search before its last batch.

    Attributes
    ----------
    n_left : int or None
        Genomes still to come; None as long as nobody knows.

    Raises
    ------
    ValueError
        If the batch size is below 1.
    """

    n_left: int | None

    def __init__(self, *, batch_size: int, **options: Any) -> None:
        super().__init__(**options)
        self.batch_size = check_integer("batch_size", batch_size, least=1)
        self.n_left = 0

    @abstractmethod
    def _start(self, problem: Problem) -> int | None:
        """Prepare the order of the genomes; returns how many there are, None if unknown."""

    @abstractmethod
    def _batch(self, n_genomes: int) -> AnyArray:
        """Return the next genomes, an array (n_genomes, n_var)."""

    def _begin(self, problem: Problem) -> None:
        self.n_left = self._start(problem)

    def _infill(self) -> Population:
        n_genomes = self.batch_size if self.n_left is None else min(self.batch_size, self.n_left)
        if self.n_left is not None:
            self.n_left -= n_genomes
        return Population.new("X", self._batch(n_genomes))

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = Population.merge(self.opt, infills)
        if self.n_left == 0:
            self.termination.terminate()
