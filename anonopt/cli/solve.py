"""``anonopt solve``: search a named problem."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anonopt.cli.check import parse_bound
from anonopt.cli.configuration.config import read_config
from anonopt.cli.configuration.own_table import front_problem, rows_of
from anonopt.cli.console import (
    NO_SOLUTION,
    AsJson,
    Force,
    noted_warnings,
    print_json,
    records,
    say,
    whole_numbers,
)
from anonopt.cli.outputs.output_checks import check_outputs
from anonopt.cli.outputs.run_record import WithRecord, digests_of, record, record_path
from anonopt.cli.searching import CHECKPOINT_SECONDS, Searched, search_in_turn
from anonopt.cli.solutions import (
    draw_fronts,
    known_front,
    print_matrices,
    print_result,
    representation_ratio,
)
from anonopt.data.output_files import write_files
from anonopt.data.tables.plain_tables import csv_bytes

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.cli.configuration.config import Config
    from anonopt.problems import AnonymizationProblem
    from anonopt.runs import Result

DEFAULT_BUDGET = 1000
FEW_NODES = 100_000
"""Nodes of a table of one's own that are all evaluated where no algorithm is named."""

OF_MATRICES = ("matrices", "trees")
"""Spaces whose solutions are PRAM matrices, or equations that make them."""

NO_FIGURES = ("problem", "algorithm", "seed", "front", "least_infeasible")
"""What the summary of a run tells beside its figures."""


