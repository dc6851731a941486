"""Searches at equal budgets of distinct nodes: what they find is held against the proven best.

Times of searches mean something only beside what they found, so a search that misses what it is
known to find ends its benchmark.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import anonopt as ao
from anonopt.algorithms import BranchAndBound, get_algorithm
from anonopt.measures.fronts.boxes import dominates
from anonopt.measures.fronts.indicators import representation_ratio
from benchmarks._bench import Benchmark, Call, Goal, Way, require

LEAST_RATIO = {
    "adult-k-glm": 1.0,
    "adult-sk-glm": 1.0,
    "adult-sk-sl-glm": 1.0,
    "adult-k-l-glm": 0.97,
    "adult-k-glm-cm": 0.97,
}
"""Representation ratio (boxes of size 1) that LatticeVND reaches with 900 distinct nodes."""


class Case(NamedTuple):
    """A problem, a budget of distinct nodes, and seeds."""

    name: str
    problem: ao.problems.LatticeProblem
    budget: int
    seeds: Iterator[int]

    @classmethod
    def of(cls, size: tuple[str, int]) -> Case:
        """A named problem, with its exact front where the lattice can be enumerated."""
        name, budget = size
        problem = ao.get_problem(name)
        problem.pareto_front()
        return cls(name, problem, budget, itertools.count(1))


def search(name: str, case: Case) -> Call:
    """A search by its name, another seed each time."""
    algorithm, seed = get_algorithm(name, case.problem), next(case.seeds)
    return lambda: ao.solve(case.problem, algorithm, budget=case.budget, seed=seed)


def ways(names: list[str], *, repeats: int) -> dict[str, Way]:
    starts: dict[str, Callable[[Case], Call]] = {name: partial(search, name) for name in names}
    return {name: Way(start=start, repeats=repeats) for name, start in starts.items()}


def check_optimum(case: Case, results: Mapping[str, Any]) -> None:
    """LevelSearch finds the proven optimum, and nothing is better than it."""
    proven = ao.solve(case.problem, BranchAndBound(), seed=1)
    require(proven.proven, "no proven optimum")
    best = proven.F[0, 0]
    for name, result in results.items():
        found = result.F[0, 0] if result.success else np.inf
        require(found > best - 1e-12, f"{name} found {found}, better than the optimum {best}")
    found = results["level-search"].F[0, 0]
    require(found < best + 1e-12, f"LevelSearch found {found}, the optimum is {best}")


def check_front(case: Case, results: Mapping[str, Any]) -> None:
    """No point dominates the exact front, and LatticeVND finds what it is known to find."""
    problem = case.problem
    exact = problem.pareto_front()
    for name, result in results.items():
        better = [point for point in result.F if dominates(point[np.newaxis], exact).any()]
        require(not better, f"{name} found points that dominate the exact front")
    ratio = representation_ratio(
        problem.natural(results["lattice-vnd"].F),
        problem.natural(exact),
        eps=1,
        maximize=problem.maximize,
    )
    least = LEAST_RATIO[case.name] if case.budget == 900 else 0
    require(ratio >= least, f"LatticeVND holds {ratio:.3f} of the front, expected {least}")


BENCHMARKS = (
    Benchmark(
        name="optimum at an equal budget",
        unit="search",
        sizes={"Cargo 2000, 25 columns, 5000 nodes": ("cargo-25", 5000)},
        quick={"Freight, 5 columns, 200 nodes": ("freight-5", 200)},
        setup=Case.of,
        ways=ways(["kgen", "random", "greedy", "level-search"], repeats=3),
        check=check_optimum,
        goals=[Goal(way="level-search", seconds=5)],
    ),
    Benchmark(
        name="front at an equal budget",
        unit="search",
        sizes={f"{name}, 900 nodes": (name, 900) for name in LEAST_RATIO},
        quick={"adult-k-glm, 60 nodes": ("adult-k-glm", 60)},
        setup=Case.of,
        ways=ways(
            ["pbgea", "random", "nsga2", "nsga3", "spea2", "smsemoa", "lattice-vnd"], repeats=1
        ),
        check=check_front,
    ),
)
