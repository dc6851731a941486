"""Figures of details: bars, heat maps, beside each other; labels are shown as they are."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt._typing import FloatArray
from anonopt.visualization.figures import COLORS
from anonopt.visualization.report.plots import label

if TYPE_CHECKING:
    import plotly.graph_objects as go

LABEL_LENGTH = 24
"""Characters of a label on an axis."""

KEPT, GONE = COLORS[0], COLORS[1]
"""What is kept, and what is suppressed or lost."""

SHARES = "Blues"
DIFFERENCES = "RdBu"
"""Colour scales from 0 on, and around 0."""

ROW_HEIGHT = 22
MAX_DOUBLE = 15
"""Categories up to which two bars have two rows of their own."""

MAX_PRINTED = 12
"""Cells of heat maps of up to so many rows and columns have their numbers printed."""


def plain(text: object, most: int = LABEL_LENGTH) -> str:
    """Label that plotly, which takes some signs for markup, shows as it is.

    Examples
    --------
    >>> plain("<b>x</b>")
    '&lt;b&gt;x&lt;/b&gt;'
    """
    return label(text, most=most)


def wrapped(text: object, width: int) -> str:
    """Text of several lines of a width that plotly shows as it is.

    Examples
    --------
    >>> wrapped("more is better", 8)
    'more is<br>better'
    """
    return "<br>".join(plain(line, width) for line in textwrap.wrap(str(text), width)) or ""


def distinct(labels: Sequence[object], most: int = LABEL_LENGTH) -> list[str]:
    """Labels of a category axis: those that read the same once they are cut are numbered."""
    found: dict[str, int] = {}
    texts = []
    for one in labels:
        text = plain(one, most)
        found[text] = found.get(text, 0) + 1
        texts.append(text if found[text] == 1 else f"{text} ({found[text]})")
    return texts


def bars(
    labels: Sequence[object],
    series: Mapping[str, Sequence[float]],
    *,
    axis: str,
    horizontal: bool = True,
    stacked: bool = False,
    category: str = "",
) -> go.Figure:
    """Bars of one or two series over categories.

    Parameters
    ----------
    labels : sequence of n labels
    series : mapping of name to n numbers
    axis : str
        What the numbers are.
    horizontal : bool
        Whether each category has a line.
    stacked : bool
    category : str
        What the categories are.
    """
    import plotly.graph_objects as go

    texts = distinct(labels)
    figure = go.Figure()
    patterns = ("", "/", "x")
    for (name, values), color, pattern in zip(series.items(), COLORS, patterns, strict=False):
        numbers = [float(value) for value in values]
        along = {"x": numbers, "y": texts} if horizontal else {"x": texts, "y": numbers}
        figure.add_bar(
            **along,
            name=plain(name),
            orientation="h" if horizontal else "v",
            marker={"color": color, "pattern": {"shape": pattern}},
        )
    number_axis = {"title": {"text": plain(axis, 80)}, "rangemode": "tozero"}
    label_axis: dict[str, Any] = {"type": "category", "title": {"text": plain(category, 80)}}
    if horizontal:
        label_axis |= {"autorange": "reversed", "automargin": True, "dtick": 1}
        figure.update_layout(xaxis=number_axis, yaxis=label_axis)
        is_double = len(series) > 1 and not stacked and len(texts) <= MAX_DOUBLE
        height = 110 + ROW_HEIGHT * len(texts) * (2 if is_double else 1)
    else:
        figure.update_layout(xaxis=label_axis, yaxis=number_axis)
        height = 320
    figure.update_layout(
        barmode="stack" if stacked else "group",
        height=height,
        showlegend=len(series) > 1,
        margin={"t": 30, "r": 20, "b": 60, "l": 60},
    )
    return figure


def heat_maps(
    panels: Mapping[str, FloatArray],
    *,
    rows: Sequence[object],
    columns: Sequence[object],
    row_name: str,
    column_name: str,
    share: bool = False,
    difference: str = "",
) -> go.Figure:
    """Heat maps of equal rows and columns, beside each other.

    Parameters
    ----------
    panels : mapping of title to float array (n_rows, n_columns)
        Up to three.
    rows, columns : sequences of labels
    row_name, column_name : str
        What they are.
    share : bool
        Whether the numbers are shares, from 0 to 1.
    difference : str
        Title of the panel whose numbers lie around 0.
    """
    from plotly.subplots import make_subplots

    titles = [plain(title, 60) for title in panels]
    figure = make_subplots(
        rows=1, cols=len(panels), subplot_titles=titles, shared_yaxes=True, horizontal_spacing=0.06
    )
    row_texts, column_texts = distinct(rows), distinct(columns)
    is_printed = max(len(row_texts), len(column_texts)) <= MAX_PRINTED
    most = max(
        (np.abs(z).max(initial=0.0) for t, z in panels.items() if t != difference), default=0
    )
    for place, (title, numbers) in enumerate(panels.items(), start=1):
        is_difference = title == difference
        extent = float(np.abs(numbers).max(initial=0.0)) or 1.0
        limits = (-extent, extent) if is_difference else (0.0, 1.0 if share else float(most) or 1.0)
        rounded = np.asarray(np.round(numbers, 3), dtype=np.float64)
        figure.add_heatmap(
            z=rounded.tolist(),
            x=column_texts,
            y=row_texts,
            zmin=limits[0],
            zmax=limits[1],
            colorscale=DIFFERENCES if is_difference else SHARES,
            showscale=False,
            text=_texts(rounded, share=share, signed=is_difference) if is_printed else None,
            texttemplate="%{text}" if is_printed else None,
            hovertemplate=f"{plain(row_name)} %{{y}}<br>{plain(column_name)} %{{x}}<br>%{{z}}"
            f"<extra>{plain(title)}</extra>",
            row=1,
            col=place,
        )
    figure.update_xaxes(type="category", title_text=plain(column_name, 60))
    figure.update_yaxes(type="category", autorange="reversed", automargin=True)
    figure.update_yaxes(title_text=plain(row_name, 60), col=1)
    figure.update_layout(
        height=min(190 + ROW_HEIGHT * len(row_texts), 900),
        margin={"t": 40, "r": 20, "b": 60, "l": 60},
    )
    return figure


def _texts(numbers: FloatArray, *, share: bool, signed: bool) -> list[list[str]]:
    """Numbers of cells; of differences with their sign, and none where there is none."""

    def text(number: float) -> str:
        if share:
            return f"{number:.2f}"
        if signed:
            return f"{number:+,.6g}" if number else ""
        return f"{number:,.6g}"

    return [list(map(text, row)) for row in numbers.tolist()]
