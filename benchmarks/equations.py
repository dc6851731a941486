"""Equations of PRAM matrices: all cells at once against Algorithm 8 of Mares 2013, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

import anonopt as ao
from anonopt.masking.equations import Equation
from anonopt.operators.trees.tree_genomes import tree_space
from anonopt.operators.trees.tree_sampling import full_tree
from benchmarks._bench import Benchmark, Goal, Way, require
from tests.oracles.equations import cell_values


class Case(NamedTuple):
    """Full trees of depth 5, and the frequencies of the categories."""

    equations: list[Equation]
    frequencies: np.ndarray


def trees(n_categories: int) -> Case:
    """20 equations."""
    rng = np.random.default_rng(1)
    space = tree_space(ao.get_problem("german-pram-equations"))
    frequencies = rng.integers(0, 5000, n_categories).astype(float)
    return Case([Equation(full_tree(space, 5, rng)) for _ in range(20)], frequencies)


def check(case: Case, results: Mapping[str, Any]) -> None:
    """The values are the same to the bit."""
    require(np.array_equal(results["cell by cell"], results["all cells"]), "values differ")


def n_equations(case: Case) -> int:
    return len(case.equations)


BENCHMARKS = (
    Benchmark(
        name="full trees of depth 5",
        unit="equation",
        sizes={"25 categories": 25},
        quick={"5 categories": 5},
        setup=trees,
        ways={
            "cell by cell": Way(
                start=lambda case: (
                    lambda: [cell_values(e.tree, case.frequencies) for e in case.equations]
                ),
                units=n_equations,
                repeats=3,
            ),
            "all cells": Way(
                start=lambda case: lambda: [e.values(case.frequencies) for e in case.equations],
                units=n_equations,
                repeats=50,
            ),
            "all cells, matrix rule": Way(
                start=lambda case: lambda: [e.matrix(case.frequencies) for e in case.equations],
                units=n_equations,
                repeats=50,
            ),
        },
        check=check,
        goals=[Goal(way="all cells", faster=50, than="cell by cell")],
    ),
)
