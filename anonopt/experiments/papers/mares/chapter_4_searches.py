"""Items of Section 4.1 of the thesis: an evolutionary algorithm for PRAM matrices.

Which of its readings is measured, and the sentences that this rests on:

- The information loss is EBIL alone. Section 4.1.3 names "the two measures described in Section
  2.4"; the mean of three losses stands in Section 4.2 only (Eq. 4.9). The printed losses of
  frequency PRAM (80.36, 81.18) have the size of EBIL (72, 73), not of the mean (42, 52). The final
  matrix of Table 4.6 has its largest entries off the diagonal, which EBIL alone does not mind.
- One matrix changes a generation: Algorithm 6 alters "X_i" of "n" matrices, "each one is treated
  independently" (Section 4.1).
- Matrices keep their fitness: "Score is the only measure that is strictly decreasing its value and
  never increases" (Section 4.1.5), which could not be said of a fitness that is drawn anew in each
  comparison, as Algorithm 6 has it to the letter.
- Start and end are what the search itself sees, means over five masked files (Eq. 4.4), since the
  tables are the ends of the curves in the figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd

from anonopt.experiments.items.item import Item, Picture, Printed
from anonopt.experiments.papers.mares.chapter_4_courses import (
    CAPTIONS,
    FIGURES,
    column_entropy_of_start,
    course_of_matrices,
    points_alone,
    points_together,
)
from anonopt.experiments.papers.mares.degree import NOT_PUBLIC

LOSS_SIZE = (
    "the thesis does not say how EBIL becomes a percentage (Eq. 2.13 is a sum over the records); "
    "here it is divided by the records and log(categories), which gives 72 and 73 where 80 and 81 "
    "are printed. Item section-4-1 has a formula, found by trial, that gives the print; searches "
    "by it end further down, at a reduction of 53 % in German and 46 % in Solar Flare (three runs)"
)
HALF_KEPT = (
    "p = 0.5 keeps half of the cells (Section 4.1.5), so DR is 25 and half of the linkages, which "
    "find 0.7 % here; the mean of five files scatters by 0.2, one file by 0.4"
)
SPLIT = (
    "the score falls as much as the printed one, at another split of loss and risk: crossover soon "
    "moves the large numbers off the diagonal, which takes the risk away and leaves EBIL as it is, "
    "as in the printed matrix of Housing (Table 4.6; Table 4.3 ends with IL 53.77, DR 8.61). With "
    "max(IL, DR) as fitness DR stays near the print, but the score falls by a tenth only, and "
    "Eq. 4.3 is the mean"
)
NO_NUMBERS = "the figure shows curves without numbers"

FITTED = (
    "Section 4.1 gives no formula; this one was picked among some 1800 because it gives these two "
    "numbers, so that it does proves nothing. It makes 0.1 of difference whether probabilities "
    "lose all but three decimals (Section 4.1.1) before it is measured"
)

STABLE_DROP = 1.0
"""Points that the score still falls from the generation on from which it is stable."""

STABLE_TOLERANCE = 100
"""Generations: the text says "around" a round hundred."""

ATTRIBUTES = {
    "german": {"EXISTACC": "status", "PRESEMPLOY": "employment", "SAVINGS": "savings"},
    "flare": {
        "CLASS": "class",
        "LARGSPOT": "largest_spot_size",
        "SPOTDIST": "spot_distribution",
    },
}
"""By data set: the thesis's names and our columns."""

TABLES = {
    "german": (("80.36", "25.63", "52.99"), ("38.39", "27.30", "32.84")),
    "flare": (("81.18", "26.49", "53.83"), ("34.91", "31.41", "33.16")),
}
"""IL, DR and score at the start and at the end, Tables 4.4 and 4.5."""

REDUCTIONS = {"german": "38.03", "flare": "38.40"}


def starting_losses(seed: int, quick: bool) -> Mapping[str, float]:
    """EBIL of frequency PRAM if its matrix itself holds the probabilities of Eq. 2.12.

    For each category j of the original records, minus the sum over i of p_ij log p_ij down column
    j of the matrix as it stands, divided by log(categories).
    """
    return {
        f"{CAPTIONS[name]}, IL of frequency PRAM": column_entropy_of_start(name) for name in TABLES
    }


def german_together(seed: int, quick: bool) -> Mapping[str, float]:
    """All three attributes of German at the same time."""
    return _together(course_of_matrices("german", None, seed))


def flare_together(seed: int, quick: bool) -> Mapping[str, float]:
    """All three attributes of Solar Flare at the same time."""
    return _together(course_of_matrices("flare", None, seed))


def german_alone(seed: int, quick: bool) -> Mapping[str, float]:
    """Each attribute of German by itself."""
    return _alone("german", seed)


def flare_alone(seed: int, quick: bool) -> Mapping[str, float]:
    """Each attribute of Solar Flare by itself."""
    return _alone("flare", seed)


def not_public(seed: int, quick: bool) -> Mapping[str, float]:
    """Nothing: there are no data to measure."""
    return {}


def _together(found: pd.DataFrame) -> dict[str, float]:
    score = found["score"].to_numpy()
    return {
        **{f"{figure}, start": float(found[figure].iloc[0]) for figure in FIGURES},
        **{f"{figure}, end": float(found[figure].iloc[-1]) for figure in FIGURES},
        "reduction of the score, %": _reduction(found),
        "generation from which the score is stable": float(
            (score - score[-1] < STABLE_DROP).argmax()
        ),
    }


