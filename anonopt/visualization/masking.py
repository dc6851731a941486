"""Pictures of masked files: where they lie between loss and risk, and how a search went."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import moocore
import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt.data.csv_files import write_file
from anonopt.visualization.fronts import COLORS, MARKERS, check_picture, rendered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RISK, LOSS = "DR", "IL"
AXIS_LABELS = {
    RISK: "DR: disclosure risk (%, less is better)",
    LOSS: "IL: information loss (%, less is better)",
}
LINE_COLOR = "#555555"
TITLE_CHARACTERS_PER_INCH = 10.75
SUMMARIES = ("max", "mean", "min")
"""From top to bottom, as the curves lie."""


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
        Label of the population whose non-dominated files are joined by a line; the last one if
        left out.
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
    picture = None if path is None else check_picture(path)
    _check_populations(populations, front)
    figure = _empty_figure(7.0, 6.6)
    axes = figure.add_subplot()
    _draw_diagonal(axes, populations)
    for order, (label, population) in enumerate(populations.items()):
        axes.plot(
            population[RISK],
            population[LOSS],
            label=f"{label} ({_counted(len(population))})",
            linestyle="",
            marker=MARKERS[order],
            color=COLORS[order],
            markersize=6.0,
            fillstyle="none",
            markeredgewidth=1.2,
            zorder=3 + order,
        )
    _draw_front(axes, populations[front or list(populations)[-1]])
    axes.set_xlabel(AXIS_LABELS[RISK], labelpad=6)
    axes.set_ylabel(AXIS_LABELS[LOSS], labelpad=6)
    axes.set_aspect("equal")
    _plain(axes)
    _set_title(figure, axes, title)
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    if path is not None and picture is not None:
        write_file(path, rendered(figure, picture))
    return figure


def plot_course(
    course: pd.DataFrame,
    *,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw how a population of masked files went: score, loss and risk by generation.

    One panel for each of the quantities, with the largest, mean and smallest value in the
    population, as in Mares 2013, Figures 3.7 and 3.9.

    Parameters
    ----------
    course : DataFrame (n_generations, ...)
        As :meth:`~anonopt.algorithms.MaskingEA.course` tells it: columns such as
        ``score_max_min``, ``IL_mean``, indexed by generation.
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
        If there is no generation, no such column or a value is not finite, or the ending of the
        file is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> course = pd.DataFrame({"IL_min": [20.0, 19.0], "IL_mean": [30, 28], "IL_max": [50, 50]})
    >>> [axes.get_ylabel() for axes in plot_course(course).axes]
    ['IL (%)']
    """
    picture = None if path is None else check_picture(path)
    names = _quantities(course)
    figure = _empty_figure(8.0, 1.4 + 2.4 * len(names))
    panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names, strict=True):
        for order, summary in enumerate(SUMMARIES):
            axes.plot(
                course.index,
                course[f"{name}_{summary}"],
                color=COLORS[order],
                linewidth=1.4,
                label=f"{summary} of the population",
            )
        axes.set_ylabel(f"{name} (%)")
        _plain(axes)
    panels[-1].set_xlabel("generation")
    _set_title(figure, panels[0], title)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    if path is not None and picture is not None:
        write_file(path, rendered(figure, picture))
    return figure


def _check_populations(populations: Mapping[str, pd.DataFrame], front: str | None) -> None:
    if not 1 <= len(populations) <= len(MARKERS):
        raise ValueError(
            f"populations: expected 1 to {len(MARKERS)} of them, found {len(populations)}"
        )
    if front is not None and front not in populations:
        raise ValueError(f"front: expected one of {list(populations)}, found {front!r}")
    for label, population in populations.items():
        for column in (RISK, LOSS):
            if column not in population.columns:
                raise ValueError(
                    f"population {label!r}: expected a column {column!r}, "
                    f"found {list(population.columns)}"
                )
            _check_finite(f"population {label!r}, column {column!r}", population[column])


def _check_finite(what: str, column: pd.Series[Any]) -> None:
    values = column.to_numpy(dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"{what}: expected finite values, found {values[~np.isfinite(values)][0]}")


def _quantities(course: pd.DataFrame) -> list[str]:
    names = [
        column.removesuffix("_max")
        for column in course.columns
        if column.endswith("_max")
        and all(f"{column.removesuffix('_max')}_{s}" in course.columns for s in SUMMARIES)
    ]
    if not names or len(course) == 0:
        raise ValueError(
            f"course: expected at least one generation and columns such as 'IL_min', 'IL_mean', "
            f"'IL_max', found {len(course)} generations of {list(course.columns)}"
        )
    for name in names:
        for summary in SUMMARIES:
            _check_finite(f"course, column '{name}_{summary}'", course[f"{name}_{summary}"])
    return names


def _empty_figure(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _plain(axes: Axes) -> None:
    axes.grid(visible=True, which="major", color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _set_title(figure: Figure, axes: Axes, title: str | None) -> None:
    if title:
        width = int(figure.get_size_inches()[0] * TITLE_CHARACTERS_PER_INCH)
        lines = [textwrap.fill(text, width) for text in title.splitlines()]
        axes.set_title("\n".join(lines), loc="left", fontsize=11, pad=10)


def _draw_diagonal(axes: Axes, populations: Mapping[str, pd.DataFrame]) -> None:
    points = pd.concat([population[[RISK, LOSS]] for population in populations.values()])
    highest = float(points.to_numpy(dtype=np.float64).max(initial=1.0))
    axes.plot(
        [0, highest], [0, highest], color=LINE_COLOR, linewidth=1.0, linestyle="--", label="IL = DR"
    )


def _draw_front(axes: Axes, population: pd.DataFrame) -> None:
    points: npt.NDArray[np.float64] = population[[RISK, LOSS]].to_numpy(dtype=np.float64)
    if len(points) == 0:
        return
    best = points[moocore.is_nondominated(points)]
    best = best[np.argsort(best[:, 0], kind="stable")]
    # Between two files, only the loss of the left one is had at so little risk.
    axes.plot(
        best[:, 0],
        best[:, 1],
        drawstyle="steps-post",
        color=LINE_COLOR,
        linewidth=1.4,
        label=f"Pareto set ({_counted(len(best))})",
        zorder=2,
    )


def _counted(n: int) -> str:
    return f"{n:,} file{'' if n == 1 else 's'}"
