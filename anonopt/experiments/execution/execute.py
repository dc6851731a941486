"""Jobs on an executor: processes of our own, this process, or one that is handed in."""

from __future__ import annotations

import traceback
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from typing import Any, TypeVar

from anonopt._checks import check_integer
from anonopt.experiments.execution.job import (
    Job,
    died_row,
    kept,
    lost_row,
    run_job,
)
from anonopt.experiments.execution.laid_down import laid_down
from anonopt.experiments.execution.processes import check_begins, pool_of
from anonopt.experiments.execution.sendable import pickled_problems
from anonopt.experiments.store.rows import RunRow
from anonopt.problems.base import AnonymizationProblem

Key = TypeVar("Key")

AHEAD = 2
"""Jobs a worker that are handed in at a time: few are lost with a process that dies."""

MAX_DEATHS = 3
"""A job that was running whenever so many processes died in a row is taken to be the reason."""

UNKNOWN_WORKERS = 8
"""Taken for an executor that does not tell how many it has."""


def check_place(workers: int, executor: Executor | None, *, memory_limit: int | None) -> None:
    """Check where jobs are to be run.

    Raises
    ------
    TypeError
        If there is no whole number of workers, or the executor is none.
    ValueError
        If there are fewer than 0, or memory is limited and runs share the process of the program.
    """
    check_integer("workers", workers, least=0)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor: expected an Executor, found {executor!r}")
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
                    for key, row in _as_they_end(suspects or dict(waiting), pool, ahead=ahead):
                        del waiting[key]
                        yield key, row
            except _DiedError as died:
                for key in died.keys:
                    deaths[key] += 1
                    if deaths[key] == MAX_DEATHS:
                        del waiting[key]
                        yield key, died_row()


def run_on(
    executor: Executor, jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem]
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs on an executor that was handed in. They come back as they end.

    Dask keeps the problems on its workers; any other executor gets one with each job.

    Raises
    ------
    BrokenExecutor
        If it takes no further jobs, such as a pool of which a process died.
    """
    sent = _Sent(executor, pickled_problems(problems))
    try:
        yield from _as_they_end(jobs, executor, ahead=AHEAD * workers_of(executor), sent=sent)
    except _DiedError as died:
        raise BrokenExecutor(
            f"executor: expected one that goes on, found a broken one ({died.__cause__}); runs "
            f"that ended are kept, and a new executor goes on from them"
        ) from died


def workers_of(executor: Executor) -> int:
    """Jobs that an executor does at a time; a guess if it does not tell.

    Examples
    --------
    >>> workers_of(ThreadPoolExecutor(3))
    3
    """
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, int(sum(client.ncores().values())))
    # The second is that of mpi4py.
    told = getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return int(told or UNKNOWN_WORKERS)


class _Sent:
    """What goes with each problem's jobs to the workers of an executor that was handed in."""

    def __init__(self, executor: Executor, pickled: dict[str, bytes]) -> None:
        self._client = getattr(executor, "_client", None)
        self._pickled = pickled
        self._on_workers: dict[str, Any] = {}

    def __getitem__(self, digest: str) -> Any:
        content = {digest: self._pickled[digest]}
        if self._client is None:
            return content
        if digest not in self._on_workers:
            (self._on_workers[digest],) = self._client.scatter(
                [content], broadcast=True, hash=False
            )
        return self._on_workers[digest]

    def send_again(self, digest: str) -> None:
        """Forget what the workers have: it dies with them."""
        self._on_workers.pop(digest, None)


class _DiedError(Exception):
    """A process died; `keys` are of jobs that may have been running."""

    def __init__(self, keys: list[Any]) -> None:
        super().__init__(keys)
        self.keys = keys


def _as_they_end(
    jobs: Mapping[Key, Job],
    executor: Executor,
    *,
    ahead: int,
    sent: _Sent | None = None,
) -> Iterator[tuple[Key, RunRow]]:
    """Hand in jobs, `ahead` of them at a time; `sent` has what goes with each problem's jobs."""
    left, losses = list(jobs.items())[::-1], dict.fromkeys(jobs, 0)
    running: dict[Future[RunRow], Key] = {}
    try:
        while left or running:
            while len(running) < ahead and left:
                key, job = left.pop()
                content = None if sent is None else sent[job.problem]
                running[executor.submit(run_job, job, content)] = key
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                row = _answer(future)
                key = running.pop(future)
                if row is None:
                    losses[key] += 1
                    if losses[key] < MAX_DEATHS:
                        if sent is not None:
                            sent.send_again(jobs[key].problem)
                        left.append((key, jobs[key]))
                        continue
                    row = died_row()
                yield key, row
    except BrokenExecutor as error:
        finished = {
            key: future.result()
            for future, key in running.items()
            if future.done() and not future.cancelled() and future.exception() is None
        }
        yield from finished.items()
        raise _DiedError([key for key in running.values() if key not in finished]) from error
    finally:
        for future in running:
            future.cancel()


def _answer(future: Future[RunRow]) -> RunRow | None:
    """What a job came to; None if the executor lost it.

    Raises
    ------
    BrokenExecutor
        If the executor takes no further jobs.
    """
    error = None if future.cancelled() else future.exception()
    if future.cancelled() or isinstance(error, CancelledError):
        return None
    if isinstance(error, BrokenExecutor):
        raise error
    if error is not None:
        # Such as dask's, of a job that killed one worker after the other.
        trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        return lost_row(f"{type(error).__name__}: {error}", trace)
    return future.result()
