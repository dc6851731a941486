"""Jobs on an executor: processes of our own, this process, or one that is handed in."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

from anonopt.experiments.execution.job import Job, died_row, keep, receive, run_job
from anonopt.experiments.store.store import RunRow
from anonopt.problems.base import AnonymizationProblem

Key = TypeVar("Key")

AHEAD = 2
"""Jobs a worker that are handed in at a time: few are lost with a process that dies."""

MAX_DEATHS = 3
"""A job that was running whenever so many processes died in a row is taken to be the reason."""


def run_here(
    jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem]
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs in this process, one after the other, in their order."""
    keep(dict(problems))
    for key, job in jobs.items():
        yield key, run_job(job)


def run_in_processes(
    jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem], *, workers: int
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs in processes; each gets the problems once. They come back as they end.

    A process that dies takes the jobs with it that were running: they are run again, and a job
    that was among them three times in a row is told as failed.
    """
    pickled = pickled_problems(problems)
    waiting, deaths = dict(jobs), dict.fromkeys(jobs, 0)
    while waiting:
        # After a death those that may be to blame come alone, one at a time.
        suspects = {key: job for key, job in waiting.items() if deaths[key]}
        n_workers = 1 if suspects else workers
        # Threads of numerical libraries do not survive a fork.
        pool = ProcessPoolExecutor(
            n_workers,
            mp_context=get_context("spawn"),
            initializer=_begin,
            initargs=(pickled,),
        )
        try:
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
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def run_on(
    executor: Executor, jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem]
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs on an executor that was handed in. They come back as they end.

    Dask keeps the problems on its workers; any other executor gets one with each job.
    """
    pickled = pickled_problems(problems)
    sent = {digest: _sent(executor, {digest: content}) for digest, content in pickled.items()}
    workers = getattr(executor, "_max_workers", None) or 8
    yield from _as_they_end(jobs, executor, ahead=AHEAD * int(workers), sent=sent)


def pickled_problems(problems: Mapping[str, AnonymizationProblem]) -> dict[str, bytes]:
    """Problems as bytes.

    Raises
    ------
    TypeError
        If one cannot be pickled, such as one with a lambda in it.
    """
    found = {}
    for digest, problem in problems.items():
        try:
            found[digest] = pickle.dumps(problem)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(
                f"problem {problem.name()}: expected one that other processes can be sent, found "
                f"{error} (functions of a module can be sent; or use workers=0)"
            ) from error
    return found


def _sent(executor: Executor, content: dict[str, bytes]) -> Any:
    client = getattr(executor, "_client", None)
    if client is None:
        return content
    return client.scatter(content, broadcast=True, hash=False)


def _begin(pickled: dict[str, bytes]) -> None:
    """Set up a process: one thread a kernel, as many processes as cores share the machine."""
    try:
        import numba
    except ImportError:
        pass
    else:
        numba.set_num_threads(1)
    receive(pickled)


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
    sent: Mapping[str, Any] | None = None,
) -> Iterator[tuple[Key, RunRow]]:
    """Hand in jobs, `ahead` of them at a time; `sent` has what goes with each problem's jobs."""
    left = iter(list(jobs.items()))
    running: dict[Future[RunRow], Key] = {}
    try:
        while True:
            while len(running) < ahead and (following := next(left, None)) is not None:
                key, job = following
                content = None if sent is None else sent[job.problem]
                running[executor.submit(run_job, job, content)] = key
            if not running:
                return
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                row = future.result()
                yield running.pop(future), row
    except BrokenProcessPool as error:
        finished = [
            (key, future.result())
            for future, key in running.items()
            if future.done() and not future.cancelled() and future.exception() is None
        ]
        yield from finished
        lost = [key for key in running.values() if key not in dict(finished)]
        raise _DiedError(lost) from error
    finally:
        for future in running:
            future.cancel()
