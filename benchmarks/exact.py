"""Branch and bound on Cargo 2000: against every node, then where the lattice has 3e17 nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import anonopt as ao
from anonopt.algorithms import BranchAndBound
from anonopt.data import cargo_columns
from benchmarks._bench import Benchmark, Call, Goal, Way, require

Size = tuple[int, int]
"""Number of quasi-identifiers, and k."""


def problem_of(size: Size) -> ao.problems.LatticeProblem:
    """Cargo 2000 with the first columns as quasi-identifiers, 0.5 % suppressed."""
    n_columns, k = size
    table = ao.load_dataset("cargo", quasi_identifiers=cargo_columns(n_columns))
    return ao.problems.LatticeProblem(
        table, ["generalization_level"], k=k, suppression=0.005, accelerator="auto"
    )


def all_nodes(size: Size) -> Call:
    """Least level of generalization of all feasible nodes."""
    problem, k = problem_of(size), size[1]

    def call() -> float:
        nodes = problem.lattice.nodes()
        rows = problem.evaluator.small_class_rows(nodes, k)
        feasible = nodes[rows <= problem.evaluator.rule.budget]
        return float((feasible / problem.lattice.heights).mean(axis=1).min())

    return call


def branch_and_bound(size: Size) -> Call:
    """The result of a search with its proof."""
    problem = problem_of(size)
    return lambda: ao.solve(problem, BranchAndBound(), seed=1)


def check(size: Size, results: Mapping[str, Any]) -> None:
    """The optimum is that of all nodes."""
    found, least = results["branch and bound"].F[0, 0], results["all nodes"]
    require(np.isclose(found, least, rtol=1e-9), f"optimum {found}, of all nodes {least}")


def check_proof(size: Size, results: Mapping[str, Any]) -> None:
    """The optimum is proven."""
    gap = results["branch and bound"].algorithm.gap
    require(gap == 0, f"the optimum is not proven, gap {gap}")


SMALL = {f"{n} columns, k = {k}": (n, k) for n in (5, 6, 7) for k in (2, 5)}
LARGE = {f"25 columns, k = {k}": (25, k) for k in (5, 2)}

BENCHMARKS = (
    Benchmark(
        name="optimum of Cargo 2000",
        unit="search",
        sizes=SMALL,
        quick={"5 columns, k = 5": (5, 5)},
        setup=lambda size: size,
        ways={
            "all nodes": Way(start=all_nodes, repeats=1),
            "branch and bound": Way(start=branch_and_bound, repeats=1),
        },
        check=check,
    ),
    Benchmark(
        name="optimum of Cargo 2000",
        unit="search",
        sizes=LARGE,
        quick={"10 columns, k = 5": (10, 5)},
        setup=lambda size: size,
        ways={"branch and bound": Way(start=branch_and_bound, repeats=1)},
        check=check_proof,
        goals=[
            Goal(way="branch and bound", seconds=3, sizes=["25 columns, k = 5"]),
            Goal(way="branch and bound", seconds=30, sizes=["25 columns, k = 2"]),
        ],
    ),
)
