"""All of the report of an experiment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt.experiments.runs import Runs
from anonopt.visualization.figures import axis_label
from anonopt.visualization.report.experiment.anytime_plots import curves_panel
from anonopt.visualization.report.experiment.attainment_plots import attainment_panel
from anonopt.visualization.report.experiment.compared import Compared, compared, names_text
from anonopt.visualization.report.experiment.front_plots import front_panel, reference_entry
from anonopt.visualization.report.experiment.joint_fronts import joint_fronts
from anonopt.visualization.report.experiment.origins_sections import (
    configuration,
    environment,
    failures,
)
from anonopt.visualization.report.experiment.over_problems import over_problems
from anonopt.visualization.report.experiment.overview import overview
from anonopt.visualization.report.experiment.stored_solutions import (
    Rebuilt,
    StoredSolutions,
    rebuild,
    stored_solutions,
)
from anonopt.visualization.report.experiment.told_points import ToldPoints
from anonopt.visualization.report.parts import Page, Points, Section
from anonopt.visualization.report.runs.run_solutions import RECORDS_WARNING, STATISTICS_WARNING

INDICATORS = ("hypervolume", "igd_plus", "epsilon")
"""Of which curves can be chosen."""

MOST_SOLUTIONS = 100
SIZE_BUDGET = 2_500_000
"""Bytes of all solutions that can be opened, packed."""

NOTHING = StoredSolutions(Rebuilt(None))
"""Of a problem that no run on ended well."""


def experiment_page(
    runs: Runs,
    *,
    title: str | None = None,
    indicator: str = "hypervolume",
    indicators: Sequence[str] = INDICATORS,
    budget: str | None = None,
    most_solutions: int = MOST_SOLUTIONS,
    sample_rows: int | None = None,
    random_state: int = 1,
    on_progress: Callable[[float, int], object] | None = None,
) -> Page:
    """Put together the report of an experiment.

    Parameters
    ----------
    runs : Runs
        Also of an experiment that goes on, was interrupted, or failed.
    title : str, optional
    indicator : str
        Of tables, ranks and tests, see :func:`anonopt.experiments.list_indicators`.
    indicators : sequence of str
        Others of which curves can be chosen.
    budget : str, optional
        Of the runs, as ``runs.frame`` names it; by default the largest.
    most_solutions : int
        Solutions of the best fronts that a click opens, at least 0, over all problems.
    sample_rows : int, optional
        Rows of the original that each of them shows beside the protected ones; 0 shows none. By
        default 6 of the data that problems of the catalogue are made of, and none of others.
    random_state : int
        Seed of what protects by chance.
    on_progress : function, optional
        Called with the share of the sections that are done, and their number.

    Returns
    -------
    Page

    Raises
    ------
    ValueError
        If an indicator or the budget is unknown, or a number is out of its range.
    """
    check_integer("most_solutions", most_solutions, least=0)
    if sample_rows is not None:
        check_integer("sample_rows", sample_rows, least=0)
    check_integer("random_state", random_state, least=0)
    of = compared(runs, indicator=indicator, indicators=indicators, budget=budget)
    done = partial(_tell, on_progress, len(of.problems) + 2)
    curves = _curves(of)
    done(1)
    sections = [overview(of)]
    all_opened: list[StoredSolutions] = []
    points: list[Points] = []
    if len(of.frame):
        sections.append(over_problems(of))
    done(2)
    for number, problem in enumerate(of.problems, start=1):
        section, opened, told = _problem_section(
            of,
            problem,
            curves,
            number=number,
            most=most_solutions // len(of.problems),
            size_budget=SIZE_BUDGET // len(of.problems),
            sample_rows=sample_rows,
            random_state=random_state,
        )
        sections.append(section)
        all_opened.append(opened)
        points += told
        done(number + 2)
    bad = failures(of)
    sections += [*([] if bad is None else [bad]), environment(of), configuration(of)]
    return Page(
        title or ("Experiment" if runs.name == "experiment" else f"Experiment {runs.name}"),
        f"{names_text(of.algorithms, most=12)} compared on {names_text(of.problems, most=12)}."
        if len(of.frame)
        else "The file of the experiment holds no run yet.",
        tuple(sections),
        tuple(solution for opened in all_opened for solution in opened.solutions),
        f"Made from {runs.path.name} by anonopt {version('anonopt')}.",
        warning=max((opened.warning for opened in all_opened), key=severity, default=""),
        backgrounds={
            name: figure for opened in all_opened for name, figure in opened.backgrounds.items()
        },
        points=tuple(points),
    )


def _results(of: Compared, problem: str) -> str:
    """Medians of the indicator at the end of the runs, from the best on."""
    if of.samples is None or problem not in of.samples.problems:
        return "Nothing feasible is known of it."
    medians = pd.Series(of.samples.medians().loc[problem], dtype=np.float64).dropna()
    ordered = medians.sort_values(ascending=not of.samples.maximize, kind="stable")
    told = [f"{name} {value:.4g}" for name, value in ordered.items()]
    return f"Median {of.indicator} at the end of the runs: {names_text(told, most=12)}."


def _curves(of: Compared) -> dict[str, pd.DataFrame]:
    if len(of.done) == 0:
        return {}
    return {name: of.runs.curves(name, budget=of.budget) for name in of.indicators}


def _tell(on_progress: Callable[[float, int], object] | None, of_all: int, n_done: int) -> None:
    if on_progress is not None:
        on_progress(n_done / of_all, n_done)


def severity(warning: str) -> int:
    """Order of warnings: of a page with several the gravest is told."""
    return ("", STATISTICS_WARNING, RECORDS_WARNING).index(warning)


def _problem_section(
    of: Compared,
    problem: str,
    curves: dict[str, pd.DataFrame],
    *,
    number: int,
    **options: Any,
) -> tuple[Section, StoredSolutions, tuple[Points, ...]]:
    """Section of a problem, its solutions that can be opened, and what is told of points."""
    facts = of.runs.problems[problem]
    finished = of.finished(problem)
    if not finished:
        return (
            Section(f"Problem {problem}", "No run on it ended well."),
            NOTHING,
            (),
        )
    fronts = joint_fronts(of, problem)
    opened = stored_solutions(
        rebuild(of.runs, problem),
        fronts,
        facts.objectives,
        number=number,
        **options,
    )
    told = ToldPoints(f"points-{number}", facts, fronts, opened)
    panels = [
        front_panel(of, problem, fronts, opened, told),
        curves_panel(of, problem, curves),
    ]
    if len(facts.objectives) > 1:
        panels.append(attainment_panel(of, problem))
    reference = [reference_entry()] if facts.reference_front is not None else []
    section = Section(
        f"Problem {problem}",
        _results(of, problem),
        facts={
            name: axis_label(name, bool(flag)).removeprefix(f"{name}: ")
            for name, flag in zip(facts.objectives, facts.maximize, strict=True)
        },
        panels=tuple(panels),
        legend=(*(of.entries[name] for name in finished), *reference),
    )
    return section, opened, (told.shared(),)
