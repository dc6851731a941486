"""How a population search went, generation by generation."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import pandas as pd

from anonopt._checks import check_choice
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GENERATION = "n_generations"
SUMMARIES = ("max", "mean", "min")
"""From top to bottom, as the curves lie."""


def plot_history(
    history: pd.DataFrame,
    *,
    names: Sequence[str] | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw how a population went: one panel a figure, its extremes and its mean by generation.

    As Mares 2013, Figures 3.7, 3.9 and 4.4 to 4.9.

    Parameters
    ----------
    history : DataFrame (n_generations + 1, ...)
        As ``result.algorithm.history()`` of every population search tells it: a column
        ``n_generations`` (or the index) and for each figure columns such as ``IL_min``,
        ``IL_mean`` and ``IL_max``.
    names : sequence of str, optional
        Figures to draw, in their order, such as ``["score_max", "IL", "DR"]``; by default all.
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
        If there is no generation, no such figure or a value is infinite, or the ending of the
        file is unknown.

    Examples
    --------
    >>> history = pd.DataFrame({"IL_min": [20.0, 19.0], "IL_mean": [30, 28], "IL_max": [50, 50]})
    >>> [axes.get_ylabel() for axes in plot_history(history).axes]
    ['IL (%)']
    """
    figures.check_picture(path)
    shown = _figures(history, names)
    generations = history[GENERATION] if GENERATION in history.columns else history.index
    figure = figures.new_figure(8.0, 1.4 + 2.4 * len(shown))
    panels = figure.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, shown, strict=True):
        for summary, color in zip(SUMMARIES, figures.COLORS, strict=False):
            axes.plot(
                generations,
                history[f"{name}_{summary}"],
                color=color,
                linewidth=1.4,
                label=f"{summary} of the population",
            )
        unit = figures.unit_of(name)
        axes.set_ylabel(f"{name} ({unit})" if unit else name)
        figures.plain_axes(axes)
    panels[-1].set_xlabel("generation")
    figures.set_title(figure, panels[0], title)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return figures.write_picture(figure, path)


def _figures(history: pd.DataFrame, wanted: Sequence[str] | None) -> list[str]:
    """Names of the figures to draw: those wanted, or all whose extremes and mean are there."""
    ending = f"_{SUMMARIES[0]}"
    names = [
        name
        for name in (c.removesuffix(ending) for c in history.columns if c.endswith(ending))
        if all(f"{name}_{summary}" in history.columns for summary in SUMMARIES)
    ]
    if not names or len(history) == 0:
        raise ValueError(
            f"history: expected at least one generation and columns such as 'IL_min', 'IL_mean', "
            f"'IL_max', found {len(history)} generations of {list(history.columns)}"
        )
    for name in wanted or ():
        check_choice("names", name, names)
    names = names if wanted is None else list(wanted)
    # What a search does not know of some solutions is missing; there the curves have gaps.
    shown = [f"{name}_{summary}" for name in names for summary in SUMMARIES]
    figures.check_columns("history", history[shown].fillna(0.0), shown)
    return names
