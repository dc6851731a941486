"""Solutions of a run as the page opens them: which, in which order, and within which size."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.problems import AnonymizationProblem, LatticeProblem
from anonopt.problems.base import EXTRA
from anonopt.problems.catalogue import PROBLEMS
from anonopt.runs import Result
from anonopt.visualization.report.parts import Solution
from anonopt.visualization.report.runs.recommendation import scaled
from anonopt.visualization.report.solutions.detail import RECORDS, SAMPLE_ROWS, Shown
from anonopt.visualization.report.solutions.detail_panels import detail_panels
from anonopt.visualization.report.solutions.measured_values import number_text
from anonopt.visualization.report.solutions.solution_details import solution_detail

SIZE_BUDGET = 3_000_000
"""Bytes of the packed solutions of a page."""

LEAST = "least infeasible"
"""Key of the solution that is described where none is feasible."""

RECORDS_WARNING = (
    "It shows original records beside protected ones, many times over: keep it like the table, and "
    "do not publish it if the table is not public. With sample_rows=0 "
    "(--sample-rows 0) it has none."
)
STATISTICS_WARNING = (
    "It shows no original records, but counts of the original data, such as sizes of classes and "
    "frequencies of categories: look at them as at any table before you publish it."
)


def default_sample_rows(problem: AnonymizationProblem) -> int:
    """Rows that are shown of the data of a problem: none of what may not be public.

    The problems that come with the library are made of published data.
    """
    recipe = problem.recipe
    is_public = recipe is not None and PROBLEMS.is_installed(recipe.name)
    return SAMPLE_ROWS if is_public else 0


def warning_of(shown: Shown, solutions: Sequence[Solution] | None = None) -> str:
    """What has to be known before the page is passed on.

    Parameters
    ----------
    shown : Shown
    solutions : sequence of Solution, optional
        Those of the page: infeasible ones have no records. By default some have.
    """
    panels = [panel for one in solutions or () for panel in one.panels if panel.title == RECORDS]
    has_records = solutions is None or any(panel.tables for panel in panels)
    return RECORDS_WARNING if shown.sample_rows and has_records else STATISTICS_WARNING


def evaluated_files(result: Result) -> pd.DataFrame | None:
    """Loss and risk of the files that a run evaluated, as far as they are known.

    Those of the history if they are objectives, else those of the last population.
    """
    names = ["IL", "DR"]
    if set(names) <= set(result.history.columns):
        return result.history[names]
    pop = getattr(result.algorithm, "pop", None)
    if pop is None or len(pop) == 0:
        return None
    values = [[one.data.get(f"{EXTRA}{name}") for name in names] for one in pop]
    known = [row for row in values if None not in row]
    return pd.DataFrame(known, columns=names, dtype=np.float64) if known else None


def opened_solutions(
    result: Result,
    problem: AnonymizationProblem,
    shown: Shown,
    knees: Sequence[int],
    size_budget: int,
) -> tuple[list[Solution], str]:
    """Solutions of the front in their own terms, by their row, as many as fit.

    Parameters
    ----------
    result : Result
    problem : AnonymizationProblem
        Of the result, unwrapped.
    shown : Shown
    knees : sequence of int
        Rows that are described first.
    size_budget : int
        Bytes of all, packed; one is described in any case.

    Returns
    -------
    solutions : list of Solution
        In the order of their rows.
        If nothing is feasible, the least infeasible one, as `LEAST`.
    left_out : str
        What is not described, and why; empty if all are.
    """
    if not result.success:
        return _least_infeasible(result, problem, shown), ""
    found: dict[int, Solution] = {}
    size = 0
    for row in order_of_importance(result.F, knees).tolist():
        solution = _opened(result, problem, row, shown)
        size += packed_size(solution)
        if found and size > size_budget:
            break
        found[row] = solution
    left_out = ""
    if len(found) < len(result.F):
        left_out = (
            f"{len(found):,} of {len(result.F):,} solutions can be opened, those nearest to the "
            f"knee and to the best value of each objective; more would make the file too large. "
            f"result.protect(row) gives the protected data of each."
        )
    return [found[row] for row in sorted(found)], left_out


def order_of_importance(F: FloatArray, knees: Sequence[int]) -> IntArray:
    """Rows of a front: its knees, the best of each objective, then the nearest to one of these.

    Examples
    --------
    >>> order_of_importance(np.array([[0.0, 9], [1, 6], [4, 4], [6, 3], [9, 0]]), [2]).tolist()
    [2, 0, 4, 3, 1]
    """
    points = scaled(F)
    first = list(dict.fromkeys([*knees, *points.argmin(axis=0).tolist()]))
    distances = np.min(
        np.linalg.norm(points[:, np.newaxis] - points[np.newaxis, first], axis=2), axis=1
    )
    distances[first] = np.arange(len(first)) - len(first)
    return np.argsort(distances, kind="stable")


def _opened(result: Result, problem: AnonymizationProblem, row: int, shown: Shown) -> Solution:
    detail = solution_detail(problem, result.X[row], shown)
    objectives = result.problem.natural(result.F[row]).tolist()
    chance = ", random_state=..." if detail.by_chance else ""
    command = _command(problem, result.X[row])
    facts = {
        name: number_text(value)
        for name, value in zip(result.problem.objective_names, objectives, strict=True)
    }
    return Solution(
        key=str(row),
        title=f"Solution {row}: {detail.kind}",
        facts=facts,
        panels=detail_panels(detail),
        note=f"result.protect({row}{chance}) gives its protected data{command}.",
    )


def _command(problem: AnonymizationProblem, x: AnyArray) -> str:
    """What applies a node on the command line; empty of other solutions."""
    if not isinstance(problem, LatticeProblem):
        return ""
    levels = ",".join(str(int(level)) for level in x)
    return f"; on the command line anonopt anonymize with --node {levels}"


def _least_infeasible(
    result: Result, problem: AnonymizationProblem, shown: Shown
) -> list[Solution]:
    evaluator = getattr(result.algorithm, "run_evaluator", None)
    if evaluator is None:
        return []
    genome = evaluator.record.best()[1][0]
    detail = solution_detail(problem, genome, shown)
    values = result.least_infeasible.iloc[0]
    facts = {
        name: number_text(float(values[name]))
        for name in (*result.problem.objective_names, "violation")
    }
    title = f"The least infeasible solution: {detail.kind}"
    return [Solution(LEAST, title, facts=facts, panels=detail_panels(detail))]


def packed_size(solution: Solution) -> int:
    """Bytes that a solution takes in the page, about: its figures and cells, packed."""
    texts: list[Any] = []
    for panel in solution.panels:
        texts += [panel.title, panel.summary, *panel.notes]
        texts += [drawing.figure.to_json() for drawing in panel.drawings]
        texts += [table.frame.to_csv() for table in panel.tables]
        texts += [table.latex or "" for table in panel.tables]
    return len(gzip.compress("".join(texts).encode(), compresslevel=1, mtime=0))
