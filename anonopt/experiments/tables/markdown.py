"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from anonopt._checks import check_integer


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
    >>> print(markdown_table(pd.DataFrame({"a|b": [0.5], "n": [3]}, index=["p"]), digits=2))
    |  | a\|b | n |
    | --- | --- | --- |
    | p | 0.50 | 3 |
    """
    check_integer("digits", digits, least=0, most=17)
    header = [str(name) for name in frame.columns]
    rows = [[_text(value, digits) for value in row] for row in frame.itertuples(index=False)]
    if index:
        header = ["" if frame.index.name is None else str(frame.index.name), *header]
        rows = [[str(name), *row] for name, row in zip(frame.index, rows, strict=True)]
    return markdown_lines(header, rows)


def markdown_lines(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Join texts to a table in Markdown; vertical bars within them are escaped."""
    lines = [_line(header), _line(["---"] * len(header)), *(_line(row) for row in rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _text(value: Any, digits: int) -> str:
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)
