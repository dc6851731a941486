"""What came back of a paper: its figures, of ours, and ours as shares of the printed numbers."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anonopt.experiments.items.item import Item, Picture

LINE_HEIGHT = 0.22
PANEL_INCHES = (5.6, 4.0)
COLUMNS = 2
PRINTED = "printed"
"""How the names of series of printed points begin, which are never joined."""
LOGARITHMIC_FROM = 5
"""Largest share over the least from which on the axis is logarithmic."""
COLORS = {
    "same": "#009E73",
    "agrees": "#0072B2",
    "differs": "#D55E00",
    "not comparable": "#999999",
}
"""By verdict."""


def plot_paper_figure(
    paper: str, item: str, *, quick: bool = False, path: str | PathLike[str] | None = None
) -> Figure:
    """Draw the counterpart of a paper's figure: a panel each, series as lines, points or a surface.

    Parameters
    ----------
    paper : str
        One of :func:`anonopt.experiments.list_papers`.
    item : str
        One of its figures.
    quick : bool
        Whether a quick look is enough.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If there is no such paper or item, it has no picture, or the ending of the file is unknown.
    FileNotFoundError
        If data that it needs are not at hand.
    """
    from anonopt.experiments.reproduction import get_item, get_paper

    figures.check_picture(path)
    drawn = get_item(get_paper(paper), item)
    if drawn.picture is None:
        raise ValueError(
            f"item: expected a figure of {paper}, found {item!r}, which has no picture"
        )
    return figures.write_picture(_drawn(drawn, drawn.picture, quick=quick), path)


def _drawn(item: Item, picture: Picture, *, quick: bool) -> Figure:
    points = picture.points(quick)
    panels = list(points.groupby("panel", sort=False))
    n_columns = min(COLUMNS, len(panels))
    n_rows = -(-len(panels) // n_columns)
    figure = figures.new_figure(PANEL_INCHES[0] * n_columns, PANEL_INCHES[1] * n_rows + 0.5)
    figure.suptitle(f"{item.name}: {item.title}", fontsize=11)
    for number, (name, rows) in enumerate(panels, start=1):
        axes = figure.add_subplot(n_rows, n_columns, number)
        axes.set_title(str(name), loc="left", fontsize=10)
        axes.set_xlabel(picture.x)
        axes.set_ylabel(picture.y)
        if picture.z is None:
            _draw_series(axes, rows, picture)
        else:
            _draw_surface(figure, axes, rows, picture.z)
    return figure


def _draw_series(axes: Axes, rows: pd.DataFrame, picture: Picture) -> None:
    figures.plain_axes(axes)
    for number, (name, series) in enumerate(rows.groupby("series", sort=False)):
        is_joined = picture.lines and len(series) > 1 and not str(name).startswith(PRINTED)
        axes.plot(
            series["x"],
            series["y"],
            "-" if is_joined else figures.MARKERS[number % 6],
            color=figures.COLORS[number % 6],
            markersize=4,
            linewidth=1.2,
            label=str(name),
        )
    if picture.log_x:
        axes.set_xscale("log")
    if picture.log_y:
        axes.set_yscale("log")
    axes.legend(fontsize=8)


def _draw_surface(figure: Figure, axes: Axes, rows: pd.DataFrame, z: str) -> None:
    table = rows.pivot(index="y", columns="x", values="z")
    mesh = axes.pcolormesh(
        np.arange(table.shape[1] + 1), np.arange(table.shape[0] + 1), table.to_numpy()
    )
    axes.set_xticks(np.arange(table.shape[1]) + 0.5, [f"{value:g}" for value in table.columns])
    axes.set_yticks(np.arange(table.shape[0]) + 0.5, [f"{value:g}" for value in table.index])
    figure.colorbar(mesh, ax=axes, label=z)


def plot_reproduced(
    frame: pd.DataFrame, *, title: str | None = None, path: str | PathLike[str] | None = None
) -> Figure:
    """Draw ours as a share of the printed numbers, with the range over the runs.

    Numbers that are printed as 0 or not at all, and those that nothing was measured for, are left
    out of the picture.

    Parameters
    ----------
    frame : DataFrame
        Of :func:`anonopt.experiments.reproduce`.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If no number can be drawn, or the ending of the file is unknown.
    """
    figures.check_picture(path)
    printed = pd.to_numeric(frame["printed"], errors="coerce").to_numpy(dtype=np.float64)
    is_drawn = np.isfinite(printed) & (printed != 0) & frame["ours"].notna().to_numpy()
    rows, printed = frame[is_drawn], printed[is_drawn]
    if rows.empty:
        raise ValueError("frame: expected numbers that are printed and measured, found none")
    figure = figures.new_figure(8.0, 1.2 + LINE_HEIGHT * len(rows))
    axes = figure.add_subplot()
    figures.plain_axes(axes)
    heights = np.arange(len(rows))[::-1]
    shares = rows[["ours", "least", "most"]].to_numpy(dtype=np.float64) / printed[:, np.newaxis]
    if shares.min() > 0 and shares.max() > LOGARITHMIC_FROM * shares.min():
        axes.set_xscale("log")
    for verdict, color in COLORS.items():
        chosen = (rows["verdict"] == verdict).to_numpy()
        if not chosen.any():
            continue
        share, ends = shares[chosen, 0], shares[chosen, 1:]
        axes.hlines(heights[chosen], ends.min(axis=1), ends.max(axis=1), color=color, linewidth=1.2)
        axes.plot(share, heights[chosen], "o", color=color, markersize=4, label=verdict)
    axes.axvline(1.0, color=figures.LINE_COLOR, linewidth=0.8)
    axes.set_yticks(heights, (rows["item"] + "  " + rows["number"]).tolist(), fontsize=7)
    axes.set_ylim(-1, len(rows))
    axes.set_xlabel("ours as a share of the printed number (with the range over the runs)")
    figures.set_title(figure, axes, title)
    figure.legend(loc="outside lower center", ncols=len(COLORS))
    return figures.write_picture(figure, path)
