"""``anonopt check``: how anonymous a CSV file is as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from anonopt.cli.columns import split_columns
from anonopt.cli.console import NO_SOLUTION, AsJson, print_json, print_table, say
from anonopt.cli.inputs import Dates, Decimal, Encoding, Missing, Separator, read_input

_MEANINGS = {
    "k": "size of the smallest class",
    "l": "fewest distinct sensitive values in a class",
    "t": "largest distance of a class to the table",
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
    file: Annotated[Path, typer.Argument(help="CSV file with a header line.", metavar="FILE")],
    qi: Annotated[
        list[str],
        typer.Option("--qi", help="Quasi-identifier; repeat it, or separate columns by commas."),
    ],
    sensitive: Annotated[
        str | None, typer.Option(help="Column that must not be disclosed.")
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
    population: Annotated[
        Path | None,
        typer.Option(
            help="CSV file of everybody whom the table could be about, generalized like it."
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
    frame = read_input(file, missing=missing, dates=dates, **dialect).frame
    everybody = None
    if population is not None:
        everybody = read_input(population, missing=missing, dates=dates, **dialect).frame
    series = check_table(
        frame,
        quasi_identifiers=split_columns(qi, list(frame.columns)),
        sensitive=sensitive,
        k=k,
        l=l,
        t=t,
        population=everybody,
        suppressed="*" if suppressed_stars else None,
    )
    report = {str(name): value for name, value in series.items()}
    if as_json:
        print_json(report)
    else:
        print_report(report, wishes(k=k, l=l, t=t), title=str(file))
    if not report["anonymous"]:
        raise typer.Exit(NO_SOLUTION)


def wishes(*, k: int, l: float | None, t: float | None) -> dict[str, str]:  # noqa: E741
    """What is asked of each figure, as text."""
    asked = {"k": f">= {k}"}
    if l is not None:
        asked["l"] = f">= {l:g}"
    if t is not None:
        asked["t"] = f"<= {t:g}"
    return asked


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
    rows = [
        (name, report[name], asked.get(name, ""), meaning)
        for name, meaning in _MEANINGS.items()
        if name in report
    ]
    print_table(["figure", "value", "asked for", "meaning"], rows, title=title, numeric=["value"])
    wanted = ", ".join(f"{name} {bound}" for name, bound in asked.items())
    verdict = "anonymous as asked" if report["anonymous"] else "NOT anonymous as asked"
    say(f"{verdict}: {wanted}", style="bold green" if report["anonymous"] else "bold red")
