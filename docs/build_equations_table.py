"""Prints the table of searches of equations: what constants in trees are worth.

Every search has as many evaluations, of expected figures. Of a score the best equation counts, of
loss and risk the hypervolume as a share of the square up to 100.
Run it as ``python docs/build_equations_table.py runs.csv``; it goes on where the file of runs ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from search_tables import FRONT, all_runs, table, value_of

import anonopt as ao

SCORE = "score_max"
WORK = {"german-pram-equations": 600, "flare-pram-equations": 600, "adult-pram-equations": 200}
OPERATORS = {
    "simple equations, constants": ["SimpleEquationSampling", "ConstantMutation"],
    "simple equations": ["SimpleEquationSampling"],
    "": [],
}
"""By the words after the name of a search."""

SHARE = 0.5
"""Children that are mutated: as many as the operators of the space do; PRAMGP draws itself."""


@dataclass(frozen=True)
class Comparison:
    """A problem, its objectives, and the searches that take these."""

    problem: str
    objectives: list[str]
    algorithms: list[str]

    @property
    def searches(self) -> dict[str, tuple[str, list[str]]]:
        """Algorithm and operators of each search, by what it is called."""
        return {
            f"{algorithm}, {words}" if words else algorithm: (algorithm, operators)
            for algorithm in self.algorithms
            for words, operators in OPERATORS.items()
        }


COMPARISONS = {
    title: one
    for name in WORK
    for title, one in {
        name: Comparison(name, FRONT, ["nsga2"]),
        f"{name}, {SCORE}": Comparison(name, [SCORE], ["ga", "pramgp"]),
    }.items()
}


def algorithm_of(name: str, operators: list[str], problem: Any) -> Any:
    """A search with operators in place of those of the space."""
    options: dict[str, Any] = {}
    if name == "pramgp":
        # More generations than the budget ends it in.
        options["n_generations"] = max(WORK.values())
    for operator in operators:
        kind = ao.operators.OPERATORS[operator].kind
        share = {"prob": SHARE} if kind == "mutation" and name != "pramgp" else {}
        options[kind] = ao.operators.get_operator(operator, **share)
    return ao.algorithms.get_algorithm(name, problem, **options)


def runs_of(name: str, seed: int, done: set[Any]) -> Iterator[dict[str, Any]]:
    """Rows of the runs of all searches but those that are done."""
    one = COMPARISONS[name]
    problem = ao.get_problem(one.problem, objectives=one.objectives, expected=True)
    for search, (algorithm, operators) in one.searches.items():
        if (name, search, seed) in done:
            continue
        made = algorithm_of(algorithm, operators, problem)
        began = time.process_time()
        result = ao.solve(problem, made, budget=WORK[one.problem], seed=seed)
        yield {
            "problem": name,
            "search": search,
            "seed": seed,
            "evaluations": result.n_unique,
            "value": value_of(np.atleast_2d(result.F)),
            "seconds": time.process_time() - began,
        }


def main() -> None:
    """Run what a file of rows does not hold, and print the table."""
    searches = {name: list(one.searches) for name, one in COMPARISONS.items()}
    print(table(all_runs(searches, runs_of), searches, counts=["evaluations"]))


if __name__ == "__main__":
    main()
