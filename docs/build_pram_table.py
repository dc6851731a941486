"""Prints the table of searches of PRAM matrices: how good they are at equal work.

A unit of work is one measurement of matrices, by five drawn files or by expected figures, or one
step of a descent. What a search found is measured again by five other files, which no search has
seen, so no figure holds the luck of draws that were selected; of a score the best of what was found
counts, of loss and risk the hypervolume as a share of the square up to 100.
Run it as ``python docs/build_pram_table.py runs.csv``; it goes on where the file of runs ends.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from search_tables import hypervolume, p_values

import anonopt as ao

SEEDS = range(20)
OURS = "memetic-pram"
FRONT = ["IL", "DR"]


@dataclass(frozen=True)
class Comparison:
    """A problem, its objectives, and the work that each search may do."""

    problem: str
    objectives: list[str]
    work: int


COMPARISONS = {
    "german-pram": Comparison("german-pram", FRONT, 600),
    "german-pram, score_max": Comparison("german-pram", ["score_max"], 600),
    "german-pram, score_mean": Comparison("german-pram", ["score_mean"], 600),
    "flare-pram": Comparison("flare-pram", FRONT, 600),
    "adult-pram": Comparison("adult-pram", FRONT, 200),
}
SEARCHES = {
    True: {OURS: False, "nsga2": False, "nsga2, expected": True, "pbgea, expected": True},
    False: {OURS: False, "pramea": False, "pramea, expected": True, "ga, expected": True},
}
"""Searches of fronts and of scores, and whether they look at expected figures."""


def algorithm_of(search: str, problem: Any, work: int) -> tuple[Any, dict[str, Any]]:
    """A search, and what ends it when the work is done."""
    name = search.partition(",")[0]
    if name != OURS:
        options = {"n_generations": work} if name == "pramea" else {}
        return ao.algorithms.get_algorithm(name, problem, **options), {"budget": work}
    algorithm = ao.algorithms.MemeticPRAM(n_generations=work)
    a_generation = 2 * algorithm.n_matings * (1 + algorithm.n_steps)
    n_generations = (work - algorithm.n_start) // a_generation
    return algorithm, {"termination": ("n_gen", 1 + n_generations)}


def value_of(problem: Any, X: Any) -> float:
    """Hypervolume, or least score, by files that no search has seen."""
    F = problem.redrawn(1).evaluate(X)
    return hypervolume(F) if F.shape[1] == 2 else float(F.min())


def runs_of(name: str, seed: int, done: set[Any]) -> Iterator[dict[str, Any]]:
    """Rows of the runs of all searches but those that are done."""
    one = COMPARISONS[name]
    drawn = ao.get_problem(one.problem, objectives=one.objectives)
    for search, expected in SEARCHES[one.objectives == FRONT].items():
        if (name, search, seed) in done:
            continue
        options = {"objectives": one.objectives, "expected": expected}
        problem = ao.get_problem(one.problem, **options)
        algorithm, end = algorithm_of(search, problem, one.work)
        began = time.process_time()
        result = ao.solve(problem, algorithm, seed=seed, **end)
        seconds = time.process_time() - began
        steps = getattr(result.algorithm, "n_steps_made", 0)
        yield {
            "problem": name,
            "search": search,
            "seed": seed,
            "evaluations": result.n_unique,
            "steps": steps,
            "value": value_of(drawn, np.atleast_2d(result.X)),
            "seconds": seconds,
        }


def table(runs: pd.DataFrame) -> str:
    """Medians, and Wilcoxon tests against ours that Holm corrects in each problem."""
    head = "| problem | search | evaluations | steps | median | least | most | p | seconds |"
    lines = [head, "| --- " * (head.count("|") - 1) + "|"]
    for name, of_problem in runs.groupby("problem", sort=False):
        tests = p_values(of_problem, "value", OURS)
        for search in SEARCHES[COMPARISONS[str(name)].objectives == FRONT]:
            its = of_problem[of_problem["search"] == search]
            values = its["value"]
            digits = 4 if COMPARISONS[str(name)].objectives == FRONT else 2
            cells = [
                str(name),
                search,
                f"{its['evaluations'].median():.0f}",
                f"{its['steps'].median():.0f}",
                *(f"{one:.{digits}f}" for one in (values.median(), values.min(), values.max())),
                tests.get(search, ""),
                f"{its['seconds'].median():.1f}",
            ]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Run what a file of rows does not hold, and print the table."""
    kept = Path(sys.argv[1])
    rows = pd.read_csv(kept).to_dict("records") if kept.exists() else []
    done = {(row["problem"], row["search"], row["seed"]) for row in rows}
    for name in sys.argv[2:] or COMPARISONS:
        for seed in SEEDS:
            rows += list(runs_of(name, seed, done))
            pd.DataFrame(rows).to_csv(kept, index=False)
    print(table(pd.DataFrame(rows)))


if __name__ == "__main__":
    main()
