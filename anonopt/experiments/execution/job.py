"""One run of an experiment, as a worker does it."""

from __future__ import annotations

import platform
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pymoo.core.termination import NoTermination

from anonopt.evaluation.executors.contents import Reply, unpacked
from anonopt.experiments.execution.limits import (
    BrokenOffError,
    Clock,
    bounded_memory,
    bounded_time,
)
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.grid.entries import AlgorithmEntry
from anonopt.experiments.store.rows import RunRow
from anonopt.experiments.store.schema import DONE, FAILED, OUT_OF_MEMORY, OUT_OF_TIME
from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.result import Result
from anonopt.runs.saving.saved_run import installed_versions
from anonopt.runs.solve import solve


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
        Seconds of wall time; a run that needs more is ended after a generation, and has failed. A
        generation that takes as long again is broken off, where the system has alarms.
    memory_limit : int or None
        Bytes of address space that the worker may have at most while it runs.
    """

    problem: str
    algorithm: AlgorithmEntry
    seed: int
    budget: Budget
    time_limit: float | None
    memory_limit: int | None


_PICKLED: dict[str, bytes | Path] = {}
"""Problems this process was sent, by digest: once, however many runs there are; or where each is
that its own program laid down for it."""

_HERE = threading.local()
"""Problems as objects, by digest; a thread has its own, as evaluators remember what they did."""


def receive(pickled: Mapping[str, bytes | Path]) -> None:
    """Take problems in; they are unpacked by the first run that needs them."""
    _PICKLED.update(pickled)


@contextmanager
def kept(problems: Mapping[str, AnonymizationProblem]) -> Iterator[None]:
    """Have problems of this process at hand, as they are; afterwards those that were before."""
    before = getattr(_HERE, "problems", {})
    _HERE.problems = dict(problems)
    try:
        yield
    finally:
        _HERE.problems = before


def _problem_of(digest: str) -> AnonymizationProblem:
    if not hasattr(_HERE, "problems"):
        _HERE.problems = {}
    if digest not in _HERE.problems:
        content = _PICKLED[digest]
        _HERE.problems[digest] = unpacked(
            content.read_bytes() if isinstance(content, Path) else content
        )
    problem: AnonymizationProblem = _HERE.problems[digest]
    return problem


def find_all_of(content: bytes) -> None:
    """Raise what unpacking raises in this process, such as of a class that it does not know."""
    unpacked(content)


def job_on_worker(job: Job, packed: bytes | None) -> RunRow | Reply:
    """Run in a process of an executor that was handed in.

    Parameters
    ----------
    job : Job
    packed : bytes or None
        The problem, if it was sent along.

    Returns
    -------
    RunRow or Reply
        ``Reply.NOT_HERE`` if this process was not sent the problem.
    """
    digest = job.problem
    if digest not in _PICKLED:
        if packed is None:
            return Reply.NOT_HERE
        # Of an earlier program, or of the problem as it was when that had evaluated less.
        name = digest.rpartition(" ")[0]
        for old in [one for one in _PICKLED if one.rpartition(" ")[0] == name]:
            _PICKLED.pop(old, None)
            getattr(_HERE, "problems", {}).pop(old, None)
        receive({digest: packed})
    return run_job(job)


def run_job(job: Job) -> RunRow:
    """Run, and tell how it went; what goes wrong becomes part of the answer."""
    wall, cpu = time.perf_counter(), time.process_time()
    clock = Clock(job.budget.seconds, job.time_limit)
    try:
        with bounded_memory(job.memory_limit), bounded_time(job.time_limit):
            result = _solved(_problem_of(job.problem), job, clock)
    except BrokenOffError as error:
        return _failure(OUT_OF_TIME, error, wall, cpu)
    except MemoryError as error:
        return _failure(OUT_OF_MEMORY, error, wall, cpu)
    except (Exception, SystemExit) as error:
        # Anybody's code runs here and may raise anything; it is kept with its trace, and the
        # other runs go on. Ctrl-C and the end of the process are not caught.
        return _failure(FAILED, error, wall, cpu)
    status = OUT_OF_TIME if clock.is_over_limit else DONE
    return _row(result, status, wall, cpu)


def _solved(problem: AnonymizationProblem, job: Job, clock: Clock) -> Result:
    budget = job.budget
    return solve(
        problem,
        job.algorithm.make(problem),
        budget=budget.evaluations,
        test_budget=budget.tests,
        termination=termination_of(budget),
        seed=job.seed,
        callback=clock if clock.has_bound else None,
    )


def termination_of(budget: Budget) -> Any:
    """Rule that ends a run besides its evaluations and tests; None for the algorithm's own."""
    if budget.generations is not None:
        return ("n_gen", budget.generations)
    # Seconds and tests end a run by themselves; no rule for stalled fronts comes before them.
    return NoTermination() if budget.evaluations is None else None


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
    return lost_row("its process died each time it was run")


def lost_row(message: str, trace: str = "") -> RunRow:
    """A run that ended without an answer."""
    return _without_evaluations(FAILED, message, trace, seconds=0.0, cpu_seconds=0.0)


def _failure(status: str, error: BaseException, wall: float, cpu: float) -> RunRow:
    """A run with the exception that is being handled, and its trace."""
    return _without_evaluations(
        status,
        f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": "),
        traceback.format_exc(),
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
