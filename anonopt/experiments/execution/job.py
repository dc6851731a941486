"""One run of an experiment, as a worker does it."""

from __future__ import annotations

import pickle
import platform
import time
import traceback
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.grid.entries import AlgorithmEntry
from anonopt.experiments.store.store import RunRow
from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.result import Result
from anonopt.runs.saving.saved_run import installed_versions
from anonopt.runs.solve import solve

DONE = "done"
FAILED = "failed"
OUT_OF_TIME = "out of time"
OUT_OF_MEMORY = "out of memory"


@dataclass(frozen=True)
class Job:
    """One run.

    Attributes
    ----------
    problem : str
        Key of the problem among those that the worker has.
    algorithm : AlgorithmEntry
    seed : int
    budget : Budget
    time_limit : float or None
        Seconds of wall time; a run that needs more is ended after a generation, and has failed.
    memory_limit : int or None
        Bytes that the worker may have at most, where the system can bound them.
    """

    problem: str
    algorithm: AlgorithmEntry
    seed: int
    budget: Budget
    time_limit: float | None
    memory_limit: int | None


_PROBLEMS: dict[str, AnonymizationProblem] = {}
"""Of this process, by digest: sent once, however many runs there are."""


def receive(pickled: dict[str, bytes]) -> None:
    """Take the problems in; of an executor of one's own once a worker."""
    for digest, content in pickled.items():
        if digest not in _PROBLEMS:
            _PROBLEMS[digest] = pickle.loads(content)


def keep(problems: dict[str, AnonymizationProblem]) -> None:
    """Take problems of this process as they are."""
    _PROBLEMS.update(problems)


def run_job(job: Job, pickled: dict[str, bytes] | None = None) -> RunRow:
    """Run, and tell how it went; what goes wrong becomes part of the answer.

    Parameters
    ----------
    job : Job
    pickled : dict, optional
        The problem, where the executor has no way to send it before.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        if pickled is not None:
            receive(pickled)
        problem = _PROBLEMS[job.problem]
        bound_memory(job.memory_limit)
        clock = Clock(job.budget.seconds, job.time_limit)
        result = _solved(problem, job, clock)
    except MemoryError:
        return _failure(OUT_OF_MEMORY, wall, cpu)
    except Exception:
        return _failure(FAILED, wall, cpu)
    status = OUT_OF_TIME if clock.is_over_limit else DONE
    return _row(result, status, wall, cpu)


def _solved(problem: AnonymizationProblem, job: Job, clock: Clock) -> Result:
    budget = job.budget
    return solve(
        problem,
        job.algorithm.make(problem),
        budget=budget.evaluations,
        test_budget=budget.tests,
        termination=None if budget.generations is None else ("n_gen", budget.generations),
        seed=job.seed,
        callback=clock if clock.has_bound else None,
    )


class Clock:
    """Ends a run after the generation in which its time is over.

    Parameters
    ----------
    budget : float or None
        Seconds that belong to the experiment.
    limit : float or None
        Seconds after which something is wrong.
    """

    def __init__(self, budget: float | None, limit: float | None) -> None:
        self._started = time.perf_counter()
        self._budget, self._limit = budget, limit
        self.is_over_limit = False

    @property
    def has_bound(self) -> bool:
        """Whether there is anything to look at."""
        return self._budget is not None or self._limit is not None

    def __call__(self, algorithm: Any) -> None:
        """Look at the time, after a generation."""
        seconds = time.perf_counter() - self._started
        self.is_over_limit = self._limit is not None and seconds >= self._limit
        if self.is_over_limit or (self._budget is not None and seconds >= self._budget):
            algorithm.termination.terminate()


def bound_memory(limit: int | None) -> None:
    """Let the system refuse this process more memory than `limit` bytes; None changes nothing."""
    if limit is None:
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _row(result: Result, status: str, wall: float, cpu: float) -> RunRow:
    record = result.algorithm.run_evaluator.record
    return RunRow(
        status=status,
        message=result.message,
        trace="",
        objectives=np.array(record.F),
        feasible=np.array(record.CV <= 0),
        seconds=np.array(record.seconds),
        front_objectives=result.F,
        front_genomes=result.X,
        n_evaluations=result.n_evaluations,
        n_unique=result.n_unique,
        n_tests=result.n_tests,
        proven=result.proven,
        wall_seconds=time.perf_counter() - wall,
        cpu_seconds=time.process_time() - cpu,
        machine=platform.node(),
        versions=installed_versions(),
    )


def died_row() -> RunRow:
    """A run whose process died, such as one that the system stopped for its memory."""
    message = "its process died each time it was run"
    return _without_evaluations(FAILED, message, "", seconds=0.0, cpu_seconds=0.0)


def _failure(status: str, wall: float, cpu: float) -> RunRow:
    """A run with the trace of the exception that is being handled."""
    trace = traceback.format_exc()
    return _without_evaluations(
        status,
        trace.strip().splitlines()[-1],
        trace,
        seconds=time.perf_counter() - wall,
        cpu_seconds=time.process_time() - cpu,
    )


def _without_evaluations(
    status: str, message: str, trace: str, *, seconds: float, cpu_seconds: float
) -> RunRow:
    return RunRow(
        status=status,
        message=message,
        trace=trace,
        objectives=np.empty((0, 0)),
        feasible=np.empty(0, dtype=np.bool_),
        seconds=np.empty(0),
        front_objectives=np.empty((0, 0)),
        front_genomes=np.empty((0, 0), dtype=np.int64),
        n_evaluations=0,
        n_unique=0,
        n_tests=0,
        proven=False,
        wall_seconds=seconds,
        cpu_seconds=cpu_seconds,
        machine=platform.node(),
        versions=installed_versions(),
    )