def solve(
    problem: Annotated[
        str,
        typer.Argument(
            help="Name of a problem, see anonopt problems, or the TOML file of a table of yours, "
            "see docs/command_line.md.",
            metavar="PROBLEM",
        ),
    ],
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="Name of an algorithm, see anonopt algorithms; without it branch-and-bound, then "
            "ga, for one objective under a fixed k, else pbgea for lattices; for one objective es "
            "for random keys, recoding-search for groups, ga for others; for several nsga2."
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
    test_budget: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Most nodes that a search which tests nodes, such as branch-and-bound, may test.",
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
    empty_categories: Annotated[
        bool,
        typer.Option(
            "--empty-categories",
            help="Of a problem that masks german, flare or adult: with the categories that no row "
            "has, as in the thesis.",
        ),
    ] = False,
    output: Annotated[Path | None, typer.Option(help="CSV file for the front.")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Picture of the front: .png, .pdf or .svg.")
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="File to save the run to; if it exists, the run in it goes on."),
    ] = None,
    checkpoint_every: Annotated[
        float, typer.Option(min=0, help="Seconds between two savings.")
    ] = CHECKPOINT_SECONDS,
    with_record: WithRecord = True,
    force: Force = False,
    show_matrices: Annotated[
        bool,
        typer.Option("--show-matrices", help="Print the PRAM matrices of the solutions shown."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Search a named problem, or a table of yours, and print the best trade-offs found."""
    from anonopt.algorithms import get_algorithm
    from anonopt.visualization.figures import check_picture

    beside = record_path(output or plot, wanted=with_record)
    settings = read_config(Path(problem)) if Path(problem).suffix == ".toml" else None
    inputs = [] if settings is None else [settings.path, *settings.input_paths]
    check_outputs((output, plot, beside), inputs=[checkpoint, *inputs], force=force)
    read = digests_of(inputs)
    check_outputs([checkpoint], force=True)
    if plot is not None:
        check_picture(plot)
    options = _options(suppression, constraint, objective, empty_categories=empty_categories)
    task, title = (
        _named(problem, options) if settings is None else _own(settings, options, algorithm)
    )
    _check_shown(task, problem, plot=plot, show_matrices=show_matrices)
    names = _algorithms(task, budget) if algorithm is None else [algorithm]
    # Refused before anything is searched.
    get_algorithm(names[0], task)
    found = _search(
        task,
        names,
        problem,
        budget=budget,
        test_budget=test_budget,
        seed=seed,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
    )
    result = found.result
    exact = known_front(task, result) if result.success else None
    ratio = None if exact is None else representation_ratio(task, result.front, exact)
    summary = _summary(problem, found.algorithm, result, ratio)
    contents = _front_files(task, found, exact, title=title, output=output, plot=plot)
    shown = list(contents)
    if contents and beside is not None:
        asked = {"problem": problem, "algorithm": found.algorithm, **options}
        contents[beside] = record(
            "solve",
            parameters={**asked, "budget": budget, "test_budget": test_budget},
            inputs=read,
            outputs=dict(contents),
            figures={name: summary[name] for name in summary if name not in NO_FIGURES},
            # A front is not protected by chance: its seed gives nothing away.
            seed=result.seed,
        )
    write_files(contents)
    if as_json:
        print_json(summary)
    else:
        _print(task, found, ratio, shown, show_matrices=show_matrices)
    if not result.success:
        raise typer.Exit(NO_SOLUTION)


def _search(task: AnonymizationProblem, names: list[str], problem: str, **limits: Any) -> Searched:
    """Run the searches; what they refuse is told with algorithm and problem."""
    try:
        return search_in_turn(task, names, title=problem, default_budget=DEFAULT_BUDGET, **limits)
    except ValueError as error:
        raise ValueError(f"{names[0]} on {problem}: {error}") from error


def _print(
    task: AnonymizationProblem,
    found: Searched,
    ratio: float | None,
    written: list[Path],
    *,
    show_matrices: bool,
) -> None:
    searched = found.text if found.n_searches > 1 else ""
    print_result(task, found.result, ratio, searched=searched)
    if show_matrices:
        print_matrices(task, found.result.X)
    for path in written:
        say(f"Written: {path}")


def _front_files(
    task: AnonymizationProblem,
    found: Searched,
    exact: pd.DataFrame | None,
    *,
    title: str,
    output: Path | None,
    plot: Path | None,
) -> dict[Path, bytes]:
    """Contents of the files that show the front; none where nothing was found."""
    contents: dict[Path, bytes] = {}
    front = found.result.front
    if found.result.success and output is not None:
        contents[output] = csv_bytes(whole_numbers(front))
    if found.result.success and plot is not None:
        contents[plot] = draw_fronts(task, {found.algorithm: front}, exact, title=title, path=plot)
    return contents


def _check_shown(
    task: AnonymizationProblem, problem: str, *, plot: Path | None, show_matrices: bool
) -> None:
    """Refuse to show what the problem has none of."""
    if plot is not None and task.n_obj == 1:
        raise ValueError(f"--plot: expected a problem of several objectives, {problem} has one")
    if show_matrices and task.space.kind not in OF_MATRICES:
        raise ValueError(
            f"--show-matrices: expected a problem of PRAM matrices, found one of {task.space.kind}"
        )


def _options(
    suppression: str | None,
    constraint: list[str] | None,
    objective: list[str] | None,
    *,
    empty_categories: bool,
) -> dict[str, Any]:
    """What was given of a problem, by the names of its options."""
    options: dict[str, Any] = {}
    if suppression is not None:
        options["suppression"] = _suppression(suppression)
    if constraint:
        options["constraints"] = dict(parse_bound("--constraint", text) for text in constraint)
    if objective:
        options["objectives"] = objective
    if empty_categories:
        options["empty_categories"] = True
    return options


def _named(problem: str, options: dict[str, Any]) -> tuple[AnonymizationProblem, str]:
    """A named problem and its title."""
    from anonopt.problems import PROBLEMS, get_problem

    try:
        return get_problem(problem, **options), f"{problem}: {PROBLEMS[problem].summary}"
    except TypeError as error:
        raise ValueError(f"{problem} does not take these options: {error}") from error


def _own(
    settings: Config, options: dict[str, Any], algorithm: str | None
) -> tuple[AnonymizationProblem, str]:
    """The problem of a configuration file and its title."""
    if "empty_categories" in options:
        raise ValueError(
            f"--empty-categories: expected a problem that masks german, flare or adult, found "
            f"{settings.path}; the categories of a table of yours are those of its hierarchies"
        )
    rows = rows_of(settings)
    try:
        with noted_warnings():
            task = front_problem(
                settings,
                rows,
                objectives=options.get("objectives", ()),
                constraints=options.get("constraints", {}),
                suppression=options.get("suppression"),
                algorithm=algorithm,
            )
    except ValueError as error:
        raise ValueError(f"{settings.path}: {error}") from error
    return task, f"{settings.data.file}: {' against '.join(task.objective_names)}"


def _algorithms(task: AnonymizationProblem, budget: int | None) -> list[str]:
    """Searches that are tried if nobody names one: of a table of one's own all nodes, if few."""
    from anonopt.algorithms import default_algorithms

    size = task.space.size or math.inf
    is_small = task.recipe is None and budget is None and size <= FEW_NODES
    return ["exhaustive"] if is_small else default_algorithms(task)


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


def _summary(
    problem: str, algorithm: str, result: Result, ratio: float | None
) -> dict[str, object]:
    return {
        "problem": problem,
        "algorithm": algorithm,
        "seed": result.seed,
        "success": result.success,
        "proven": result.proven,
        "message": result.message,
        "n_evaluations": result.n_evaluations,
        "n_unique": result.n_unique,
        "n_tests": result.n_tests,
        "seconds": result.seconds,
        "representation_ratio": ratio,
        "front": records(result.front),
        "least_infeasible": records(result.least_infeasible),
    }
