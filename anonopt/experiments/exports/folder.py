"""Write the runs of an experiment for other tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path

from anonopt._checks import unknown
from anonopt.data.output_files import write_files
from anonopt.experiments.exports.ioh_folder import ioh_files
from anonopt.experiments.exports.moocore_sets import moocore_files
from anonopt.experiments.exports.tables import csv_files, parquet_files
from anonopt.experiments.store.runs import StoredRuns

FORMATS: Mapping[str, Callable[[StoredRuns], dict[str, bytes]]] = {
    "parquet": parquet_files,
    "csv": csv_files,
    "iohinspector": ioh_files,
    "moocore": moocore_files,
}
"""What makes the files of each format, by relative path."""


def export(
    runs: StoredRuns, folder: str | PathLike[str], *, format: str = "parquet", force: bool = False
) -> list[Path]:
    """Write runs into a folder, for other tools.

    Parameters
    ----------
    runs : StoredRuns
    folder : path
        Made if it does not exist; the folder above it has to.
    format : str
        A key of `FORMATS`.
    force : bool
        Whether files of the folder are replaced.

    Returns
    -------
    list of Path
        Files that were written, all of them or none.

    Raises
    ------
    ValueError
        If the format is unknown, or cannot hold the runs.
    FileExistsError
        If the folder holds something and `force` is not set.
    NotADirectoryError
        If there is a file of its name.
    ModuleNotFoundError
        If what writes the format is not installed.
    """
    if format not in FORMATS:
        raise ValueError(unknown("format", format, FORMATS))
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(f"{target}: expected a folder, found a file")
    if target.is_dir() and any(target.iterdir()) and not force:
        raise FileExistsError(f"{target}: expected an empty folder, found files (force replaces)")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{target}: expected an existing folder, found no {target.parent}")
    contents = {target / name: content for name, content in FORMATS[format](runs).items()}
    for path in contents:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_files(contents)
    return list(contents)
