"""Exact searches: against every node of Cargo 2000 and Adult, then where there are 3e17 nodes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

import anonopt as ao
from anonopt.algorithms import OLA, BranchAndBound, ExhaustiveSearch, Incognito
from anonopt.data import cargo_columns
from benchmarks._bench import Benchmark, Call, Goal, Way, require
from benchmarks._data import SHARED_DATA

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


ADULT_COLUMNS = [
    "sex", "age", "race", "marital-status", "education",
    "native-country", "workclass", "occupation", "income",
]  # fmt: skip


def adult(columns: list[str]) -> ao.problems.LatticeProblem:
    """Adult with the hierarchies of ARX, k = 5, 1 % suppressed."""
    folder = SHARED_DATA / "hierarchies" / "adult_arx"
    if not folder.is_dir():
        raise FileNotFoundError(f"no folder {folder} of hierarchies")
    table = ao.load_dataset("adult", quasi_identifiers=columns, sensitive=None, hierarchies=folder)
    return ao.problems.LatticeProblem(table, ["generalization_level"], k=5, suppression=0.01)


def solve_with(search: type[Any], problem: ao.problems.LatticeProblem) -> Call:
    """The result of an exact search."""
    return lambda: ao.solve(problem, search(), seed=1)


def check_all(problem: ao.problems.LatticeProblem, results: Mapping[str, Any]) -> None:
    """All find the same optimum, and OLA and Incognito the same k-minimal nodes."""
    losses = {name: result.F[0, 0] for name, result in results.items()}
    least = losses["exhaustive search"]
    require(np.allclose(list(losses.values()), least, rtol=1e-9), f"optima differ: {losses}")
    minimal = [results[name].algorithm.minimal_nodes for name in ("OLA", "Incognito")]
    require(np.array_equal(*minimal), "k-minimal nodes differ")


SMALL = {f"{n} columns, k = {k}": (n, k) for n in (5, 6, 7) for k in (2, 5)}
LARGE = {f"25 columns, k = {k}": (25, k) for k in (5, 2)}

BENCHMARKS = (
    Benchmark(
        name="optimum of Adult",
        unit="search",
        sizes={"9 columns, 12960 nodes": ADULT_COLUMNS},
        quick={"5 columns": ADULT_COLUMNS[:5]},
        setup=adult,
        ways={
            name: Way(start=partial(solve_with, search), repeats=1)
            for name, search in (
                ("exhaustive search", ExhaustiveSearch),
                ("branch and bound", BranchAndBound),
                ("OLA", OLA),
                ("Incognito", Incognito),
            )
        },
        check=check_all,
    ),
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
