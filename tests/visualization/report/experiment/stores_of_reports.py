"""Small files of experiments of every awkward kind, for reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from anonopt.experiments.runs import Runs
from tests.experiments.stores_of_tests import Written, written_runs

SCRIPT = "<script>alert(1)</script>"
HOSTILE = (SCRIPT, "<b>bold</b>", "$x_1$", "a,b", "2010-01-01", "w" * 200)
"""Names of algorithms that read like markup, formulas, lists, dates, or do not end."""


def drawn(
    problems: tuple[str, ...] = ("p", "q"),
    algorithms: tuple[str, ...] = ("first", "second", "third"),
    *,
    n_seeds: int = 4,
    n_obj: int = 2,
    n: int = 12,
) -> list[Written]:
    """Runs of random points, those of later algorithms worse."""
    rng = np.random.default_rng(3)
    return [
        Written(problem, name, seed, (rng.random((n, n_obj)) * 4 + place).round(1))
        for problem in problems
        for place, name in enumerate(algorithms)
        for seed in range(n_seeds)
    ]


def failing(problems: tuple[str, ...] = ("p", "q")) -> list[Written]:
    return [
        Written(problem, name, 0, np.empty((0, 2)), status=status)
        for problem in problems
        for name, status in (("first", "failed"), ("second", "out of time"))
    ]


def infeasible() -> list[Written]:
    return [run._replace(feasible=[False] * len(run.F)) for run in drawn()]


def partly() -> list[Written]:
    """Interrupted, with a failure, and one algorithm that found nothing on a problem."""
    runs = drawn()
    nothing = runs[-1]._replace(feasible=[False] * len(runs[-1].F))
    return [*runs[:-3], nothing, Written("p", "first", 9, np.empty((0, 2)), status="failed")]


STORES: dict[str, Callable[[Path], Runs]] = {
    "plain": lambda path: written_runs(path, drawn()),
    "three objectives": lambda path: written_runs(
        path, drawn(n_obj=3), objectives=("a", "b", "c"), maximize=(False, True, False)
    ),
    "five objectives": lambda path: written_runs(
        path, drawn(n_obj=5, n_seeds=2), objectives=tuple("abcde")
    ),
    "one objective": lambda path: written_runs(path, drawn(n_obj=1), objectives=("a",)),
    "one run": lambda path: written_runs(path, drawn(("p",), ("first",), n_seeds=1)),
    "one algorithm": lambda path: written_runs(path, drawn(algorithms=("first",))),
    "one problem": lambda path: written_runs(path, drawn(("p",))),
    "two algorithms": lambda path: written_runs(path, drawn(algorithms=("first", "second"))),
    "failures only": lambda path: written_runs(path, failing()),
    "nothing feasible": lambda path: written_runs(path, infeasible()),
    "interrupted": lambda path: written_runs(path, partly()),
    "no run in common": lambda path: written_runs(
        path, [*drawn(("p",), ("first",)), *drawn(("q",), ("second",))]
    ),
    "two budgets": lambda path: written_runs(
        path, [run._replace(budget=budget) for run in drawn() for budget in (5, 12)]
    ),
    "one point": lambda path: written_runs(
        path, [Written("p", name, 0, [[1.0, 1.0]]) for name in ("first", "second")]
    ),
    "infinite": lambda path: written_runs(
        path, [Written("p", name, 0, [[1.0, 1e30], [2.0, 1e30]]) for name in ("first", "second")]
    ),
    "thirty algorithms": lambda path: written_runs(
        path, drawn(("p", "q"), tuple(f"algorithm {i}" for i in range(30)), n_seeds=2)
    ),
    "hostile names": lambda path: written_runs(
        path, drawn((SCRIPT, "<i>q</i>"), HOSTILE, n_seeds=2), objectives=(SCRIPT, "<u>b</u>")
    ),
}
"""By what is awkward about them: functions of the file to write."""
