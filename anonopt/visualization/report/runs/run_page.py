"""The page of one run: facts, front, recommendation, course, and every solution in its terms."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import pandas as pd
from pymoo.core.algorithm import Algorithm

from anonopt._checks import check_integer
from anonopt.problems import AnonymizationProblem
from anonopt.runs import Result, load_run
from anonopt.visualization.report import tables
from anonopt.visualization.report.parts import Page, Panel, Plot, Section, Table, Text, Weights
from anonopt.visualization.report.runs import run_course, run_facts, run_front
from anonopt.visualization.report.runs.recommendation import (
    LEAST_WEIGHT,
    RHO,
    WEIGHT_RULE,
    knees,
    scaled,
)
from anonopt.visualization.report.runs.run_solutions import (
    LEAST,
    SIZE_BUDGET,
    default_sample_rows,
    evaluated_files,
    opened_solutions,
    warning_of,
)
from anonopt.visualization.report.solutions.detail import Shown, counted
from anonopt.visualization.report.solutions.measured_values import number_text
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
            [_front(result, found, rule, opened, left_out)]
            if result.success
            else [_nothing(result)]
        ),
        _course(result),
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


def _front(
    result: Result, found: Sequence[int], rule: str, opened: set[str], left_out: str
) -> Section:
    names = list(result.problem.objective_names)
    notes = (left_out,) if left_out else ()
    panels = []
    figures: tuple[Plot, ...]
    if len(names) > 2:
        n_lines = len(run_front.drawn_lines(result.F))
        thinned = (
            (f"{n_lines:,} of {len(result.F):,} solutions are drawn as lines.",)
            if n_lines < len(result.F)
            else ()
        )
        figures = (
            _plot("parallel coordinates", run_front.parallel_figure(result, found)),
            _plot("pairs of objectives", run_front.pairs_figure(result, found)),
        )
        notes = (*notes, *thinned)
    elif len(names) == 2:
        figures = (_plot("front", run_front.front_figure(result, found)),)
    else:
        figures = ()
    table = run_front_table(result, opened)
    panels.append(
        Panel(
            "Front" if figures else "Best solutions",
            f"{_ranges(result)} {OPENED if figures else OPENED_BY_ROW}",
            drawings=figures,
            choice="view",
            tables=(table,),
            notes=notes,
            is_wide=True,
        )
    )
    if len(names) > 1:
        panels.append(_recommendation(result, found, rule))
    return Section("Front", panels=tuple(panels))


def run_front_table(result: Result, opened: set[str]) -> Table:
    """Solutions with their objectives, each with the button that opens it if it is described."""
    frame = run_facts.front_table(result)
    keys = [str(row) if str(row) in opened else None for row in range(len(frame))]
    genes = result.front.drop(columns=list(result.problem.objective_names))
    if result.problem.space.names and genes.shape[1] <= MAX_GENES:
        frame = pd.concat([frame, genes.astype(str)], axis=1)
    return tables.table(
        "Solutions of the front",
        frame,
        opens=keys,
        is_open=len(frame) <= MAX_OPEN,
        most_rows=MAX_ROWS,
    )


OPENED = "A click on a point, or the button of its row, opens the solution."
OPENED_BY_ROW = "They are equally good; the button of its row opens each."

MAX_GENES = 12
"""Genes that are shown in the table of the front."""

MAX_OPEN = 15
MAX_ROWS = 1000
"""Rows up to which the table is seen at once, and those that it has at most."""


def _ranges(result: Result) -> str:
    parts = []
    for place, name in enumerate(result.problem.objective_names):
        values = result.front.iloc[:, -len(result.problem.objective_names) + place]
        low, high = (number_text(float(one)) for one in (values.min(), values.max()))
        parts.append(f"{name} is {low}" if low == high else f"{name} from {low} to {high}")
    return f"{counted(len(result.front), 'solution')}: {', '.join(parts)}."


def _recommendation(result: Result, found: Sequence[int], rule: str) -> Panel:
    names = [str(name) for name in result.problem.objective_names]
    titles = tuple(solution_title(result, row) for row in range(len(result.F)))
    knee_text = "; ".join(titles[row] for row in found)
    weights = Weights(
        names=tuple(names),
        scaled=scaled(result.F).tolist(),
        titles=titles,
        rho=RHO,
        least=LEAST_WEIGHT,
    )
    return Panel(
        "Which one to take",
        f"Knee ({rule}): {knee_text}. Move the sliders to say how much each objective counts for "
        f"you; the recommended solution is marked in the figures above.",
        weights=weights,
        notes=(f"Weights: {WEIGHT_RULE}",),
        is_wide=True,
    )


def solution_title(result: Result, row: int) -> str:
    """Number and objectives of a solution in one line."""
    values = result.problem.natural(result.F[row])
    named = zip(result.problem.objective_names, values.tolist(), strict=True)
    return f"Solution {row}: {', '.join(f'{name} {number_text(value)}' for name, value in named)}"


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


def _course(result: Result) -> Section:
    history, note = run_course.history_table(result)
    volume = run_course.hypervolume_course(result)
    text = "The best feasible value of each objective so far."
    reached = volume.loc[volume["hypervolume"] >= 0.95, "evaluations"]
    if len(reached):
        text = (
            f"{text} The hypervolume is a share of that of the front at the end; 95 % of it was "
            f"reached after {int(reached.iloc[0]):,} of {result.n_unique:,} evaluations."
        )
    drawings = (_plot("course", run_course.course_figure(result)),) if result.success else ()
    if not result.success:
        text = "Nothing feasible was found, so there is no best value so far."
    panels = [
        Panel(
            "Quality over evaluations",
            text,
            drawings=drawings,
            tables=(tables.table("Evaluations", history, most_rows=run_course.MAX_HISTORY),),
            notes=(note,),
            is_wide=True,
        )
    ]
    generations = run_course.population_history(result)
    figure = None if generations is None else run_course.population_figure(generations)
    if generations is not None and figure is not None:
        panels.append(
            Panel(
                "Population by generation",
                f"Largest, mean and least value in the population over "
                f"{counted(len(generations) - 1, 'generation')}.",
                drawings=(_plot("population", figure),),
                is_wide=True,
            )
        )
    trace = run_course.trace_of(result)
    if trace is not None:
        tested = run_course.tests_table(trace)
        panels.append(
            Panel(
                "Tests of nodes",
                f"{result.n_tests:,} nodes were tested; the others were told by them.",
                drawings=(_plot("tests", run_course.tests_figure(trace)),),
                tables=(tables.table("Nodes by what became of them, and why", tested),),
                is_wide=True,
            )
        )
    return Section("Course of the search", panels=tuple(panels))


def _plot(name: str, figure: Any) -> Plot:
    return Plot(name, figure, height=int(figure.layout.height))
