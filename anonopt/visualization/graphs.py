"""Curves over the level of anonymity, beside what the paper says of its own."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL_INCHES = (5.6, 4.4)
_TEXT_WIDTH = 72


class Panel(NamedTuple):
    """One panel of a picture.

    Attributes
    ----------
    title : str
    curves : DataFrame
        A row a level of anonymity, which is its index, and a column a curve.
    label : str
        Of the vertical axis.
    description : str
        What to compare the curves with; written below the panel.
    """

    title: str
    curves: pd.DataFrame
    label: str
    description: str = ""


def plot_levels(
    panels: Sequence[Panel],
    *,
    n_columns: int = 2,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw figures of protected graphs over the level of anonymity k, a panel each.

    Parameters
    ----------
    panels : sequence of Panel
        Row by row. Panels of one row share their vertical axis.
    n_columns : int
        Panels in a row.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; ``.png``, ``.pdf`` or ``.svg``.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If there is no panel or no column, a panel has no curve, no level or more curves than
        there are colours, a value is not finite, or the ending of the file is unknown.

    Examples
    --------
    >>> curves = pd.DataFrame({"IL": [20.0, 30.0], "DR": [40.0, 10.0]}, index=[2, 3])
    >>> figure = plot_levels([Panel("Small graph", curves, "percent")], n_columns=1)
    >>> figure.axes[0].get_xlabel()
    'k, nodes that say the same (at least)'
    """
    figures.check_picture(path)
    if not panels:
        raise ValueError("panels: expected at least one, found none")
    check_integer("n_columns", n_columns, least=1)
    for panel in panels:
        _check(panel)
    n_rows = -(-len(panels) // n_columns)
    figure = figures.new_figure(_PANEL_INCHES[0] * n_columns, _PANEL_INCHES[1] * n_rows)
    grid = figure.subplots(n_rows, n_columns, squeeze=False, sharey="row")
    for axes in grid.ravel()[len(panels) :]:
        axes.set_visible(False)
    for axes, panel in zip(grid.ravel(), panels, strict=False):
        _draw(axes, panel)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=13)
    return figures.write_picture(figure, path)


def mean_curves(runs: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """Mean figures by level of anonymity.

    Parameters
    ----------
    runs : mapping of k to DataFrame
        Each with a row a run and a column a figure.

    Returns
    -------
    DataFrame
        A row a level, in increasing order; missing where a run misses a figure.

    Examples
    --------
    >>> mean_curves({2: pd.DataFrame({"IL": [10.0, 30.0]})}).loc[2, "IL"]
    np.float64(20.0)
    """
    return pd.DataFrame({k: frame.mean(skipna=False) for k, frame in sorted(runs.items())}).T


def _check(panel: Panel) -> None:
    n_levels, n_curves = panel.curves.shape
    if n_levels == 0 or not 1 <= n_curves <= len(figures.COLORS):
        raise ValueError(
            f"panel {panel.title!r}: expected 1 to {len(figures.COLORS)} curves and at least one "
            f"level, found {n_curves} curves and {n_levels} levels"
        )
    values = panel.curves.to_numpy(dtype=np.float64)
    if not np.isfinite(values).all():
        level, curve = np.argwhere(~np.isfinite(values))[0]
        raise ValueError(
            f"panel {panel.title!r}, curve {panel.curves.columns[curve]!r}, k = "
            f"{panel.curves.index[level]}: expected a finite value, found {values[level, curve]}"
        )


def _draw(axes: Axes, panel: Panel) -> None:
    from matplotlib.ticker import MaxNLocator

    styles = zip(figures.COLORS, figures.MARKERS, strict=True)
    for (name, curve), (color, marker) in zip(panel.curves.items(), styles, strict=False):
        axes.plot(
            panel.curves.index,
            curve,
            label=str(name),
            color=color,
            marker=marker,
            markersize=4.5,
            linewidth=1.4,
            fillstyle="none",
        )
    axes.set_title(panel.title, loc="left", fontsize=11)
    axes.set_ylabel(panel.label)
    text = "k, nodes that say the same (at least)"
    if panel.description:
        text += "\n" + textwrap.fill(panel.description, _TEXT_WIDTH)
    axes.set_xlabel(text, fontsize=9)
    axes.tick_params(labelleft=True)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    figures.plain_axes(axes)
    axes.legend(frameon=False, fontsize=8, ncols=2)
