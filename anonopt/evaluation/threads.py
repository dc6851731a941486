"""Work that threads share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import TypeVar, cast

Task = TypeVar("Task")


def in_threads(tasks: Iterable[Task], work: Callable[[Task], None], *, workers: int) -> None:
    """Work on tasks, each taken when a thread is free for it; the first error ends all.

    The thread that calls is one of the workers: another one would have to be started, and waited
    for.

    Examples
    --------
    >>> done = []
    >>> in_threads(range(3), done.append, workers=2)
    >>> sorted(done)
    [0, 1, 2]
    """
    if workers <= 1:
        for task in tasks:
            work(task)
        return
    left, lock, ended, nothing = iter(tasks), Lock(), Event(), object()

    def take_on() -> None:
        try:
            while not ended.is_set():
                with lock:
                    task = next(left, nothing)
                if task is nothing:
                    return
                work(cast(Task, task))
        finally:
            # Nothing is left, or there was an error or an interruption.
            ended.set()

    with ThreadPoolExecutor(workers - 1) as pool:
        futures = [pool.submit(take_on) for _ in range(workers - 1)]
        take_on()
        for future in futures:
            future.result()
