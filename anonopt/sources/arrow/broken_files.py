"""The file that is broken, of several that hold a table: engines do not always tell it."""

from __future__ import annotations

from collections.abc import Sequence

from anonopt._registry import engine
from anonopt.sources.file_kinds import PARQUET, kind_of_name


def what_is_broken(error: Exception, files: Sequence[str] = ()) -> str:
    """What was found where rows could not be read: the first line of the error, and the file.

    Parameters
    ----------
    error : Exception
        Of an engine.
    files : sequence of str
        That the rows are in. Several of Parquet are read one after the other until one cannot be,
        unless the error names it.

    Examples
    --------
    >>> what_is_broken(ValueError("Out of buffer"))
    'Out of buffer'
    """
    found = str(error).splitlines()[0]
    if len(files) < 2 or any(file in found for file in files):
        return found
    for file in files:
        if kind_of_name(file) == PARQUET and not _is_readable(file):
            return f"{found} (in {file})"
    return found


def _is_readable(file: str) -> bool:
    arrow, parquet = engine("pyarrow", "Parquet"), engine("pyarrow.parquet", "Parquet")
    try:
        with parquet.ParquetFile(file) as opened:
            for _ in opened.iter_batches():
                pass
    except (arrow.ArrowException, OSError):
        return False
    return True
