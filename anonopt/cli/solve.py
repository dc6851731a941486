"""``anonopt solve``: search a named problem."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anonopt.cli.console import (
    NO_SOLUTION,
    AsJson,
    Force,
    exact_front,
    is_watched,
    note,
    print_json,
    print_table,
    records,
    say,
    show,
    whole_numbers,
)
from anonopt.cli.files import check_outputs, write_csv

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.problems import AnonymizationProblem
    from anonopt.runs import Result

DEFAULT_BUDGET = 1000
SHOWN_ROWS = 10
EXACT = "exact front"


def solve(
    problem: Annotated[
        str, typer.Argument(help="Name of a problem, see anonopt problems.", metavar="PROBLEM")
    ],
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="Name of an algorithm, see anonopt algorithms; without it pbgea for lattices, "
            "else nsga2, or ga for one objective."
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"Most distinct solutions to evaluate; without it {DEFAULT_BUDGET}, "
            "or all for an exact algorithm.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random generator.")] = 1,
    suppression: Annotated[
        str | None,
        typer.Option(
            help="Rows that may be suppressed instead of the problem's: a share such as 0.01 or a "
            "number of rows such as 300."
        ),
    ] = None,
    constraint: Annotated[
        list[str] | None,
        typer.Option(
            help="Bound of a measure, least or largest by its direction, such as k=5 or t=0.3; "
            "repeatable."
        ),
    ] = None,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            help="Objective instead of the problem's, such as k, IL or score_max; repeatable."
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="CSV file for the front.")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Picture of the front: .png, .pdf or .svg.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Search a named problem and print the best trade-offs found."""
    from anonopt.algorithms import ALGORITHMS, default_algorithm, get_algorithm
    from anonopt.problems import PROBLEMS, get_problem
    from anonopt.runs import solve as search
    from anonopt.visualization.figures import check_picture

    check_outputs((output, plot), force=force)
    if plot is not None:
        check_picture(plot)
    options: dict[str, object] = {}
    if suppression is not None:
        options["suppression"] = _suppression(suppression)
    if constraint:
        options["constraints"] = dict(_bound(text) for text in constraint)
    if objective:
        options["objectives"] = objective
    try:
        task = get_problem(problem, **options)
    except TypeError as error:
        raise ValueError(f"{problem} does not take these options: {error}") from error
    if plot is not None and task.n_obj == 1:
        raise ValueError(f"--plot: expected a problem of several objectives, {problem} has one")
    if algorithm is None:
        algorithm = default_algorithm(task)
    chosen = get_algorithm(algorithm, task)
    if budget is None and not ALGORITHMS[algorithm].exact:
        budget = DEFAULT_BUDGET
    note("Searching ", f"{problem} with {algorithm}")
    try:
        result = search(task, chosen, budget=budget, seed=seed, progress=is_watched())
    except ValueError as error:
        raise ValueError(f"{algorithm} on {problem}: {error}") from error
    exact = _exact_front(task, result) if result.success else None
    if result.success and output is not None:
        write_csv(whole_numbers(result.front), output)
    if result.success and plot is not None:
        draw_fronts(
            task,
            {algorithm: result.front},
            exact,
            title=f"{problem}: {PROBLEMS[problem].summary}",
            path=plot,
        )
    ratio = None if exact is None else representation_ratio(task, result.front, exact)
    if as_json:
        print_json(_summary(problem, algorithm, result, ratio))
    else:
        _print_result(task, result, ratio)
        for path in (output, plot) if result.success else ():
            if path is not None:
                say(f"Written: {path}")
    if not result.success:
        raise typer.Exit(NO_SOLUTION)


def representation_ratio(
    problem: AnonymizationProblem, front: pd.DataFrame, exact: pd.DataFrame
) -> float:
    """Share of the exact front that was found, by boxes of side 1 (Dewri 2010, Section 7)."""
    from anonopt.measures import indicators

    names = list(problem.objective_names)
    return indicators.representation_ratio(
        front[names], exact[names], eps=1, maximize=problem.maximize
    )


