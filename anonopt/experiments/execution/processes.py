"""Processes of our own: begun with the problems, deaf to Ctrl-C, ended with the program."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from anonopt.experiments.execution.job import receive


class _Processes(ProcessPoolExecutor):
    """Processes that do not hear of Ctrl-C: the one that began them ends them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand in a job; a process that is begun for it inherits which signals are blocked."""
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(fn, *args, **kwargs)
        # It lets through what is blocked, if it has to begin.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def pool_of(n_workers: int, places: Mapping[str, Path]) -> Iterator[_Processes]:
    """Processes that end with the block; where it is left by an exception, without their jobs."""
    # Threads of numerical libraries do not survive a fork.
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = _Processes(n_workers, mp_context=context, initializer=_begin, initargs=(places, theirs))
    try:
        yield pool
        pool.shutdown(wait=True)
    finally:
        ours.close()
        pool.shutdown(wait=True, cancel_futures=True)
        theirs.close()


def check_begins(pool: Executor) -> None:
    """Tell processes that cannot begin from one that dies of its job.

    Raises
    ------
    BrokenExecutor
        If they end at once.
    """
    try:
        pool.submit(_ready).result()
    except BrokenExecutor as error:
        file = getattr(sys.modules["__main__"], "__file__", None)
        why = (
            'a script needs its lines below if __name__ == "__main__":, as each process reads it '
            "again"
            if file is None or Path(file).exists()
            else "a program from standard input cannot be read again by each of them"
        )
        raise BrokenExecutor(
            f"workers: expected processes that can begin, found that they end at once ({why}; or "
            f"use workers=0)"
        ) from error


def _ready() -> None:
    """Nothing, for a process to do."""


def _begin(places: Mapping[str, Path], end: Connection) -> None:
    """Set up a process: one thread a kernel, as many processes as cores share the machine."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import numba
    except ImportError:
        pass
    else:
        numba.set_num_threads(1)
    threading.Thread(target=_end_with, args=(end,), daemon=True).start()
    receive(places)


def _end_with(end: Connection) -> None:
    """End this process when the one closes its end that it works for, or is killed."""
    with suppress(EOFError, OSError):
        end.recv_bytes()
    os._exit(1)
