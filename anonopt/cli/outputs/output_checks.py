"""Output files: never over an existing one or an input, and checked as they are read back."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from anonopt.cli.failures import WrongOutputError
from anonopt.cli.inputs import STANDARD
from anonopt.data.output_files import check_distinct, check_target, same_file

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.data.tables.dialects import Dialect


def check_outputs(
    outputs: Iterable[Path | None], *, inputs: Iterable[Path | None] = (), force: bool
) -> None:
    """Refuse output files that cannot or may not be written, before any work is done.

    Parameters
    ----------
    outputs : iterable of path or None
        All that a command writes, its records too; None is none.
    inputs : iterable of path or None
        All that it reads.
    force : bool
        Whether files that exist are replaced.

    Raises
    ------
    ValueError
        If an output is an input, or two outputs are one file, by whatever names; or one is a
        symbolic link, a device, a pipe or a socket, or standard output.
    FileNotFoundError
        If the folder of a file does not exist.
    FileExistsError
        If a file exists and `force` is not set.
    IsADirectoryError
        If there is a folder of that name.
    PermissionError
        If nothing can be written in its folder.
    """
    wanted = [path for path in outputs if path is not None]
    sources = [path for path in inputs if path is not None]
    for path in wanted:
        if path == STANDARD:
            raise ValueError(f"{path}: expected a file, found standard output, for tables of mask")
        for source in sources:
            if same_file(path, source):
                raise ValueError(f"{path}: expected a new file, found the input {source}")
        check_target(path)
    check_distinct(wanted)
    for path in wanted:
        if path.exists() and not force:
            raise FileExistsError(f"{path} exists already; --force replaces it")


def with_name(file: Path) -> Path:
    """Return a path that names of other files can be made of.

    Raises
    ------
    IsADirectoryError
        If it has no name, as ``.`` and ``/``.
    """
    if not file.name:
        raise IsADirectoryError(errno.EISDIR, "expected a file, found a folder", str(file))
    return file


def check_table(path: Path, expected: pd.DataFrame, dialect: Dialect) -> pd.DataFrame:
    """Read a table back from disk and see that it is the one that was to be written.

    Parameters
    ----------
    path : path
    expected : DataFrame (n_rows, n_columns)
        All cells text; empty ones are missing.
    dialect : Dialect
        It is written in.

    Returns
    -------
    DataFrame (n_rows, n_columns)
        The table as it was read: all cells text as they stand, empty ones missing.

    Raises
    ------
    WrongOutputError
        If columns, their order, the number of rows or any cell are others.
    """
    from anonopt.data import read_table

    found = read_table(
        path, separator=dialect.separator, encoding=dialect.encoding, decimal=".", missing=[]
    )
    if list(found.columns) != list(expected.columns):
        raise WrongOutputError(
            f"columns of the output as read back: expected {list(expected.columns)}, "
            f"found {list(found.columns)}"
        )
    if len(found) != len(expected):
        raise WrongOutputError(
            f"rows of the output as read back: expected {len(expected)}, found {len(found)}"
        )
    for name in found.columns:
        differs = found[name].fillna("") != expected[name].fillna("").set_axis(found.index)
        if differs.any():
            row = int(differs.to_numpy().argmax())
            raise WrongOutputError(
                f"column {name!r} of the output as read back: row {row + 1} is another than was "
                f"to be written"
            )
    return found
