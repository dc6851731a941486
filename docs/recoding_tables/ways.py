"""The tables that are protected, and the ways that are compared on them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.local_recoding import recoding_bound

FOLDER = "ANONOPT_DATA_DIR"
"""Variable that names the folder of hierarchies which the package may not ship."""


@dataclass(frozen=True)
class Case:
    """A table with a rule for classes.

    Attributes
    ----------
    name, title : str
    dataset : str
        What :func:`dataset` knows.
    about : str
        Rows, columns and hierarchies.
    ks : tuple of int
    bounds : mapping
        Of classes, besides k.
    decodings, recodings : int
        Budget of a search of keys, and of one that groups regions anew: recodings as a whole.
    """

    name: str
    title: str
    dataset: str
    about: str
    ks: tuple[int, ...]
    decodings: int
    recodings: int
    bounds: Mapping[str, float] = field(default_factory=dict)


@cache
def dataset(name: str) -> ao.Microdata:
    """A table by name; only ``adult-test`` needs a file that is not packaged."""
    if name != "adult-test":
        return ao.load_dataset(name)
    columns = [*ao.load_dataset("adult").quasi_identifiers, "occupation"]
    return ao.load_dataset(
        "adult",
        split="test",
        hierarchies=arx_folder(),
        quasi_identifiers=columns,
        sensitive="relationship",
    )


def arx_folder() -> Path:
    """Folder of the hierarchies of Adult that ARX brings."""
    folder = Path(os.environ.get(FOLDER, "")) / "hierarchies" / "adult_arx"
    if not folder.is_dir():
        raise FileNotFoundError(f"{FOLDER}: expected a folder with hierarchies/adult_arx in it")
    return folder


@dataclass(frozen=True)
class Found:
    """A solution of one way.

    Attributes
    ----------
    problem, x : problem and a genome of it
    glm : float
        As the problem reports it.
    evaluations : int
    """

    problem: Any
    x: Any
    glm: float
    evaluations: int


@dataclass(frozen=True)
class Way:
    """How a table is protected.

    Attributes
    ----------
    name : str
    suppression : float
        Share of the rows that may be suppressed.
    algorithm : tuple of str and mapping, or None
        A registered name and its options; None for keys of 0.5, which are decoded and no more.
    problem : mapping
        Options of `LocalRecodingProblem`; with None it is the lattice that is searched.
    stochastic : bool
        Whether it depends on a seed, and has a budget.
    regions : bool
        Whether it groups regions anew, and has the budget for that.
    """

    name: str
    algorithm: tuple[str, Mapping[str, Any]] | None
    problem: Mapping[str, Any] | None
    suppression: float = 0.0
    stochastic: bool = False
    regions: bool = False

    def budget(self, case: Case) -> int:
        """Evaluations of a run; 0 where there is no such bound."""
        if not self.stochastic:
            return 0
        return case.recodings if self.regions else case.decodings

    def solve(self, case: Case, k: int, seed: int, decodings: int) -> Found | None:
        """Best solution of one run; None where there is none."""
        options = {"k": k, "class_bounds": dict(case.bounds), "suppression": self.suppression}
        table = dataset(case.dataset)
        if self.problem is None:
            problem: Any = ao.problems.LatticeProblem(table, ["glm"], **options)
        else:
            problem = ao.problems.LocalRecodingProblem(table, ["glm"], **options, **self.problem)
        if self.algorithm is None:
            x = np.full(problem.n_var, 0.5)
            values = problem.evaluate(x[np.newaxis], return_values_of=["F"])
            return Found(problem, x, float(values[0, 0]), 1)
        name, settings = self.algorithm
        search = ao.get_algorithm(name, problem, **settings)
        budget = decodings if self.stochastic else None
        result = ao.solve(problem, search, budget=budget, seed=seed)
        if len(result.X) == 0:
            return None
        return Found(problem, result.X[0], float(result.F[0, 0]), result.n_unique)


def _built(name: str, algorithm: str, **options: Any) -> Way:
    return Way(name, (algorithm, options), {"genome": "groups"})


IN_HIERARCHY = {"labels": "hierarchy"}

BOUND = "lower bound"
"""Name of what no recoding of hierarchy values, and without suppression, can lose less than."""


def bound(case: Case, k: int) -> float:
    """Least loss that is not excluded."""
    table = dataset(case.dataset)
    return float(recoding_bound(table, k, class_bounds=dict(case.bounds)).value)


WAYS: tuple[Way, ...] = (
    Way("best node", ("branch-and-bound", {}), None),
    Way("best node, 1 % suppressed", ("branch-and-bound", {}), None, suppression=0.01),
    _built("bottom-up", "bottom-up", gain="glm"),
    _built("top-down", "top-down", gain="glm"),
    _built("mondrian, ranges", "mondrian"),
    _built("mondrian", "mondrian", **IN_HIERARCHY),
    _built("mondrian-relaxed, ranges", "mondrian-relaxed"),
    _built("mondrian-relaxed", "mondrian-relaxed", **IN_HIERARCHY),
    _built("k-member, ranges", "k-member", nominal="leaves"),
    _built("k-member", "k-member", nominal="leaves", **IN_HIERARCHY),
    *(
        Way(f"keys of 0.5, {cuts}", None, {"cuts": cuts})
        for cuts in ("strict", "relaxed", "balanced")
    ),
    *(
        Way(f"keys by {name}", (name, {}), {}, stochastic=True)
        for name in ("ga", "de", "cmaes", "es")
    ),
    Way(
        "recoding-search",
        ("recoding-search", {}),
        {"genome": "groups"},
        stochastic=True,
        regions=True,
    ),
)


def _with_and_without(name: str, title: str, **options: Any) -> tuple[Case, Case]:
    return (
        Case(name, title, **options),
        Case(f"{name}-l3", f"{title}, and l = 3", bounds={"l": 3}, **options),
    )


CASES: Mapping[str, Case] = {
    case.name: case
    for case in (
        Case(
            "adult",
            "Adult",
            dataset="adult",
            about="30,162 complete rows, 8 quasi-identifiers, the packaged hierarchies.",
            ks=(2, 5, 10, 25, 50, 100),
            decodings=100,
            recodings=20,
        ),
        *_with_and_without(
            "german",
            "German credit",
            dataset="german",
            about="1,000 rows, 6 quasi-identifiers, the packaged hierarchies; "
            "the sensitive column is `purpose`.",
            ks=(2, 5, 10, 25),
            decodings=200,
            recodings=200,
        ),
        *_with_and_without(
            "adult-test",
            "Adult, test part, with other hierarchies",
            dataset="adult-test",
            about="15,060 complete rows, 9 quasi-identifiers (`occupation` is one of them), the "
            "hierarchies that ARX brings; the sensitive column is `relationship`.",
            ks=(5, 25),
            decodings=100,
            recodings=20,
        ),
    )
}
"""By name."""


def rows_of(case: Case) -> pd.DataFrame:
    """Original rows of a case."""
    return dataset(case.dataset).frame
