"""What is shown of a front: its rows, how it was come by, a picture of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anonopt.cli.console import exact_front, print_table, say, show, whole_numbers

if TYPE_CHECKING:
    import pandas as pd

    from anonopt._typing import AnyArray
    from anonopt.problems import AnonymizationProblem
    from anonopt.runs import Result

SHOWN_ROWS = 10
SHOWN_GENES = 12
"""Genes that are printed of a solution; the levels of a node are always."""

EXACT = "exact front"


def print_result(
    problem: AnonymizationProblem, result: Result, ratio: float | None, *, searched: str
) -> None:
    """Print the front of a run and what the run did.

    Parameters
    ----------
    problem : AnonymizationProblem
    result : Result
    ratio : float or None
        Of the exact front, see `representation_ratio`.
    searched : str
        What each search did, if there were several in turn.
    """
    if result.success:
        _print_front(problem, result.front)
    elif problem.space.kind == "keys":
        # Random keys of what is none tell nothing; what fails is told below.
        say("No feasible solution was found", style="bold red")
    else:
        say("No feasible solution was found; the nearest is", style="bold red")
        _print_front(problem, result.least_infeasible)
    figures = {
        **({"searched": searched} if searched else {}),
        "ended by": result.message,
        "points found": len(result.front),
        "nothing is better": "proven" if result.proven else "not proven",
        "distinct evaluations": result.n_unique,
        "evaluations asked for": result.n_evaluations,
        **({"nodes tested": result.n_tests} if result.n_tests else {}),
        "seconds": round(result.seconds, 2),
        "seed": str(result.seed),
    }
    for name, value in figures.items():
        say(f"{name + ':':<24}{show(value)}")
    if ratio is not None:
        say(f"{'representation ratio:':<24}{ratio:.3f} of the exact front, by boxes of side 1")
    elif result.success:
        say(f"{'representation ratio:':<24}not known: there are too many solutions to try them all")


def _print_front(problem: AnonymizationProblem, front: pd.DataFrame) -> None:
    """Print the first rows of a front: the levels of a node in one column, then objectives.

    Solutions of very many genes, or of genes without names, are numbered instead; of random keys,
    many of which are decoded alike, those of equal objectives are shown once.
    """
    from anonopt.problems.spaces.base import SOLUTION

    shown, objectives = list(problem.space.names) or [SOLUTION], list(problem.objective_names)
    genes = "levels" if problem.space.kind == "levels" else "genes"
    is_long = genes != "levels" and len(shown) > SHOWN_GENES
    n_found = len(front)
    if problem.space.kind == "keys":
        front = front.drop_duplicates(objectives).reset_index(drop=True)
    if is_long:
        front, shown = front.assign(**{SOLUTION: range(len(front))}), [SOLUTION]
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
    if is_long:
        say(f"the {len(problem.space.names):,} genes of a solution are in --output and --json")
    if n_found > len(front):
        say(f"of {n_found:,} solutions, those of equal objectives are shown once")
    if len(front) > SHOWN_ROWS:
        say(f"{SHOWN_ROWS} of {len(front):,} rows shown")


def _gene(gene: object) -> str:
    return f"{gene:.4g}" if isinstance(gene, float) else str(gene)


def print_matrices(problem: AnonymizationProblem, X: AnyArray) -> None:
    """Print the matrices of the first solutions, (n, n_var), a table a column."""
    for row, x in enumerate(X[:SHOWN_ROWS]):
        matrices = problem.matrices(x)  # type: ignore[attr-defined]
        names = problem.columns.names  # type: ignore[attr-defined]
        for name, matrix in zip(names, matrices, strict=True):
            rows = [
                (label, *chances)
                for label, chances in zip(matrix.labels, matrix.probabilities.tolist(), strict=True)
            ]
            print_table(
                ["from \\ to", *matrix.labels],
                rows,
                title=f"solution {row}, {name}",
                numeric=matrix.labels,
            )


def representation_ratio(
    problem: AnonymizationProblem, front: pd.DataFrame, exact: pd.DataFrame
) -> float:
    """Share of the exact front that was found, by boxes of side 1 (Dewri 2010, Section 7)."""
    from anonopt.measures import indicators

    names = list(problem.objective_names)
    return indicators.representation_ratio(
        front[names], exact[names], eps=1, maximize=problem.maximize
    )


def known_front(problem: AnonymizationProblem, result: Result) -> pd.DataFrame | None:
    """The true front; None if it is not proven, and too large a space to be enumerated."""
    if result.proven:
        return result.front
    return exact_front(problem) if problem.is_enumerable else None


def draw_fronts(
    problem: AnonymizationProblem,
    fronts: dict[str, pd.DataFrame],
    exact: pd.DataFrame | None,
    *,
    title: str,
    path: Path,
) -> bytes:
    """Picture of fronts over the first and the last objective, and of the exact one if known.

    It is the content of a file whose format the ending of `path` tells. Of more than two
    objectives it is a projection, which the title says; the exact front is then no line.

    Raises
    ------
    ValueError
        If the problem has one objective, or the picture cannot be drawn.
    """
    from anonopt.visualization import plot_front
    from anonopt.visualization.figures import picture_of

    names = problem.objective_names
    if len(names) < 2:
        raise ValueError(f"plot: expected a problem of at least 2 objectives, found {names[0]!r}")
    shown = {EXACT: exact, **fronts} if exact is not None else dict(fronts)
    if len(names) > 2:
        title += f"\nprojection of {len(names)} objectives: {', '.join(names)}"
    figure = plot_front(
        shown,
        names[0],
        names[-1],
        line=EXACT if exact is not None and len(names) == 2 else None,
        maximize=[problem.maximize[0], problem.maximize[-1]],
        log_x=_spans_decades(shown, names[0]),
        title=title,
    )
    return picture_of(figure, path)


def _spans_decades(fronts: dict[str, pd.DataFrame], column: str) -> bool:
    values = [front[column] for front in fronts.values() if len(front)]
    smallest = min(column.min() for column in values)
    return bool(smallest > 0 and max(column.max() for column in values) / smallest >= 100)
