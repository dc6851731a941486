"""The front of a run as figures: scatter, parallel coordinates, pairs; points carry their row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt._typing import FloatArray
from anonopt.runs import Result
from anonopt.visualization.figures import COLORS, axis_label
from anonopt.visualization.report.plots import is_wide
from anonopt.visualization.report.runs.recommendation import scaled
from anonopt.visualization.report.solutions.detail_figures import plain, wrapped
from anonopt.visualization.report.solutions.measured_values import number_text
from anonopt.visualization.thinning import evenly_spaced

if TYPE_CHECKING:
    import plotly.graph_objects as go

MAX_PAIRED = 5
"""Objectives up to which every pair has a panel; of more, neighbours have."""

PANEL_COLUMNS = 3
MAX_LINES = 400
"""Solutions of parallel coordinates that are drawn, evenly along the first objective."""

LABEL_WIDTH = 44
TRACES = 4
"""Traces of a panel: the front, the knees, and those that the page moves."""

SOLUTIONS, KNEES = "front", "knee"
MOVED = (
    ("recommended by your weights", COLORS[2], "diamond-open"),
    ("opened", COLORS[3], "circle-open"),
)
"""Names, colours and symbols of the points that the page moves: the last traces of each panel."""


def front_figure(result: Result, knees: Sequence[int]) -> go.Figure:
    """Front of two objectives.

    The traces are the front, the knees, and the points that the page moves, see `MOVED`.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    values = drawable(result)
    _add_points(figure, values[:, :2], _hover_texts(result), knees)
    points = [[[[x], [y]]] for x, y in _point_coordinates(values)]
    figure.update_layout(
        meta=movable(points, 2, TRACES),
        xaxis={"title": {"text": _label(result, 0)}, **_axis(values[:, 0])},
        yaxis={"title": {"text": _label(result, 1)}, **_axis(values[:, 1])},
        height=460,
        hovermode="closest",
        legend={"orientation": "h", "y": 1.08},
        margin={"t": 40, "r": 20, "b": 60, "l": 70},
    )
    return figure


