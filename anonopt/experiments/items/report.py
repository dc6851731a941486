"""The verdicts on papers as a text to read: Markdown, LaTeX or CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonopt.experiments.items.item import Paper
from anonopt.experiments.items.verdicts import AGREES, NOT_COMPARABLE, SAME, VERDICTS
from anonopt.experiments.tables.latex import booktabs_lines, escaped
from anonopt.experiments.tables.markdown import markdown_lines
from anonopt.experiments.tables.pages import provenance

HEADS = ["number", "printed", "ours", "range", "verdict", "why"]
MORE_SEEDS = " (few seeds)"
"""Behind a verdict of a quick look that may be another with all seeds."""

INTRODUCTION = """\
Each number that a paper prints stands beside ours. `same`: every printed digit comes back.
`agrees`: the printed number lies within the range of ours over the seeds, or within a tolerance
that stands beside the item in the code; a wide range agrees easily. `differs` and `not comparable`
(data that are not public, pictures without numbers, times of other machines) have their reason.
Ours is the mean over the seeds, the range its least and its largest value; of a variance, its 95 %
interval."""


class Section(NamedTuple):
    """A paper with what came back of it.

    Attributes
    ----------
    paper : Paper
    frame : DataFrame
        Of :func:`~anonopt.experiments.reproduce`.
    seconds : float
        That it took.
    quick : bool
    """

    paper: Paper
    frame: pd.DataFrame
    seconds: float
    quick: bool


def shown(frame: pd.DataFrame, *, quick: bool = False) -> pd.DataFrame:
    """Numbers as text, to the digits that matter beside the printed ones.

    Parameters
    ----------
    frame : DataFrame
        Of :func:`~anonopt.experiments.reproduce`.
    quick : bool
        Whether verdicts that may change with more seeds are marked.
    """
    rows = []
    for row in frame.to_dict("records"):
        ends = _text(row["least"]), _text(row["most"])
        extent = "" if ends[0] == ends[1] else f"{ends[0]}..{ends[1]}"
        printed = row["printed"] if isinstance(row["printed"], str) else ""
        verdict = row["verdict"] + (MORE_SEEDS if quick and row["needs_seeds"] else "")
        rows.append((row["number"], printed, _text(row["ours"]), extent, verdict, row["why"]))
    return pd.DataFrame(rows, columns=HEADS, index=frame["item"])


def _text(value: float) -> str:
    if np.isnan(value):
        return ""
    return f"{int(value)}" if float(value).is_integer() else f"{value:.4g}"


def counts(frame: pd.DataFrame) -> str:
    """How many numbers have each verdict, in words."""
    found = frame["verdict"].value_counts()
    return ", ".join(f"{found.get(verdict, 0)} {verdict}" for verdict in VERDICTS)


def extent_of_return(frame: pd.DataFrame) -> str:
    """How much comes back, in a sentence."""
    comparable = frame[frame["verdict"] != NOT_COMPARABLE]
    is_back = comparable["verdict"].isin((SAME, AGREES))
    whole = is_back.groupby(comparable["item"]).all()
    share = f" ({100 * is_back.mean():.0f} %)" if len(comparable) else ""
    return (
        f"Of {len(frame)} numbers {len(comparable)} can be compared, and {is_back.sum()}{share} of "
        f"them come back; {whole.sum()} of {len(whole)} items with such numbers come back whole "
        f"({counts(frame)})."
    )


def as_markdown(sections: Sequence[Section], command: Sequence[str]) -> str:
    """A page: how it was made, then for each paper citation, summary, and a table for each item."""
    parts = ["# What comes back of the papers", provenance(command), INTRODUCTION]
    for paper, frame, seconds, quick in sections:
        titles = {item.name: item.title for item in paper.items}
        parts += [f"## {paper.name}", f"{paper.citation}."]
        parts.append(f"{paper.summary} {extent_of_return(frame)} It took {seconds:.0f} s.".strip())
        for name, rows in frame.groupby("item", sort=False):
            parts.append(f"### {name}: {titles[str(name)]}")
            table = shown(rows, quick=quick)
            parts.append(markdown_lines(HEADS, table.itertuples(index=False, name=None)))
    return "\n\n".join(parts) + "\n"


def as_latex(sections: Sequence[Section], command: Sequence[str]) -> str:
    """A table for each paper, without the reasons, for the packages longtable and booktabs."""
    lines = [f"% {line}" for line in provenance(command).splitlines()]
    for paper, frame, _, quick in sections:
        table = shown(frame, quick=quick).drop(columns="why").reset_index().map(escaped)
        lines.append(f"% {paper.citation}")
        lines += booktabs_lines(
            list(table.columns),
            [table.itertuples(index=False, name=None)],
            alignment="llrrrl",
            environment="longtable",
        )
    return "\n".join(lines) + "\n"


def as_csv(sections: Sequence[Section], command: Sequence[str]) -> str:
    """All columns as :func:`~anonopt.experiments.reproduce` returns them, behind the paper's."""
    frames = [frame.assign(paper=paper.name) for paper, frame, _, _ in sections]
    table = pd.concat(frames, ignore_index=True)
    table.insert(0, "paper", table.pop("paper"))
    return table.to_csv(index=False, lineterminator="\n")


FORMATS: dict[str, Callable[[Sequence[Section], Sequence[str]], str]] = {
    ".md": as_markdown,
    ".tex": as_latex,
    ".csv": as_csv,
}
"""Writers by the ending of the file."""
