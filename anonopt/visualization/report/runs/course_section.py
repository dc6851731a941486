"""The course of a run on its page."""

from __future__ import annotations

from anonopt.runs import Result
from anonopt.visualization.report import tables
from anonopt.visualization.report.parts import Panel, Section
from anonopt.visualization.report.plots import sized_plot
from anonopt.visualization.report.runs import run_course
from anonopt.visualization.report.solutions.detail import counted


def course_section(result: Result) -> Section:
    """Quality over evaluations, the population, and the tests of nodes, where there are any."""
    history, note = run_course.history_table(result)
    volume = run_course.hypervolume_course(result)
    text = "The best feasible value of each objective so far."
    reached = volume.loc[volume["hypervolume"] >= 0.95, "evaluations"]
    if len(reached):
        text = (
            f"{text} The hypervolume is a share of that of the front at the end; 95 % of it was "
            f"reached after {int(reached.iloc[0]):,} of {result.n_unique:,} evaluations."
        )
    drawings = (sized_plot("course", run_course.course_figure(result)),) if result.success else ()
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
                drawings=(sized_plot("population", figure),),
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
                drawings=(sized_plot("tests", run_course.tests_figure(trace)),),
                tables=(tables.table("Nodes by what became of them, and why", tested),),
                is_wide=True,
            )
        )
    return Section("Course of the search", panels=tuple(panels))
