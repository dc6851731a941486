"""Output files: never over an existing one unasked, and never half written."""

from __future__ import annotations

import csv
import errno
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from anonopt.data.output_files import write_file

if TYPE_CHECKING:
    import pandas as pd


def check_outputs(paths: Iterable[Path | None], *, force: bool) -> None:
    """Refuse output files that cannot or may not be written, before any work is done.

    Raises
    ------
    FileNotFoundError
        If the folder of a file does not exist.
    FileExistsError
        If a file exists and `force` is not set.
    IsADirectoryError
        If there is a folder of that name.
    """
    for path in paths:
        if path is None:
            continue
        if not path.parent.is_dir():
            raise FileNotFoundError(
                f"{path}: expected an existing folder, found none at {path.parent}"
            )
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "expected a file, found a folder", str(path))
        if path.exists() and not force:
            raise FileExistsError(f"{path} exists already; --force replaces it")


def write_csv(frame: pd.DataFrame, path: Path) -> None:
    """Write a frame without its index (UTF-8, commas); missing cells are empty."""
    text = frame.to_csv(index=False, lineterminator="\n")
    if "\r" in text:
        # The csv module leaves a carriage return unquoted that readers take for a line end.
        text = frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_ALL)
    write_file(path, text.encode("utf-8"))


def read_csv(path: Path) -> pd.DataFrame:
    """Read back what `write_csv` wrote: all cells text, empty cells missing."""
    import pandas as pd

    return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])
