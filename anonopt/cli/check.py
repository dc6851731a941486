"""``anonopt check``: how anonymous a file is as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from anonopt.cli.columns import split_columns
from anonopt.cli.console import NO_SOLUTION, AsJson, print_json, print_table, say
from anonopt.cli.inputs import (
    Dates,
    Decimal,
    Encoding,
    Missing,
    Separator,
    read_input,
    split_dates,
)
from anonopt.sources.file_kinds import is_of_engine

_MEANINGS = {
    "k": "size of the smallest class",
    "l": "fewest distinct sensitive values in a class",
    "t": "largest distance of a class to the table",
    "t_ordered": "largest ordered distance of a class to the table",
    "t_hierarchical": "largest hierarchical distance of a class to the table",
    "violating_rows": "rows in classes that are not as asked",
    "violating_classes": "classes that are not as asked",
    "rows": "rows in classes",
    "suppressed": "rows taken as suppressed",
    "classes": "equivalence classes",
    "mean_size": "mean size of a class",
    "highest_risk": "highest risk of a row, 1 / k",
    "average_risk": "average risk of the rows",
    "unique_rows": "share of the rows alone in their class",
    "entropy_l": "least effective number of sensitive values",
    "recursive_cl": "smallest c of recursive (c, 2)-diversity",
    "delta_disclosure": "largest |ln| of a share in a class over that in the table",
    "beta_likeness": "largest relative gain of a share in a class",
    "journalist_risk": "highest risk in the population, 1 / people",
    "marketer_risk": "share of the rows expected to be found in the population",
}


def check(
    file: Annotated[
        Path, typer.Argument(help="CSV file with a header line, or Parquet.", metavar="FILE")
    ],
    qi: Annotated[
        list[str],
        typer.Option("--qi", help="Quasi-identifier; repeat it, or separate columns by commas."),
    ],
    sensitive: Annotated[
        list[str] | None,
        typer.Option(help="Column that must not be disclosed; repeat it, or use commas."),
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, help="Smallest class that is asked for.")] = 2,
    l: Annotated[  # noqa: E741
        float | None,
        typer.Option("--l", min=1, help="Distinct sensitive values a class must have."),
    ] = None,
    t: Annotated[
        float | None,
        typer.Option("--t", min=0, max=1, help="Largest distance of a class to the table."),
    ] = None,
    bound: Annotated[
        list[str] | None,
        typer.Option(
            help="Worst value of another measure that a class may have, such as entropy_l=2 or, of "
            "one of several sensitive columns, l:illness=3; repeatable."
        ),
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option(
            help="CSV or Parquet file of everybody whom the table could be about, generalized like "
            "it."
        ),
    ] = None,
    suppressed_stars: Annotated[
        bool,
        typer.Option(
            "--suppressed-stars", help="Rows of * in every quasi-identifier are suppressed rows."
        ),
    ] = False,
    separator: Separator = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: Missing = None,
    dates: Dates = None,
    as_json: AsJson = False,
) -> None:
    """Tell how anonymous a table is; exit code 1 if it is less than asked."""
    from anonopt.measures.lattice.check import check as check_table

    dialect = {"separator": separator, "encoding": encoding, "decimal": decimal}
    rows: Any
    if is_of_engine(file):
        rows = _of_engine(file, {**dialect, "missing": missing, "dates": dates})
    else:
        rows = read_input(file, missing=missing, dates=split_dates(dates), **dialect).frame
    names = [str(name) for name in rows.columns]
    everybody: Any = None
    if population is not None:
        if is_of_engine(population):
            everybody = _of_engine(population, {})
        else:
            everybody = read_input(
                population, missing=missing, dates=split_dates(dates), **dialect
            ).frame
    bounds = dict(parse_bound("--bound", text) for text in bound or ())
    series = check_table(
        rows,
        quasi_identifiers=split_columns(qi, names),
        sensitive=split_columns(sensitive, names) if sensitive else None,
        k=k,
        l=l,
        t=t,
        class_bounds=bounds,
        population=everybody,
        suppressed="*" if suppressed_stars else None,
    )
    report = {str(name): value for name, value in series.items()}
    if as_json:
        print_json(report)
    else:
        print_report(report, wishes(k=k, l=l, t=t, bounds=bounds), title=str(file))
    if not report["anonymous"]:
        raise typer.Exit(NO_SOLUTION)


def _of_engine(file: Path, options: Mapping[str, object]) -> Any:
    """Rows that their engine counts; options of CSV that is read into memory are refused."""
    from anonopt.sources.opening import opened

    for name, value in options.items():
        if value is not None:
            raise ValueError(f"--{name}: expected with a CSV file, found {file.name}")
    return opened(file, "FILE")


def parse_bound(option: str, text: str) -> tuple[str, float]:
    """A measure and its bound, such as ``k=5``.

    Raises
    ------
    ValueError
        If it is nothing of the kind; names the option.
    """
    name, _, bound = text.rpartition("=")
    try:
        return name.strip(), float(bound)
    except ValueError as error:
        raise ValueError(
            f"{option}: expected a measure and a number such as k=5, found {text!r}"
        ) from error


def wishes(
    *,
    k: int,
    l: float | None,  # noqa: E741
    t: float | None,
    bounds: Mapping[str, float] | None = None,
) -> dict[str, str]:
    """What is asked of each figure, as text."""
    from anonopt.measures import get_measure

    asked = {"k": f">= {k}"}
    if l is not None:
        asked["l"] = f">= {l:g}"
    if t is not None:
        asked["t"] = f"<= {t:g}"
    for name, bound in (bounds or {}).items():
        asked[name] = f"{'>=' if get_measure(name).maximize else '<='} {bound:g}"
    return asked


def _meaning(name: str) -> str:
    _, separator, column = name.partition(":")
    return f"the same of {column}" if separator else _MEANINGS.get(name, "")


def _order(report: Mapping[str, Any]) -> list[str]:
    """Figures in the order of their meanings, those of one column below the worst of all."""
    places = {name: place for place, name in enumerate(_MEANINGS)}
    shown = [name for name in report if name != "anonymous"]
    return sorted(shown, key=lambda name: places.get(name.partition(":")[0], len(places)))


def print_report(report: Mapping[str, Any], asked: Mapping[str, str], *, title: str) -> None:
    """Print the figures of a check and whether they are as asked.

    Parameters
    ----------
    report : mapping
        As ``anonopt.check`` returns it.
    asked : mapping
        As `wishes` returns it.
    title : str
    """
    rows = [(name, report[name], asked.get(name, ""), _meaning(name)) for name in _order(report)]
    print_table(["figure", "value", "asked for", "meaning"], rows, title=title, numeric=["value"])
    wanted = ", ".join(f"{name} {bound}" for name, bound in asked.items())
    verdict = "anonymous as asked" if report["anonymous"] else "NOT anonymous as asked"
    say(f"{verdict}: {wanted}", style="bold green" if report["anonymous"] else "bold red")
