"""The verdicts of a paper as a table to read: Markdown, LaTeX or CSV."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from anonopt.experiments.papers.item import Paper
from anonopt.experiments.papers.verdicts import VERDICTS

HEADS = ["number", "printed", "ours", "range", "verdict", "why"]


def shown(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers as text, to the digits that matter beside the printed ones.

    Parameters
    ----------
    frame : DataFrame
        Of :func:`~anonopt.experiments.reproduce`.
    """
    rows = []
    for row in frame.itertuples(index=False):
        spread = "" if row.least == row.most else f"{_text(row.least)} .. {_text(row.most)}"
        printed = "" if not isinstance(row.printed, str) else row.printed
        rows.append((row.number, printed, _text(row.ours), spread, row.verdict, row.why))
    return pd.DataFrame(rows, columns=HEADS, index=frame["item"])


def _text(value: float) -> str:
    if np.isnan(value):
        return ""
    return f"{int(value)}" if float(value).is_integer() else f"{value:.4g}"


def counts(frame: pd.DataFrame) -> str:
    """How many numbers have each verdict, in words."""
    found = frame["verdict"].value_counts()
    return ", ".join(f"{found.get(verdict, 0)} {verdict}" for verdict in VERDICTS)


def as_markdown(paper: Paper, frame: pd.DataFrame, *, seconds: float | None = None) -> str:
    """Section of a page: citation, summary, and a table for each item."""
    titles = {item.name: item.title for item in paper.items}
    parts = [f"## {paper.name}", f"{paper.citation}.", paper.summary, f"{counts(frame)}."]
    for name, rows in frame.groupby("item", sort=False):
        parts.append(f"### {name}: {titles[str(name)]}")
        parts.append(_markdown_table(shown(rows)))
    if seconds is not None:
        parts.append(f"Took {seconds:.0f} s.")
    return "\n\n".join(parts) + "\n"


def _markdown_table(frame: pd.DataFrame) -> str:
    lines = ["| " + " | ".join(frame.columns) + " |", "|" + " --- |" * len(frame.columns)]
    for row in frame.itertuples(index=False):
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |")
    return "\n".join(lines)


def as_latex(paper: Paper, frame: pd.DataFrame, *, seconds: float | None = None) -> str:
    """A longtable of all items."""
    table = shown(frame).reset_index()
    escaped = table.map(_latex_text)
    lines = [
        f"% {paper.citation}",
        r"\begin{tabular}{lllllll}",
        " & ".join(escaped.columns) + r" \\ \hline",
        *(" & ".join(row) + r" \\" for row in escaped.itertuples(index=False)),
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_text(cell: object) -> str:
    text = str(cell).replace("\\", r"\textbackslash{}")
    for character in "&%$#_{}":
        text = text.replace(character, f"\\{character}")
    return text


def as_csv(paper: Paper, frame: pd.DataFrame, *, seconds: float | None = None) -> str:
    """All columns as :func:`~anonopt.experiments.reproduce` returns them."""
    return frame.to_csv(index=False, lineterminator="\n")


FORMATS: dict[str, Callable[..., str]] = {".md": as_markdown, ".tex": as_latex, ".csv": as_csv}
"""Writers by the ending of the file."""


def writer(path: Path) -> Callable[..., str]:
    """Writer of the ending of a file.

    Raises
    ------
    ValueError
        If the ending is none of a format.
    """
    if path.suffix not in FORMATS:
        raise ValueError(
            f"{path}: expected a file ending in {', '.join(FORMATS)}, found {path.suffix!r}"
        )
    return FORMATS[path.suffix]


def provenance(command: Sequence[str]) -> str:
    """Date, versions and machine, for the head of a page."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("anonopt", "pymoo", "numpy"))
    return (
        f"Written on {date.today().isoformat()} by `{' '.join(command)}` with {libraries}, "
        f"Python {platform.python_version()} on {platform.machine()}."
    )