def _alone(name: str, seed: int) -> dict[str, float]:
    measured = {}
    for attribute, column in ATTRIBUTES[name].items():
        found = course_of_matrices(name, (column,), seed)
        for figure in ("IL", "DR"):
            fall = float(found[figure].iloc[0] - found[figure].iloc[-1])
            measured[f"{attribute}: fall of {figure}, points"] = fall
        measured[f"{attribute}: reduction of the score, %"] = _reduction(found)
    return measured


def _reduction(found: pd.DataFrame) -> float:
    return float(100 * (1 - found["score"].iloc[-1] / found["score"].iloc[0]))


def _printed_table(name: str) -> list[Printed]:
    start, end = TABLES[name]
    reasons = {"IL": LOSS_SIZE, "DR": HALF_KEPT, "score": LOSS_SIZE}
    first, last = (
        [
            Printed(
                label=f"{figure}, {when}",
                value=value,
                why=reasons[figure] if when == "start" else SPLIT,
                needs_seeds=True,
            )
            for figure, value in zip(FIGURES, values, strict=True)
        ]
        for when, values in (("start", start), ("end", end))
    )
    return [*first, *last]


def _printed_course(name: str) -> list[Printed]:
    reduction = Printed(
        label="reduction of the score, %",
        value=REDUCTIONS[name],
        needs_seeds=True,
        why="one run is printed, and runs of other seeds scatter by ten points",
    )
    if name == "german":
        return [reduction]
    stable = Printed(
        label="generation from which the score is stable",
        value="600",
        tolerance=STABLE_TOLERANCE,
        needs_seeds=True,
        why=(
            "'a fast stabilization around generation 600' (Section 4.1.5) is of one run, and what "
            "is stable is not said; here it is that less than one point is left to fall"
        ),
    )
    return [reduction, stable]


def _printed_alone(name: str) -> list[Printed]:
    return [
        Printed(label=f"{attribute}: {what}", value=None, why=NO_NUMBERS)
        for attribute in ATTRIBUTES[name]
        for what in ("fall of IL, points", "fall of DR, points", "reduction of the score, %")
    ]


def _housing(numbers: Mapping[str, str | None]) -> list[Printed]:
    return [
        Printed(label=label, value=value, comparable=False, why=NOT_PUBLIC)
        for label, value in numbers.items()
    ]


HOUSING = {
    "IL, start": "63.14",
    "DR, start": "31.08",
    "score, start": "47.11",
    "IL, end": "53.77",
    "DR, end": "8.61",
    "score, end": "31.20",
}
"""Table 4.3."""


def _alone_item(number: str, name: str) -> Item:
    return Item(
        name=f"figure-{number}",
        title=f"{CAPTIONS[name]}, each attribute alone: course of IL, DR and score",
        printed=_printed_alone(name),
        measure={"german": german_alone, "flare": flare_alone}[name],
        n_seeds=3,
        picture=Picture(
            points=partial(points_alone, name, ATTRIBUTES[name]), x="generation", y="percent"
        ),
    )


def _together_items(table: str, figure: str, name: str) -> tuple[Item, Item]:
    measure = {"german": german_together, "flare": flare_together}[name]
    picture = Picture(
        points=partial(points_together, name, TABLES[name]), x="generation", y="percent"
    )
    return (
        Item(
            name=f"table-{table}",
            title=f"{CAPTIONS[name]}, three attributes: IL, DR and score, start and end",
            printed=_printed_table(name),
            measure=measure,
            n_seeds=10,
            n_quick=5,
        ),
        Item(
            name=f"figure-{figure}",
            title=f"{CAPTIONS[name]}, three attributes: course of IL, DR and score",
            printed=_printed_course(name),
            measure=measure,
            n_seeds=10,
            n_quick=5,
            picture=picture,
        ),
    )


ITEMS: tuple[Item, ...] = (
    Item(
        name="section-4-1",
        title="The loss of frequency PRAM, by the entropy of the columns of its matrix",
        printed=[
            Printed(
                label=f"{CAPTIONS[name]}, IL of frequency PRAM",
                value=start[0],
                comparable=False,
                why=FITTED,
            )
            for name, (start, _) in TABLES.items()
        ],
        measure=starting_losses,
    ),
    Item(
        name="figure-4-4",
        title="Housing, each attribute alone: course of IL, DR and score",
        printed=_housing({"generation in which IL rises": "200"}),
        measure=not_public,
    ),
    Item(
        name="table-4-3",
        title="Housing, three attributes: IL, DR and score, start and end",
        printed=_housing(HOUSING),
        measure=not_public,
    ),
    Item(
        name="figure-4-5",
        title="Housing, three attributes: course of IL, DR and score",
        printed=_housing(
            {
                "reduction of the score, %": "33.77",
                "generation from which the score is stable": "1100",
            }
        ),
        measure=not_public,
    ),
    _alone_item("4-6", "german"),
    *_together_items("4-4", "4-7", "german"),
    _alone_item("4-8", "flare"),
    *_together_items("4-5", "4-9", "flare"),
)
