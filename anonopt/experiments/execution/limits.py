"""Limits of a run: seconds and bytes, after which something is wrong with it."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from anonopt._checks import check_integer, check_number

MOST_SECONDS = 1e9
"""Thirty years: alarms of systems count little more."""

AGAIN_SECONDS = 0.5
"""After which an alarm comes again that ended nothing."""

COMPILERS = ("numba.", "llvmlite.")
"""Modules that are at work while a function is compiled, and not while it runs."""


class BrokenOffError(RuntimeError):
    """A run went on for twice its limit of time."""


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


@contextmanager
def bounded_time(limit: float | None) -> Iterator[None]:
    """Raise `BrokenOffError` after twice the limit; where a thread cannot be told, nothing does.

    A module that is being imported then is imported to its end before, and a function that is
    being compiled is compiled.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if limit is None or not is_main or not hasattr(signal, "setitimer"):
        yield
        return

    # Between here and there is the frame of contextlib.
    whose = sys._getframe(2)
    has_ended = False

    def break_off(_: int, frame: FrameType | None) -> None:
        # A module or compiler that is left half way would break all later runs of this process.
        if has_ended or _is_loading(frame, whose):
            return
        raise BrokenOffError(f"time_limit: expected at most {limit:g} seconds, found twice as many")

    before = signal.signal(signal.SIGALRM, break_off)
    try:
        try:
            # What is raised while Python takes an object away is dropped: the next alarm ends the
            # run.
            signal.setitimer(signal.ITIMER_REAL, 2 * limit, AGAIN_SECONDS)
            yield
        finally:
            has_ended = True
    finally:
        # Reached also by an alarm that comes as the run begins or ends.
        has_ended = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _is_loading(frame: FrameType | None, outside: FrameType) -> bool:
    """Whether a frame, or one that it was called from, imports a module or compiles a function."""
    while frame is not None and frame is not outside:
        name = str(frame.f_globals.get("__name__"))
        if frame.f_code.co_filename.startswith("<frozen importlib") or name.startswith(COMPILERS):
            return True
        frame = frame.f_back
    return False


def can_bound_memory() -> bool:
    """Whether the system refuses a process more memory than it may have."""
    try:
        import resource
    except ImportError:
        return False
    return hasattr(resource, "RLIMIT_AS")


def checked_limits(
    time_limit: float | None, memory_limit: int | None
) -> tuple[float | None, int | None]:
    """Check the limits of a run: seconds above 0, and bytes where the system can bound them.

    Raises
    ------
    TypeError
        If one is no number.
    ValueError
        If one is out of its range, or the system cannot bound memory.
    """
    if time_limit is not None:
        time_limit = check_number("time_limit", time_limit, above=0)
        check_number("time_limit", time_limit, most=MOST_SECONDS)
    if memory_limit is not None:
        memory_limit = check_integer("memory_limit", memory_limit, least=1, most=sys.maxsize)
        if not can_bound_memory():
            raise ValueError(
                f"memory_limit: expected none where the system cannot bound memory, "
                f"found {memory_limit}"
            )
    return time_limit, memory_limit


@contextmanager
def bounded_memory(limit: int | None) -> Iterator[None]:
    """Let the system refuse this process more memory than `limit` bytes; None changes nothing."""
    if limit is None:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
