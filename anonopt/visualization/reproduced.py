"""Numbers of a paper beside ours: one line a number, by how far ours are from the printed ones."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt.experiments.papers.verdicts import VERDICTS
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE_HEIGHT = 0.22
COLORS = dict(zip(VERDICTS, ("#009E73", "#0072B2", "#D55E00", "#999999"), strict=True))


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

    Raises
    ------
    ValueError
        If the ending of the file is unknown, or no number can be drawn.
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
    for verdict, color in COLORS.items():
        chosen = (rows["verdict"] == verdict).to_numpy()
        if not chosen.any():
            continue
        share = rows["ours"].to_numpy()[chosen] / printed[chosen]
        ends = rows[["least", "most"]].to_numpy()[chosen] / printed[chosen, np.newaxis]
        axes.hlines(heights[chosen], ends.min(axis=1), ends.max(axis=1), color=color, linewidth=1.2)
        axes.plot(share, heights[chosen], "o", color=color, markersize=4, label=verdict)
    axes.axvline(1.0, color=figures.LINE_COLOR, linewidth=0.8)
    axes.set_yticks(heights, (rows["item"] + "  " + rows["number"]).tolist(), fontsize=7)
    axes.set_ylim(-1, len(rows))
    axes.set_xlabel("ours as a share of the printed number (with the range over the runs)")
    figures.set_title(figure, axes, title)
    figure.legend(loc="outside lower center", ncols=len(COLORS))
    return figures.write_picture(figure, path)
