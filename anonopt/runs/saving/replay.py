"""Repeat a run without measuring anything twice: its answers come from a record.

A run is decided by its problem, algorithm and seed. Advancing the algorithm again from its seed,
with the measured values at hand, leads to the very state it was in, for the cost of the
framework alone; from there it goes on as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators.duplicates import key_digest
from anonopt.runs.memory import VALUES, MemoizingEvaluator


class ReplayError(ValueError):
    """The algorithm does not repeat the run on record."""


class ReplayingEvaluator(MemoizingEvaluator):
    """Answer the first distinct genomes from a record, and evaluate those after it.

    Parameters
    ----------
    X : array (n, n_var)
        Genomes in the order they were evaluated in.
    answers : mapping of str to array (n, ...)
        What was measured of them.
    digested : bool
        Whether `X` holds digests of the genomes' keys instead, uint8 (n, 16).
    budget : int, optional
        As in :class:`MemoizingEvaluator`; answers from the record count.

    Raises
    ------
    ValueError
        If the budget is below 1.
    ReplayError
        While it runs, if the algorithm asks for other genomes than the recorded ones, or for
        the same in another order.
    """

    def __init__(
        self,
        X: npt.NDArray[Any],
        answers: Mapping[str, npt.NDArray[Any]],
        *,
        digested: bool = False,
        budget: int | None = None,
    ) -> None:
        super().__init__(budget=budget)
        self._recorded = X
        self._digested = digested
        self._answers = answers

    def _measure(self, problem: Problem, pop: Population, **kwargs: Any) -> None:
        start = len(self.record)
        stop = min(start + len(pop), len(self._recorded))
        n_recorded = max(stop - start, 0)
        if n_recorded > 0:
            replayed = pop[:n_recorded]
            self._check_genomes(problem, replayed, start)
            recalled = {name: values[start:stop] for name, values in self._answers.items()}
            Evaluator._eval(self, _Recalled(recalled), replayed, list(VALUES))
        if n_recorded < len(pop):
            super()._measure(problem, pop[n_recorded:], **kwargs)

    def _check_genomes(self, problem: Problem, pop: Population, start: int) -> None:
        X = self._digests(problem, pop) if self._digested else pop.get("X")
        recorded = self._recorded[start : start + len(X)]
        differs = np.any(X != recorded, axis=1)
        if differs.any():
            row = int(np.argmax(differs))
            kind = "digest" if self._digested else "genome"
            raise ReplayError(
                f"expected {kind} {recorded[row].tolist()} as evaluation {start + row + 1}, "
                f"found {X[row].tolist()}"
            )

    def _digests(self, problem: Problem, pop: Population) -> npt.NDArray[np.uint8]:
        digests = [key_digest(problem.space.key(individual.X)) for individual in pop]
        return np.array([np.frombuffer(digest, dtype=np.uint8) for digest in digests])


class _Recalled:
    """Stands in for a problem whose values are known."""

    def __init__(self, answers: Mapping[str, npt.NDArray[Any]]) -> None:
        self._answers = answers

    def evaluate(self, X: npt.NDArray[Any], **kwargs: Any) -> dict[str, npt.NDArray[Any]]:
        """Return the known values of the population, by name."""
        return dict(self._answers)
