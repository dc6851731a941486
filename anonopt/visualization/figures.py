"""What all pictures share: how a figure is set up, checked, labelled and written."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Collection, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt.data.output_files import write_file
from anonopt.measures import MEASURES, get_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "pdf", "svg")
"""Endings of the files a picture can be written to."""

# The colours of Okabe and Ito, which people with any colour vision tell apart.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS = ("x", "o", "s", "D", "^", "v")
"""Of fronts or curves, in their order."""

LINE_COLOR = "#555555"
DPI = 120
FONT_SIZE = 10.0
"""Size of text in points, where matplotlib's settings say no other."""
TITLE_CHARACTERS_PER_INCH = 10.75
UNIT_SIGNS = {"percent": "%"}


def new_figure(width: float, height: float) -> Figure:
    """Empty figure of a size in inches, not known to pyplot."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def readable_figure(width: float, height: float) -> Figure:
    """Empty figure of a size in inches at usual text; a little larger where text is larger."""
    factor = 1.0 + 0.25 * (font_scale() - 1.0)
    return new_figure(width * factor, height * factor)


def legend_columns(most: int) -> int:
    """Columns of a legend that are most at usual text; fewer where text is larger."""
    return max(1, round(most / math.pow(font_scale(), 0.8)))


def wrapped(text: str, width: int) -> str:
    """Text in lines of at most so many characters at usual text; fewer where text is larger."""
    return textwrap.fill(text, int(width / font_scale()), break_on_hyphens=False)


def plain_axes(axes: Axes) -> None:
    """Give axes a grid behind what is drawn, and no frame at the top and the right."""
    axes.grid(visible=True, which="major", color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def set_title(figure: Figure, axes: Axes, title: str | None) -> None:
    """Put a title above axes that are as wide as the figure; long lines are broken."""
    if title:
        scale = font_scale()
        width = int(figure.get_size_inches()[0] * TITLE_CHARACTERS_PER_INCH / scale)
        lines = [textwrap.fill(text, width) for text in title.splitlines()]
        axes.set_title("\n".join(lines), loc="left", fontsize=11 * scale, pad=10)


def short_text(text: object, most: int) -> str:
    """Label of data on one line of at most so many characters.

    Examples
    --------
    >>> short_text("first" + chr(10) + "and a second line", most=12)
    'first and a…'
    """
    line = " ".join(str(text).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def font_scale() -> float:
    """How much larger than usual text is, by matplotlib's ``font.size``."""
    from matplotlib import rcParams

    return float(rcParams["font.size"]) / FONT_SIZE


def directions_of(names: Sequence[str], maximize: Sequence[bool] | None) -> tuple[bool, ...]:
    """Whether more is better of each of some columns, as given, or as the measures say.

    Raises
    ------
    ValueError
        If they are not given, and one is no measure; or not one is given for each.
    """
    if maximize is None:
        return tuple(get_measure(name).maximize for name in names)
    if len(maximize) != len(names):
        raise ValueError(f"maximize: expected {len(names)} booleans, found {len(maximize)}")
    return tuple(map(bool, maximize))


def steps_of(maximize_x: bool) -> str:
    """How a front is drawn as a staircase: between two points, that which still meets the demand.

    Parameters
    ----------
    maximize_x : bool
        Whether a demand on x is one for at least, or for at most so much.

    Returns
    -------
    str
        ``drawstyle`` of a matplotlib line.
    """
    return "steps-pre" if maximize_x else "steps-post"


def tick_text(value: float, position: int | None) -> str:
    """A number on an axis, written out."""
    return f"{value:,.10g}"


def unit_of(name: str) -> str:
    """Unit of a measure as axes show it; empty if no measure has the name."""
    if name not in MEASURES:
        return ""
    return UNIT_SIGNS.get(MEASURES[name].unit, MEASURES[name].unit)


def axis_label(name: str, maximize: bool | None = None) -> str:
    """What an axis shows: meaning, unit and direction of a measure, of any other figure its name.

    Parameters
    ----------
    name : str
    maximize : bool, optional
        Whether more is better; by default as the measure says.

    Examples
    --------
    >>> axis_label("DR")
    'DR: disclosure risk (%, less is better)'
    >>> axis_label("own", maximize=True)
    'own (more is better)'
    """
    measure = MEASURES.get(name)
    if maximize is None and measure is not None:
        maximize = measure.maximize
    better = f"{'more' if maximize else 'less'} is better"
    if measure is None:
        return f"{name} ({better})"
    return f"{name}: {measure.summary} ({unit_of(name)}, {better})"


def check_columns(
    what: str,
    frame: pd.DataFrame,
    columns: Iterable[str],
    *,
    logarithmic: Collection[str] = (),
    finite: bool = True,
) -> None:
    """Refuse points that cannot be drawn.

    Parameters
    ----------
    what : str
        The frame, for messages.
    frame : DataFrame (n_points, ...)
    columns : iterable of str
        Columns on the axes.
    logarithmic : collection of str
        Those whose axis is logarithmic.
    finite : bool
        Whether infinite values are refused, too.

    Raises
    ------
    ValueError
        If a column is absent, or a value is none or does not fit a logarithmic axis.
    """
    for column in columns:
        if column not in frame.columns:
            raise ValueError(f"{what}: expected a column {column!r}, found {list(frame.columns)}")
        values = frame[column].to_numpy(dtype=np.float64)
        wanted, wrong = "numbers", np.isnan(values)
        if finite:
            wanted, wrong = "finite values", ~np.isfinite(values)
        if column in logarithmic:
            wanted, wrong = f"{wanted} above 0 for the logarithmic axis", wrong | (values <= 0)
        if wrong.any():
            raise ValueError(
                f"{what}, column {column!r}: expected {wanted}, found {values[wrong][0]}"
            )


def check_picture(path: str | PathLike[str] | None) -> None:
    """Refuse a file that no picture can be written to, before it is drawn; None is none.

    Raises
    ------
    ValueError
        If its ending is none of `FORMATS`.
    """
    if path is not None and _format(path) not in FORMATS:
        raise ValueError(
            f"path: expected a file ending in one of {', '.join(FORMATS)}, found {str(path)!r}"
        )


def write_picture(figure: Figure, path: str | PathLike[str] | None) -> Figure:
    """Write a figure to a file, which is replaced as a whole if it exists, and hand it back.

    To None it is not written.
    """
    if path is not None:
        write_file(path, picture_of(figure, path))
    return figure


def picture_of(figure: Figure, path: str | PathLike[str], *, transparent: bool = False) -> bytes:
    """Content of the file that :func:`write_picture` writes; its ending tells the format.

    Parameters
    ----------
    figure : matplotlib Figure
    path : path
    transparent : bool
        Whether there is nothing behind what is drawn, rather than white.

    Returns
    -------
    bytes
    """
    import matplotlib as mpl

    picture = _format(path)
    # Without a date, and with names of parts that are no chance, equal pictures are equal files.
    metadata = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(picture)
    buffer = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "anonopt"}):
        figure.savefig(buffer, format=picture, dpi=DPI, metadata=metadata, transparent=transparent)
    return buffer.getvalue()


def _format(path: str | PathLike[str]) -> str:
    return Path(path).suffix.lower().removeprefix(".")
