"""A file that is too large to be held in memory, written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from anonopt.data.output_files import (
    check_target,
    file_mode,
    flush_folder,
    hidden_name,
    remove_leftovers,
)


@contextmanager
def replaced(path: str | PathLike[str]) -> Iterator[Path]:
    """Give the path of a part beside a file, which takes its place if all goes well.

    What is left of the block by an error removes the part and leaves the file as it was; so does
    an interrupt. A process that is killed leaves a hidden part, which the next writing to the
    same place removes. Checks of what was written belong into the block.

    Parameters
    ----------
    path : path
        A file that is there already keeps its mode.

    Yields
    ------
    Path
        Where to write; nothing is there yet.

    Raises
    ------
    ValueError, OSError
        As for :func:`~anonopt.data.output_files.check_target`, and if nothing was written.

    Examples
    --------
    >>> with replaced("no such folder/protected.csv") as part:
    ...     pass
    Traceback (most recent call last):
    FileNotFoundError: no such folder/protected.csv: expected an existing folder, found none at \
no such folder
    """
    target = Path(path)
    check_target(target)
    remove_leftovers(target)
    old, part = file_mode(target), hidden_name(target)
    try:
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        if old is not None:
            part.chmod(stat.S_IMODE(old))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    flush_folder(target.parent)
