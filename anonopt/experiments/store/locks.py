"""Locks that end with the process that holds them, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:
    _CAN_LOCK = False
else:
    _CAN_LOCK = True


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold a lock as long as the block lasts, if nobody else does.

    Parameters
    ----------
    path : Path
        File that stands for the lock; it is there as long as the lock is held, or longer where its
        process was killed, after which anybody can have it.

    Yields
    ------
    bool
        Whether the lock is held. It always is where the system has no such locks, as on Windows.
    """
    descriptor = _taken(path) if _CAN_LOCK else None
    try:
        yield descriptor is not None or not _CAN_LOCK
    finally:
        if descriptor is not None:
            with suppress(FileNotFoundError):
                path.unlink()
            os.close(descriptor)


def _taken(path: Path) -> int | None:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_of(descriptor, path):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            return None
        os.close(descriptor)


def _is_of(descriptor: int, path: Path) -> bool:
    """Whether an open file still stands at its path: who held it before may have taken it away."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
