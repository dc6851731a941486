"""Named problems: the same task under the same name for everybody who compares searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from anonopt._registry import Registry
from anonopt.data import cargo_columns, continuous_set, load_dataset, masking_set
from anonopt.data.datasets.diabetes import DECIMALS
from anonopt.graphs import generate_graph
from anonopt.problems.base import AnonymizationProblem, check_problem
from anonopt.problems.files.continuous_masking import ContinuousMaskingProblem
from anonopt.problems.files.masking import MaskingProblem
from anonopt.problems.graph import GraphProblem
from anonopt.problems.lattice import LatticeProblem
from anonopt.problems.pram.pram import PRAMProblem
from anonopt.problems.pram.pram_equations import PRAMEquationProblem
from anonopt.problems.recipes import Recipe
from anonopt.problems.spaces import Cells, Levels, Matrices, Space, Trees, Visits

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


@dataclass(frozen=True)
class ProblemEntry:
    """One named problem.

    Attributes
    ----------
    factory : callable
        Builds the problem; takes options of its class that replace its own.
    summary : str
        The task in one line.
    paper : str
        Where it is from.
    optimum : str
        What is known about the best solutions, and how.
    space : str
        Kind of its space, such as ``"levels"``.
    objectives : str
        Names of its objectives, divided by commas.
    """

    factory: Callable[..., AnonymizationProblem]
    summary: str
    paper: str
    optimum: str = "not known; best known by search"
    space: str = ""
    objectives: str = ""


def _named(
    problem: Callable[..., AnonymizationProblem],
    space: type[Space],
    data: Callable[..., Any],
    objectives: Sequence[str],
    *,
    options: Mapping[str, Any] | None = None,
    data_options: Sequence[str] = (),
    **facts: str,
) -> ProblemEntry:
    named = {"objectives": list(objectives), **(options or {})}

    def make(**others: Any) -> AnonymizationProblem:
        chosen = {name: others.pop(name) for name in data_options if name in others}
        return problem(data(**chosen), **{**named, **others})

    return ProblemEntry(make, space=space.kind, objectives=", ".join(objectives), **facts)


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
    return _named(
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

CARGO_SIZES = range(5, 51)
"""Numbers of quasi-identifiers of Cargo 2000, and of its stand-in, that have a name."""

CARGO_AND_STAND_IN = (
    ("cargo", "Cargo 2000", "De Pascale 2022, Section 5"),
    ("freight", "Freight, drawn at random", "this library, after De Pascale 2022, Section 5"),
)
"""Data sets of this layout, with their titles and what their problems are from."""

MASKING_SETS = (
    ("german", "German credit"),
    ("flare", "Solar flare"),
    ("adult", "Adult, 48842 rows"),
)
"""Sets of `masking_set`, with their titles."""

BEST_KNOWN_SCORES = ((24.39, 26.30), (30.96, 25.92), (27.45, 25.53))
"""Least ``score_max`` and ``score_mean`` of masked files that was ever found, a pair a set."""

CONTINUOUS_SETS = (
    ("census", "Census, 1080 rows", 50),
    ("tarragona", "Tarragona, 834 rows", 16),
    ("eia", "EIA, 2000 rows", 16),
    ("diabetes", "Diabetes, 768 rows", 16),
)
"""Sets of `continuous_set`, with their titles and the masked files the thesis starts from."""

OTHER_OPTIONS = {"diabetes": {"decimals": DECIMALS}}
"""Options of problems on sets that are no whole numbers."""

DOMAIN = ("empty_categories",)
"""Options of `masking_set`, which problems on its sets take too."""

LOSS_AND_RISK = ("IL", "DR")
"""Objectives of the searches of Mares 2013."""


def _entry(
    name: str, factory: ProblemEntry | Callable[..., AnonymizationProblem], **facts: str
) -> ProblemEntry:
    """Entry of a problem that is registered."""
    if isinstance(factory, ProblemEntry):
        return factory
    if not callable(factory):
        raise TypeError(f"problem {name!r}: expected a function that makes it, found {factory!r}")
    return ProblemEntry(factory, **{"summary": "", "paper": "", "optimum": "not known", **facts})


_NAMED: dict[str, ProblemEntry] = {
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
    "graph-small": _named(
        GraphProblem,
        Visits,
        partial(generate_graph, "small", seed=1),
        LOSS_AND_RISK,
        options={"k": 3},
        summary="generated social graph, 306 nodes: information loss against disclosure risk at "
        "k = 3",
        paper="Mares 2013, Section 6.5, with a search of its Algorithm 14",
        optimum="not known",
    ),
    **{
        f"{name}-masking": _named(
            MaskingProblem,
            Cells,
            partial(masking_set, name),
            LOSS_AND_RISK,
            data_options=DOMAIN,
            summary=f"{title}: information loss against disclosure risk of masked files",
            paper="Mares 2013, Section 3.5",
            optimum=f"not known; best known: score_max {least_max:.2f}, score_mean "
            f"{least_mean:.2f}, by MaskingEA in 10,000 generations or more",
        )
        for (name, title), (least_max, least_mean) in zip(
            MASKING_SETS, BEST_KNOWN_SCORES, strict=True
        )
    },
    **{
        f"{name}-masking": _named(
            ContinuousMaskingProblem,
            Cells,
            partial(continuous_set, name),
            LOSS_AND_RISK,
            options={"n_files": n_files, **OTHER_OPTIONS.get(name, {})},
            summary=f"{title}: information loss against disclosure risk of masked numeric files",
            paper="Mares 2013, Section 3.5",
        )
        for name, title, n_files in CONTINUOUS_SETS
    },
    **{
        f"{name}-pram": _named(
            PRAMProblem,
            Matrices,
            partial(masking_set, name),
            LOSS_AND_RISK,
            data_options=DOMAIN,
            summary=f"{title}: information loss against disclosure risk of PRAM matrices",
            paper="Mares 2013, Section 4.1.5",
        )
        for name, title in MASKING_SETS
    },
    **{
        f"{name}-pram-equations": _named(
            PRAMEquationProblem,
            Trees,
            partial(masking_set, name),
            [*LOSS_AND_RISK, "size"],
            data_options=DOMAIN,
            summary=f"{title}: loss, risk and size of equations that build PRAM matrices",
            paper="Mares 2013, Section 4.2",
        )
        for name, title in MASKING_SETS
    },
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
}
PROBLEMS: Registry[ProblemEntry] = Registry("problems", "problem", _NAMED, make=_entry)
"""Name to entry, in the order of the documentation."""


def get_problem(name: str, **options: Any) -> AnonymizationProblem:
    """Build a named problem.

    Parameters
    ----------
    name : str
        See `list_problems`.
    **options
        Options of the problem's class that replace those of the name, e.g. ``suppression=0``.
        Problems that mask German, Flare or Adult take ``empty_categories=True`` as well, see
        :func:`~anonopt.data.masking_set`: the domains of Mares 2013.

    Raises
    ------
    ValueError
        If no problem has that name (lists the nearest names).
    TypeError
        If what is registered under it makes something else.

    Examples
    --------
    >>> get_problem("adult-k-glm").objective_names
    ('k', 'glm')
    >>> get_problem("german-pram", empty_categories=True).columns.n_categories
    (5, 6, 6)
    """
    problem = PROBLEMS.find(name).factory(**options)
    check_problem(problem)
    problem.recipe = Recipe(name, options)
    return problem


def list_problems() -> pd.DataFrame:
    """Tabulate the named problems.

    Returns
    -------
    DataFrame
        Index: name. Columns: space, objectives, summary, paper, optimum.

    Examples
    --------
    >>> list_problems().loc["adult-k-glm", ["space", "objectives"]].tolist()
    ['levels', 'k, glm']
    """
    columns = ["space", "objectives", "summary", "paper", "optimum"]
    rows = {name: [getattr(entry, fact) for fact in columns] for name, entry in PROBLEMS.items()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("name")
