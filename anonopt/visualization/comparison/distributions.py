"""How an indicator is distributed over seeds: boxes, and clouds with their drops."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from anonopt._typing import FloatArray
from anonopt.experiments.tables.samples import samples
from anonopt.visualization import figures
from anonopt.visualization.comparison import styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anonopt.experiments.runs import Runs

BOX_WIDTH = 0.6
WHISKER = 1.5
"""Ranges from the quartiles within which whiskers end."""

N_DENSITY = 200


def plot_boxes(
    runs: Runs,
    indicator: str = "hypervolume",
    *,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
    **options: Any,
) -> Figure:
    """Draw a box for each algorithm over its seeds, a panel a problem.

    Parameters
    ----------
    runs : Runs
    indicator : str
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.
    **options
        ``evaluations``, ``budget``, ``problems``, ``algorithms`` and ``failed`` of
        :func:`~anonopt.experiments.tables.samples.samples`.

    Returns
    -------
    matplotlib Figure
        Boxes from quartile to quartile with the median, whiskers to the last value within 1.5
        ranges, all other values as points. Infinite values are not drawn; the label tells their
        number.

    Raises
    ------
    ValueError
        If a name is unknown, or the ending of the file is.
    """
    return _drawn(runs, indicator, title, path, options, _box)


def plot_rainclouds(
    runs: Runs,
    indicator: str = "hypervolume",
    *,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
    **options: Any,
) -> Figure:
    """Draw density, box and every value of each algorithm over its seeds, a panel a problem.

    M. Allen, D. Poggiali, K. Whitaker, T. R. Marshall, R. A. Kievit, *Raincloud plots: a
    multi-platform tool for robust data visualization*, Wellcome Open Research 4 (2019).

    Parameters
    ----------
    runs : Runs
    indicator : str
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.
    **options
        ``evaluations``, ``budget``, ``problems``, ``algorithms`` and ``failed`` of
        :func:`~anonopt.experiments.tables.samples.samples`.

    Returns
    -------
    matplotlib Figure
        The densities are those of a Gaussian kernel within the range of the values; where all
        values are equal there is none. Infinite values are not drawn; the label tells their
        number.

    Raises
    ------
    ValueError
        If a name is unknown, or the ending of the file is.
    """
    return _drawn(runs, indicator, title, path, options, _raincloud)


def _drawn(
    runs: Runs,
    indicator: str,
    title: str | None,
    path: str | PathLike[str] | None,
    options: dict[str, Any],
    draw: Callable[[Axes, float, FloatArray, int], None],
) -> Figure:
    figures.check_picture(path)
    of = samples(runs, indicator, **options)
    height = 1.1 + 0.5 * len(of.algorithms)
    figure, panels = styles.panels(of.problems, height=max(2.2, height))
    for place, (axes, problem) in enumerate(zip(panels, of.problems, strict=True)):
        labels = []
        for index, algorithm in enumerate(of.algorithms):
            values = of.of(problem, algorithm)
            known = values[np.isfinite(values)]
            lost = len(values) - len(known)
            remark = f"({lost} infinite)" if lost else "" if len(values) else "(no run)"
            # Names stand on the left of a row of panels alone, or they would take all the room.
            name = "" if place % styles.panel_columns(len(panels)) else algorithm
            labels.append(f"{name} {remark}".strip())
            # The first algorithm stands at the top.
            if len(known):
                draw(axes, -float(index), known, index)
        axes.set_yticks([-float(i) for i in range(len(labels))], labels)
        axes.set_ylim(-len(labels) + 0.4, 0.6)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(styles.indicator_label(indicator), fontsize=9)
    styles.title_above(figure, title)
    return figures.write_picture(figure, path)


def _box(axes: Axes, place: float, values: FloatArray, index: int) -> None:
    _draw_box(axes, place, values, index, BOX_WIDTH, fliers=True)


def _raincloud(axes: Axes, place: float, values: FloatArray, index: int) -> None:
    style = styles.line_style(index)
    if np.ptp(values) > 0:
        grid = np.linspace(values.min(), values.max(), N_DENSITY)
        density = scipy.stats.gaussian_kde(values)(grid)
        axes.fill_between(
            grid,
            place + 0.12,
            place + 0.12 + 0.4 * density / density.max(),
            facecolor=style["color"],
            alpha=0.45,
            edgecolor="black",
            linewidth=0.6,
        )
    _draw_box(axes, place, values, index, 0.12, fliers=False)
    # Drops that fall on the same place are spread in their order, which is the same each time.
    spread = -0.16 - 0.05 * (np.arange(len(values)) % 4)
    axes.plot(
        values,
        place + spread,
        linestyle="none",
        marker=style["marker"],
        markersize=3.2,
        color=style["color"],
        markeredgecolor="black",
        markeredgewidth=0.3,
    )


def _draw_box(
    axes: Axes, place: float, values: FloatArray, index: int, width: float, *, fliers: bool
) -> None:
    """Box by hand, as the arguments of matplotlib's own differ between its versions."""
    from matplotlib.patches import Rectangle

    low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
    reach = WHISKER * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    style = styles.line_style(index)
    box = Rectangle(
        (low, place - width / 2),
        high - low,
        width,
        facecolor=style["color"],
        edgecolor="black",
        alpha=0.6,
        hatch=styles.HATCHES[index % len(styles.HATCHES)],
    )
    axes.add_patch(box)
    for end, side in ((inside.min(), low), (inside.max(), high)):
        axes.plot([side, end], [place, place], color="black", linewidth=1)
        axes.plot([end, end], [place - width / 4, place + width / 4], color="black", linewidth=1)
    axes.plot([median] * 2, [place - width / 2, place + width / 2], color="black", linewidth=1.6)
    if fliers:
        outside = values[(values < low - reach) | (values > high + reach)]
        axes.plot(
            outside,
            np.full(len(outside), place),
            linestyle="none",
            marker=style["marker"],
            markersize=4,
            markerfacecolor="none",
            color="black",
        )
