"""Jobs on an executor: processes of our own, this process, or one that is handed in."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Generator, Hashable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

from anonopt._checks import check_integer
from anonopt.evaluation.executors.connection import Connection, Task
from anonopt.evaluation.executors.given_executor import check_executor
from anonopt.evaluation.executors.tasks import AHEAD, DiedError, as_they_end
from anonopt.experiments.execution.job import (
    Job,
    died_row,
    job_on_worker,
    kept,
    lost_row,
    run_job,
)
from anonopt.experiments.execution.laid_down import laid_down
from anonopt.experiments.execution.processes import check_begins, pool_of
from anonopt.experiments.execution.sendable import pickled_problems
from anonopt.experiments.store.rows import RunRow
from anonopt.problems.base import AnonymizationProblem

Key = TypeVar("Key", bound=Hashable)

MAX_DEATHS = 3
"""A job that was running whenever so many processes died in a row is taken to be the reason."""


def check_place(workers: int, executor: Any, *, memory_limit: int | None) -> None:
    """Check where jobs are to be run.

    Raises
    ------
    TypeError
        If there is no whole number of workers, or the executor is none.
    ValueError
        If there are fewer than 0, or memory is limited and runs share the process of the program.
    ConnectionError
        If it is a client of dask, or its executor, that is not connected.
    """
    check_integer("workers", workers, least=0)
    check_executor(executor)
    in_here = workers == 0 if executor is None else isinstance(executor, ThreadPoolExecutor)
    if in_here and memory_limit is not None:
        raise ValueError(
            "memory_limit: expected none where runs share the process of the program, which holds "
            f"memory of its own, found {memory_limit} (use workers=1 or more)"
        )


def run_jobs(
    jobs: Mapping[Key, Job],
    problems: Mapping[str, AnonymizationProblem],
    *,
    workers: int,
    executor: Executor | None,
) -> Generator[tuple[Key, RunRow], None, None]:
    """Run jobs on an executor, or in `workers` processes; 0 is this one."""
    needed = {job.problem for job in jobs.values()}
    problems = {digest: problem for digest, problem in problems.items() if digest in needed}
    if executor is not None:
        yield from run_on(executor, jobs, problems)
    elif workers == 0:
        yield from run_here(jobs, problems)
    else:
        yield from run_in_processes(jobs, problems, workers=workers)


def run_here(
    jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem]
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs in this process, one after the other, in their order."""
    for key, job in jobs.items():
        with kept(problems):
            row = run_job(job)
        yield key, row


def run_in_processes(
    jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem], *, workers: int
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs in processes; each gets the problems once. They come back as they end.

    A process that dies takes the jobs with it that were running: they are run again, and a job
    that was among them three times in a row is told as failed.
    """
    with laid_down(pickled_problems(problems)) as places:
        waiting, deaths = dict(jobs), dict.fromkeys(jobs, 0)
        while waiting:
            # After a death those that may be to blame come alone, one at a time.
            suspects = {key: job for key, job in waiting.items() if deaths[key]}
            n_workers = 1 if suspects else workers
            try:
                with pool_of(n_workers, places) as pool:
                    check_begins(pool)
                    ahead = 1 if suspects else AHEAD * n_workers
                    tasks = {key: Task(run_job, (job,), None) for key, job in waiting.items()}
                    chosen = {key: tasks[key] for key in suspects or waiting}
                    for key, row in _rows(chosen, Connection(pool), ahead=ahead):
                        del waiting[key]
                        yield key, row
            except DiedError as died:
                for key in died.keys:
                    deaths[key] += 1
                    if deaths[key] == MAX_DEATHS:
                        del waiting[key]
                        yield key, died_row()


def run_on(
    executor: Executor, jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem]
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs on an executor that was handed in. They come back as they end.

    Its workers get each problem once. Runs that dask lost with a worker are run again.

    Raises
    ------
    BrokenExecutor
        If it takes no further jobs, such as a pool of which a process died.
    """
    connection, keys = Connection(executor), dict[str, str]()
    for digest, packed in pickled_problems(problems).items():
        # A worker may still have another problem of that name from an earlier program.
        keys[digest] = f"{digest} {hashlib.sha256(packed).hexdigest()}"
        connection.keep(keys[digest], packed)
    tasks = {
        key: Task(job_on_worker, (replace(job, problem=keys[job.problem]),), keys[job.problem])
        for key, job in jobs.items()
    }
    try:
        yield from _rows(tasks, connection, ahead=AHEAD * connection.n_workers)
    except DiedError as died:
        raise BrokenExecutor(
            f"executor: expected one that goes on, found a broken one ({died.__cause__}); runs "
            f"that ended are kept, and a new executor goes on from them"
        ) from died


def _rows(
    tasks: Mapping[Key, Task], connection: Connection, *, ahead: int
) -> Iterator[tuple[Key, RunRow]]:
    """What jobs came to, as they end."""
    for key, future in as_they_end(tasks.items(), connection, ahead=ahead):
        yield key, died_row() if future is None else _row(future)


def _row(future: Future[RunRow]) -> RunRow:
    error = future.exception()
    if error is None:
        return future.result()
    # Such as dask's, of a job that killed one worker after the other.
    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return lost_row(f"{type(error).__name__}: {error}", trace)
