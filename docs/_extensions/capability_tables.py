"""Tables of what the library brings, each cell of which is asked of the code.

What an algorithm takes is what it does not refuse: one small problem of each kind is made and
every algorithm is asked. That a run can go on is tried: one is saved, resumed and compared.
"""

from __future__ import annotations

import inspect
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.algorithms import ALGORITHMS, get_algorithm
from anonopt.algorithms.node_tests import TestingSearch

NO = "–"
YES = "yes"
BUDGET, MORE = 12, 12
SMALL = {"pop_size": 8, "batch_size": 4}
"""Options of the runs that are saved and resumed, so that a few generations fit the budget."""


@dataclass(frozen=True)
class Kind:
    """A kind of problem: how a small one is made of one objective, and of several."""

    label: str
    explained: str
    make: Callable[..., Any]
    one: tuple[str, ...]
    several: tuple[str, ...]


def _lattice(objectives: list[str], **options: Any) -> Any:
    return ao.get_problem("german-k-glm", objectives=objectives, **options)


def _numbers(objectives: list[str]) -> Any:
    rng = np.random.default_rng(4)
    income = rng.integers(10, 200, 50)
    file = pd.DataFrame({"income": income, "debt": income // 2 + rng.integers(0, 40, 50)})
    return ao.problems.ContinuousMaskingProblem(file, objectives=objectives)


def _recodings(objectives: list[str]) -> Any:
    patients = ao.load_dataset("patients")
    return ao.problems.LocalRecodingProblem(patients, objectives, k=3, genome="groups")


def _named(name: str, **options: Any) -> Callable[[list[str]], Any]:
    return lambda objectives: ao.get_problem(name, objectives=objectives, **options)


SCORES = ("score_max",), ("IL", "DR")
KINDS = (
    Kind(
        "fixed k",
        "``LatticeProblem`` with ``k=3``: what misses k is suppressed, within a budget",
        lambda objectives: _lattice(objectives, k=3),
        ("height",),
        ("height", "glm"),
    ),
    Kind(
        "fixed k + constraint",
        "the same with a constraint besides",
        lambda objectives: _lattice(objectives, k=3, constraints={"l": 1}),
        ("height",),
        ("height", "glm"),
    ),
    Kind(
        "reverse rule",
        "``LatticeProblem`` without a fixed k: the smallest classes are suppressed, k is measured",
        _lattice,
        ("glm",),
        ("k", "glm"),
    ),
    Kind(
        "reverse rule + constraint",
        "the same with the constraint that k is at least 5",
        lambda objectives: _lattice(objectives, constraints={"k": 5}),
        ("glm",),
        ("l", "glm"),
    ),
    Kind(
        "categories",
        "masked file of categories: ``MaskingProblem``",
        _named("german-masking"),
        *SCORES,
    ),
    Kind("numbers", "masked file of numbers: ``ContinuousMaskingProblem``", _numbers, *SCORES),
    Kind(
        "matrices",
        "PRAM matrices: ``PRAMProblem``, Gray codes",
        _named("german-pram", expected=True),
        *SCORES,
    ),
    Kind(
        "real matrices",
        'real-valued PRAM matrices: ``PRAMProblem`` with ``encoding="simplex"``',
        _named("german-pram", expected=True, encoding="simplex"),
        *SCORES,
    ),
    Kind(
        "equations",
        "equations of PRAM matrices: ``PRAMEquationProblem``",
        _named("german-pram-equations", expected=True),
        *SCORES,
    ),
    Kind(
        "recodings",
        'local recodings themselves: ``LocalRecodingProblem`` with ``genome="groups"``',
        _recodings,
        ("glm",),
        ("k", "glm"),
    ),
    Kind("graph", "social graph: ``GraphProblem``", _named("graph-small"), ("IL",), ("IL", "DR")),
)


@cache
def problem_of(label: str, several: bool) -> Any:
    """The small problem of a kind, of one objective or of several."""
    kind = next(kind for kind in KINDS if kind.label == label)
    return kind.make(list(kind.several if several else kind.one))


@cache
def refusals() -> pd.DataFrame:
    """Why each algorithm refuses each problem: ``name``, ``kind``, ``n_obj``, ``reason``.

    The reason is empty where it takes the problem.
    """
    rows = []
    for kind in KINDS:
        for several in (False, True):
            problem = problem_of(kind.label, several)
            reasons = ao.list_algorithms(problem)["reason"]
            rows += [(name, kind.label, problem.n_obj, reasons[name]) for name in ALGORITHMS]
    return pd.DataFrame(rows, columns=["name", "kind", "n_obj", "reason"])


@cache
def fitting() -> pd.DataFrame:
    """Numbers of objectives an algorithm takes, of each kind of problem: ``1, 2+`` or less."""
    table = refusals()
    taken = table[table["reason"] == ""]
    return pd.DataFrame(
        {
            kind.label: {
                name: _numbers_of_objectives(taken, name, kind.label) for name in ALGORITHMS
            }
            for kind in KINDS
        }
    )


def _numbers_of_objectives(taken: pd.DataFrame, name: str, label: str) -> str:
    found = taken.loc[(taken["name"] == name) & (taken["kind"] == label), "n_obj"]
    texts = ["1"] * bool((found == 1).any()) + ["2+"] * bool((found > 1).any())
    return ", ".join(texts) or NO


def reasons() -> pd.DataFrame:
    """Each reason of a refusal once, with the algorithms and the kinds of problems."""
    table = refusals()
    refused = table[table["reason"] != ""]
    # What was found, the problems tell.
    expected = refused["reason"].str.partition(", found ")[0]
    groups = refused.assign(reason=expected).groupby("reason", sort=False)
    return pd.DataFrame(
        {
            "algorithms": groups["name"].agg(lambda names: ", ".join(dict.fromkeys(names))),
            "problems": groups["kind"].agg(lambda kinds: ", ".join(dict.fromkeys(kinds))),
        }
    ).rename_axis("reason")


def properties() -> pd.DataFrame:
    """What an algorithm is like, whatever the problem."""
    rows = {}
    for name, entry in ALGORITHMS.items():
        maker = entry.load()
        tests = inspect.isclass(maker) and issubclass(maker, TestingSearch)
        rows[name] = {
            "constraints": _yes(entry.constraints),
            "exact": _yes(entry.exact),
            "proof": _yes(entry.exact or _can_prove(maker)),
            "deterministic": _yes(not entry.stochastic),
            "ends alone": _yes(getattr(maker, "ends_by_itself", False)),
            "resumable": _yes(is_resumable(name)),
            "budget": "evaluations, tests" if tests else "evaluations",
            "trace": _yes(tests),
            "paper": entry.paper,
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def _yes(fact: bool) -> str:
    return YES if fact else NO


def _can_prove(maker: Any) -> bool:
    """Whether its class has a rule of its own about when its outcome is proven."""
    return inspect.isclass(maker) and any(
        "is_proven" in vars(base) for base in maker.__mro__ if base is not ao.algorithms.Search
    )


def first_fitting(name: str) -> Any:
    """The first small problem that an algorithm takes."""
    taken = refusals().query("name == @name and reason == ''").iloc[0]
    return problem_of(taken["kind"], bool(taken["n_obj"] > 1))


@cache
def is_resumable(name: str) -> bool:
    """Whether a run that was saved and resumed ends as one that was never interrupted."""
    problem = first_fitting(name)
    known = inspect.signature(ALGORITHMS[name].load()).parameters
    options = {option: value for option, value in SMALL.items() if option in known}

    def run(budget: int) -> Any:
        return ao.solve(problem, get_algorithm(name, problem, **options), budget=budget, seed=1)

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, "run.npz")
        ao.save_run(run(BUDGET), path)
        longer = ao.resume_run(path, problem=problem, extra=MORE)
        whole = run(BUDGET + MORE)
    return bool(longer.front.equals(whole.front) and longer.n_evaluations == whole.n_evaluations)


def operators() -> pd.DataFrame:
    """Operators by kind, and the spaces they work on."""
    table = ao.list_operators()
    spaces = list(dict.fromkeys(_spaces(table["spaces"])))
    columns = {
        space: [_yes(each == "any" or space in each.split(", ")) for each in table["spaces"]]
        for space in spaces
    }
    return pd.concat(
        [
            table[["kind"]],
            pd.DataFrame(columns, index=table.index),
            table[["summary", "paper"]],
        ],
        axis=1,
    )


def _spaces(lists: pd.Series) -> Iterator[str]:
    for each in lists:
        if each != "any":
            yield from each.split(", ")


def problems() -> pd.DataFrame:
    """Named problems; those that differ in a number of columns only share a row."""
    table = ao.list_problems().reset_index()
    family = table["name"].str.replace(r"-\d+(?=$|-k-glm$)", "-*", regex=True)
    rows = {}
    for _, group in table.groupby(family, sort=False):
        first, last = group.iloc[0], group.iloc[-1]
        name = first["name"] if len(group) == 1 else f"{first['name']} to {last['name']}"
        summary = first["summary"]
        if len(group) > 1:
            summary = ", ".join(
                one for one in summary.split(", ") if one in last["summary"].split(", ")
            )
        rows[name] = {**first.drop("name").to_dict(), "summary": summary}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("name")


def methods() -> pd.DataFrame:
    """Masking methods."""
    return ao.list_methods()


def datasets() -> pd.DataFrame:
    """Data sets, without the long lists of columns."""
    table = ao.list_datasets()
    return table[["summary", "rows", "columns", "access", "licence", "source"]]


TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "kinds": lambda: pd.DataFrame(
        {"what it is": {kind.label: kind.explained for kind in KINDS}}
    ).rename_axis("kind"),
    "fitting": fitting,
    "reasons": reasons,
    "properties": properties,
    "operators": operators,
    "problems": problems,
    "methods": methods,
    "datasets": datasets,
}
"""Name of each table that a page can show, and the function that makes it."""
