"""Anytime curves: an indicator over the evaluations, with bands over seeds."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.experiments.performance.curves import curve_frame
from anonopt.visualization import figures
from anonopt.visualization.comparison import styles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from anonopt.experiments.runs import Runs

N_MARKERS = 6
BAND_OPACITY = 0.15
"""Of few bands; those of many are to be seen through each other."""

MOST_INK = 0.8

NOTHING = "nothing feasible was found"


def plot_curves(
    runs: Runs,
    indicator: str = "hypervolume",
    *,
    budgets: Iterable[int] | None = None,
    log_x: bool = True,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
    **choice: Any,
) -> Figure:
    """Draw how good each algorithm is after each part of its budget, a panel a problem.

    Parameters
    ----------
    runs : Runs
    indicator : str
    budgets : iterable of int, optional
        Numbers of distinct evaluations; by default evenly spread on a logarithmic axis.
    log_x : bool
        Whether the axis of evaluations is logarithmic.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.
    **choice
        ``budget``, ``problems``, ``algorithms`` and ``failed`` of
        :func:`~anonopt.experiments.performance.choice.chosen_runs`.

    Returns
    -------
    matplotlib Figure
        Lines are medians over seeds, bands reach from the lower to the upper quartile. Where they
        are infinite, as nothing feasible was found yet, nothing is drawn; a panel tells where that
        is everywhere.

    Raises
    ------
    ValueError
        If a name is unknown, or the ending of the file is.
    """
    figures.check_picture(path)
    table = curve_frame(runs, indicator, budgets=budgets, **choice)
    shown = list(dict.fromkeys(table["problem"]))
    figure, panels = styles.panels(shown)
    for axes, problem in zip(panels, shown, strict=True):
        for index, algorithm in enumerate(runs.algorithms):
            rows = table[(table["problem"] == problem) & (table["algorithm"] == algorithm)]
            rows = rows.replace(np.inf, np.nan)
            style = styles.line_style(index)
            step = max(1, len(rows) // N_MARKERS)
            axes.plot(
                rows["evaluations"],
                rows["median"],
                label=algorithm,
                # Markers of curves that lie on each other stand beside each other.
                markevery=(index % step, step),
                drawstyle="steps-post",
                **style,
            )
            axes.fill_between(
                rows["evaluations"],
                rows["lower"],
                rows["upper"],
                color=style["color"],
                alpha=min(BAND_OPACITY, MOST_INK / len(runs.algorithms)),
                linewidth=0,
                step="post",
            )
        if not np.isfinite(table.loc[table["problem"] == problem, "median"]).any():
            axes.text(0.5, 0.5, NOTHING, transform=axes.transAxes, ha="center", va="center")
        elif log_x:
            styles.log_axis(axes)
        axes.set_xlabel("distinct evaluations")
    for axes in panels[:: styles.panel_columns(len(panels))]:
        axes.set_ylabel(styles.indicator_label(indicator))
    styles.legend_below(figure, panels[0])
    styles.title_above(figure, title)
    return figures.write_picture(figure, path)
