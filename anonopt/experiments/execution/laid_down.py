"""Files of a program in which its processes find the problems they need."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from anonopt.experiments.store.locks import locked

PREFIX = "anonopt-problems-"
LOCK = "lock"
"""File of a folder that its program holds; of a program that was killed nobody does."""

SETTLED_SECONDS = 60.0
"""Younger folders may belong to a program that is about to take its lock."""


@contextmanager
def laid_down(pickled: Mapping[str, bytes]) -> Iterator[dict[str, Path]]:
    """Lay problems down in a folder of this program, and take it away afterwards.

    What is handed to a process as it begins goes through a pipe, and where that process dies
    before it reads, the write of more than a pipe holds would wait for ever. Folders that programs
    left behind which were killed are taken away, too.

    Parameters
    ----------
    pickled : mapping of str to bytes
        Problems by digest.

    Yields
    ------
    dict of str to Path
        Where each problem is.
    """
    take_away_left_behind()
    with TemporaryDirectory(prefix=PREFIX) as folder, locked(Path(folder, LOCK)):
        places = {digest: Path(folder, str(i)) for i, digest in enumerate(pickled)}
        for digest, path in places.items():
            path.write_bytes(pickled[digest])
        yield places


def take_away_left_behind() -> None:
    """Take away folders of programs that were killed; those of other people stay."""
    for folder in Path(gettempdir()).glob(f"{PREFIX}*"):
        lock = folder / LOCK
        with ExitStack() as stack:
            try:
                is_settled = time.time() - lock.stat().st_mtime > SETTLED_SECONDS
                is_left = is_settled and stack.enter_context(locked(lock))
            except OSError:
                continue
            if is_left:
                shutil.rmtree(folder, ignore_errors=True)
