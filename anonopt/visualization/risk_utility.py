"""Where masked files lie between loss and risk."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING

import moocore
import numpy as np
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RISK, LOSS = "DR", "IL"


def plot_risk_utility(
    populations: Mapping[str, pd.DataFrame],
    *,
    front: str | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw masked files in the plane of risk and loss, the R-U map of Mares 2013, Figure 3.8.

    The origin would be a file that loses nothing and discloses nothing. On the dashed diagonal
    loss and risk are equal: at a given mean of the two, the larger one is least there.

    Parameters
    ----------
    populations : mapping of label to DataFrame
        Each frame has a row a masked file and the columns ``IL`` and ``DR``, percentages. One to
        six of them, drawn one above the other in this order.
    front : str, optional
        Label of the population whose non-dominated files are joined by a line. Without it, the
        files that none of all those drawn dominates: give ``result.history`` as a population
        for the Pareto set of everything that a run evaluated.
    title : str, optional
        Long lines are broken.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If there is no population or more than six, a column is absent, a value is not finite,
        `front` is no label, or the ending of the file is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> start = pd.DataFrame({"IL": [10.0, 30.0, 50.0], "DR": [60.0, 35.0, 20.0]})
    >>> end = pd.DataFrame({"IL": [28.0, 30.0, 31.0], "DR": [33.0, 31.0, 30.0]})
    >>> figure = plot_risk_utility({"start": start, "end": end})
    >>> figure.axes[0].get_xlabel()
    'DR: disclosure risk (%, less is better)'
    """
    figures.check_picture(path)
    _check_populations(populations, front)
    figure = figures.new_figure(7.0, 6.6)
    axes = figure.add_subplot()
    _draw_diagonal(axes, populations)
    for order, (label, population) in enumerate(populations.items()):
        axes.plot(
            population[RISK],
            population[LOSS],
            label=f"{label} ({_counted(len(population))})",
            linestyle="",
            marker=figures.MARKERS[order],
            color=figures.COLORS[order],
            markersize=6.0,
            fillstyle="none",
            markeredgewidth=1.2,
            zorder=3 + order,
        )
    chosen = populations.values() if front is None else [populations[front]]
    _draw_front(axes, pd.concat([one[[RISK, LOSS]] for one in chosen]), front)
    axes.set_xlabel(figures.axis_label(RISK), labelpad=6)
    axes.set_ylabel(figures.axis_label(LOSS), labelpad=6)
    axes.set_aspect("equal")
    figures.plain_axes(axes)
    figures.set_title(figure, axes, title)
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    return figures.write_picture(figure, path)


def _check_populations(populations: Mapping[str, pd.DataFrame], front: str | None) -> None:
    if not 1 <= len(populations) <= len(figures.MARKERS):
        raise ValueError(
            f"populations: expected 1 to {len(figures.MARKERS)} of them, found {len(populations)}"
        )
    if front is not None and front not in populations:
        raise ValueError(f"front: expected one of {list(populations)}, found {front!r}")
    for label, population in populations.items():
        figures.check_columns(f"population {label!r}", population, (RISK, LOSS))


def _draw_diagonal(axes: Axes, populations: Mapping[str, pd.DataFrame]) -> None:
    points = pd.concat([population[[RISK, LOSS]] for population in populations.values()])
    highest = float(points.to_numpy(dtype=np.float64).max(initial=1.0))
    axes.plot(
        [0, highest],
        [0, highest],
        color=figures.LINE_COLOR,
        linewidth=1.0,
        linestyle="--",
        label="IL = DR",
    )


def _draw_front(axes: Axes, population: pd.DataFrame, label: str | None) -> None:
    points: FloatArray = population[[RISK, LOSS]].to_numpy(dtype=np.float64)
    if len(points) == 0:
        return
    best = points[moocore.is_nondominated(points)]
    best = best[np.argsort(best[:, 0], kind="stable")]
    # Between two files, only the loss of the left one is had at so little risk.
    axes.plot(
        best[:, 0],
        best[:, 1],
        drawstyle=figures.steps_of(maximize_x=False),
        color=figures.LINE_COLOR,
        linewidth=1.4,
        label=f"Pareto set{'' if label is None else f' of {label}'} ({_counted(len(best))})",
        zorder=2,
    )


def _counted(n: int) -> str:
    return f"{n:,} file{'' if n == 1 else 's'}"
