"""``anonopt demo``: the search that the library is about, on packaged data, offline."""

from __future__ import annotations

import errno
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import typer

from anonopt.cli.console import (
    AsJson,
    exact_front,
    is_watched,
    note,
    print_json,
    print_table,
    say,
    show,
    whole_numbers,
)
from anonopt.cli.demo.tour_walk import walk
from anonopt.cli.outputs.output_checks import check_outputs
from anonopt.cli.solutions import draw_fronts, representation_ratio
from anonopt.data.output_files import write_files
from anonopt.data.tables.plain_tables import csv_bytes

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.problems import LatticeProblem

PROBLEM = "adult-k-glm"
SEARCHES = {"pbgea": "PBG-EA", "nsga2": "NSGA-II"}
EXAMPLE_K = 5


class Run(NamedTuple):
    """One way the front was found."""

    front: pd.DataFrame
    n_unique: int
    seconds: float


def demo(
    output: Annotated[
        Path, typer.Option(help="Folder for front.csv and front.png, made if needed.")
    ] = Path("demo-output"),
    budget: Annotated[
        int, typer.Option(min=1, help="Most distinct nodes that each search evaluates.")
    ] = 900,
    seed: Annotated[int, typer.Option(min=0, help="Seed of both searches.")] = 1,
    tour: Annotated[
        bool, typer.Option("--tour", help="Walk through the ideas in five minutes; writes nothing.")
    ] = False,
    pause: Annotated[
        bool, typer.Option(help="Wait for Enter after each stop of the tour, at a terminal.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Search Adult for the best trade-offs of privacy and loss, and draw them."""
    if tour:
        if as_json:
            raise typer.BadParameter("expected --tour or --json, found both")
        walk(pause=pause)
        return
    if output.exists() and not output.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "expected a folder, found a file", str(output))
    output.mkdir(parents=True, exist_ok=True)
    table, picture = output / "front.csv", output / "front.png"
    check_outputs((table, picture), force=True)
    problem, runs = _run(budget=budget, seed=seed)
    fronts = {name: run.front.assign(algorithm=name) for name, run in runs.items()}
    drawn = draw_fronts(
        problem,
        {label: runs[name].front for name, label in SEARCHES.items()},
        runs["exhaustive"].front,
        title=_title(problem),
        path=picture,
    )
    write_files({table: csv_bytes(_joined(problem, fronts)), picture: drawn})
    figures = {name: _figures(problem, run, runs["exhaustive"]) for name, run in runs.items()}
    if as_json:
        files = {"front": str(table), "plot": str(picture)}
        print_json({"problem": PROBLEM, "seed": seed, "runs": figures, "files": files})
        return
    _print_figures(problem, figures)
    _print_example(problem, runs["exhaustive"].front)
    say(f"Written: {table}, {picture}")


def _run(*, budget: int, seed: int) -> tuple[LatticeProblem, dict[str, Run]]:
    from anonopt.algorithms import get_algorithm
    from anonopt.problems import get_problem
    from anonopt.runs import solve as search

    problem = cast("LatticeProblem", get_problem(PROBLEM))
    note("1/3 ", f"exact front: all {problem.lattice.size:,} nodes of the lattice")
    started = time.perf_counter()
    front = exact_front(problem)
    runs = {"exhaustive": Run(front, problem.lattice.size, time.perf_counter() - started)}
    for number, (name, label) in enumerate(SEARCHES.items(), start=2):
        note(f"{number}/3 ", f"{label}: at most {budget:,} nodes")
        algorithm = get_algorithm(name, problem)
        result = search(problem, algorithm, budget=budget, seed=seed, progress=is_watched())
        runs[name] = Run(result.front, result.n_unique, result.seconds)
    return problem, runs


def _joined(problem: LatticeProblem, fronts: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """All fronts below each other, the algorithm in the first column."""
    import pandas as pd

    columns = ["algorithm", *problem.space.names, *problem.objective_names]
    return whole_numbers(pd.concat(fronts.values(), ignore_index=True)[columns])


def _figures(problem: LatticeProblem, run: Run, exact: Run) -> dict[str, float]:
    """What the table shows of a run."""
    return {
        "points": len(run.front),
        "representation_ratio": representation_ratio(problem, run.front, exact.front),
        "hypervolume": _hypervolume(problem, run.front) / _hypervolume(problem, exact.front),
        "n_unique": run.n_unique,
        "seconds": run.seconds,
    }


def _hypervolume(problem: LatticeProblem, front: pd.DataFrame) -> float:
    """Volume above no privacy (k = 0) and the largest possible loss."""
    from anonopt.measures import indicators

    return indicators.hypervolume(
        front[list(problem.objective_names)],
        reference=[0, _largest_loss(problem)],
        maximize=problem.maximize,
    )


def _largest_loss(problem: LatticeProblem) -> int:
    return problem.table.n_rows * len(problem.space.names)


def _title(problem: LatticeProblem) -> str:
    table, budget = problem.table, problem.evaluator.rule.budget
    return (
        f"Privacy and loss of the best generalizations of Adult\n"
        f"{table.n_rows:,} rows, {len(problem.space.names)} quasi-identifiers; "
        f"up to {budget} rows suppressed; largest loss {_largest_loss(problem):,}"
    )


def _print_figures(problem: LatticeProblem, figures: dict[str, dict[str, float]]) -> None:
    labels = {"exhaustive": "all nodes (exact)", **SEARCHES}
    rows = [
        (
            labels[name],
            found["points"],
            f"{found['representation_ratio']:.3f}",
            f"{found['hypervolume']:.4f}",
            found["n_unique"],
            f"{found['seconds']:.2f}",
        )
        for name, found in figures.items()
    ]
    columns = ["points", "representation ratio", "hypervolume", "distinct nodes", "seconds"]
    print_table(
        ["search", *columns],
        rows,
        title=f"{PROBLEM}: class size k against general loss, {problem.table.n_rows:,} rows",
        numeric=columns,
    )
    say("representation ratio: share of the exact front's points (boxes of side 1) that was found")
    say("hypervolume: as a share of the exact front's")


def _print_example(problem: LatticeProblem, front: pd.DataFrame) -> None:
    best = front[front["k"] >= EXAMPLE_K].nsmallest(1, "glm").iloc[0]
    levels = ", ".join(
        f"{name} {int(best[name])}/{height}"
        for name, height in zip(problem.space.names, problem.lattice.heights, strict=True)
    )
    share = best["glm"] / _largest_loss(problem)
    say()
    say(
        f"Least loss if every row kept shall equal {EXAMPLE_K - 1} others or more "
        f"(k >= {EXAMPLE_K}):"
    )
    say(f"  levels {levels}")
    say(f"  k = {show(best['k'])}, loss = {show(best['glm'])} cells, {share:.1%} of the largest")
    say()
