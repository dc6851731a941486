"""Dominance: what one solution is better than, worse than, and neither."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import BoolArray, FloatArray
from anonopt.measures.fronts.boxes import dominates
from anonopt.visualization import figures
from anonopt.visualization.objectives.plane import (
    Plane,
    draw_staircase,
    read_plane,
    rectangle,
    set_up,
    worst_corner,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pymoo.core.problem import Problem

    from anonopt.runs.result import Result

STYLES = {
    "dominated by it": ("x", figures.COLORS[1]),
    "dominating it": ("^", figures.COLORS[2]),
    "incomparable": ("o", figures.COLORS[0]),
    "equal to it": ("s", figures.COLORS[3]),
}
"""Marker and colour of points, by what they are to the chosen one."""


def plot_dominance(
    points: Result | pd.DataFrame | Problem,
    x: str | None = None,
    y: str | None = None,
    *,
    F: npt.ArrayLike | None = None,
    maximize: Sequence[bool] | None = None,
    chosen: int | None = None,
    log_x: bool = False,
    log_y: bool = False,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw which solutions one of them dominates, which dominate it, and which do neither.

    One solution dominates another if it is nowhere worse and somewhere better. Both objectives
    are drawn in natural units, in their own direction; the shaded corners are where a solution
    dominates the chosen one, or is dominated by it. Steps join the solutions that no other
    dominates. Only the two objectives that are drawn are compared.

    Parameters
    ----------
    points : Result, DataFrame (n, ...) or problem
        Solutions: everything feasible that a run evaluated; a row a solution in natural units;
        or a problem, with the objectives of solutions in `F`.
    x, y : str, optional
        Objectives on the axes, by default the first two (columns of a frame).
    F : array_like (n, n_obj), optional
        Minimized objectives of solutions of a problem, as pymoo has them.
    maximize : sequence of 2 bool, optional
        Whether more is better of `x` and of `y`; by default as the problem or the measure says.
    chosen : int, optional
        Row of the solution that the others are compared with, of the feasible rows of a result's
        history; from 0. By default that in the middle along `x`.
    log_x, log_y : bool
        Logarithmic axes.
    title : str, optional
        Long lines are broken.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed. The legend tells how many solutions are
        what, infinite ones, which are not drawn, among them.

    Raises
    ------
    TypeError
        If `points` is something else, `F` does not go with it, or `chosen` is no whole number.
    ValueError
        If there is no solution or no such row, the chosen one is infinite, an objective is unknown
        or not a number or does not fit a logarithmic axis, directions are not known, or the ending
        of the file is.

    Examples
    --------
    >>> found = pd.DataFrame({"k": [2, 5, 9, 4], "glm": [10.0, 25.0, 80.0, 90.0]})
    >>> figure = plot_dominance(found, chosen=1)
    >>> [text.get_text() for text in figure.legends[0].get_texts()][1:4]
    ['dominated by it (1)', 'dominating it (0)', 'incomparable (2)']
    """
    figures.check_picture(path)
    plane = read_plane(points, x, y, F=F, maximize=maximize)
    row = _chosen_row(plane, chosen)
    point = plane.values[row]
    shown = plane.values[plane.drawable]
    logarithmic = log_x, log_y
    frame = pd.DataFrame(shown, columns=list(plane.names))
    figures.check_columns(
        "points", frame, plane.names, logarithmic=list(np.array(plane.names)[list(logarithmic)])
    )
    figure = figures.readable_figure(8.0, 5.6)
    axes = figure.add_subplot()
    set_up(axes, plane, shown.min(axis=0), shown.max(axis=0), logarithmic=logarithmic)
    _draw_regions(axes, plane, point)
    n_best = int(plane.non_dominated.sum())
    label = f"({point[0]:,.6g}, {point[1]:,.6g})"
    axes.plot(
        *point,
        linestyle="",
        marker="*",
        markersize=17,
        color="black",
        markeredgecolor="white",
        zorder=5,
        label=f"chosen: {label}",
    )
    for (name, (marker, color)), chosen_rows in zip(
        STYLES.items(), _relations(plane.minimized, row), strict=True
    ):
        drawn = plane.values[chosen_rows & plane.drawable]
        if name == "equal to it" and not chosen_rows.any():
            continue
        axes.plot(
            drawn[:, 0],
            drawn[:, 1],
            linestyle="",
            marker=marker,
            color=color,
            fillstyle="none",
            markersize=7,
            markeredgewidth=1.5,
            zorder=3.5,
            label=f"{name} ({int(chosen_rows.sum()):,})",
        )
    draw_staircase(axes, plane, f"dominated by none ({n_best:,})")
    figures.set_title(figure, axes, title)
    figure.legend(loc="outside lower center", ncols=figures.legend_columns(3), frameon=False)
    return figures.write_picture(figure, path)


def _chosen_row(plane: Plane, chosen: int | None) -> int:
    n = len(plane.values)
    rows = np.flatnonzero(plane.drawable)
    if len(rows) == 0:
        raise ValueError(
            f"points: expected at least one finite (and feasible) solution, found none of {n}"
        )
    if chosen is None:
        along = rows[np.lexsort(plane.values[rows].T[::-1])]
        return int(along[len(along) // 2])
    row = check_integer("chosen", chosen, least=0, most=n - 1)
    if row not in rows:
        raise ValueError(f"chosen: expected a finite solution, found {plane.values[row].tolist()}")
    return row


def _relations(minimized: FloatArray, row: int) -> tuple[BoolArray, ...]:
    """Which points are what to one of them, in the order of `STYLES`."""
    point = minimized[row]
    below, above = dominates(point, minimized), dominates(minimized, point)
    equal = np.all(minimized == point, axis=1)
    incomparable = ~(below | above | equal)
    equal[row] = False
    return below, above, incomparable, equal


def _draw_regions(axes: Axes, plane: Plane, point: FloatArray) -> None:
    worst = worst_corner(axes, plane.maximize)
    best = worst_corner(axes, ~plane.maximize)
    for corner, words, color, hatch in (
        (worst, "dominated", figures.COLORS[1], "//"),
        (best, "dominating", figures.COLORS[2], ".."),
    ):
        rectangle(
            axes, point, corner, facecolor=f"{color}1A", edgecolor=f"{color}66", hatch=hatch, lw=0
        )
        is_right, is_upper = corner >= point
        axes.annotate(
            words,
            (corner[0], corner[1]),
            xytext=(-6 if is_right else 6, -6 if is_upper else 6),
            textcoords="offset points",
            ha="right" if is_right else "left",
            va="top" if is_upper else "bottom",
            style="italic",
            zorder=4,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5},
        )
