"""Figures one after the other, as files."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from anonopt.data.output_files import write_file
from anonopt.visualization.figures import COLORS
from anonopt.visualization.moving.moving_pictures import (
    Pixels,
    checked_target,
    gif_of,
    in_one_palette,
    pixels_of,
    png_of,
)
from anonopt.visualization.moving.slider_page import slider_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("html", "gif", "png")
"""Endings of the files."""

DPI = 90
EXACT_COLORS = ("#FFFFFF", "#000000", *COLORS)
"""Of what means something in a figure."""


def animate_figures(
    figures: Iterable[Figure],
    path: str | PathLike[str],
    *,
    title: str = "Step by step",
    seconds: float = 1.0,
) -> Path:
    """Write figures as a moving picture, such as MDAV group by group, or Mondrian cut by cut.

    Parameters
    ----------
    figures : iterable of matplotlib Figure
        All of one size, at least one; each is drawn before the next is asked for. The title of
        their first axes is the text of a step in a page.
    path : path
        File to write, replaced as a whole if it exists. Its ending says what it is: ``html``, one
        page with a slider that needs nothing else; ``gif``; ``png``, animated.
    title : str
        Of a page.
    seconds : float
        Time that each picture stays, in 0.05..60.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If the ending is unknown, `seconds` is out of its range, there is no figure, or one has
        another size than the first.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from anonopt.masking import MDAV
    >>> from anonopt.visualization import groups_step_by_step
    >>> frame = pd.DataFrame({"x": [1, 2, 2, 30, 31], "y": [1, 2, 2, 28, 29]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     animate_figures(groups_step_by_step(frame, MDAV(k=2)), f"{folder}/mdav.gif").name
    'mdav.gif'
    """
    target, kind, pause = checked_target(path, seconds, FORMATS)
    pictures: list[Pixels] = []
    texts = []
    for figure in figures:
        figure.set_dpi(DPI)
        pictures.append(pixels_of(figure))
        texts.append(_text(figure))
        if pictures[-1].shape != pictures[0].shape:
            raise ValueError(
                f"figures: expected all of one size, found {pictures[0].shape[1::-1]} and "
                f"{pictures[-1].shape[1::-1]} pixels"
            )
    if not pictures:
        raise ValueError("figures: expected at least one, found none")
    images = in_one_palette(pictures, EXACT_COLORS)
    if kind == "html":
        content = slider_page(images, texts, title=title, seconds=pause)
    else:
        content = (gif_of if kind == "gif" else png_of)(images, pause)
    write_file(target, content)
    return target


def _text(figure: Figure) -> str:
    """Title of the first axes, wherever it stands."""
    for axes in figure.axes[:1]:
        for place in ("left", "center", "right"):
            if axes.get_title(loc=place):
                return " ".join(str(axes.get_title(loc=place)).split())
    return ""
