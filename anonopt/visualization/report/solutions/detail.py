"""A solution in its own terms, as plain data: words, tables and figures that a page shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, BoolArray
from anonopt.data.values import MISSING, as_text, is_missing
from anonopt.visualization.figures import short_text

if TYPE_CHECKING:
    import plotly.graph_objects as go

SAMPLE_ROWS = 12
"""Rows of the original and of the protected table that are shown beside each other."""

MAX_TEXT = 60
"""Characters of a cell of a sample; longer ones are cut."""

RECORDS = "Original and protected records"
"""Heading of the sample."""

RECORDS = "Original and protected records"
"""Heading of the sample."""

Discloses: TypeAlias = Literal["", "statistics", "records"]
"""What a part tells of the original data: nothing, numbers of it, or some of its records."""


@dataclass(frozen=True)
class Drawing:
    """A plotly figure that is built when it is needed.

    Attributes
    ----------
    build : callable
        Returns the figure.
    text : str
        What it shows, for those who do not see it.
    background : str
        Name among the figures of
        :func:`~anonopt.visualization.report.solutions.solution_details.backgrounds` whose traces
        and layout stand behind those of the figure; empty without one.
    """

    build: Callable[[], go.Figure]
    text: str
    background: str = ""


@dataclass(frozen=True)
class Part:
    """A part of a detail.

    Attributes
    ----------
    heading : str
    text : str
        What is seen, in words; empty where the heading says it.
    table : DataFrame, optional
        Shown without its index.
    marked : bool array of the shape of the table, optional
        Cells that differ from the original.
    drawing : Drawing, optional
    formula : str
        MathML, as this library wrote it; empty without one.
    notes : tuple of str
        What has to be known to read it.
    discloses : ``""``, ``"statistics"`` or ``"records"``
        What it tells of the original data.
    is_half : bool
        Whether half of the width is enough.
    """

    heading: str
    text: str = ""
    table: pd.DataFrame | None = None
    marked: BoolArray | None = None
    drawing: Drawing | None = None
    formula: str = ""
    notes: tuple[str, ...] = ()
    discloses: Discloses = ""
    is_half: bool = False


@dataclass(frozen=True)
class Detail:
    """What a solution means for the data.

    Attributes
    ----------
    kind : str
        What is protected and how, in words.
    summary : str
        One or two sentences.
    parts : tuple of Part
    by_chance : bool
        Whether the data are protected by chance, so that ``protect`` needs a random state.
    """

    kind: str
    summary: str
    parts: tuple[Part, ...]
    by_chance: bool = False


@dataclass(frozen=True)
class Shown:
    """What a detail may show, and of which seed its draws are.

    Attributes
    ----------
    sample_rows : int
        Rows of the original that are shown beside the protected ones; 0 shows none.
    seed : int
        Of what protects by chance.
    evaluated : DataFrame, optional
        Columns IL and DR of all files that the run evaluated.
    """

    sample_rows: int = SAMPLE_ROWS
    seed: int = 1
    evaluated: pd.DataFrame | None = field(default=None, repr=False)


def shown_text(value: object) -> str:
    r"""A cell as it is shown: missing ones say so, long ones are cut.

    Examples
    --------
    >>> shown_text(39.0), shown_text(None), shown_text("a\nb")
    ('39', '<missing>', 'a b')
    """
    text = MISSING if is_missing(value) else as_text(value)
    return shortened(text)


def shortened(text: str, most: int = MAX_TEXT) -> str:
    """Text in one line, of so many characters at most.

    Examples
    --------
    >>> shortened("never-married", 8)
    'never-m…'
    """
    return short_text(text, most)


def nothing_protected(missed: str) -> Part:
    """Part of an infeasible solution, which protects nothing; `missed` names its constraints."""
    return Part(
        RECORDS,
        f"The solution is infeasible, it misses {missed}: there is no protected data of it.",
    )


def sample(
    original: pd.DataFrame,
    protected: pd.DataFrame,
    shown: Shown,
    *,
    columns: list[Any],
    suppressed: BoolArray | None = None,
    note: str = "",
) -> Part:
    """First records of the original, each with its protected one below.

    Parameters
    ----------
    original, protected : DataFrame (n_rows, ...)
        The same rows in the same order.
    shown : Shown
        How many are shown.
    columns : list of columns
        Those that both have.
    suppressed : bool array (n_rows,), optional
        Rows that are suppressed.
    note : str
        What else has to be said.
    """
    n_rows = min(shown.sample_rows, len(original))
    if n_rows == 0:
        text = (
            "Records of the original table are not shown; with sample_rows=12 the page shows the "
            "first twelve beside the protected ones, and must then be kept like the table."
        )
        return Part(RECORDS, text)
    first, second = (frame.iloc[:n_rows] for frame in (original, protected))
    rows = np.empty((2 * n_rows, len(columns)), dtype=object)
    rows[0::2], rows[1::2] = (_texts(frame[columns]) for frame in (first, second))
    table = pd.DataFrame(rows, columns=list(map(str, columns)))
    labels = [
        label for row in range(n_rows) for label in (f"{row} original", _state(row, suppressed))
    ]
    table.insert(0, "record", labels, allow_duplicates=True)
    marked = np.zeros(table.shape, dtype=bool)
    marked[1::2, 1:] = changed_cells(first, second, columns)
    text = (
        f"The first {n_rows} of {counted(len(original), 'record')}, each with its protected one "
        f"below; "
        f"changed cells are marked (▲)."
    )
    notes = (note,) if note else ()
    return Part(RECORDS, text, table, marked, notes=notes, discloses="records")


def _state(row: int, suppressed: BoolArray | None) -> str:
    is_suppressed = suppressed is not None and bool(suppressed[row])
    return f"{row} suppressed" if is_suppressed else f"{row} protected"


def _texts(frame: pd.DataFrame) -> AnyArray:
    texts = np.empty(frame.shape, dtype=object)
    for i in range(frame.shape[1]):
        texts[:, i] = list(map(shown_text, frame.iloc[:, i]))
    return texts


def changed_cells(original: pd.DataFrame, protected: pd.DataFrame, columns: list[Any]) -> BoolArray:
    """Which cells of columns changed, (n_rows, n_columns); equal texts of a value are equal."""
    before, after = (frame[columns] for frame in (original, protected))
    changed = np.empty(before.shape, dtype=bool)
    for i in range(before.shape[1]):
        first, second = before.iloc[:, i], after.iloc[:, i]
        both = pd.concat([first, second], ignore_index=True)
        # Texts are made of distinct values, of which there are few.
        codes, values = pd.factorize(both, use_na_sentinel=True)
        texts = np.array([as_text(value) for value in values] + [MISSING], dtype=object)[codes]
        changed[:, i] = texts[: len(first)] != texts[len(first) :]
    return changed


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """A number and its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "class", "classes")
    ('1 row', '1,200 classes')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def percent(share: float) -> str:
    """A share as text; what is not 0 does not read 0.

    Examples
    --------
    >>> percent(0.25), percent(0.0), percent(0.000001)
    ('25 %', '0 %', '0.0001 %')
    """
    return f"{100 * share:.3g} %"
