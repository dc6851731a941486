"""Commands that list what there is: data sets, problems, algorithms, measures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from anonopt.cli.console import AsJson, print_json, print_table, records, say

if TYPE_CHECKING:
    import pandas as pd


def datasets(as_json: AsJson = False) -> None:
    """List the data sets with their rows, roles and licences."""
    from anonopt.data import list_datasets

    _show(
        list_datasets(),
        as_json,
        ["name", "summary", "rows", "columns", "access", "licence"],
        ["name", "sensitive", "target", "quasi_identifiers"],
        lists=("quasi_identifiers", "masked"),
    )


def problems(as_json: AsJson = False) -> None:
    """List the named problems that `anonopt solve` takes."""
    from anonopt.problems import list_problems

    table = list_problems()
    _show(table if as_json else _families(table), as_json, ["name", "space", "summary", "optimum"])


def algorithms(
    problem: Annotated[
        str | None,
        typer.Option(help="Named problem: list those that fit, then the others with the reason."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the algorithms and what they can do."""
    from anonopt.algorithms import list_algorithms
    from anonopt.problems import get_problem

    table = list_algorithms(None if problem is None else get_problem(problem))
    shown = ["name", "fits", "reason", "summary"]
    if problem is None and not as_json:
        handled = {(True, True): "any", (True, False): "1", (False, True): "2 or more"}
        pairs = zip(table["single_objective"], table["multi_objective"], strict=True)
        table["objectives"] = [handled[pair] for pair in pairs]
        shown = ["name", "summary", "paper", "spaces", "objectives", "exact"]
    _show(table, as_json, shown)


def measures(
    of: Annotated[
        str | None,
        typer.Option(help="Only those of a node, file, numeric file, matrix, equation or graph."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the measures: objectives and constraints by name."""
    from anonopt.measures.registry import list_measures

    try:
        table = list_measures(of)
    except ValueError as error:
        raise ValueError(f"--{error}") from error
    if as_json:
        _show(table, as_json)
        return
    table = table.rename(columns={"direction": "better"})
    for kinds, part in table.groupby("of", sort=False):
        say(f"of: {kinds}", style="bold")
        _show(part, as_json, ["name", "better", "unit", "range", "summary"])


def methods(as_json: AsJson = False) -> None:
    """List the masking methods that `anonopt mask` takes, with their parameters."""
    from anonopt.masking import list_methods

    table = list_methods()
    _show(table, as_json, ["name", *table.columns], lists=("parameters",))


def _show(
    table: pd.DataFrame, as_json: bool, *shown: Sequence[str], lists: Sequence[str] = ()
) -> None:
    """Print tables of some columns, or as JSON all, with those that hold lists as lists."""
    frame = table.reset_index()
    if as_json:
        parts = {name: frame[name].map(_parts) for name in lists}
        print_json(records(frame.assign(**parts)))
        return
    for names in shown:
        titles = ["quasi-identifiers" if name == "quasi_identifiers" else name for name in names]
        rows = frame[list(names)].itertuples(index=False, name=None)
        print_table(titles, rows, numeric=("rows", "columns"))


def _families(table: pd.DataFrame) -> pd.DataFrame:
    """Problems that differ in one number of their name and summary as one row of all of them."""
    import pandas as pd

    rows: dict[tuple[str, ...], list[int]] = {}
    for name, row in table.iterrows():
        found = re.search(r"\d+", str(name))
        number = found.group() if found else ""
        # Only the first one is that of the name: 5 columns at k = 5.
        general = re.sub(rf"\b{number}\b", "q", row["summary"], count=1) if number else ""
        is_member = bool(number) and general != row["summary"]
        key = (
            str(name).replace(number, "<q>", 1) if is_member else str(name),
            row["space"],
            general if is_member else row["summary"],
            row["optimum"],
        )
        rows.setdefault(key, []).append(int(number) if is_member else 0)
    entries = [
        (name, space, f"{summary}; q = {_ranges(q)}" if len(q) > 1 else summary, optimum)
        for (name, space, summary, optimum), q in rows.items()
    ]
    return pd.DataFrame(entries, columns=["name", "space", "summary", "optimum"]).set_index("name")


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers in rising order, those that follow on each other as a range."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _parts(text: str) -> list[str]:
    return [part for part in text.split(", ") if part]