def pairs_figure(result: Result, knees: Sequence[int]) -> go.Figure:
    """Every pair of objectives in a panel; every panel has the traces of `front_figure`."""
    from plotly.subplots import make_subplots

    pairs = shown_pairs(len(result.problem.objective_names))
    n_columns = min(PANEL_COLUMNS, len(pairs))
    n_rows = -(-len(pairs) // n_columns)
    figure = make_subplots(
        rows=n_rows,
        cols=n_columns,
        horizontal_spacing=0.09,
        vertical_spacing=min(0.16, 0.5 / n_rows),
    )
    values, texts = drawable(result), _hover_texts(result)
    names = result.problem.objective_names
    for place, (first, second) in enumerate(pairs):
        at = {"row": place // n_columns + 1, "col": place % n_columns + 1}
        _add_points(figure, values[:, [first, second]], texts, knees, legend=place == 0, at=at)
        for update, one in ((figure.update_xaxes, first), (figure.update_yaxes, second)):
            title = {"title_text": plain(names[one], 40), "title_standoff": 4}
            update(**title, **_axis(values[:, one]), **at)
    coordinates = _point_coordinates(values)
    points = [[[[row[i]], [row[j]]] for i, j in pairs] for row in coordinates]
    figure.update_layout(
        meta=movable(points, 2, TRACES),
        height=90 + 270 * n_rows,
        hovermode="closest",
        legend={"orientation": "h", "y": 1 + 0.12 / n_rows},
        margin={"t": 50, "r": 20, "b": 50, "l": 60},
    )
    return figure


def shown_pairs(n_obj: int) -> list[tuple[int, int]]:
    """Pairs of objectives that have a panel.

    Examples
    --------
    >>> shown_pairs(3), shown_pairs(7)[-1]
    ([(0, 1), (0, 2), (1, 2)], (5, 6))
    """
    if n_obj <= MAX_PAIRED:
        return list(combinations(range(n_obj), 2))
    return [(i, i + 1) for i in range(n_obj - 1)]


def parallel_figure(result: Result, knees: Sequence[int]) -> go.Figure:
    """Parallel coordinates: a line a solution, an axis an objective, the better end at the top.

    The last traces are moved by the page, see `MOVED`.
    """
    import plotly.graph_objects as go

    names = result.problem.objective_names
    heights = 1.0 - np.minimum(scaled(result.F), 1.15)
    texts, places = _hover_texts(result), list(range(len(names)))
    figure = go.Figure()
    for row in drawn_lines(result.F):
        is_knee = row in knees
        figure.add_scatter(
            x=places,
            y=np.round(heights[row], 4).tolist(),
            mode="lines+markers",
            line={"color": COLORS[1] if is_knee else COLORS[0], "width": 3 if is_knee else 1.2},
            marker={"size": 8, "symbol": "square" if is_knee else "circle"},
            opacity=1.0 if is_knee else 0.55,
            customdata=[row] * len(places),
            hovertext=[texts[row]] * len(places),
            hoverinfo="text",
            showlegend=False,
        )
    for name, color, symbol in MOVED:
        figure.add_scatter(
            x=places,
            y=[None] * len(places),
            mode="lines+markers",
            line={"color": color, "width": 4},
            marker={"size": 13, "symbol": symbol, "line": {"width": 3}},
            name=name,
            hoverinfo="skip",
        )
    ends = _axis_ends(result)
    ticks = [
        f"{plain(name, 24)}<br>best {best}<br>worst {worst}"
        for name, (best, worst) in zip(names, ends, strict=True)
    ]
    points = [[[places, line]] for line in np.round(heights, 4).tolist()]
    figure.update_layout(
        meta=movable(points, len(drawn_lines(result.F)), 2),
        xaxis={"tickvals": places, "ticktext": ticks, "range": [-0.3, len(places) - 0.7]},
        yaxis={
            "title": {"text": "better →"},
            "tickvals": [0, 1],
            "ticktext": ["worst", "best"],
            "range": [-0.2, 1.06],
        },
        height=430,
        legend={"orientation": "h", "y": 1.12},
        hovermode="closest",
        margin={"t": 20, "r": 30, "b": 80, "l": 70},
    )
    return figure


def movable(points: list[list[list[list[Any]]]], first: int, every: int) -> dict[str, Any]:
    """What the script of the page needs to move traces: ``layout.meta``.

    Parameters
    ----------
    points : list (n_front, n_panels, 2)
        Places along x and y of every solution, lists of equal length.
    first : int
        Number of the first moved trace.
    every : int
        Traces of a panel.
    """
    panels = range(len(points[0])) if points else range(0)
    traces = {
        key: [first + place + every * panel for panel in panels]
        for place, key in enumerate(("recommended", "opened"))
    }
    return {"moved": {"traces": traces, "points": points}}


def drawn_lines(F: FloatArray) -> list[int]:
    """Rows whose line is drawn: all, or some evenly along the first objective."""
    order = np.argsort(F[:, 0], kind="stable")
    chosen: list[int] = np.sort(order[evenly_spaced(len(F), MAX_LINES)]).tolist()
    return chosen


def drawable(result: Result) -> FloatArray:
    """Objectives in natural units, (n_front, n_obj); infinite ones are not drawn."""
    values = result.problem.natural(result.F)
    return np.where(np.isfinite(values), values, np.nan)


def _point_coordinates(values: FloatArray) -> list[list[float | None]]:
    return [[None if np.isnan(one) else float(one) for one in row] for row in values]


def _axis_ends(result: Result) -> list[tuple[str, str]]:
    """Best and worst finite value of each objective."""
    ends = []
    for values, maximize in zip(drawable(result).T, result.problem.maximize, strict=True):
        finite = values[~np.isnan(values)]
        if len(finite) == 0:
            ends.append(("∞", "∞"))
            continue
        low, high = number_text(float(finite.min())), number_text(float(finite.max()))
        ends.append((high, low) if maximize else (low, high))
    return ends


def _add_points(
    figure: go.Figure,
    values: FloatArray,
    texts: Sequence[str],
    knees: Sequence[int],
    *,
    legend: bool = True,
    at: dict[str, int] | None = None,
) -> None:
    rows = list(range(len(values)))
    styles: tuple[tuple[str, list[int], dict[str, Any]], ...] = (
        (SOLUTIONS, rows, {"color": COLORS[0], "size": 9, "symbol": "circle"}),
        (KNEES, list(knees), {"color": COLORS[1], "size": 13, "symbol": "square-open"}),
    )
    for name, chosen, marker in styles:
        figure.add_scatter(
            x=_plain_numbers(values[chosen, 0]),
            y=_plain_numbers(values[chosen, 1]),
            mode="markers",
            name=f"{name} ({len(chosen):,})",
            legendgroup=name,
            showlegend=legend,
            marker={**marker, "line": {"width": 2}} if name == KNEES else marker,
            customdata=chosen,
            hovertext=[texts[row] for row in chosen],
            hoverinfo="text",
            **(at or {}),
        )
    for name, color, symbol in MOVED:
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="markers",
            name=name,
            legendgroup=name,
            showlegend=legend,
            marker={"color": color, "size": 17, "symbol": symbol, "line": {"width": 3}},
            hoverinfo="skip",
            **(at or {}),
        )


def _plain_numbers(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def _hover_texts(result: Result) -> list[str]:
    names = [plain(name, 40) for name in result.problem.objective_names]
    values = result.problem.natural(result.F)
    return [
        f"solution {row}<br>"
        + "<br>".join(
            f"{name}: {number_text(float(value))}" for name, value in zip(names, found, strict=True)
        )
        for row, found in enumerate(values)
    ]


def _label(result: Result, place: int) -> str:
    problem = result.problem
    name = axis_label(problem.objective_names[place], bool(problem.maximize[place]))
    return wrapped(name, LABEL_WIDTH)


def _axis(values: FloatArray) -> dict[str, str]:
    """Logarithmic where values span decades, as those of class sizes do."""
    return {"type": "log"} if is_wide(values) else {}
