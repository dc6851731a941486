"""A masked file: risk and utility beside all files of the run, changed cells, contingency."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, BoolArray
from anonopt.measures import MEASURES, measure_names
from anonopt.problems import ContinuousMaskingProblem, MaskingProblem
from anonopt.visualization.figures import axis_label
from anonopt.visualization.report.solutions.contingency import contingency_part
from anonopt.visualization.report.solutions.detail import (
    Detail,
    Drawing,
    Part,
    Shown,
    changed_cells,
    counted,
    nothing_protected,
    percent,
    sample,
)
from anonopt.visualization.report.solutions.detail_figures import bars, wrapped
from anonopt.visualization.report.solutions.measured_values import (
    measured,
    measures_table,
    missed_constraints,
)
from anonopt.visualization.thinning import evenly_spaced

if TYPE_CHECKING:
    import plotly.graph_objects as go

KIND, NUMERIC_KIND = "masked file", "masked file of numbers"

RISK_UTILITY = "risk-utility map"
"""Background: every file that the run evaluated."""

RISK, LOSS = "DR", "IL"

MAX_FILES = 1500
"""Files of the map that are drawn."""


def file_detail(
    problem: MaskingProblem | ContinuousMaskingProblem, x: AnyArray, shown: Shown
) -> Detail:
    """Describe a masked file.

    Parameters
    ----------
    problem : MaskingProblem or ContinuousMaskingProblem
    x : int array (n_var,)
        A genome.
    shown : Shown
    """
    genome = problem.space.checked_one(x)
    columns = list(problem.columns.names)
    is_numeric = isinstance(problem, ContinuousMaskingProblem)
    values = measured(problem, genome, measure_names("numeric file" if is_numeric else "file"))
    known = {one.name: one for one in (*problem.measures, *map(MEASURES.get, values)) if one}
    parts = [Part("Loss and risk of the file", table=measures_table(values, known)), _map(values)]
    summary = f"Information loss {values[LOSS]:.4g} %, disclosure risk {values[RISK]:.4g} %."
    if missed := missed_constraints(problem, genome):
        parts.append(nothing_protected(missed))
    else:
        original, masked = problem.original_file, problem.protect(genome)
        changed = changed_cells(original, masked, columns)
        share = float(changed.mean())
        summary = (
            f"{counted(int(changed.sum()), 'cell')} of {changed.size:,} changed "
            f"({percent(share)}). {summary}"
        )
        parts.append(changed_part(columns, changed))
        if len(columns) > 1:
            parts.append(contingency_part(original, masked, problem.columns, changed))
        parts.append(sample(original, masked, shown, columns=columns))
    return Detail(NUMERIC_KIND if is_numeric else KIND, summary, tuple(parts))


def _map(values: dict[str, float]) -> Part:
    risk, loss = values[RISK], values[LOSS]

    def figure() -> go.Figure:
        import plotly.graph_objects as go

        return go.Figure(
            go.Scatter(
                x=[risk],
                y=[loss],
                mode="markers",
                name="this file",
                marker={"size": 15, "symbol": "star", "color": "#D55E00"},
            )
        )

    text = f"This file stands at risk {risk:.4g} % and loss {loss:.4g} %; the origin would be best."
    drawing = Drawing(
        figure,
        "Scatter: disclosure risk and information loss of the evaluated files, this one a star.",
        background=RISK_UTILITY,
    )
    return Part("Risk-utility map", text, drawing=drawing)


def changed_part(columns: Sequence[Hashable], changed: BoolArray) -> Part:
    """Changed cells by column."""
    counts = changed.sum(axis=0)
    table = pd.DataFrame(
        {
            "column": list(map(str, columns)),
            "changed cells": counts,
            "of": len(changed),
            "share": [percent(n / len(changed)) for n in counts.tolist()],
        }
    )

    def figure() -> go.Figure:
        shares = (100 * counts / len(changed)).tolist()
        return bars(list(map(str, columns)), {"changed": shares}, axis="changed cells, percent")

    drawing = Drawing(figure, "Bars: share of the cells that changed, by column.")
    return Part("Changed cells by column", "", table, drawing=drawing)


def risk_utility_background(evaluated: pd.DataFrame | None) -> go.Figure:
    """Risk and loss of the files that a run evaluated, and which of them none dominates.

    Parameters
    ----------
    evaluated : DataFrame (n, ...), optional
        Columns IL and DR. Of more than `MAX_FILES`, those not dominated are drawn, and of the
        others some, evenly in their order.
    """
    import moocore
    import plotly.graph_objects as go

    figure = go.Figure()
    axes = [{"title": {"text": wrapped(axis_label(name), 44)}} for name in (RISK, LOSS)]
    figure.update_layout(
        xaxis=axes[0],
        yaxis=axes[1],
        height=420,
        legend={"orientation": "h", "y": 1.1},
        margin={"t": 40, "r": 20, "b": 60, "l": 60},
    )
    if evaluated is None or len(evaluated) == 0:
        return figure
    points = evaluated[[RISK, LOSS]].to_numpy(dtype=np.float64)
    highest = float(points.max())
    figure.add_scatter(
        x=[0, highest],
        y=[0, highest],
        mode="lines",
        name="IL = DR",
        line={"color": "#888888", "dash": "dash", "width": 1},
    )
    best = np.flatnonzero(moocore.is_nondominated(points))
    others = np.setdiff1d(np.arange(len(points)), best)
    n_kept = min(len(others), max(MAX_FILES - len(best), 0))
    kept = others[evenly_spaced(len(others), n_kept)]
    drawn = f"{n_kept:,} of {len(others):,}" if n_kept < len(others) else f"{n_kept:,}"
    for chosen, name, color, symbol in (
        (kept, f"evaluated ({drawn})", "#56B4E9", "circle-open"),
        (best, f"not dominated ({len(best):,})", "#0072B2", "x"),
    ):
        rounded = np.round(points[chosen], 4)
        figure.add_scatter(
            x=rounded[:, 0].tolist(),
            y=rounded[:, 1].tolist(),
            mode="markers",
            name=name,
            marker={"size": 6, "color": color, "symbol": symbol},
        )
    return figure
