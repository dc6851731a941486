"""The lecture in a terminal: stops of a few lines and a table, in five minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pandas as pd

from anonopt.teaching.disclosure import class_sizes, exposure
from anonopt.teaching.lesson import BOXES, RELEASES, Lesson

SHOWN_ROWS = 5


@dataclass(frozen=True, eq=False)
class Stop:
    """A stop of the tour.

    Attributes
    ----------
    title : str
    text : tuple of str
        Paragraphs before the table.
    table : DataFrame or None
    after : tuple of str
        Paragraphs behind the table.
    """

    title: str
    text: tuple[str, ...]
    table: pd.DataFrame | None = None
    after: tuple[str, ...] = ()


def tour() -> Iterator[Stop]:
    """Stops of the tour, each computed when it is its turn.

    Yields
    ------
    Stop

    Examples
    --------
    >>> next(tour()).title
    'Twenty patients without names'
    """
    lesson = Lesson()
    for stop in STOPS:
        yield stop(lesson)


def _table(lesson: Lesson) -> Stop:
    patients = lesson.patients
    alone = int((exposure(patients, [patients.lattice.bottom])["rows"] == 1).sum())
    return Stop(
        "Twenty patients without names",
        ("A hospital publishes this table for research. Names are left out, so who is harmed?",),
        patients.frame.head(SHOWN_ROWS),
        (
            f"Age, postcode and sex tell {alone} of {patients.n_rows} patients from all others. "
            "Whoever knows these three of a neighbour reads off her diagnosis: they are "
            "quasi-identifiers, and this is linkage.",
        ),
    )


def _anonymity(lesson: Lesson) -> Stop:
    best = lesson.minimal.iloc[0]
    node = [int(best[name]) for name in map(str, lesson.patients.quasi_identifiers)]
    return Stop(
        f"k-anonymity: at least k = {lesson.k} alike",
        (
            "Values are generalized along hierarchies: an age becomes an interval of 10 years, "
            "then of 30, then *. The level of every column makes a node, such as "
            f"{_text(node)}: ages in 30 years, no postcode, sex as it is. Rows that look alike "
            "then are an equivalence class:",
        ),
        class_sizes(lesson.patients, node),
        (
            f"Every class has {lesson.k} rows or more. The price is {best['glm']:.1f} of 60 cells "
            "of detail (the general loss metric, GLM).",
        ),
    )


def _lattice(lesson: Lesson) -> Stop:
    n, enough = len(lesson.nodes), int(lesson.nodes["enough"].sum())
    efforts = lesson.efforts.rename(columns={"tested": "nodes tested", "node": "ends with"})
    return Stop(
        "A search on a lattice",
        (
            f"The {n} nodes form a lattice: one level up in one column is one step up. "
            f"{enough} nodes are {lesson.k}-anonymous, and whatever lies above one of them is, "
            f"too. So {len(lesson.minimal)} minimal nodes tell everything, and exact searches "
            "need to test few nodes:",
        ),
        efforts.round({"glm": 1}),
        (
            "Samarati looks for least height, and Datafly raises whichever column has most "
            "values: both miss the least loss. The others prove that they have it.",
        ),
    )


def _objectives(lesson: Lesson) -> Stop:
    front = lesson.everything.front
    held = len(lesson.everything.archive)
    return Stop(
        "Two objectives: dominance and boxes",
        (
            "Why k = 3, and not 7? One generalization dominates another if it has no smaller k, "
            "no more loss, and is better in one of them. What nothing dominates is the front:",
        ),
        front.astype({"k": int}).round({"glm": 1}),
        (
            f"All {len(front)} are answers to choose from. Large fronts are thinned by boxes: of "
            f"sides {BOXES[0]} (k) and {BOXES[1]} (GLM), {held} boxes hold one solution each.",
        ),
    )


def _evolution(lesson: Lesson) -> Stop:
    efforts = lesson.adult_efforts.rename(columns={"points": "points found"})
    efforts["share of the front"] = (100 * efforts["share of the front"]).round().astype(int)
    return Stop(
        "Exact against evolutionary",
        (
            f"Adult has {lesson.adult.table.n_rows:,} rows, eight quasi-identifiers and "
            f"{lesson.adult.lattice.size:,} nodes. An evolutionary search sees a part of them:",
        ),
        efforts.rename(columns={"share of the front": "share of the front (%)"}),
        (
            "Here all nodes are enumerated in a second, so nobody has to guess. With 50 columns "
            f"of five levels there are {5.0**50:.0e} nodes: then searches, and bounds that prove "
            "how good they are, are all there is.",
        ),
    )


def _masking(lesson: Lesson) -> Stop:
    return Stop(
        "Masking instead of generalizing",
        (
            "Microaggregation (MDAV) puts records into groups of k and publishes means; Mondrian "
            "cuts the plane and publishes intervals. Age and amount of "
            f"{len(lesson.credit)} credits, information loss (IL) and disclosure risk (DR) in "
            "percent:",
        ),
        lesson.masked.round(1),
        ("Larger groups lose more and disclose less: again a front, not one best answer.",),
    )


def _pram(lesson: Lesson) -> Stop:
    expected = lesson.expected.reset_index()
    return Stop(
        "PRAM: categories changed at random",
        (
            "Every diagnosis stays with probability 0.7, else it becomes another one. No row is "
            "certain any more. Frequencies move towards each other, unless the matrix is made "
            "invariant:",
        ),
        expected.round(3),
        (
            "Who knows the matrix estimates the true frequencies from the masked file: good for "
            "statistics, and for attackers, too.",
        ),
    )


def _limits(lesson: Lesson) -> Stop:
    told = lesson.homogeneity
    certain = told[told["n_values"] == 1]
    both = lesson.compositions.iloc[-1]
    adult = lesson.adult_composition.iloc[-1]
    return Stop(
        "What k-anonymity does not promise",
        (
            f"Homogeneity: in the best {lesson.k}-anonymous table {len(certain)} women share one "
            f"class, and all have {certain['values'].iloc[0]}. Composition: two releases at "
            f"{_text(RELEASES[0])} and {_text(RELEASES[1])}, each {lesson.k}-anonymous, meet in "
            "the hands of one reader:",
        ),
        lesson.compositions,
        (
            f"Together they leave {both['alone in their row']} of {lesson.patients.n_rows} "
            "patients alone, where rows carry a common number, and make "
            f"{both['diagnosis certain']} diagnoses certain without one. Of Adult, two 5-anonymous "
            f"releases leave {adult['alone']} people alone and {adult['with fewer than 5']} with "
            "fewer than five.",
        ),
    )


def _attacks(lesson: Lesson) -> Stop:
    known = lesson.known_method
    return Stop(
        "Who knows more",
        ("German credit, four columns masked by PRAM. What an attacker finds out who knows:",),
        known.round(1),
        (
            "A seed is a secret, and used once. Next: docs/course has the lecture with pictures "
            "and six exercises, docs/attacks.md the attacks, anonopt.solve the searches.",
        ),
    )


def _text(node: object) -> str:
    return f"({', '.join(map(str, node))})" if isinstance(node, list | tuple) else str(node)


STOPS: tuple[Callable[[Lesson], Stop], ...] = (
    _table,
    _anonymity,
    _lattice,
    _objectives,
    _evolution,
    _masking,
    _pram,
    _limits,
    _attacks,
)
