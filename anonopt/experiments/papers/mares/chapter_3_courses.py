"""What the experiments of Section 3.5 have in common: courses of scores, and maps of both ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypedDict

import pandas as pd

from anonopt.experiments.items.item import Printed

SUMMARIES = ("min", "mean", "max")
SIDES = ("start", "end")
MAP = ("IL", "DR")
GENERATIONS = 1000
"""Of numeric files by Section 3.5, which names none for categorical ones."""

NO_NUMBERS = "the figure shows points without numbers; see its picture"


class Axes(TypedDict):
    """Texts of the axes of a picture."""

    x: str
    y: str


LOSS_AND_RISK: Axes = {"x": "disclosure risk DR (%)", "y": "information loss IL (%)"}
COURSE: Axes = {"x": "generation", "y": "score"}


class Course(NamedTuple):
    """What one run of the algorithm left.

    Attributes
    ----------
    history : DataFrame
        Summaries of each generation.
    start, end : DataFrame
        IL, DR and score of the files of both populations.
    """

    history: pd.DataFrame
    start: pd.DataFrame
    end: pd.DataFrame


def start_and_end(title: str, run: Course, score: str) -> dict[str, float]:
    """Summaries of the scores of both populations, and the best file at the end."""
    found = {}
    for side, at in zip(SIDES, (0, -1), strict=True):
        for summary in SUMMARIES:
            found[f"{title}, {side} {summary}"] = float(run.history[f"{score}_{summary}"].iloc[at])
    least = run.history[f"{score}_min"]
    found[f"{title}, decrease of min"] = float(least.iloc[0] - least.iloc[-1])
    return found | best_at_the_end(title, run, score)


def best_at_the_end(title: str, run: Course, score: str) -> dict[str, float]:
    """Loss and risk of the best file at the end."""
    best = run.end.sort_values(score, kind="stable").iloc[0]
    return {f"{title}, best file at the end, {figure}": float(best[figure]) for figure in MAP}


def map_of_best(titles: Iterable[str], *, why: str = NO_NUMBERS) -> tuple[Printed, ...]:
    """Loss and risk of the best file at the end, which the figures show without numbers."""
    return tuple(
        Printed(label=f"{title}, best file at the end, {figure}", value=None, why=why)
        for title in titles
        for figure in MAP
    )


def maps(runs: Mapping[str, Course]) -> pd.DataFrame:
    """Points of the R-U maps of both populations, a panel a run."""
    rows = [
        (title, side, dr, il)
        for title, run in runs.items()
        for side, files in zip(SIDES, (run.start, run.end), strict=True)
        for il, dr in files[list(MAP)].itertuples(index=False)
    ]
    return pd.DataFrame(rows, columns=["panel", "series", "x", "y"])


def courses(
    runs: Mapping[str, Course],
    score: str,
    printed: Mapping[str, Sequence[Sequence[str | None]]],
    *,
    summaries: Sequence[str] = SUMMARIES,
) -> pd.DataFrame:
    """Summaries of each generation, and printed ones of the first and the last, a panel a run.

    The printed last one is of 1000 generations, also beside a shorter run.
    """
    rows: list[tuple[str, str, float, float]] = []
    for title, run in runs.items():
        for summary in reversed(summaries):
            values = run.history[f"{score}_{summary}"]
            rows += [(title, summary, at, value) for at, value in enumerate(values)]
        for at, figures in zip((0, GENERATIONS), printed[title], strict=True):
            rows += [(title, "printed", at, float(text)) for text in figures if text is not None]
    return pd.DataFrame(rows, columns=["panel", "series", "x", "y"])
