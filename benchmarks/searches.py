"""Wall time of whole searches: PBG-EA at the size of its paper, KGEN on 25 quasi-identifiers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

import anonopt as ao
from anonopt.algorithms import get_algorithm
from benchmarks._bench import Benchmark, Call, Goal, Way, require

KGEN_EVALUATIONS = 5000


class Case(NamedTuple):
    """A problem, a budget of distinct nodes, and a seed for each search."""

    problem: ao.problems.LatticeProblem
    budget: int | None
    seeds: Iterator[int]

    @classmethod
    def of(cls, size: tuple[str, int | None]) -> Case:
        """A named problem."""
        name, budget = size
        return cls(ao.get_problem(name), budget, itertools.count())


def pbgea(case: Case) -> Call:
    seed = next(case.seeds)
    return lambda: ao.solve(case.problem, ao.algorithms.PBGEA(), budget=case.budget, seed=seed)


def kgen(case: Case) -> Call:
    seed, algorithm = next(case.seeds), get_algorithm("kgen", case.problem)
    return lambda: ao.solve(case.problem, algorithm, budget=case.budget, seed=seed)


def check(case: Case, results: Mapping[str, Any]) -> None:
    """Reported objectives are those of the reported nodes."""
    for result in results.values():
        F = case.problem.evaluate(result.X, return_values_of=["F"])
        require(np.array_equal(F, result.F), "objectives differ")


def check_kgen(case: Case, results: Mapping[str, Any]) -> None:
    """The search did not end before its evaluations did."""
    check(case, results)
    n_evaluations = results["KGEN"].n_evaluations
    require(
        case.budget is not None or n_evaluations >= KGEN_EVALUATIONS,
        f"KGEN ended after {n_evaluations} evaluations",
    )


BENCHMARKS = (
    Benchmark(
        name="PBG-EA on Adult",
        unit="search",
        sizes={"25 nodes, 100 generations": ("adult-k-glm", None)},
        quick={"100 distinct nodes": ("adult-k-glm", 100)},
        setup=Case.of,
        ways={"PBGEA": Way(start=pbgea)},
        check=check,
        goals=[Goal(way="PBGEA", seconds=1.0)],
        compare="median",
    ),
    Benchmark(
        name="KGEN on Cargo 2000",
        unit="search",
        sizes={"25 columns, 5000 evaluations": ("cargo-25", None)},
        quick={"5 columns, 100 distinct nodes": ("cargo-5", 100)},
        setup=Case.of,
        ways={"KGEN": Way(start=kgen, repeats=3)},
        check=check_kgen,
        goals=[Goal(way="KGEN", seconds=2.0)],
    ),
)
