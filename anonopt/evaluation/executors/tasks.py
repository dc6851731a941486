"""Tasks on an executor: few handed in at a time, those that are lost handed in again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from anonopt.evaluation.executors.connection import Connection, Task
from anonopt.evaluation.executors.contents import Reply

Key = TypeVar("Key", bound=Hashable)

AHEAD = 2
"""Tasks a worker that are handed in at a time: few are lost with a process that dies."""

MOST_LOSSES = 10
"""Times that a task is lost until it is given up."""

SECONDS_AFTER_LOSS = 0.1
"""Pause after a task is lost, times how often it was: a scheduler learns late which workers died,
and is sent nothing for those until then."""

SECONDS_BETWEEN_LOOKS = 1
"""How often tasks are looked at of which nothing is heard."""

MOST_LOOKS = 20
"""After so many without a scheduler, it is given up."""


class DiedError(Exception):
    """The executor broke; `keys` are of tasks that may have been running."""

    def __init__(self, keys: list[Any]) -> None:
        super().__init__(keys)
        self.keys = keys


@dataclass(frozen=True)
class _Running(Generic[Key]):
    key: Key
    task: Task
    sent: Any


def as_they_end(
    tasks: Iterable[tuple[Key, Task]], connection: Connection, *, ahead: int
) -> Iterator[tuple[Key, Future[Any] | None]]:
    """Hand in tasks, and yield each as it ends.

    A task that dask lost with its worker, or with what the worker had been sent, is handed in
    again, and what it needs is sent again. One that raised is yielded as it is.

    Parameters
    ----------
    tasks : iterable of (key, Task)
        Each taken when there is room for it.
    connection : Connection
    ahead : int
        How many are handed in at a time.

    Yields
    ------
    key : hashable
    future : Future or None
        None if it was lost ten times.

    Raises
    ------
    DiedError
        If the executor takes no further tasks; what had ended is yielded before.
    """
    left, again, losses = iter(tasks), list[tuple[Key, Task, bool]](), Counter[Key]()
    running: dict[Future[Any], _Running[Key]] = {}
    try:
        while True:
            while len(running) < ahead:
                chosen = again.pop() if again else next(left, None)
                if chosen is None:
                    break
                key, task = chosen[:2]
                future, sent = connection.submit(task, is_lacking=len(chosen) > 2 and chosen[2])
                running[future] = _Running(key, task, sent)
            if not running:
                return
            for future in _ended(running, connection):
                one = running[future]
                is_lost = _is_lost(future)
                del running[future]
                if is_lost:
                    connection.send_again(one.task.content, one.sent)
                    losses[one.key] += 1
                    time.sleep(SECONDS_AFTER_LOSS * losses[one.key])
                    if losses[one.key] == MOST_LOSSES:
                        yield one.key, None
                    else:
                        again.append((one.key, one.task, False))
                elif future.exception() is not None or _is_answered(future):
                    yield one.key, future
                else:
                    again.append((one.key, one.task, True))
    except BrokenExecutor as error:
        finished = {
            one.key: future
            for future, one in running.items()
            if future.done() and not future.cancelled() and _is_answered(future)
        }
        yield from finished.items()
        keys = [one.key for one in running.values() if one.key not in finished]
        raise DiedError(keys) from error
    finally:
        for future in running:
            future.cancel()


def _ended(running: Collection[Future[Any]], connection: Connection) -> Collection[Future[Any]]:
    """Those that have ended, once there is one.

    Raises
    ------
    BrokenExecutor
        If a client of dask has no scheduler any more.
    """
    looks = 0
    while looks < MOST_LOOKS:
        ended, _ = wait(running, timeout=SECONDS_BETWEEN_LOOKS, return_when=FIRST_COMPLETED)
        # Nobody is told of those that an executor cancels when it is shut down.
        if ended := ended or {future for future in running if future.done()}:
            return ended
        looks = 0 if connection.is_connected else looks + 1
    seconds = MOST_LOOKS * SECONDS_BETWEEN_LOOKS
    raise BrokenExecutor(f"the client of dask has had no scheduler for {seconds} seconds")


def _is_lost(future: Future[Any]) -> bool:
    """Whether the executor lost a task.

    Raises
    ------
    BrokenExecutor
        If it takes no further ones.
    """
    error = None if future.cancelled() else future.exception()
    if isinstance(error, BrokenExecutor):
        raise error
    return future.cancelled() or isinstance(error, CancelledError)


def _is_answered(future: Future[Any]) -> bool:
    """Whether a task has come to a result, and no worker lacked what it needs."""
    return future.exception() is None and future.result() is not Reply.NOT_HERE
