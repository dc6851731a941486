"""How long work tells how far it is: a function that takes the share that is done, 0..1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[float], None]


def as_progress(on_progress: Progress | None) -> Progress:
    """The function given, or one that does nothing.

    Examples
    --------
    >>> as_progress(None)(0.5)
    """
    return on_progress if on_progress is not None else _ignored


def _ignored(share: float) -> None:
    """Nobody wants to know."""


def part(on_progress: Progress, start: float, end: float) -> Progress:
    """What a part of the work calls with the share of itself that is done.

    Parameters
    ----------
    on_progress : callable
        Of the whole work.
    start, end : float
        Shares of the whole before and after the part.

    Examples
    --------
    >>> part(print, 0.25, 0.75)(0.5)
    0.5
    """
    return lambda share: on_progress(start + (end - start) * share)


_told: ContextVar[Progress] = ContextVar("told", default=_ignored)


@contextmanager
def telling(on_progress: Progress | None) -> Iterator[None]:
    """Within the block, whom :func:`told` names; so masking methods need no parameter for it."""
    token = _told.set(as_progress(on_progress))
    try:
        yield
    finally:
        _told.reset(token)


def told() -> Progress:
    """The function that is told of progress where nobody hands one over.

    Examples
    --------
    >>> with telling(print):
    ...     told()(0.25)
    0.25
    """
    return _told.get()


@contextmanager
def stage(start: float, end: float) -> Iterator[None]:
    """Within the block, what is told is the progress of a part of the work.

    Parameters
    ----------
    start, end : float
        Shares of the whole before and after the part.

    Examples
    --------
    >>> with telling(print), stage(0.5, 1.0):
    ...     told()(0.5)
    0.75
    """
    with telling(part(told(), start, end)):
        yield
