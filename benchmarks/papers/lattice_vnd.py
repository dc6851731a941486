"""LatticeVND: how much of the exact front it holds after how many distinct evaluations.

Exact fronts come from the evaluation of the whole lattice. Representation ratio (RR, eps 1 in
every objective) is that of everything evaluated; before a run counts, its front is checked
against the exact one, and its RR against the library's own figure.

    python -m benchmarks.papers.lattice_vnd              # the problems that have goals
    python -m benchmarks.papers.lattice_vnd --all --seeds 5     # other budgets, tables, rules
    python -m benchmarks.papers.lattice_vnd --all --hierarchies FOLDER

Returns 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import moocore
import numpy as np

import anonopt as ao
from anonopt.algorithms import LatticeVND
from anonopt.measures.fronts.boxes import boxes, dominates
from anonopt.problems import LatticeProblem
from anonopt.problems.catalogue import WITHOUT_INCOME

BUDGET = 900
COUNTS = (300, 500, 750, BUDGET)


@dataclass(frozen=True)
class Row:
    """One problem, with its goals at `BUDGET` evaluations where it has any."""

    name: str
    problem: Callable[[], LatticeProblem]
    worst: float | None = None
    mean: float | None = None
    median_to_all: float | None = None


GOALS = (
    Row("adult-k-glm", partial(ao.get_problem, "adult-k-glm"), worst=1.0, median_to_all=700),
    Row("adult-sk-glm", partial(ao.get_problem, "adult-sk-glm"), worst=1.0, median_to_all=700),
    Row(
        "adult-sk-sl-glm", partial(ao.get_problem, "adult-sk-sl-glm"), worst=1.0, median_to_all=700
    ),
    Row("adult-k-glm-cm", partial(ao.get_problem, "adult-k-glm-cm"), mean=0.97),
    Row("adult-k-l-glm", partial(ao.get_problem, "adult-k-l-glm")),
)

TASKS = (["k", "glm"], ["S_k", "S_l", "glm"], ["k", "l", "glm"], ["k", "glm", "cm"])


def other_rows(folder: str | None) -> Iterator[Row]:
    """The same objectives with other budgets, tables, hierarchies and the fixed-k rule."""
    adult, german = ao.load_dataset("adult"), ao.load_dataset("german")
    labelled = ao.load_dataset("adult", quasi_identifiers=WITHOUT_INCOME, target="income")
    tables = [("adult", adult, labelled), ("german", german, german)]
    if folder is not None:
        trees = ao.load_dataset("adult", hierarchies=folder)
        labelled_trees = ao.load_dataset(
            "adult", quasi_identifiers=WITHOUT_INCOME, target="income", hierarchies=folder
        )
        tables.append(("other", trees, labelled_trees))
    for name, table, with_target in tables:
        for objectives in TASKS:
            for share in (0.0, 0.01, 0.05):
                used = with_target if "cm" in objectives else table
                build = partial(LatticeProblem, used, objectives, suppression=share)
                yield Row(f"{name} {'-'.join(objectives)} {share:.0%}", build)
    for objectives in (["glm"], ["l", "glm"], ["S_k", "glm"]):
        build = partial(LatticeProblem, adult, objectives, k=5, suppression=0.01)
        yield Row(f"adult {'-'.join(objectives)} k = 5", build)


def first_evaluations(problem: LatticeProblem, result: ao.Result) -> np.ndarray:
    """Evaluation by which each non-dominated box of the exact front was held, or infinity."""
    front = problem.natural(problem.pareto_front())
    marked = np.unique(boxes(front, 1, problem.maximize), axis=0)
    marked = marked[moocore.is_nondominated(marked)]
    history = result.history[result.history["feasible"].to_numpy(dtype=bool)]
    found = boxes(history[list(problem.objective_names)].to_numpy(), 1, problem.maximize)
    numbers = history["evaluation"].to_numpy()
    first = np.full(len(marked), np.inf)
    for i, box in enumerate(marked):
        hits = numbers[(found == box).all(axis=1)]
        first[i] = hits.min() if len(hits) else np.inf
    return first


def run(problem: LatticeProblem, seed: int) -> tuple[list[float], float, int, float]:
    """RR at each count and at the end, evaluations to RR 1, number at the end, seconds."""
    exact = problem.pareto_front()
    started = time.perf_counter()
    result = ao.solve(problem, LatticeVND(), seed=seed)
    seconds = time.perf_counter() - started
    for point in result.F:
        if dominates(point[np.newaxis], exact).any():
            sys.exit(f"found {point}, which dominates a point of the exact front: no table")
    first = first_evaluations(problem, result)
    ratios = [float((first <= count).mean()) for count in (*COUNTS, result.n_unique)]
    own = ao.indicators.representation_ratio(
        problem.natural(result.F), problem.natural(exact), eps=1, maximize=problem.maximize
    )
    if own != ratios[-1]:
        sys.exit(f"RR of a run is {ratios[-1]}, by the library {own}: no table")
    return ratios, float(first.max()), result.n_unique, seconds


def missed_goals(row: Row, ratios: np.ndarray, to_all: float) -> list[str]:
    """The goals of a row that are not met, as text."""
    at_budget = ratios[:, COUNTS.index(BUDGET)]
    goals = (
        ("worst RR", row.worst, at_budget.min(), 1),
        ("mean RR", row.mean, at_budget.mean(), 1),
        ("median evaluations to RR 1", row.median_to_all, to_all, -1),
    )
    return [
        f"{row.name}: {what} {found:g}, expected {goal:g}"
        for what, goal, found, sign in goals
        if goal is not None and sign * found < sign * goal
    ]


def main() -> int:
    """Print the table; returns 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--all", action="store_true", help="also problems without a goal")
    parser.add_argument("--hierarchies", help="folder of CSV hierarchies for Adult, with --all")
    options = parser.parse_args()
    rows = [*GOALS, *(other_rows(options.hierarchies) if options.all else ())]
    print(
        f"{options.seeds} seeds; RR at eps 1, mean over the seeds; evaluations are distinct nodes"
    )
    counts = "".join(f"{count:>7}" for count in COUNTS)
    print(f"{'problem':<28}{'nodes':>6}{'front':>6}{counts}{'end':>7}", end="")
    print(f"{'worst ' + str(BUDGET):>10}{'to RR 1':>8}{'ends at':>8}{'seconds':>8}")
    missed = []
    for row in rows:
        problem = row.problem()
        runs = [run(problem, seed) for seed in range(1, options.seeds + 1)]
        ratios = np.array([found[0] for found in runs])
        to_all, ends_at, seconds = (np.array([found[i] for found in runs]) for i in (1, 2, 3))
        front = len(problem.pareto_front())
        means = "".join(f"{mean:>7.3f}" for mean in ratios.mean(axis=0))
        print(f"{row.name:<28}{problem.space.size:>6}{front:>6}{means}", end="")
        print(f"{ratios[:, -2].min():>10.3f}{np.median(to_all):>8.0f}", end="")
        print(f"{ends_at.mean():>8.0f}{seconds.mean():>8.2f}", flush=True)
        missed += missed_goals(row, ratios, float(np.median(to_all)))
    print("goals met" if not missed else "goals missed: " + "; ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
