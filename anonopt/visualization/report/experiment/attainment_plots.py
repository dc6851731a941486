"""Attainment surfaces of a problem: what shares of the runs of each algorithm reach."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.experiments.performance.attainment import MOST_OBJECTIVES, attainment_frame
from anonopt.experiments.performance.quality import hypervolume_share
from anonopt.visualization.comparison.attainment import stairs
from anonopt.visualization.report import plots, tables
from anonopt.visualization.report.experiment.compared import (
    Compared,
    minimized,
    names_text,
)
from anonopt.visualization.report.experiment.front_plots import REFERENCE, reference_entry
from anonopt.visualization.report.experiment.objective_axes import objective_axis
from anonopt.visualization.report.parts import Entry, Panel, Plot

Stairs: TypeAlias = tuple[FloatArray, FloatArray]
"""Where a stair goes, in natural units of either objective."""

PERCENTILES = (25.0, 50.0, 75.0)
WHERE = "%{x:,.6~g}, %{y:,.6~g}<extra></extra>"


def attainment_panel(of: Compared, problem: str) -> Panel:
    """Median surface of each algorithm, between those of a quarter and of three quarters."""
    title = "Attainment surfaces"
    facts = of.runs.problems[problem]
    n_obj = len(facts.objectives)
    if not 2 <= n_obj <= MOST_OBJECTIVES:
        return Panel(title, f"They are of two or three objectives; this problem has {n_obj}.")
    surfaces = {
        name: attainment_frame(of.runs, problem, name, percentiles=PERCENTILES, budget=of.budget)
        for name in of.finished(problem)
    }
    if not any(len(frame) for frame in surfaces.values()):
        return Panel(title, "There are none: too few runs found anything feasible.")
    shares = _shares(of, problem, surfaces)
    told = names_text(
        [
            f"{name} {shares.loc[name, 50.0]:.1%}"
            for name in shares[50.0].sort_values(ascending=False, kind="stable").index
        ],
        most=12,
    )
    drawings = (Plot("surfaces", _figure(of, problem, surfaces)),) if n_obj == 2 else ()
    shown = shares.rename(columns={share: f"{share:g} % of the runs" for share in shares.columns})
    seen = (
        "Lines are what half of the runs attain; bands reach from what a quarter attains to what "
        "three quarters attain."
        if n_obj == 2
        else "Surfaces of three objectives are not drawn; their volumes are in the table."
    )
    return Panel(
        title,
        f"What half of the runs attain covers, of the hypervolume of the reference: {told}.",
        drawings=drawings,
        tables=(
            tables.table("Share of the hypervolume that is covered by what is attained", shown),
        ),
        notes=(f"{seen} Runs that failed attain nothing.",),
    )


def _shares(of: Compared, problem: str, surfaces: dict[str, pd.DataFrame]) -> pd.DataFrame:
    facts, reference = of.runs.problems[problem], of.references[problem]
    rows = {}
    for name, frame in surfaces.items():
        corners = {
            share: minimized(
                frame.loc[frame["percentile"] == share, list(facts.objectives)].to_numpy(
                    dtype=np.float64
                ),
                facts,
            )
            for share in PERCENTILES
        }
        rows[name] = {
            share: hypervolume_share(F, reference) if len(F) else 0.0
            for share, F in corners.items()
        }
    return pd.DataFrame(rows).T.rename_axis("algorithm")


def _figure(of: Compared, problem: str, surfaces: dict[str, pd.DataFrame]) -> Any:
    facts = of.runs.problems[problem]
    names = list(facts.objectives)
    corners = [frame[names].to_numpy(dtype=np.float64) for frame in surfaces.values()]
    traces = []
    if facts.reference_front is not None:
        front = facts.natural(facts.reference_front)
        corners.append(front)
        traces.append(_reference(front))
    together = np.concatenate(corners)
    ends = np.where(facts.maximize, together.min(axis=0), together.max(axis=0))
    for name, frame in surfaces.items():
        lines = {
            share: stairs(
                frame.loc[frame["percentile"] == share, names].to_numpy(dtype=np.float64),
                facts,
                ends,
            )
            for share in PERCENTILES
        }
        traces += _surface(name, of.entries[name], lines)
    x, y = (objective_axis(facts, place, together[:, place]) for place in range(2))
    return plots.plot(traces, x=x, y=y)


def _reference(front: FloatArray) -> Any:
    """Points of the reference front, (n_points, 2) in natural units."""
    import plotly.graph_objects as go

    entry = reference_entry()
    return go.Scatter(
        x=front[:, 0],
        y=front[:, 1],
        mode="markers",
        marker={"color": entry.color, "size": 4},
        legendgroup=entry.key,
        name=REFERENCE,
        hovertemplate=f"{REFERENCE}<br>{WHERE}",
    )


def _surface(name: str, entry: Entry, lines: dict[float, Stairs]) -> list[Any]:
    """Band and middle line of an algorithm; what no share of the runs attains is left out."""
    import plotly.graph_objects as go

    low, middle, high = (lines[share] for share in PERCENTILES)
    shared = {"legendgroup": entry.key, "name": plots.label(name)}
    traces = []
    if len(high[0]) > 1 and not all(map(np.array_equal, low, high)):
        traces.append(
            go.Scatter(
                x=np.concatenate([low[0], high[0][::-1]]),
                y=np.concatenate([low[1], high[1][::-1]]),
                mode="none",
                fill="toself",
                fillcolor=entry.color + plots.BAND,
                hoverinfo="skip",
                **shared,
            )
        )
    if len(middle[0]) > 1:
        traces.append(
            go.Scatter(
                x=middle[0],
                y=middle[1],
                mode="lines",
                line={"color": entry.color, "dash": entry.dash, "width": 2},
                hovertemplate=f"<b>{plots.label(name)}</b>, half of the runs<br>{WHERE}",
                **shared,
            )
        )
    return traces
