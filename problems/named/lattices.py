"""Named problems of full-domain generalization."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from anonopt.data import cargo_columns, load_dataset
from anonopt.problems.lattice import LatticeProblem
from anonopt.problems.named.entry import ProblemEntry, named_problem
from anonopt.problems.spaces import Levels

WITHOUT_INCOME = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "race",
    "sex",
    "native-country",
)
"""Quasi-identifiers of Adult when income is the class label (Dewri 2010, Section 7)."""


def _lattice(
    data: str,
    objectives: Sequence[str],
    summary: str,
    paper: str,
    *,
    suppression: float = 0.0,
    optimum: str = "exact front, by evaluation of the whole lattice",
    k: int | None = None,
    **roles: Any,
) -> ProblemEntry:
    return named_problem(
        LatticeProblem,
        Levels,
        partial(load_dataset, data, **roles),
        objectives,
        options={"suppression": suppression, "k": k},
        summary=summary,
        paper=paper,
        optimum=optimum,
    )


ADULT = {
    "adult-k-glm": (["k", "glm"], 0.01, "class size against general loss"),
    "adult-k-l-glm": (["k", "l", "glm"], 0.01, "class size and diversity against general loss"),
    "adult-sk-glm": (["S_k", "glm"], 0.0, "spread of class sizes against general loss"),
    "adult-sk-sl-glm": (
        ["S_k", "S_l", "glm"],
        0.0,
        "spread of class sizes and of sensitive counts against general loss",
    ),
}
"""Problems of Dewri 2010, Table 1(b): objectives, share of suppressed rows, summary."""

CARGO_SIZES = (*range(5, 51), 64, 97)
"""Numbers of quasi-identifiers of Cargo 2000, and of its stand-in, that have a name: 64 are all
times, 97 are all columns."""

CARGO_AND_STAND_IN = (
    ("cargo", "Cargo 2000", "De Pascale 2022, Section 5"),
    ("freight", "Freight, drawn at random", "this library, after De Pascale 2022, Section 5"),
)
"""Data sets of this layout, with their titles and what their problems are from."""

LATTICES: Mapping[str, ProblemEntry] = {
    **{
        name: _lattice(
            "adult",
            objectives,
            f"Adult: {summary}{', 1 % suppression' if suppression else ''}",
            "Dewri 2010, Table 1(b)",
            suppression=suppression,
        )
        for name, (objectives, suppression, summary) in ADULT.items()
    },
    "adult-k-glm-cm": _lattice(
        "adult",
        ["k", "glm", "cm"],
        "Adult without income: class size against general and classification loss, 1 %",
        "Dewri 2010, Figure 3",
        suppression=0.01,
        quasi_identifiers=list(WITHOUT_INCOME),
        target="income",
    ),
    "german-k-glm": _lattice(
        "german",
        ["k", "glm"],
        "German credit: class size against general loss, 1 % suppression",
        "this library",
        suppression=0.01,
    ),
}
"""Problems of Adult and German, by name."""

CARGO_LATTICES: Mapping[str, ProblemEntry] = {
    **{
        f"{data}-{n_columns}": _lattice(
            data,
            ["generalization_level"],
            f"{title}, {n_columns} columns: generalization at k = 5, 0.5 % suppression",
            paper,
            suppression=0.005,
            k=5,
            optimum="by branch and bound",
            quasi_identifiers=cargo_columns(n_columns),
        )
        for data, title, paper in CARGO_AND_STAND_IN
        for n_columns in CARGO_SIZES
    },
    **{
        f"{data}-{n_columns}-k-glm": _lattice(
            data,
            ["k", "glm"],
            f"{title}, {n_columns} columns: class size against general loss, 0.5 % suppression",
            "this library",
            suppression=0.005,
            optimum="exact front, by branch and bound for one k after the other",
            quasi_identifiers=cargo_columns(n_columns),
        )
        for data, title, _ in CARGO_AND_STAND_IN
        for n_columns in CARGO_SIZES
    },
}
"""Problems of Cargo 2000 and of its stand-in, by name."""
