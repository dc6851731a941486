"""Write the report of an experiment or of a run, whatever it is given as."""

from __future__ import annotations

import zipfile
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt.data.output_files import check_target, same_file, write_file
from anonopt.experiments.runs import Runs, load
from anonopt.experiments.store.schema import MAGIC
from anonopt.runs.result import Result
from anonopt.visualization.report.experiment.experiment_page import experiment_page
from anonopt.visualization.report.page import check_libraries, page_html
from anonopt.visualization.report.parts import Page

if TYPE_CHECKING:
    from typing import TypeAlias

    Reported: TypeAlias = "Runs | Result | str | PathLike[str]"

SUFFIXES = (".html", ".htm")
"""Endings of reports."""

WANTED = "the file of an experiment (SQLite) or of a saved run (npz)"


def write_report(
    what: Reported, path: str | PathLike[str], *, title: str | None = None, **options: Any
) -> Path:
    """Write what there is to see of an experiment or a run as one HTML file.

    The file needs no network and no other file, follows the light or dark theme of the reader, can
    be used by keyboard and printed. Equal results give equal files.

    Parameters
    ----------
    what : Runs, Result or path
        An experiment, as :func:`anonopt.experiments.load` reads it; what
        :func:`anonopt.solve` returned; or the file of one of them.
    path : path
        File to write, ending in html or htm, replaced as a whole if it exists.
    title : str, optional
    **options
        Of an experiment those of :func:`~anonopt.visualization.report.experiment_page`, of a run
        those of :func:`~anonopt.visualization.report.run_page`.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    TypeError
        If it is none of these, or an option is unknown.
    ValueError
        If a file is none of an experiment or a run, or an argument is out of its range.
    FileNotFoundError
        If there is no such file, or no folder for the report.
    ModuleNotFoundError
        If the extra ``report`` is not installed.

    Examples
    --------
    >>> import anonopt as ao
    >>> from anonopt.visualization import write_report
    >>> problem = ao.get_problem("german-k-glm")
    >>> result = ao.solve(problem, ao.algorithms.PBGEA(), budget=30, seed=1)
    >>> write_report(result, "report.html").name
    'report.html'
    """
    check_libraries()
    target = Path(path)
    check_target(target)
    if isinstance(what, str | PathLike) and same_file(what, target):
        raise ValueError(f"path: expected a new file, found {str(path)!r}, which is to be reported")
    check_ending("path", target)
    write_file(target, page_html(report_page(what, title=title, **options)).encode())
    return target


def check_ending(name: str, path: Path) -> None:
    """Refuse the file of a report by an ending that no browser opens as a page.

    Raises
    ------
    ValueError
        It begins with `name`.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(
            f"{name}: expected a file ending in {' or '.join(SUFFIXES)}, found {str(path)!r}"
        )


def report_page(what: Reported, *, title: str | None = None, **options: Any) -> Page:
    """Parts of the report that :func:`write_report` writes, whose arguments it takes."""
    from anonopt.visualization.report.runs.run_page import run_page, saved_run_page

    if isinstance(what, Runs):
        return experiment_page(what, title=title, **options)
    if isinstance(what, Result):
        return run_page(what, title=title, **options)
    if not isinstance(what, str | PathLike):
        raise TypeError(f"what: expected Runs, a Result, or {WANTED}, found {type(what).__name__}")
    if is_experiment(what):
        return experiment_page(load(what), title=title, **options)
    return saved_run_page(what, title=title, **options)


def is_experiment(path: str | PathLike[str]) -> bool:
    """Whether a file is of an experiment, and not of a saved run.

    Raises
    ------
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    ValueError
        If it is neither.
    """
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(f"{file}: expected {WANTED}, found none")
    with file.open("rb") as stream:
        begin = stream.read(len(MAGIC))
    if begin == MAGIC:
        return True
    if not zipfile.is_zipfile(file):
        raise ValueError(f"{file}: expected {WANTED}, found another file")
    return False
