"""Prints the table of searches of PRAM matrices: how good they are at equal work.

A unit of work is one measurement of matrices, by five drawn files or by expected figures, or one
step of a descent. What a search found is measured again by five other files, which no search has
seen, so no figure holds the luck of draws that were selected; of a score the best of what was found
counts, of loss and risk the hypervolume as a share of the square up to 100.
Run it as ``python docs/build_pram_table.py runs.csv``; it goes on where the file of runs ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from search_tables import FRONT, all_runs, table, value_of

import anonopt as ao

OURS = "memetic-pram"


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


def drawn_value_of(problem: Any, X: Any) -> float:
    """Hypervolume, or least score, by files that no search has seen."""
    return value_of(problem.redrawn(1).evaluate(X))


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
            "value": drawn_value_of(drawn, np.atleast_2d(result.X)),
            "seconds": seconds,
        }


def main() -> None:
    """Run what a file of rows does not hold, and print the table."""
    searches = {name: list(SEARCHES[one.objectives == FRONT]) for name, one in COMPARISONS.items()}
    print(table(all_runs(searches, runs_of), searches, counts=["evaluations", "steps"]))


if __name__ == "__main__":
    main()
