"""Commands that list what there is: data sets, problems, algorithms, measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from anonopt.cli.console import AsJson, print_json, print_table, records

if TYPE_CHECKING:
    import pandas as pd


def datasets(as_json: AsJson = False) -> None:
    """List the data sets with their rows, roles and licences."""
    from anonopt.data import list_datasets

    frame = list_datasets().reset_index()
    if as_json:
        print_json(
            [{**row, **_split(row, "quasi_identifiers", "masked")} for row in records(frame)]
        )
        return
    shown = ["name", "summary", "rows", "columns", "access", "licence"]
    _print(frame[shown], numeric=("rows", "columns"))
    roles = ["name", "sensitive", "target", "quasi_identifiers"]
    _print(frame[roles].rename(columns={"quasi_identifiers": "quasi-identifiers"}))


def problems(as_json: AsJson = False) -> None:
    """List the named problems that `anonopt solve` takes."""
    from anonopt.problems import list_problems

    frame = list_problems().reset_index()
    if as_json:
        print_json(records(frame))
        return
    _print(frame.drop(columns=["objectives", "paper"]))


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

    frame = list_algorithms(None if problem is None else get_problem(problem)).reset_index()
    if as_json:
        print_json(records(frame))
        return
    if problem is not None:
        _print(frame[["name", "fits", "reason", "summary"]])
        return
    handled = {(True, True): "any", (True, False): "1", (False, True): "2 or more"}
    objectives = [
        handled[one, several]
        for one, several in zip(frame["single_objective"], frame["multi_objective"], strict=True)
    ]
    shown = ["name", "summary", "paper", "spaces"]
    _print(frame[shown].assign(objectives=objectives, exact=frame["exact"]))


def measures(
    of: Annotated[
        str | None,
        typer.Option(help="Only those of a node, file, numeric file, matrix, equation or graph."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the measures: objectives and constraints by name."""
    from anonopt.measures.measure import check_kind
    from anonopt.measures.registry import list_measures

    frame = list_measures(None if of is None else check_kind("--of", of)).reset_index()
    if as_json:
        print_json(records(frame))
        return
    _print(frame.drop(columns="paper"))


def methods(as_json: AsJson = False) -> None:
    """List the masking methods that `anonopt mask` takes, with their parameters."""
    from anonopt.masking import list_methods

    frame = list_methods().reset_index()
    if as_json:
        print_json([{**row, **_split(row, "parameters")} for row in records(frame)])
        return
    _print(frame)


def _print(frame: pd.DataFrame, *, numeric: tuple[str, ...] = ()) -> None:
    print_table(list(frame.columns), frame.itertuples(index=False, name=None), numeric=numeric)


def _split(row: dict[str, object], *names: str) -> dict[str, list[str]]:
    """Lists, which a table shows as text."""
    return {name: list(filter(None, str(row[name]).split(", "))) for name in names}
