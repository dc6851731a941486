"""Files that are too large to be held in memory, written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory

from anonopt.data.output_files import (
    check_distinct,
    check_target,
    file_mode,
    hidden_name,
    hidden_prefix,
    put_in_place,
    remove_leftovers,
)

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Numbers of errors of a disk, a quota or a limit that leaves no room."""


@contextmanager
def replaced(path: str | PathLike[str]) -> Iterator[Path]:
    """Give the path of a part beside a file, which takes its place if all goes well.

    As :func:`replaced_together` with one file.

    Examples
    --------
    >>> with replaced("no such folder/protected.csv") as part:
    ...     pass
    Traceback (most recent call last):
    FileNotFoundError: no such folder/protected.csv: expected an existing folder, found none at \
no such folder
    """
    with replaced_together([path]) as (part,):
        yield part


@contextmanager
def replaced_together(paths: Sequence[str | PathLike[str]]) -> Iterator[list[Path]]:
    """Give paths of parts beside files that belong together; all take their places, or none.

    What is left of the block by an error removes the parts and leaves the files as they were; so
    does an interrupt. A process that is killed leaves hidden parts, which the next writing to the
    same places removes; killed between the names it leaves all old files, all new ones, or the
    first, old or new, without the others: never new ones beside old ones. Checks of what was
    written belong into the block.

    Parameters
    ----------
    paths : sequence of path
        Different files; one that is there already keeps its mode.

    Yields
    ------
    list of Path
        Where to write each; nothing is there yet.

    Raises
    ------
    ValueError, OSError
        As for :func:`~anonopt.data.output_files.check_target`, and if nothing was written. A disk
        without room names the first file.
    """
    targets = [Path(path) for path in paths]
    for target in targets:
        check_target(target)
    check_distinct(targets)
    for target in targets:
        remove_leftovers(target)
    modes = [file_mode(target) for target in targets]
    parts = [hidden_name(target) for target in targets]
    try:
        yield parts
        for part, mode in zip(parts, modes, strict=True):
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            if mode is not None:
                part.chmod(stat.S_IMODE(mode))
        put_in_place(list(zip(parts, targets, strict=True)))
    except OSError as error:
        if error.errno not in FULL:
            raise
        # Writers tell the hidden part, or no file at all.
        raise OSError(error.errno, os.strerror(error.errno), str(targets[0])) from error
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def hidden_folder(target: Path) -> TemporaryDirectory[str]:
    """A new hidden folder beside a file that is being written, removed as its parts are."""
    return TemporaryDirectory(prefix=f"{hidden_prefix(target)}{os.getpid()}-", dir=target.parent)
