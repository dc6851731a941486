"""Figures of plotly for a report: escaped labels, axes as data is, two themes, small files.

What plotly takes for markup in texts is data here: :func:`label` is for every text that comes from
a file, a table or a person. Traces are drawn as SVG; those of WebGL are neither printed nor drawn
where there is none.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from anonopt._typing import FloatArray
from anonopt.visualization.comparison import styles
from anonopt.visualization.figures import short_text
from anonopt.visualization.report.parts import Entry, Plot

SYMBOLS: Mapping[str, str] = {
    "o": "circle",
    "s": "square",
    "^": "triangle-up",
    "D": "diamond",
    "v": "triangle-down",
    "X": "x",
    "P": "cross",
}
DASHES = ("solid", "dash", "dashdot", "dot", "longdashdot")
"""Names that plotly has for the markers and lines of pictures of experiments."""

REFERENCE_COLOR = "#555555"
"""Of what algorithms are measured against."""

BAND = "26"
"""Opacity, as the end of a colour, of what lies between quartiles."""

LABEL_CHARACTERS = 80
"""Of one text in a figure; longer ones are cut."""

LOGARITHMIC = 300.0
"""An axis is logarithmic where its largest value is so many times its least, which is above 0."""

THEMES: Mapping[str, Any] = {
    "light": {"text": "#1f2328", "grid": "#d9dee4", "line": "#8b949e", "box": "#ffffff"},
    "dark": {"text": "#e6e9ee", "grid": "#353c46", "line": "#7d8691", "box": "#242a32"},
}
DARK_COLORS: Mapping[str, str] = {
    "#000000": "#ffffff",
    "#882255": "#b58aff",
    "#0072b2": "#5b8cff",
    REFERENCE_COLOR: "#b4bcc6",
}
"""What stands for a colour that is not seen on dark ground."""


def label(text: object, *, most: int = LABEL_CHARACTERS) -> str:
    """Text of a figure as plotly shows it letter by letter, in one line.

    Parameters
    ----------
    text : object
        Its ``str`` is shown.
    most : int
        Characters from which on it is cut.

    Returns
    -------
    str

    Examples
    --------
    >>> label("<b>5 & more</b>")
    '&lt;b&gt;5 &amp; more&lt;/b&gt;'
    """
    return html.escape(short_text(text, most), quote=False)


def hover(title: object, facts: Mapping[str, object], *, width: int = 60) -> str:
    """Text beside a point: a title in bold, and a line a fact.

    Parameters
    ----------
    title : object
    facts : mapping of str to object
        Those that are None are left out.
    width : int
        Characters at which lines are broken.

    Returns
    -------
    str
        For a trace whose ``hovertemplate`` is `HOVER`.

    Examples
    --------
    >>> hover("nsga2", {"k": 5, "genome": None})
    '<b>nsga2</b><br>k: 5'
    """
    lines = [f"<b>{label(title)}</b>"]
    for name, fact in facts.items():
        if fact is not None:
            text = textwrap.shorten(f"{name}: {fact}", 5 * width, placeholder=" \u2026")
            lines += [html.escape(line, quote=False) for line in textwrap.wrap(text, width)]
    return "<br>".join(lines)


HOVER = "%{text}<extra></extra>"
"""``hovertemplate`` of traces whose ``text`` is made by :func:`hover`."""


def series(name: str, index: int) -> Entry:
    """Colour, symbol and dash of an algorithm of a number, as in all pictures of experiments.

    Examples
    --------
    >>> series("nsga2", 1)
    Entry(key='nsga2', color='#D55E00', symbol='square', dash='dash')
    """
    style = styles.line_style(index)
    return Entry(name, style["color"], SYMBOLS[style["marker"]], DASHES[index % len(DASHES)])


def plot(
    traces: Sequence[Any],
    *,
    x: str | Mapping[str, Any],
    y: str | Mapping[str, Any],
    log_x: bool = False,
    **layout: Any,
) -> Any:
    """Figure without a theme of its own: the page gives it that of the reader.

    Parameters
    ----------
    traces : sequence of plotly traces
        The ``legendgroup`` of each is the key of the line of the legend that hides it.
    x, y : str or mapping
        Title of the axis, which is escaped; or the axis as plotly has it.
    log_x : bool
        Whether the axis of x is logarithmic.
    **layout
        What else plotly's layout takes.

    Returns
    -------
    plotly Figure
    """
    import plotly.graph_objects as go

    axes = {
        name: {"title": {"text": label(axis)}, "automargin": True}
        if isinstance(axis, str)
        else dict(axis)
        for name, axis in (("xaxis", x), ("yaxis", y))
    }
    if log_x:
        axes["xaxis"] |= _logarithmic(traces)
    shared = {"template": "none", "showlegend": False, "hovermode": "closest"}
    return go.Figure(list(traces), {**shared, **axes, **layout})


def _logarithmic(traces: Sequence[Any]) -> dict[str, Any]:
    """Axis of x that shows all of the traces, and a number more than powers of ten if it is short.

    Its ends are given: a tick at the very end would have no number.
    """
    values = [
        float(value)
        for trace in traces
        for value in (trace.x if trace.x is not None else ())
        if value is not None and value > 0
    ]
    axis: dict[str, Any] = {"type": "log", "dtick": 1}
    if values:
        low, high = math.log10(min(values)), math.log10(max(values))
        room = 0.04 * max(high - low, 0.1)
        axis |= {"range": [low - room, high + room], "dtick": 1 if high - low >= 2 else "D2"}
    return axis


def sized_plot(name: str, figure: Any) -> Plot:
    """Plot as high as its figure is meant to be."""
    return Plot(name, figure, height=int(figure.layout.height))


def is_wide(values: FloatArray) -> bool:
    """Whether values are told apart on a logarithmic axis only.

    Examples
    --------
    >>> is_wide(np.array([1.0, 30000.0])), is_wide(np.array([0.0, 30000.0]))
    (True, False)
    """
    known = values[np.isfinite(values)]
    if len(known) == 0:
        return False
    least, most = float(known.min()), float(known.max())
    return least > 0 and most > LOGARITHMIC * least


def category_axis(names: Sequence[object], title: str = "") -> dict[str, Any]:
    """Axis of categories in their order, whatever they look like: dates and numbers are names.

    Parameters
    ----------
    names : sequence of object
        Of the values on it; those of the traces are to be given by :func:`label`, too.
    title : str

    Returns
    -------
    dict
        For ``x`` or ``y`` of :func:`plot`.
    """
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": [label(name) for name in names],
        "title": {"text": label(title)},
        "automargin": True,
    }


def themes() -> dict[str, Any]:
    """Templates of plotly for light and dark pages, and the colours that change."""
    return {
        "templates": {name: _template(**colors) for name, colors in THEMES.items()},
        "dark_colors": dict(DARK_COLORS),
    }


def _template(text: str, grid: str, line: str, box: str) -> dict[str, Any]:
    axis = {
        "gridcolor": grid,
        "linecolor": line,
        "zerolinecolor": grid,
        "tickcolor": line,
        "ticks": "outside",
        "ticklen": 4,
        "showline": True,
        "zeroline": False,
        "automargin": True,
        "title": {"standoff": 10},
    }
    clear = "rgba(0,0,0,0)"
    return {
        "layout": {
            "paper_bgcolor": clear,
            "plot_bgcolor": clear,
            "font": {"color": text, "family": "system-ui, sans-serif", "size": 13},
            "hoverlabel": {
                "bgcolor": box,
                "bordercolor": line,
                "align": "left",
                "font": {"color": text, "family": "system-ui, sans-serif", "size": 13},
            },
            "margin": {"l": 56, "r": 16, "t": 16, "b": 48},
            "xaxis": axis,
            "yaxis": axis,
            "modebar": {"bgcolor": clear, "color": line, "activecolor": text},
            "annotationdefaults": {"font": {"color": text}},
            "separators": ".,",
        }
    }
