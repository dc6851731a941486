"""The front of a run on its page: figures, table, and which solution to take."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from anonopt.runs import Result
from anonopt.visualization.report import tables
from anonopt.visualization.report.parts import Panel, Plot, Section, Table, Weights
from anonopt.visualization.report.plots import sized_plot
from anonopt.visualization.report.runs import run_facts, run_front
from anonopt.visualization.report.runs.recommendation import (
    LEAST_WEIGHT,
    RHO,
    WEIGHT_RULE,
    scaled,
)
from anonopt.visualization.report.solutions.detail import counted
from anonopt.visualization.report.solutions.measured_values import number_text

OPENED = "A click on a point, or the button of its row, opens the solution."
OPENED_BY_ROW = "They are equally good; the button of its row opens each."

MAX_GENES = 12
"""Genes that are shown in the table of the front."""

MAX_OPEN = 15
MAX_ROWS = 1000
"""Rows up to which the table is seen at once, and those that it has at most."""


def front_section(
    result: Result, found: Sequence[int], rule: str, opened: set[str], left_out: str
) -> Section:
    """Front as figures and table, and which solution to take.

    Parameters
    ----------
    result : Result
        With something feasible.
    found : sequence of int
        Rows of the front that are knees.
    rule : str
        By which they are.
    opened : set of str
        Keys of the solutions that the page describes.
    left_out : str
        What is said of the others; empty without any.
    """
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
            sized_plot("parallel coordinates", run_front.parallel_figure(result, found)),
            sized_plot("pairs of objectives", run_front.pairs_figure(result, found)),
        )
        notes = (*notes, *thinned)
    elif len(names) == 2:
        figures = (sized_plot("front", run_front.front_figure(result, found)),)
    else:
        figures = ()
    table = _table(result, opened)
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


def _table(result: Result, opened: set[str]) -> Table:
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


def _ranges(result: Result) -> str:
    parts = []
    for place, name in enumerate(result.problem.objective_names):
        values = result.front.iloc[:, -len(result.problem.objective_names) + place]
        low, high = (number_text(float(one)) for one in (values.min(), values.max()))
        parts.append(f"{name} is {low}" if low == high else f"{name} from {low} to {high}")
    return f"{counted(len(result.front), 'solution')}: {', '.join(parts)}."


def _recommendation(result: Result, found: Sequence[int], rule: str) -> Panel:
    names = [str(name) for name in result.problem.objective_names]
    titles = tuple(_title(result, row) for row in range(len(result.F)))
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


def _title(result: Result, row: int) -> str:
    """Number and objectives of a solution in one line."""
    values = result.problem.natural(result.F[row])
    named = zip(result.problem.objective_names, values.tolist(), strict=True)
    return f"Solution {row}: {', '.join(f'{name} {number_text(value)}' for name, value in named)}"
