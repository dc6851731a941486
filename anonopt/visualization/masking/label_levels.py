"""How far the labels of local recodings go up: shares of rows by level, a bar a column."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt.data.hierarchies.leaf_ranges import label_texts
from anonopt.data.microdata import Microdata
from anonopt.data.recoded_groups import RecodedGroups, check_groups_of
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RANGE, SUPPRESSED = "between levels", "suppressed"
"""What stands for labels that are no value of the hierarchy, and for rows without labels."""

OTHERS = {RANGE: "#F5C77E", SUPPRESSED: "#333333"}
LABEL_LENGTH = 24
LEAST_TEXT = 0.05
"""Share of the rows below which a part of a bar is too short for its text."""


def label_levels(table: Microdata, groups: RecodedGroups) -> pd.DataFrame:
    """Rows by the level of their label, in each quasi-identifier.

    A label that is a value on several levels of the hierarchy is of the lowest of them.

    Parameters
    ----------
    table : Microdata
    groups : RecodedGroups
        Of its rows, such as ``problem.groups(x)``.

    Returns
    -------
    DataFrame (n_quasi_identifiers, n_levels + 2)
        Rows of the table, by quasi-identifier. Columns are the levels from 0 on, then
        ``"between levels"``, labels that are no value of the hierarchy, and ``"suppressed"``.

    Raises
    ------
    ValueError
        If the groups are not those of the table.

    Examples
    --------
    >>> import anonopt as ao
    >>> letters = ao.Hierarchy([["A", "B", "C"], ["N", "N", "C"], ["*", "*", "*"]])
    >>> table = ao.Microdata(
    ...     pd.DataFrame({"zone": ["A", "B", "C"]}), quasi_identifiers=["zone"],
    ...     hierarchies={"zone": letters},
    ... )
    >>> groups = RecodedGroups([0, 0, 1], lows=[[0], [2]], highs=[[1], [2]])
    >>> label_levels(table, groups).to_numpy().tolist()
    [[1, 2, 0, 0, 0]]
    """
    check_groups_of(table, groups)
    names = list(table.quasi_identifiers)
    heights = [table.hierarchies[name].height for name in names]
    columns = [*range(max(heights) + 1), RANGE, SUPPRESSED]
    counts = pd.DataFrame(0, index=pd.Index(names, dtype=object), columns=columns)
    kept = ~groups.suppressed
    for position in range(len(names)):
        levels = _levels_of(table, position)
        labels = zip(
            groups.lows[kept, position].tolist(), groups.highs[kept, position].tolist(), strict=True
        )
        for label, n_rows in zip(labels, groups.sizes[kept].tolist(), strict=True):
            counts.iloc[position, columns.index(levels.get(label, RANGE))] += n_rows
        counts.iloc[position, -1] = int(groups.sizes[groups.suppressed].sum())
    return counts


def plot_recoding(
    table: Microdata,
    recodings: RecodedGroups | Mapping[str, RecodedGroups],
    *,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw how far the labels of a local recoding go up in each quasi-identifier.

    A bar a quasi-identifier, a part a level: how many of the rows are labelled so. The darker,
    the higher in the hierarchy. Of a node of the lattice each bar has one part; a local recoding
    keeps some rows low where others have to go up.

    Parameters
    ----------
    table : Microdata
    recodings : RecodedGroups, or mapping of label to RecodedGroups
        Of its rows, such as ``problem.groups(x)``; several are drawn side by side.
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
        If there is no recoding, groups are not those of the table, or the ending of the file is
        unknown.

    Examples
    --------
    >>> import anonopt as ao
    >>> letters = ao.Hierarchy([["A", "B", "C"], ["N", "N", "C"], ["*", "*", "*"]])
    >>> table = ao.Microdata(
    ...     pd.DataFrame({"zone": ["A", "B", "C"]}), quasi_identifiers=["zone"],
    ...     hierarchies={"zone": letters},
    ... )
    >>> groups = RecodedGroups([0, 0, 1], lows=[[0], [2]], highs=[[1], [2]])
    >>> figure = plot_recoding(table, groups)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['level 0', 'level 1']
    """
    figures.check_picture(path)
    named = {"": recodings} if isinstance(recodings, RecodedGroups) else dict(recodings)
    if not named:
        raise ValueError("recodings: expected at least one, found none")
    names = list(table.quasi_identifiers)
    heights = [table.hierarchies[name].height for name in names]
    size = 3.6 + 3.2 * len(named), 1.6 + 0.34 * len(names)
    figure = figures.readable_figure(*size)
    panels = figure.subplots(1, len(named), sharey=True, squeeze=False)[0]
    for axes, (label, groups) in zip(panels, named.items(), strict=True):
        _draw_bars(axes, label_levels(table, groups), heights)
        if label:
            axes.set_title(figures.wrapped(label, 42), loc="left", parse_math=False)
    texts = [figures.short_text(name, LABEL_LENGTH) for name in names]
    panels[0].set_yticks(range(len(names)), texts)
    for text in panels[0].get_yticklabels():
        text.set_parse_math(False)
    panels[0].invert_yaxis()
    _add_legend(figure, panels)
    if title:
        figure.suptitle(figures.wrapped(title, int(10 * size[0])), x=0.01, ha="left")
    return figures.write_picture(figure, path)


