"""Fronts of two objectives in one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZE_INCHES = (8.0, 5.2)
_LABEL_WIDTHS = (90, 50)


def plot_front(
    fronts: Mapping[str, pd.DataFrame],
    x: str,
    y: str,
    *,
    line: str | None = None,
    maximize: Sequence[bool] | None = None,
    log_x: bool = False,
    log_y: bool = False,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw fronts over two of their objectives.

    Parameters
    ----------
    fronts : mapping of label to DataFrame
        Each frame has a row a point and a column for each of `x` and `y`, in natural units.
        A front may be empty; the legend tells the number of points of each. Points that have
        an infinite value are left out.
    x, y : str
        Columns on the axes. Axes of built-in measures are labelled with meaning, unit and
        direction, others with the name.
    line : str, optional
        Label of the front that is drawn as steps: the best `y` that is left when `x` must be
        at least (if it is maximized, else at most) what the axis says. Fit for a front of
        these two objectives alone. The others are drawn as markers.
    maximize : sequence of 2 bool, optional
        Whether more is better of `x` and of `y`. May be left out for built-in measures.
    log_x, log_y : bool
        Logarithmic axes.
    title : str, optional
        May have several lines; long ones are broken.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If there is no front, a column is absent, a value is NaN or does not fit a
        logarithmic axis, `line` is no label, the directions are neither given nor known, or
        the ending of the file is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> found = pd.DataFrame({"k": [2, 5, 9], "glm": [10.0, 25.0, 80.0]})
    >>> figure = plot_front({"found": found}, "k", "glm", log_x=True)
    >>> figure.axes[0].get_xlabel()
    'k: size of the smallest class that is kept (rows, more is better)'
    """
    figures.check_picture(path)
    _check_fronts(fronts, line)
    first, second = figures.directions_of((x, y), maximize)
    flags = first, second
    logarithmic = [name for name, is_log in ((x, log_x), (y, log_y)) if is_log]
    for label, front in fronts.items():
        figures.check_columns(
            f"front {label!r}", front, (x, y), logarithmic=logarithmic, finite=False
        )
    fronts = {
        label: front[~np.isinf(front[[x, y]].to_numpy(dtype=np.float64)).any(axis=1)]
        for label, front in fronts.items()
    }
    figure = figures.readable_figure(*_SIZE_INCHES)
    axes = figure.add_subplot()
    _draw(axes, fronts, (x, y), line=line, maximize_x=flags[0])
    _label(axes, (x, y), flags, (log_x, log_y))
    figures.set_title(figure, axes, title)
    figure.legend(
        loc="outside lower center",
        ncols=figures.legend_columns(min(len(fronts), 3)),
        frameon=False,
    )
    return figures.write_picture(figure, path)


def _check_fronts(fronts: Mapping[str, pd.DataFrame], line: str | None) -> None:
    if not fronts:
        raise ValueError("fronts: expected at least one front, found none")
    if line is not None and line not in fronts:
        raise ValueError(f"line: expected one of the labels {list(fronts)}, found {line!r}")


def _draw(
    axes: Axes,
    fronts: Mapping[str, pd.DataFrame],
    names: tuple[str, str],
    *,
    line: str | None,
    maximize_x: bool,
) -> None:
    styles = zip(figures.COLORS, figures.MARKERS, strict=True)
    marked = [label for label in fronts if label != line]
    if len(marked) > len(figures.MARKERS):
        raise ValueError(
            f"fronts: expected at most {len(figures.MARKERS)} markers, found {len(marked)}"
        )
    # Markers get larger from one front to the next and stay open, so that points on top of each
    # other all show.
    for label, front in fronts.items():
        points = front.sort_values(list(names))
        style: dict[str, Any]
        if label == line:
            style = {
                "drawstyle": figures.steps_of(maximize_x),
                "color": figures.LINE_COLOR,
                "linewidth": 1.4,
                "marker": ".",
            }
            style |= {"markersize": 5, "zorder": 2}
        else:
            color, marker = next(styles)
            size = 5.5 + 2.5 * marked.index(label)
            style = {"linestyle": "", "marker": marker, "color": color, "markersize": size}
            style |= {"fillstyle": "none", "markeredgewidth": 1.4, "zorder": 3}
        n_points = f"{len(points):,} point{'' if len(points) == 1 else 's'}"
        axes.plot(points[names[0]], points[names[1]], label=f"{label} ({n_points})", **style)


def _label(
    axes: Axes, names: tuple[str, str], flags: tuple[bool, bool], logarithmic: tuple[bool, bool]
) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    if logarithmic[0]:
        axes.set_xscale("log")
    if logarithmic[1]:
        axes.set_yscale("log")
    texts = [
        figures.wrapped(figures.axis_label(name, flag), width)
        for name, flag, width in zip(names, flags, _LABEL_WIDTHS, strict=True)
    ]
    axes.set_xlabel(texts[0], labelpad=6)
    axes.set_ylabel(texts[1], labelpad=6)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(figures.tick_text))
        axis.set_minor_formatter(NullFormatter())
    figures.plain_axes(axes)
