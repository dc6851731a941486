"""Tables of a report: cells as text, and the same table for LaTeX and Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from anonopt.experiments.tables.latex import booktabs_lines, escaped
from anonopt.experiments.tables.markdown import NO_VALUE, markdown_lines
from anonopt.visualization.report.parts import Table

DIGITS = 5
"""Of numbers with decimals, those that matter."""

MOST_ROWS = 200
"""Of a table; of a longer one the first are shown, and how many there are."""

_WHOLE_FLOATS = 2.0**53


def cell_text(value: Any, *, digits: int = DIGITS) -> str:
    """Text of a cell: thousands apart, decimals to the digits that matter.

    Examples
    --------
    >>> cell_text(241296.0), cell_text(0.123456), cell_text(float("nan")), cell_text(True)
    ('241,296', '0.12346', '--', 'yes')
    """
    if hasattr(value, "item"):
        value = value.item()
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if math.isinf(value):
            return "\u221e" if value > 0 else "-\u221e"
        if value.is_integer() and abs(value) < _WHOLE_FLOATS:
            return f"{int(value):,}"
        return f"{value:,.1f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def table(
    caption: str,
    frame: pd.DataFrame,
    *,
    bold: pd.DataFrame | None = None,
    opens: Sequence[str | None] | None = None,
    latex: str | None = None,
    markdown: str | None = None,
    is_open: bool = False,
    most_rows: int = MOST_ROWS,
) -> Table:
    """Table that can be copied for LaTeX (booktabs) and as Markdown.

    Parameters
    ----------
    caption : str
    frame : DataFrame
        The index is shown if it has a name.
    bold : DataFrame of bool, optional
    opens : sequence of (str or None), optional
        As in :class:`~anonopt.visualization.report.Table`.
    latex, markdown : str, optional
        By default the cells as they are shown.
    is_open : bool
    most_rows : int
        Of a longer frame so many rows are shown, and the caption tells of how many they are.

    Returns
    -------
    Table
    """
    if len(frame) > most_rows:
        caption = f"{caption} (the first {most_rows:,} of {len(frame):,} rows)"
        frame = frame.iloc[:most_rows]
        bold = None if bold is None else bold.iloc[:most_rows]
        opens = None if opens is None else opens[:most_rows]
    header, rows = texts_of(frame)
    if markdown is None:
        markdown = markdown_lines(header, rows)
    if latex is None:
        numeric = numeric_columns(frame)
        body = [[_latex(text) for text in row] for row in rows]
        alignment = "".join("r" if is_number else "l" for is_number in numeric)
        latex = "\n".join(
            booktabs_lines([escaped(name) for name in header], [body], alignment=alignment)
        )
    return Table(
        caption,
        frame,
        bold=bold,
        opens=None if opens is None else tuple(opens),
        latex=latex,
        markdown=markdown,
        is_open=is_open,
    )


def _latex(text: str) -> str:
    return escaped(text).replace("\u221e", r"$\infty$")


def texts_of(frame: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Header and cells of a frame as text; the index is the first column if it has a name."""
    # By position: names may be there twice.
    columns = [list(map(cell_text, frame.iloc[:, place])) for place in range(frame.shape[1])]
    header = [str(name) for name in frame.columns]
    if frame.index.name is not None:
        columns.insert(0, [cell_text(value) for value in frame.index])
        header.insert(0, str(frame.index.name))
    return header, [list(row) for row in zip(*columns, strict=True)]


def numeric_columns(frame: pd.DataFrame) -> list[bool]:
    """Which columns of :func:`texts_of` hold numbers."""
    kinds = [dtype.kind in "iuf" for dtype in frame.dtypes]
    return kinds if frame.index.name is None else [False, *kinds]
