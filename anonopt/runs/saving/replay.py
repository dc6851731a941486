"""Repeat a run without measuring anything twice: its answers come from a record.

A run is decided by its problem, algorithm and seed. Advancing the algorithm again from its seed,
with the measured values at hand, leads to the very state it was in, for the cost of the
framework alone; from there it goes on as if it had never stopped.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._typing import AnyArray, FloatArray
from anonopt.operators.duplicates import key_digest
from anonopt.runs.memory import VALUES, MemoizingEvaluator
from anonopt.runs.saving.saved_run import SavedRun


class ReplayError(ValueError):
    """The algorithm does not repeat the run on record."""


class ReplayingEvaluator(MemoizingEvaluator):
    """Answer the first distinct genomes from a record, and evaluate those after it.

    Parameters
    ----------
    saved : SavedRun
        The record. Its clock goes on where the run was interrupted.
    budget, archive
        As in :class:`MemoizingEvaluator`; answers from the record count, and are archived.

    Raises
    ------
    ValueError
        If the budget is below 1.
    ReplayError
        While it runs, if the algorithm asks for other genomes than the recorded ones, or for
        the same in another order.
    """

    def __init__(self, saved: SavedRun, *, budget: int | None = None, archive: Any = None) -> None:
        super().__init__(budget=budget, archive=archive)
        self._saved = saved

    def takes_rows(self, problem: Problem) -> bool:
        """No: what is on record is told to individuals."""
        return False

    def _measure(self, problem: Problem, pop: Population, **kwargs: Any) -> None:
        start, n_saved = len(self.record), len(self._saved.X)
        stop = min(start + len(pop), n_saved)
        n_recorded = max(stop - start, 0)
        if n_recorded > 0:
            replayed = pop[:n_recorded]
            self._check_genomes(replayed, start)
            recalled = {name: values[start:stop] for name, values in self._saved.answers.items()}
            Evaluator._eval(self, _Recalled(recalled), replayed, list(VALUES))
        if n_recorded < len(pop):
            if start <= n_saved:
                self._started = time.perf_counter() - self._saved.seconds.max(initial=0.0)
            super()._measure(problem, pop[n_recorded:], **kwargs)

    def _seconds(self, n: int) -> FloatArray:
        recorded = self._saved.seconds[len(self.record) :][:n]
        return np.concatenate([recorded, super()._seconds(n - len(recorded))])

    def _check_genomes(self, pop: Population, start: int) -> None:
        digested = self._saved.digested
        X = self._digests(pop) if digested else pop.get("X")
        recorded = self._saved.X[start : start + len(X)]
        differs = np.any(X != recorded, axis=1)
        if differs.any():
            row = int(np.argmax(differs))
            kind = "digest" if digested else "genome"
            raise ReplayError(
                f"expected {kind} {recorded[row].tolist()} as evaluation {start + row + 1}, "
                f"found {X[row].tolist()}"
            )

    def _digests(self, pop: Population) -> npt.NDArray[np.uint8]:
        digests = [key_digest(self._key(individual.X)) for individual in pop]
        return np.array([np.frombuffer(digest, dtype=np.uint8) for digest in digests])


class RecordedEvaluator(ReplayingEvaluator):
    """Answer from a record alone: the run ends where it asks for what is not on record.

    Parameters
    ----------
    saved : SavedRun
    budget
        As in :class:`MemoizingEvaluator`.
    """

    def _most(self) -> int | None:
        return len(self._saved.X)


class _Recalled:
    """Stands in for a problem whose values are known."""

    def __init__(self, answers: Mapping[str, AnyArray]) -> None:
        self._answers = answers

    def evaluate(self, X: AnyArray, **kwargs: Any) -> dict[str, AnyArray]:
        """Return the known values of the population, by name."""
        return dict(self._answers)
