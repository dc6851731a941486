"""The page of one run: facts, front, recommendation, course, and every solution in its terms."""

from __future__ import annotations

from os import PathLike
from typing import Any

from pymoo.core.algorithm import Algorithm

from anonopt._checks import check_integer
from anonopt.problems import AnonymizationProblem
from anonopt.runs import Result, load_run
from anonopt.visualization.report import tables
from anonopt.visualization.report.parts import Page, Panel, Section, Text
from anonopt.visualization.report.runs import run_facts
from anonopt.visualization.report.runs.course_section import course_section
from anonopt.visualization.report.runs.front_section import front_section
from anonopt.visualization.report.runs.recommendation import knees
from anonopt.visualization.report.runs.run_solutions import (
    LEAST,
    SIZE_BUDGET,
    default_sample_rows,
    evaluated_files,
    opened_solutions,
    warning_of,
)
from anonopt.visualization.report.solutions.detail import Shown, counted
from anonopt.visualization.report.solutions.solution_details import backgrounds, unwrapped


def run_page(
    result: Result,
    *,
    title: str | None = None,
    sample_rows: int | None = None,
    random_state: int = 1,
    size_budget: int = SIZE_BUDGET,
) -> Page:
    """Report of a run.

    Parameters
    ----------
    result : Result
    title : str, optional
        By default the names of problem and algorithm.
    sample_rows : int, optional
        Rows of the original that every solution shows beside the protected ones; 0 shows none.
        By default 12 of the data that problems of the catalogue are made of, which anybody can
        have, and none of others: a page with records has to be kept like the table.
    random_state : int
        Seed of what protects by chance; the page tells it.
    size_budget : int
        Bytes that the solutions may have; of more, those nearest to the knee and the extremes are
        described, and the page says so.

    Returns
    -------
    Page

    Raises
    ------
    TypeError
        If it is no result, or an option no whole number.
    ValueError
        If an option is out of range.
    """
    if not isinstance(result, Result):
        raise TypeError(f"result: expected a Result of solve, found {type(result).__name__}")
    if sample_rows is not None:
        check_integer("sample_rows", sample_rows, least=0)
    check_integer("random_state", random_state, least=0)
    check_integer("size_budget", size_budget, least=0)
    problem = unwrapped(result.problem)
    shown = Shown(
        sample_rows=default_sample_rows(problem) if sample_rows is None else sample_rows,
        seed=random_state,
        evaluated=evaluated_files(result),
    )
    found, rule = knees(result.F) if result.success else ([], "")
    solutions, left_out = opened_solutions(result, problem, shown, found, size_budget)
    opened = {solution.key for solution in solutions}
    sections = [
        _overview(result),
        *(
            [front_section(result, found, rule, opened, left_out)]
            if result.success
            else [_nothing(result)]
        ),
        course_section(result),
    ]
    return Page(
        title=title or run_facts.title_of(result),
        lead=_lead(result),
        sections=tuple(sections),
        solutions=tuple(solutions),
        source=f"Made of the result of a run with seed {result.seed}.",
        warning=warning_of(shown, solutions),
        backgrounds=backgrounds(problem, shown),
    )


def saved_run_page(
    path: str | PathLike[str],
    *,
    problem: AnonymizationProblem | None = None,
    algorithm: Algorithm | None = None,
    **options: Any,
) -> Page:
    """Report of a saved run; nothing is evaluated.

    Parameters
    ----------
    path : path
        File of ``save_run``, or of ``solve(..., checkpoint=path)``.
    problem, algorithm
        As :func:`anonopt.runs.load_run` takes them.
    **options
        Of `run_page`.
    """
    return run_page(load_run(path, problem=problem, algorithm=algorithm), **options)


def _lead(result: Result) -> str:
    if not result.success:
        return f"Nothing feasible was found: {result.message}."
    proven = run_facts.PROVEN if result.proven else run_facts.NOT_PROVEN
    return (
        f"{counted(len(result.front), 'solution')} on the front after "
        f"{counted(result.n_unique, 'distinct evaluation')}; optimality is {proven}."
    )


def _overview(result: Result) -> Section:
    facts = dict(run_facts.run_facts(result).to_numpy().tolist())
    commands = run_facts.again(result)
    texts = (Text("Commands that run it again", commands),) if commands else ()
    panels = (Panel("The same run again", "Equal seeds give equal results.", texts=texts),)
    return Section("The run", facts=facts, panels=panels if commands else ())


def _nothing(result: Result) -> Section:
    panel = Panel(
        "The least infeasible solution",
        "No constraint violation is smaller; the violation is the sum of what each constraint "
        "is missed by.",
        tables=(
            tables.table("Least infeasible", result.least_infeasible, opens=[LEAST], is_open=True),
        ),
        is_wide=True,
    )
    return Section("Nothing feasible was found", summary=result.message, panels=(panel,))
