"""Named problems: the same task under the same name for everybody who compares searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from anonopt._registry import Registry
from anonopt.data import cargo_columns, continuous_set, load_dataset, masking_set
from anonopt.graphs import generate_graph
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.files.continuous_masking import ContinuousMaskingProblem
from anonopt.problems.files.masking import MaskingProblem
from anonopt.problems.graph import GraphProblem
from anonopt.problems.lattice import LatticeProblem
from anonopt.problems.pram.pram import PRAMProblem
from anonopt.problems.pram.pram_equations import PRAMEquationProblem
from anonopt.problems.recipes import Recipe

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
        Builds the problem; takes options of `LatticeProblem` that replace its own.
    summary : str
        The task in one line.
    paper : str
        Where it is from.
    optimum : str
        What is known about the best solutions, and how.
    """

    factory: Callable[..., AnonymizationProblem]
    summary: str
    paper: str
    optimum: str = "exact front, by evaluation of the whole lattice"


def _adult(objectives: list[str], suppression: float) -> Callable[..., LatticeProblem]:
    def build(**options: Any) -> LatticeProblem:
        chosen = {"objectives": objectives, "suppression": suppression, **options}
        return LatticeProblem(load_dataset("adult"), **chosen)

    return build


def _adult_classification(**options: Any) -> LatticeProblem:
    table = load_dataset("adult", quasi_identifiers=list(WITHOUT_INCOME), target="income")
    chosen = {"objectives": ["k", "glm", "cm"], "suppression": 0.01, **options}
    return LatticeProblem(table, **chosen)


def _german(**options: Any) -> LatticeProblem:
    chosen = {"objectives": ["k", "glm"], "suppression": 0.01, **options}
    return LatticeProblem(load_dataset("german"), **chosen)


def _graph_small(**options: Any) -> GraphProblem:
    return GraphProblem(generate_graph("small", seed=1), **{"k": 3, **options})


def _masking(name: str) -> Callable[..., MaskingProblem]:
    def build(**options: Any) -> MaskingProblem:
        return MaskingProblem(masking_set(name), **options)

    return build


def _continuous_masking(name: str, n_files: int) -> Callable[..., ContinuousMaskingProblem]:
    def build(**options: Any) -> ContinuousMaskingProblem:
        return ContinuousMaskingProblem(continuous_set(name), **{"n_files": n_files, **options})

    return build


def _pram(name: str) -> Callable[..., PRAMProblem]:
    def build(**options: Any) -> PRAMProblem:
        return PRAMProblem(masking_set(name), **options)

    return build


def _pram_equations(name: str) -> Callable[..., PRAMEquationProblem]:
    def build(**options: Any) -> PRAMEquationProblem:
        return PRAMEquationProblem(masking_set(name), **options)

    return build


def _cargo(n_columns: int) -> Callable[..., LatticeProblem]:
    def build(**options: Any) -> LatticeProblem:
        table = load_dataset("cargo", quasi_identifiers=cargo_columns(n_columns))
        chosen = {
            "objectives": ["generalization_level"],
            "k": 5,
            "suppression": 0.005,
            **options,
        }
        return LatticeProblem(table, **chosen)

    return build


CARGO_SIZES = range(5, 51)
"""Numbers of quasi-identifiers of Cargo 2000 that have a name."""

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
)
"""Sets of `continuous_set`, with their titles and the masked files the thesis starts from."""


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
    "adult-k-glm": ProblemEntry(
        _adult(["k", "glm"], 0.01),
        "Adult: class size against general loss, 1 % suppression",
        "Dewri 2010, Table 1(b)",
    ),
    "adult-k-l-glm": ProblemEntry(
        _adult(["k", "l", "glm"], 0.01),
        "Adult: class size and diversity against general loss, 1 % suppression",
        "Dewri 2010, Table 1(b)",
    ),
    "adult-sk-glm": ProblemEntry(
        _adult(["S_k", "glm"], 0.0),
        "Adult: spread of class sizes against general loss",
        "Dewri 2010, Table 1(b)",
    ),
    "adult-sk-sl-glm": ProblemEntry(
        _adult(["S_k", "S_l", "glm"], 0.0),
        "Adult: spread of class sizes and of sensitive counts against general loss",
        "Dewri 2010, Table 1(b)",
    ),
    "adult-k-glm-cm": ProblemEntry(
        _adult_classification,
        "Adult without income: class size against general and classification loss, 1 %",
        "Dewri 2010, Figure 3",
    ),
    "german-k-glm": ProblemEntry(
        _german,
        "German credit: class size against general loss, 1 % suppression",
        "this library",
    ),
    "graph-small": ProblemEntry(
        _graph_small,
        "generated social graph, 306 nodes: information loss against disclosure risk at k = 3",
        "Mares 2013, Section 6.5, with a search of its Algorithm 14",
        "not known",
    ),
    **{
        f"{name}-masking": ProblemEntry(
            _masking(name),
            f"{title}: information loss against disclosure risk of masked files",
            "Mares 2013, Section 3.5",
            f"not known; best known: score_max {least_max:.2f}, score_mean {least_mean:.2f}, "
            "by MaskingEA in 10,000 generations or more",
        )
        for (name, title), (least_max, least_mean) in zip(
            MASKING_SETS, BEST_KNOWN_SCORES, strict=True
        )
    },
    **{
        f"{name}-masking": ProblemEntry(
            _continuous_masking(name, n_files),
            f"{title}: information loss against disclosure risk of masked numeric files",
            "Mares 2013, Section 3.5",
            "not known; best known by search",
        )
        for name, title, n_files in CONTINUOUS_SETS
    },
    **{
        f"{name}-pram": ProblemEntry(
            _pram(name),
            f"{title}: information loss against disclosure risk of PRAM matrices",
            "Mares 2013, Section 4.1.5",
            "not known; best known by search",
        )
        for name, title in MASKING_SETS
    },
    **{
        f"{name}-pram-equations": ProblemEntry(
            _pram_equations(name),
            f"{title}: loss, risk and size of equations that build PRAM matrices",
            "Mares 2013, Section 4.2",
            "not known; best known by search",
        )
        for name, title in MASKING_SETS
    },
    **{
        f"cargo-{n_columns}": ProblemEntry(
            _cargo(n_columns),
            f"Cargo 2000, {n_columns} columns: generalization at k = 5, 0.5 % suppression",
            "De Pascale 2022, Section 5",
            "by branch and bound",
        )
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

    Raises
    ------
    ValueError
        If no problem has that name (lists the nearest names).

    Examples
    --------
    >>> get_problem("adult-k-glm").objective_names
    ('k', 'glm')
    """
    problem = PROBLEMS.find(name).factory(**options)
    problem.recipe = Recipe(name, options)
    return problem


def list_problems() -> pd.DataFrame:
    """Tabulate the named problems.

    Returns
    -------
    DataFrame
        Index: name. Columns: summary, paper, optimum.

    Examples
    --------
    >>> list_problems().index[0]
    'adult-k-glm'
    """
    rows = {name: (entry.summary, entry.paper, entry.optimum) for name, entry in PROBLEMS.items()}
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["summary", "paper", "optimum"]
    ).rename_axis("name")