def draw_fronts(
    problem: AnonymizationProblem,
    fronts: dict[str, pd.DataFrame],
    exact: pd.DataFrame | None,
    *,
    title: str,
    path: Path,
) -> None:
    """Draw fronts over the first and the last objective, and the exact one if it is known.

    Of more than two objectives the picture is a projection, which the title says; the exact
    front is then no line.

    Raises
    ------
    ValueError
        If the problem has one objective, or the picture cannot be drawn.
    """
    from anonopt.visualization import plot_front

    names = problem.objective_names
    if len(names) < 2:
        raise ValueError(f"plot: expected a problem of at least 2 objectives, found {names[0]!r}")
    shown = {EXACT: exact, **fronts} if exact is not None else dict(fronts)
    if len(names) > 2:
        title += f"\nprojection of {len(names)} objectives: {', '.join(names)}"
    plot_front(
        shown,
        names[0],
        names[-1],
        line=EXACT if exact is not None and len(names) == 2 else None,
        maximize=[problem.maximize[0], problem.maximize[-1]],
        log_x=_spans_decades(shown, names[0]),
        title=title,
        path=path,
    )


def _print_front(problem: AnonymizationProblem, front: pd.DataFrame) -> None:
    """Print the first rows of a front: the levels of a node in one column, then objectives.

    Genomes whose genes have no names are numbered instead.
    """
    from anonopt.problems.spaces.base import SOLUTION

    shown, objectives = list(problem.space.names) or [SOLUTION], list(problem.objective_names)
    genes = "levels" if problem.space.kind == "levels" else "genes"
    is_listed = len(shown) > 1 or genes == "levels"
    column = genes if is_listed else shown[0]
    rows = [
        (" ".join(map(_gene, levels)), *values)
        for levels, values in zip(
            front[shown].head(SHOWN_ROWS).itertuples(index=False, name=None),
            whole_numbers(front[objectives]).head(SHOWN_ROWS).itertuples(index=False, name=None),
            strict=True,
        )
    ]
    print_table([column, *objectives], rows, numeric=objectives)
    if is_listed:
        say(f"{genes} of {', '.join(shown)}")
    if len(front) > SHOWN_ROWS:
        say(f"{SHOWN_ROWS} of {len(front):,} rows shown")


def _gene(gene: object) -> str:
    return f"{gene:.4g}" if isinstance(gene, float) else str(gene)


def _suppression(text: str) -> float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise ValueError(
        f"--suppression: expected a share such as 0.01 or a number of rows such as 300, "
        f"found {text!r}"
    )


def _bound(text: str) -> tuple[str, float]:
    name, _, bound = text.partition("=")
    try:
        return name.strip(), float(bound)
    except ValueError as error:
        raise ValueError(
            f"--constraint: expected a measure and a number such as k=5, found {text!r}"
        ) from error


def _exact_front(problem: AnonymizationProblem, result: Result) -> pd.DataFrame | None:
    """The true front; None if the search space is too large to be enumerated."""
    if result.n_unique == problem.space.size:
        return result.front
    return exact_front(problem) if problem.is_enumerable else None


def _spans_decades(fronts: dict[str, pd.DataFrame], column: str) -> bool:
    values = [front[column] for front in fronts.values() if len(front)]
    smallest = min(column.min() for column in values)
    return bool(smallest > 0 and max(column.max() for column in values) / smallest >= 100)


def _summary(
    problem: str, algorithm: str, result: Result, ratio: float | None
) -> dict[str, object]:
    return {
        "problem": problem,
        "algorithm": algorithm,
        "seed": result.seed,
        "success": result.success,
        "message": result.message,
        "n_evaluations": result.n_evaluations,
        "n_unique": result.n_unique,
        "seconds": result.seconds,
        "representation_ratio": ratio,
        "front": records(result.front),
        "least_infeasible": records(result.least_infeasible),
    }


def _print_result(problem: AnonymizationProblem, result: Result, ratio: float | None) -> None:
    if not result.success:
        say("No feasible solution was found; the nearest is", style="bold red")
    _print_front(problem, result.front if result.success else result.least_infeasible)
    figures = {
        "ended by": result.message,
        "points found": len(result.front),
        "distinct evaluations": result.n_unique,
        "evaluations asked for": result.n_evaluations,
        "seconds": round(result.seconds, 2),
        "seed": str(result.seed),
    }
    for name, value in figures.items():
        say(f"{name + ':':<24}{show(value)}")
    if ratio is not None:
        say(f"{'representation ratio:':<24}{ratio:.3f} of the exact front, by boxes of side 1")
    elif result.success:
        say(f"{'representation ratio:':<24}not known: there are too many solutions to try them all")
