"""What a report is made of: sections of panels, each with its text, figures and tables.

All texts are plain: they are escaped where the page is made. Nothing here knows HTML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from anonopt._typing import BoolArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Points:
    """What is told of points that several figures show, held once.

    Attributes
    ----------
    name : str
        By which traces name it.
    texts : tuple of str (n_points,)
        Beside each point, as :func:`~anonopt.visualization.report.plots.hover` makes them.
    opens : tuple of (str or None) (n_points,)
        Keys of the solutions that a click opens.
    """

    name: str
    texts: tuple[str, ...]
    opens: tuple[str | None, ...]


@dataclass(frozen=True)
class Plot:
    """A figure that plotly draws when the page is opened.

    Attributes
    ----------
    name : str
        What the choice above the figure calls it, where a panel has several.
    figure : plotly Figure
        As :func:`~anonopt.visualization.report.plots.plot` makes it. The ``customdata`` of a point
        is the key of the solution that a click opens, or None. A trace whose ``meta`` is the name
        of `Points` has places in them instead, and no text of its own; -1 is no point.
    height : int
        Pixels.
    background : str
        Key in the page's `backgrounds` of a figure whose traces stand behind those of this one,
        and whose layout it has; empty without one. So what many solutions share is held once.
    """

    name: str
    figure: Any
    height: int = 420
    background: str = ""


@dataclass(frozen=True)
class Picture:
    """A drawing of matplotlib.

    Attributes
    ----------
    name : str
        As of :class:`Plot`.
    figure : matplotlib Figure
        Dark on nothing; where the page is dark its brightness is turned round.
    description : str
        What it shows, for those who do not see it.
    """

    name: str
    figure: Any
    description: str


Drawing: TypeAlias = Plot | Picture


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    caption : str
        What the table shows.
    frame : DataFrame
        Its cells as they are; numbers are written to the digits that matter, ``--`` where there
        is none. The index is shown, as the head of each row, if it has a name.
    bold : DataFrame of bool, optional
        Cells that are set in bold; of the shape of the frame.
    opens : sequence of (str or None), optional (n_rows,)
        Keys of the solutions that the rows open.
    latex, markdown : str, optional
        What is copied. Without, there is no such button.
    is_open : bool
        Whether it is seen at once, and not when its line is clicked.
    marked : bool array (n_rows, n_columns), optional
        Cells that differ from what they were; the index has none.
    """

    caption: str
    frame: pd.DataFrame
    bold: pd.DataFrame | None = None
    opens: tuple[str | None, ...] | None = None
    latex: str | None = None
    markdown: str | None = None
    is_open: bool = False
    marked: BoolArray | None = None


@dataclass(frozen=True)
class Text:
    """A long text in letters of equal width, such as a trace.

    Attributes
    ----------
    caption, text : str
    is_open : bool
        Whether it is seen at once.
    """

    caption: str
    text: str
    is_open: bool = False


@dataclass(frozen=True)
class Weights:
    """Sliders, one an objective, by which a reader gets a solution recommended.

    Attributes
    ----------
    names : tuple of str, (n_obj,)
        What is weighted.
    scaled : list of list of float, (n_solutions, n_obj)
        Objectives of the solutions from 0, the best, to 1, the worst.
    titles : tuple of str, (n_solutions,)
        Of the solutions; their keys are their positions.
    rho, least : float
        Share of the sum in the augmented achievement function, and what stands for a weight of 0.
    """

    names: tuple[str, ...]
    scaled: list[list[float]]
    titles: tuple[str, ...]
    rho: float
    least: float


@dataclass(frozen=True)
class Panel:
    """One thing that is shown: heading, what it says, figures, tables.

    Attributes
    ----------
    title : str
    summary : str
        What is seen, in sentences, with numbers: it stands in for the figure.
    drawings : tuple of Plot and Picture
        Of several, one is shown, which is chosen by its name.
    choice : str
        What is chosen, such as ``"indicator"``, where there are several.
    tables : tuple of Table
    texts : tuple of Text
    notes : tuple of str
        Sentences below the figure: how it was made, what is left out.
    is_wide : bool
        Whether it takes the whole width, not half of it.
    weights : Weights, optional
        Sliders above the figures.
    formula : str
        MathML that this library made of numbers and names of its own; it is not escaped.
    """

    title: str
    summary: str
    drawings: tuple[Drawing, ...] = ()
    choice: str = ""
    tables: tuple[Table, ...] = ()
    texts: tuple[Text, ...] = ()
    notes: tuple[str, ...] = ()
    is_wide: bool = False
    weights: Weights | None = None
    formula: str = ""


@dataclass(frozen=True)
class Entry:
    """A line of a legend, which shows and hides.

    Attributes
    ----------
    key : str
        ``legendgroup`` of the traces that it stands for.
    color : str
        Such as ``"#0072B2"``.
    symbol, dash : str
        Of plotly, such as ``"square"`` and ``"dot"``; an empty one is not drawn.
    """

    key: str
    color: str
    symbol: str = ""
    dash: str = ""


@dataclass(frozen=True)
class Section:
    """Panels under one heading.

    Attributes
    ----------
    title : str
    summary : str
    panels : tuple of Panel
    facts : mapping of str to str
        What is to be known first.
    legend : tuple of Entry
        Its lines show and hide what has their key in all figures of the section.
    """

    title: str
    summary: str = ""
    panels: tuple[Panel, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    legend: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Solution:
    """What opens where a point is clicked.

    Attributes
    ----------
    key : str
        By which points and rows name it.
    title : str
    facts : mapping of str to str
        Such as its genome and its objectives.
    panels : tuple of Panel
        The solution in its own terms.
    note : str
        What could not be shown, and why.
    """

    key: str
    title: str
    facts: Mapping[str, str] = field(default_factory=dict)
    panels: tuple[Panel, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Page:
    """A whole report.

    Attributes
    ----------
    title : str
    lead : str
        What it is about, in a sentence or two.
    sections : tuple of Section
    solutions : tuple of Solution
    source : str
        What it was made of, and with which version; at the end of the page.
    warning : str
        What has to be known before the file is passed on; empty without one.
    backgrounds : mapping of str to plotly Figure
        See :class:`Plot`.
    points : tuple of Points
        Of all figures.
    """

    title: str
    lead: str
    sections: tuple[Section, ...]
    solutions: tuple[Solution, ...] = ()
    source: str = ""
    warning: str = ""
    backgrounds: Mapping[str, Any] = field(default_factory=dict)
    points: tuple[Points, ...] = ()
