"""Tables as Markdown."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from anonopt._checks import check_integer

NO_VALUE = "--"
"""What stands for a number that there is none of."""


def markdown_table(frame: pd.DataFrame, *, digits: int = 4, index: bool = True) -> str:
    r"""Write a frame as a table in Markdown.

    Parameters
    ----------
    frame : DataFrame
    digits : int
        Decimals of floats, 0..17.
    index : bool
        Whether the index is the first column.

    Returns
    -------
    str

    Examples
    --------
    >>> frame = pd.DataFrame({"a|b": [0.5, float("nan")], "n": [3, 4]}, index=["p", "q"])
    >>> print(markdown_table(frame, digits=2))
    |  | a\|b | n |
    | --- | --- | --- |
    | p | 0.50 | 3 |
    | q | -- | 4 |
    """
    check_integer("digits", digits, least=0, most=17)
    header = [str(name) for name in frame.columns]
    rows = [[_text(value, digits) for value in row] for row in frame.itertuples(index=False)]
    if index:
        header = ["" if frame.index.name is None else str(frame.index.name), *header]
        rows = [[str(name), *row] for name, row in zip(frame.index, rows, strict=True)]
    return markdown_lines(header, rows)


def markdown_lines(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Join texts to a table in Markdown; bars and tags of HTML within them are escaped."""
    lines = [_line(header), _line(["---"] * len(header)), *(_line(row) for row in rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    texts = (without_tags(cell).replace("|", "\\|").replace("\n", " ") for cell in cells)
    return "| " + " | ".join(texts) + " |"


def without_tags(text: str) -> str:
    r"""Text of which Markdown takes nothing for HTML, as it would names such as ``<mine>``.

    Examples
    --------
    >>> print(without_tags("<b> where p < 0.05"))
    \<b> where p < 0.05
    """
    return re.sub(r"<(?=[A-Za-z/!?])", r"\\<", text)


def _text(value: Any, digits: int) -> str:
    if not isinstance(value, float):
        return str(value)
    return NO_VALUE if math.isnan(value) else f"{value:.{digits}f}"