def _levels_of(table: Microdata, position: int) -> dict[tuple[int, int], int]:
    """Level of each value of a hierarchy, by the first and the last leaf that it covers."""
    name = table.quasi_identifiers[position]
    hierarchy = table.hierarchies[name]
    label_texts(hierarchy, name)  # refuses texts that stand for two sets of leaves
    levels: dict[tuple[int, int], int] = {}
    for level, codes in enumerate(hierarchy.maps):
        firsts = np.flatnonzero(np.diff(codes, prepend=-1))
        lasts = np.append(firsts[1:], len(codes)) - 1
        for label in zip(firsts.tolist(), lasts.tolist(), strict=True):
            levels.setdefault(label, level)
    return levels


def _draw_bars(axes: Axes, counts: pd.DataFrame, heights: list[int]) -> None:
    total = counts.iloc[0].sum()
    for row, height in enumerate(heights):
        left = 0.0
        for level in counts.columns:
            share = counts.iloc[row][level] / total
            if share == 0:
                continue
            color, ink = _colors_of(level, height)
            axes.barh(
                row,
                100 * share,
                left=100 * left,
                height=0.8,
                color=color,
                edgecolor="white",
                linewidth=0.6,
                gid=f"{row}-{level}",
            )
            if share >= LEAST_TEXT * figures.font_scale() and isinstance(level, int):
                text = "*" if level == height else f"level {level}" if share > 0.2 else str(level)
                middle = 100 * (left + share / 2)
                axes.text(middle, row, text, color=ink, ha="center", va="center", fontsize="small")
            left += share
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the rows (%)")
    axes.spines[["top", "right"]].set_visible(False)


def _colors_of(level: int | str, height: int) -> tuple[str, str]:
    """Colour of a part, and of the text on it: the darker the higher, black for none left."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    if isinstance(level, str):
        return OTHERS[level], "white"
    share = level / max(height, 1)
    return to_hex(colormaps["Blues"](0.12 + 0.76 * share)), "white" if share > 0.55 else "black"


def _add_legend(figure: Figure, panels: list[Axes]) -> None:
    from matplotlib.patches import Patch

    drawn = {str(patch.get_gid()).partition("-")[2] for axes in panels for patch in axes.patches}
    entries = [
        Patch(facecolor=_colors_of(0, 1)[0], label="the value itself (level 0)"),
        Patch(facecolor=_colors_of(1, 2)[0], label="half way up"),
        Patch(facecolor=_colors_of(1, 1)[0], label="* (the top)"),
    ]
    entries += [
        Patch(facecolor=color, label=name) for name, color in OTHERS.items() if name in drawn
    ]
    figure.legend(
        handles=entries,
        loc="outside lower center",
        ncols=figures.legend_columns(len(entries)),
        frameon=False,
    )
