"""Jobs on an executor: processes of our own, this process, or one that is handed in."""

from __future__ import annotations

import os
import pickle
import threading
import traceback
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from anonopt.experiments.execution.job import Job, died_row, kept, lost_row, receive, run_job
from anonopt.experiments.store.rows import RunRow
from anonopt.problems.base import AnonymizationProblem

Key = TypeVar("Key")

AHEAD = 2
"""Jobs a worker that are handed in at a time: few are lost with a process that dies."""

MAX_DEATHS = 3
"""A job that was running whenever so many processes died in a row is taken to be the reason."""

UNKNOWN_WORKERS = 8
"""Taken for an executor that does not tell how many it has."""


def run_here(
    jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem]
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs in this process, one after the other, in their order."""
    with kept(dict(problems)):
        for key, job in jobs.items():
            yield key, run_job(job)


def run_in_processes(
    jobs: Mapping[Key, Job], problems: Mapping[str, AnonymizationProblem], *, workers: int
) -> Iterator[tuple[Key, RunRow]]:
    """Run jobs in processes; each gets the problems once. They come back as they end.

    A process that dies takes the jobs with it that were running: they are run again, and a job
    that was among them three times in a row is told as failed.
    """
    with _laid_down(pickled_problems(problems)) as places:
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
                initargs=(places,),
            )
            try:
                _check_begins(pool)
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


@contextmanager
def _laid_down(pickled: dict[str, bytes]) -> Iterator[dict[str, Path]]:
    """Files of a folder of this process, in which others find the problems they need.

    What is handed to a process as it begins goes through a pipe, and where that process dies
    before it reads, the write of more than a pipe holds would wait for ever.
    """
    with TemporaryDirectory(prefix="anonopt-") as folder:
        places = {digest: Path(folder, str(i)) for i, digest in enumerate(pickled)}
        for digest, path in places.items():
            path.write_bytes(pickled[digest])
        yield places


def _check_begins(pool: ProcessPoolExecutor) -> None:
    """Tell processes that cannot begin from one that dies of its job."""
    try:
        pool.submit(_ready).result()
    except BrokenExecutor as error:
        raise BrokenExecutor(
            "workers: expected processes that can begin, found that they end at once (a script "
            'needs its lines below if __name__ == "__main__":, as each process reads it again; or '
            "use workers=0)"
        ) from error


def _ready() -> None:
    """Nothing, for a process to do."""


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
    >>> workers_of(ProcessPoolExecutor(3))
    3
    """
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, int(sum(client.ncores().values())))
    # The second is that of mpi4py.
    told = getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return int(told or UNKNOWN_WORKERS)


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


def check_sendable(jobs: Iterable[Job]) -> None:
    """Refuse algorithms that other processes cannot be sent, such as those with a lambda in them.

    Raises
    ------
    TypeError
        If there is one.
    """
    for entry in {id(job.algorithm): job.algorithm for job in jobs}.values():
        try:
            pickle.dumps(entry)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(
                f"algorithm {entry.name!r}: expected one that other processes can be sent, found "
                f"{error} (functions of a module can be sent; or use workers=0)"
            ) from error


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


def _begin(places: dict[str, Path]) -> None:
    """Set up a process: one thread a kernel, as many processes as cores share the machine."""
    try:
        import numba
    except ImportError:
        pass
    else:
        numba.set_num_threads(1)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    receive(places)


def _end_with_parent() -> None:
    """End this process when the one is killed that it works for, which cannot tell it."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _DiedError(Exception):
    """A process died; `keys` are of jobs that may have been running."""

    def __init__(self, keys: list[Any]) -> None:
        super().__init__(keys)
        self.keys = keys


def _as_they_end(
    jobs: Mapping[Key, Job], executor: Executor, *, ahead: int, sent: _Sent | None = None
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
