"""What pictures of experiments share: how algorithms are told apart, and a panel a problem."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.store.runs import ended_well
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anonopt.experiments.store.runs import StoredRuns

COLORS = (*figures.COLORS, "#000000", "#882255")
LINES: Sequence[Any] = ("-", "--", "-.", ":", (0, (6, 1.5, 1, 1.5, 1, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "X", "P")
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----", "++++")
"""Repeated with periods that differ, so that colour, line and marker tell many apart in grey."""

PANEL_COLUMNS = 3
LABEL_CHARACTERS = 32
LEGEND_ROW = 0.2
"""Inches; figures have room for two rows."""


def line_style(index: int) -> dict[str, Any]:
    """Colour, line and marker of the algorithm of a number."""
    return {
        "color": COLORS[index % len(COLORS)],
        "linestyle": LINES[index % len(LINES)],
        "marker": MARKERS[index % len(MARKERS)],
        "markersize": 4.5,
        "linewidth": 1.5,
    }


def indicator_label(indicator: str) -> str:
    """What an axis of an indicator shows."""
    chosen = INDICATORS[indicator]
    summary = textwrap.fill(chosen.summary, LABEL_CHARACTERS)
    return f"{summary}\n({'more' if chosen.maximize else 'less'} is better)"


def finished_names(runs: StoredRuns, problem: str, budget: str | None) -> list[str]:
    """Algorithms of which a run on a problem ended well."""
    table = runs.of_budget(budget)
    rows = table[(table["problem"] == problem) & ended_well(table)]
    return list(dict.fromkeys(rows["algorithm"]))


def panel_columns(n: int) -> int:
    """Panels beside each other, at most `PANEL_COLUMNS`, so that rows are as even as possible.

    Examples
    --------
    >>> [panel_columns(n) for n in (1, 3, 4, 5, 7)]
    [1, 3, 2, 3, 3]
    """
    return math.ceil(n / math.ceil(n / PANEL_COLUMNS))


def panels(
    names: Sequence[str], *, width: float = 4.2, height: float = 3.3
) -> tuple[Figure, list[Axes]]:
    """Figure with axes for each name, which is their title."""
    n_columns = panel_columns(len(names))
    n_rows = math.ceil(len(names) / n_columns)
    # A single panel has its legend beside its labels, which takes room.
    figure = figures.new_figure(max(5.6, width * n_columns), 0.6 + height * n_rows)
    drawn = figure.subplots(n_rows, n_columns, squeeze=False).ravel().tolist()
    for axes in drawn[len(names) :]:
        axes.remove()
    for axes, name in zip(drawn, names, strict=False):
        axes.set_title(name, fontsize=10, loc="left")
        figures.plain_axes(axes)
    return figure, drawn[: len(names)]


def log_axis(axes: Axes) -> None:
    """Make the axis of x logarithmic, with plain numbers."""
    from matplotlib.ticker import LogFormatter

    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(LogFormatter())
    # Where few powers of ten are seen, numbers between them are told, too.
    axes.xaxis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))


def legend_below(figure: Figure, axes: Axes) -> None:
    """Put the legend of axes below the whole figure, in as many columns as fit."""
    handles, labels = axes.get_legend_handles_labels()
    if not labels:
        return
    longest = max((len(label) for label in labels), default=1)
    fitting = int(figure.get_size_inches()[0] / (0.75 + 0.085 * longest))
    n_rows = math.ceil(len(labels) / max(1, fitting))
    # Panels keep their height.
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + LEGEND_ROW * max(0, n_rows - 2))
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=math.ceil(len(labels) / n_rows),
        frameon=False,
        fontsize=9,
    )


def title_above(figure: Figure, title: str | None) -> None:
    """Put a title above all panels."""
    if title:
        figure.suptitle(title, fontsize=11, x=0.01, ha="left")
