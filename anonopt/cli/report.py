"""``anonopt report``: one HTML file of an experiment or of a saved run."""

from __future__ import annotations

import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anonopt._checks import near_names
from anonopt.cli.configuration.config import read_config
from anonopt.cli.configuration.own_table import own_problem
from anonopt.cli.console import AsJson, Force, is_watched, note, print_json, say
from anonopt.cli.outputs.output_checks import check_outputs

if TYPE_CHECKING:
    from anonopt.visualization.report import Page

SUFFIX = ".html"
KINDS = (".sqlite", ".npz")
"""Endings of what can be reported, for names that are misspelt."""

OF_EXPERIMENTS = ("indicator", "budget")
"""Options that a run has not."""


def report(
    source: Annotated[
        Path,
        typer.Argument(
            help="File of an experiment (.sqlite), or of a saved run (.npz).",
            metavar="STORE-or-RUN",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(help="File to write. [default: NAME-report.html beside the input]"),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Of the page.")] = None,
    indicator: Annotated[
        str | None,
        typer.Option(help="Of the tables and tests of an experiment. [default: hypervolume]"),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Of the runs of an experiment that has several, such as '1000 evaluations'. "
            "[default: the largest]"
        ),
    ] = None,
    sample_rows: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Original rows beside the protected ones of each solution. [default: some of "
            "the data sets of the library, none of others]",
        ),
    ] = None,
    problem: Annotated[
        Path | None,
        typer.Option(
            help="TOML file of the table of yours that a run is of, as anonopt solve was given it.",
            metavar="FILE",
        ),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write what there is to see of an experiment or a run as one HTML file.

    It needs no network: fronts, curves, tests, tables to copy, and each solution in its own terms.
    """
    from anonopt.data.output_files import write_file
    from anonopt.visualization.report import page_html
    from anonopt.visualization.report.page import check_libraries
    from anonopt.visualization.report.writing import check_ending

    started = time.perf_counter()
    _check_source(source)
    target = source.with_name(f"{source.stem}-report{SUFFIX}") if output is None else output
    settings = None if problem is None else read_config(problem)
    inputs = [] if settings is None else [settings.path, *settings.input_paths]
    check_outputs([target], inputs=[source, *inputs], force=force)
    check_ending("--output", target)
    check_libraries()
    options = {
        "indicator": indicator,
        "budget": budget,
        "sample_rows": sample_rows,
        "problem": settings,
    }
    page = _page(source, title, {key: value for key, value in options.items() if value is not None})
    content = page_html(page).encode()
    write_file(target, content)
    seconds = time.perf_counter() - started
    if as_json:
        print_json(
            {
                "report": str(target),
                "title": page.title,
                "bytes": len(content),
                "sections": [section.title for section in page.sections],
                "solutions": len(page.solutions),
                "warning": page.warning or None,
                "seconds": seconds,
            }
        )
    else:
        say(f"{target}: {page.title}, {len(content) / 1e6:.1f} MB, {seconds:.0f} s")
        if page.warning:
            note("Note: ", page.warning)
    if open_page:
        webbrowser.open(target.resolve().as_uri())


def _check_source(source: Path) -> None:
    """Refuse what is no file, and tell which name may be meant."""
    if source.is_dir():
        raise IsADirectoryError(
            f"{source}: expected the file of an experiment or of a run, found a folder"
        )
    if not source.is_file():
        folder = source.parent
        names = [file.name for file in folder.glob("*") if file.suffix in KINDS]
        near = near_names(source.name, names)
        raise FileNotFoundError(
            f"{source}: expected the file of an experiment or of a run, found none"
            f"{near and f'; {near}'}"
        )


def _page(source: Path, title: str | None, options: dict[str, Any]) -> Page:
    from anonopt.runs.progress import progress_bar
    from anonopt.runs.saving.saved_run import read_run
    from anonopt.visualization.report import report_page
    from anonopt.visualization.report.writing import is_experiment

    if source.suffix.lower() in (".csv", ".toml"):
        raise ValueError(
            f"{source}: expected the file of an experiment or of a saved run, found one that is "
            "neither; a table has a run once it was searched: anonopt solve people.toml "
            "--checkpoint people.npz, then anonopt report people.npz --problem people.toml"
        )
    if not is_experiment(source):
        for name in OF_EXPERIMENTS:
            if name in options:
                raise ValueError(f"--{name}: expected none for the file of a run, found one")
        if "problem" in options:
            options["problem"] = own_problem(options["problem"])
        elif read_run(source).problem.name is None:
            raise ValueError(
                f"--problem: expected the TOML file of the table that {source} is of, found none "
                f"(of a problem made in Python: write_report({str(source)!r}, ..., problem=...))"
            )
        return report_page(source, title=title, **options)
    if "problem" in options:
        raise ValueError("--problem: expected none for the file of an experiment, found one")
    with progress_bar(visible=is_watched(), of="sections") as update:
        return report_page(source, title=title, on_progress=update, **options)
