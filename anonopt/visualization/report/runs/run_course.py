"""The course of a run: how good it was after each evaluation, its population, its tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray, IntArray
from anonopt.algorithms.node_tests import TestingSearch
from anonopt.experiments.performance.anytime import after
from anonopt.experiments.performance.curves import evaluation_grid
from anonopt.experiments.performance.references import finite, reference_of
from anonopt.experiments.store.contents import Evaluations
from anonopt.runs import Result
from anonopt.visualization.figures import COLORS, axis_label, unit_of
from anonopt.visualization.history import GENERATION, SUMMARIES
from anonopt.visualization.report.solutions.detail import counted
from anonopt.visualization.report.solutions.detail_figures import plain
from anonopt.visualization.report.solutions.measured_values import number_text
from anonopt.visualization.thinning import evenly_spaced

if TYPE_CHECKING:
    import plotly.graph_objects as go

N_POINTS = 80
"""Numbers of evaluations at which the hypervolume is computed."""

MAX_HYPERVOLUME = 6
"""Objectives up to which the hypervolume is computed: it takes ever longer."""

MAX_PANELS = 6
MAX_STEPS = 600
"""Points of a curve that are drawn."""

MAX_HISTORY = 200
"""Rows of the history that are shown."""

PANEL_HEIGHT = 190


def evaluations_of(result: Result) -> Evaluations:
    """Distinct evaluations of a run, as indicators take them."""
    names = list(result.problem.objective_names)
    history = result.history
    F = result.problem.minimized(history[names].to_numpy(dtype=np.float64))
    return Evaluations(
        F, history["feasible"].to_numpy(dtype=bool), history["seconds"].to_numpy(dtype=np.float64)
    )


def hypervolume_course(result: Result) -> pd.DataFrame:
    """Hypervolume after numbers of evaluations, as a share of that of the front at the end.

    Returns
    -------
    DataFrame (n_points, 2)
        ``evaluations`` and ``hypervolume``, 0..1; empty for a single objective or more than six,
        and where nothing finite is on the front.
    """
    n_obj = len(result.problem.objective_names)
    usable = finite(result.F) if len(result.F) else result.F
    if not 1 < n_obj <= MAX_HYPERVOLUME or len(usable) == 0:
        return pd.DataFrame({"evaluations": [], "hypervolume": []})
    grid = evaluation_grid(result.n_unique, n_points=N_POINTS)
    reference = reference_of(usable, "the front of this run")
    values = after(evaluations_of(result), grid, reference, ["hypervolume"])
    return pd.DataFrame({"evaluations": grid, "hypervolume": values[:, 0]})


def best_course(result: Result) -> pd.DataFrame:
    """Best feasible value of each objective so far, in natural units, one row an evaluation.

    Returns
    -------
    DataFrame (n_unique, 1 + n_obj)
        ``evaluations``, then the objectives; missing until something feasible is found.
    """
    found = evaluations_of(result)
    F = np.where(found.feasible[:, np.newaxis], found.F, np.inf)
    best = np.minimum.accumulate(F, axis=0) if len(F) else F
    natural = result.problem.natural(np.where(np.isinf(best), np.nan, best))
    frame = pd.DataFrame(natural, columns=list(result.problem.objective_names))
    frame.insert(0, "evaluations", np.arange(1, len(frame) + 1), allow_duplicates=True)
    return frame


def course_figure(result: Result) -> go.Figure:
    """Hypervolume and best values over evaluations, a panel each."""
    from plotly.subplots import make_subplots

    volume, best = hypervolume_course(result), best_course(result)
    names = list(result.problem.objective_names)[: MAX_PANELS - 1]
    curves: list[tuple[str, list[Any], list[Any]]] = []
    if len(volume):
        shares = volume["hypervolume"].round(6).tolist()
        curves.append(("hypervolume", volume["evaluations"].tolist(), shares))
    for place, name in enumerate(names):
        rows = change_rows(best.iloc[:, 1 + place].to_numpy(dtype=np.float64))
        values = best.iloc[rows, 1 + place].tolist()
        numbers = [None if pd.isna(v) or np.isinf(v) else float(v) for v in values]
        maximize = bool(result.problem.maximize[place])
        curves.append(
            (axis_label(name, maximize), best["evaluations"].iloc[rows].tolist(), numbers)
        )
    figure = make_subplots(rows=len(curves), cols=1, shared_xaxes=True, vertical_spacing=0.06)
    for row, (label, xs, ys) in enumerate(curves, start=1):
        figure.add_scatter(
            x=xs,
            y=ys,
            mode="lines",
            name=plain(label, 60),
            line={"color": COLORS[(row - 1) % len(COLORS)], "shape": "hv", "width": 2},
            showlegend=False,
            row=row,
            col=1,
        )
        title = label.partition(":")[0]
        figure.update_yaxes(title_text=plain(title, 24), automargin=True, row=row, col=1)
    figure.update_xaxes(title_text="distinct evaluations", row=len(curves), col=1)
    figure.update_layout(
        height=90 + PANEL_HEIGHT * len(curves), margin={"t": 20, "r": 20, "b": 60, "l": 70}
    )
    return figure


def change_rows(values: FloatArray) -> IntArray:
    """Rows of a curve of steps that are drawn: where it changes, and its ends.

    Examples
    --------
    >>> change_rows(np.array([5.0, 5.0, 3.0, 3.0, 3.0])).tolist()
    [0, 2, 4]
    """
    if len(values) == 0:
        return np.zeros(0, dtype=np.int64)
    known = np.nan_to_num(values, nan=np.inf)
    rows = np.concatenate([[0], 1 + np.flatnonzero(known[1:] != known[:-1]), [len(values) - 1]])
    rows = np.unique(rows).astype(np.int64)
    return rows[evenly_spaced(len(rows), MAX_STEPS)]


def population_history(result: Result) -> pd.DataFrame | None:
    """Figures of the population by generation, if the search keeps them."""
    history = getattr(result.algorithm, "history", None)
    if not callable(history):
        return None
    frame = history()
    return frame if isinstance(frame, pd.DataFrame) and len(frame) else None


def population_figure(history: pd.DataFrame) -> go.Figure | None:
    """Largest, mean and smallest figure of the population by generation; None without any."""
    from plotly.subplots import make_subplots

    ending = f"_{SUMMARIES[0]}"
    names = [
        name
        for name in (c.removesuffix(ending) for c in history.columns if c.endswith(ending))
        if all(f"{name}_{summary}" in history.columns for summary in SUMMARIES)
    ][:MAX_PANELS]
    if not names:
        return None
    shown = history.iloc[evenly_spaced(len(history), MAX_STEPS)]
    generations = shown[GENERATION] if GENERATION in shown.columns else shown.index
    figure = make_subplots(rows=len(names), cols=1, shared_xaxes=True, vertical_spacing=0.06)
    dashes = ("solid", "dash", "dot")
    for row, name in enumerate(names, start=1):
        for summary, color, dash in zip(SUMMARIES, COLORS, dashes, strict=False):
            values = shown[f"{name}_{summary}"].to_numpy(dtype=np.float64)
            figure.add_scatter(
                x=generations.tolist(),
                y=[float(v) if np.isfinite(v) else None for v in values],
                mode="lines",
                name=f"{summary} of the population",
                legendgroup=summary,
                showlegend=row == 1,
                line={"color": color, "dash": dash, "width": 2},
                row=row,
                col=1,
            )
        unit = unit_of(name)
        label = plain(f"{name} ({unit})" if unit else name, 28)
        figure.update_yaxes(title_text=label, automargin=True, row=row, col=1)
    figure.update_xaxes(title_text="generation", row=len(names), col=1)
    figure.update_layout(
        height=110 + PANEL_HEIGHT * len(names),
        legend={"orientation": "h", "y": 1 + 0.18 / len(names)},
        margin={"t": 50, "r": 20, "b": 60, "l": 70},
    )
    return figure


def tests_table(trace: pd.DataFrame) -> pd.DataFrame:
    """Nodes by what became of them and why, of the trace of a search."""
    # Reasons that name a node, such as "below (0, 1)", are many; their kinds are few.
    kinds = trace["reason"].astype(str).str.partition(" (")[0]
    groups = trace["step"].groupby([trace["event"], kinds], sort=False)
    counts = groups.agg(["size", "min", "max"])
    table = counts.reset_index()
    table.columns = pd.Index(["event", "reason", "nodes", "first step", "last step"])
    return table


def trace_of(result: Result) -> pd.DataFrame | None:
    """What happened to the nodes of a search that was traced; else None."""
    if not isinstance(result.algorithm, TestingSearch):
        return None
    try:
        trace = result.algorithm.trace()
    except ValueError:
        return None
    return trace if len(trace) else None


def tests_figure(trace: pd.DataFrame) -> go.Figure:
    """Nodes by event over the steps of the search."""
    import plotly.graph_objects as go

    figure = go.Figure()
    dashes = ("solid", "dash", "dot", "dashdot", "longdash")
    codes, events = pd.factorize(trace["event"])
    for place, event in enumerate(events):
        steps = trace["step"].to_numpy()[codes == place]
        shown = evenly_spaced(len(steps), MAX_STEPS)
        figure.add_scatter(
            x=steps[shown].tolist(),
            y=(shown + 1).tolist(),
            mode="lines",
            name=plain(event),
            line={
                "color": COLORS[place % len(COLORS)],
                "dash": dashes[place % len(dashes)],
                "shape": "hv",
                "width": 2,
            },
        )
    figure.update_layout(
        xaxis={"title": {"text": "step"}},
        yaxis={"title": {"text": "nodes so far"}},
        height=320,
        legend={"orientation": "h", "y": 1.12},
        margin={"t": 50, "r": 20, "b": 60, "l": 70},
    )
    return figure


def history_table(result: Result) -> tuple[pd.DataFrame, str]:
    """Rows of the history, few enough to be read, and which they are.

    Returns
    -------
    table : DataFrame (at most 200, ...)
        Evaluation, objectives, whether it is feasible, and seconds.
    note : str
    """
    names = list(result.problem.objective_names)
    history, rows = result.history, history_rows(result)
    shown = history.iloc[rows]
    columns: dict[str, Any] = {"evaluation": shown["evaluation"].tolist()}
    columns |= {name: list(map(number_text, shown[name].astype(float))) for name in names}
    columns["feasible"] = ["yes" if met else "no" for met in shown["feasible"]]
    columns["seconds"] = [f"{seconds:.3f}" for seconds in shown["seconds"]]
    n = len(history)
    note = f"All {counted(n, 'evaluation')}."
    if len(rows) < n:
        note = (
            f"{len(rows):,} of {n:,} evaluations: those that were the best so far in an objective, "
            f"up to half of the rows, and others evenly in between. All are in result.history."
        )
    return pd.DataFrame(columns), note


def history_rows(result: Result) -> IntArray:
    """Positions of the rows of `history_table`, in rising order."""
    n = len(result.history)
    if n <= MAX_HISTORY:
        return np.arange(n)
    best = best_course(result).iloc[:, 1:].to_numpy(dtype=np.float64)
    known = np.nan_to_num(best, nan=np.inf)
    changes = 1 + np.flatnonzero((known[1:] != known[:-1]).any(axis=1))
    half = MAX_HISTORY // 2
    changes = changes[evenly_spaced(len(changes), half)]
    evenly = evenly_spaced(n, MAX_HISTORY - len(changes))
    return np.unique(np.concatenate([changes, evenly]))
