"""Searches that lay out their solutions in batches, whatever the objectives say of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.util.optimum import filter_optimum

from anonopt._checks import check_integer
from anonopt._typing import AnyArray
from anonopt.algorithms.base import Search
from anonopt.algorithms.late_individuals import LateIndividuals, RowEvaluator


class BatchSearch(Search):
    """Base class: hand out one batch after the other, keep the best, end after the last.

    The optimum is the non-dominated set of everything seen so far, or the least infeasible
    solution while nothing is feasible. Subclasses implement :meth:`_start` and :meth:`_batch`.
    Where the evaluator takes genomes that are no individuals, individuals are made of the best,
    and of the others when somebody reads ``pop`` or ``off``.

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
    _pop: Population | LateIndividuals | None
    _off: Population | LateIndividuals | None

    def __init__(self, *, batch_size: int, **options: Any) -> None:
        self._opt_before: Population | None = None
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

    @property
    def pop(self) -> Population | None:
        """The optimum before the last batch, and the batch."""
        if isinstance(self._pop, LateIndividuals):
            self._pop = Population.merge(self._opt_before, self._pop.population())
        return self._pop

    @pop.setter
    def pop(self, population: Population | LateIndividuals | None) -> None:
        """Set it; pymoo does, too."""
        self._pop = population

    @property
    def off(self) -> Population | None:
        """The last batch."""
        if isinstance(self._off, LateIndividuals):
            self._off = self._off.population()
        return self._off

    @off.setter
    def off(self, population: Population | LateIndividuals | None) -> None:
        """Set it; pymoo does, too."""
        self._off = population

    def next(self) -> None:
        """Evaluate the next batch."""
        evaluator = self.evaluator
        if not (
            isinstance(evaluator, RowEvaluator)
            and evaluator.takes_rows(self.problem)
            and self.archive is None
            and not self.save_history
        ):
            super().next()
            return
        if not self.is_initialized:
            self._initialize()
        X = self._next_genomes()
        values = evaluator.eval_rows(self.problem, X, measured_by=self._measured_by, algorithm=self)
        self.advance(infills=LateIndividuals(X, values, self.n_iter))

    @property
    def _measured_by(self) -> Problem:
        """The problem, or one that finds the same values another way."""
        return self.problem

    def _next_genomes(self) -> AnyArray:
        n_genomes = self.batch_size if self.n_left is None else min(self.batch_size, self.n_left)
        if self.n_left is not None:
            self.n_left -= n_genomes
        return self._batch(n_genomes)

    def _infill(self) -> Population:
        return Population.new("X", self._next_genomes())

    def _advance(self, infills: Population | LateIndividuals | None = None, **kwargs: Any) -> None:
        if isinstance(infills, LateIndividuals):
            self._opt_before, self.pop = self.opt, infills
        else:
            self.pop = Population.merge(self.opt, infills)
        if self.n_left == 0:
            self.termination.terminate()

    def _set_optimum(self) -> None:
        if isinstance(self._pop, LateIndividuals):
            best = Population.merge(self._opt_before, self._pop.best())
            self.opt = filter_optimum(best, least_infeasible=True)
        else:
            super()._set_optimum()
