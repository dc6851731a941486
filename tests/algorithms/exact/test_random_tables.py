"""Branch and bound against every node of small random tables, whatever rule, loss and order.

By default 40 tables; ``python -m tests.algorithms.exact.test_random_tables 2000`` checks as many
as one likes and tells how many nodes they had, and how many were tested.
"""

from __future__ import annotations

import math
import sys

import numpy as np
import pandas as pd

from anonopt._typing import BoolArray, FloatArray
from anonopt.algorithms import BranchAndBound
from anonopt.data import Hierarchy, Microdata
from anonopt.problems import LatticeProblem
from anonopt.runs import solve

LOSSES = ("generalization_level", "height", "glm", "glm_normalized", "precision_loss")
CLASS_BOUNDS = ({}, {}, {"l": 2}, {"entropy_l": 1.5}, {"t": 0.4}, {"recursive_cl": 2.0})


def random_hierarchy(rng: np.random.Generator, n_values: int) -> Hierarchy:
    """Each level merges values of the one below at random; the top is one value."""
    values = np.arange(n_values)
    levels = [[str(value) for value in values]]
    for level in range(1, int(rng.integers(1, 4))):
        groups = rng.integers(0, max(2, n_values // (level + 1)), n_values)
        values = groups[values]
        levels.append([f"{level}-{value}" for value in values])
    return Hierarchy([*levels, ["*"] * n_values])


def random_problem(seed: int) -> LatticeProblem:
    """2 to 5 columns of 2 to 5 values, skewed so that some are rare; 5 to 60 rows."""
    rng = np.random.default_rng(seed)
    n_rows, n_columns = int(rng.integers(5, 61)), int(rng.integers(2, 6))
    cells, hierarchies = {}, {}
    for number in range(n_columns):
        n_values = int(rng.integers(2, 6))
        shares = rng.dirichlet(np.full(n_values, 0.4))
        cells[f"q{number}"] = rng.choice(n_values, n_rows, p=shares).astype(str)
        hierarchies[f"q{number}"] = random_hierarchy(rng, n_values)
    names = list(cells)
    cells["illness"] = rng.choice(list("pqrs"), n_rows, p=rng.dirichlet(np.ones(4)))
    table = Microdata(
        pd.DataFrame(cells), quasi_identifiers=names, hierarchies=hierarchies, sensitive="illness"
    )
    bounds = CLASS_BOUNDS[int(rng.integers(len(CLASS_BOUNDS)))]
    return LatticeProblem(
        table,
        [LOSSES[seed % len(LOSSES)]],
        k=int(rng.integers(1, 8)),
        suppression=int(rng.integers(0, 1 + n_rows // 5)),
        class_bounds=bounds or None,
        accelerator="numpy" if seed % 4 == 0 else "auto",
    )


def checked(seed: int) -> tuple[int, ...]:
    """Nodes of a table, and tests that the proof of its optimum took, in each order."""
    problem = random_problem(seed)
    F, G = problem.evaluate(problem.lattice.nodes(), return_values_of=["F", "G"])
    feasible = (G <= 0).all(axis=1)
    least = F[feasible, 0].min() if feasible.any() else math.inf
    searches = BranchAndBound(), BranchAndBound(order="pairs", workers=1 + seed % 2)
    return len(F), *(checked_search(problem, search, F, feasible, least) for search in searches)


def checked_search(
    problem: LatticeProblem,
    search: BranchAndBound,
    F: FloatArray,
    feasible: BoolArray,
    least: float,
) -> int:
    """Tests of a proof, once all that it says is checked."""
    result, seed = solve(problem, search, seed=1), (problem, search.order)
    found = float(result.F.min()) if result.success else math.inf
    search = result.algorithm
    assert search.gap == 0, (seed, search.gap)
    assert np.isclose(found, least, rtol=1e-9, atol=1e-12), (seed, found, least)
    assert np.isclose(search.bound, least, rtol=1e-9, atol=1e-12), (seed, search.bound, least)
    if result.success:
        # The node that is told is feasible, and has the loss that is told.
        number = problem.lattice.nodes().tolist().index(result.X[0].tolist())
        assert feasible[number]
        assert F[number, 0] == found
    return search.n_tests


def test_optimum_is_that_of_every_node():
    for seed in range(20):
        checked(seed)


if __name__ == "__main__":
    counts = np.array([checked(seed) for seed in range(int(sys.argv[1]))])
    n_nodes, by_levels, by_pairs = counts.sum(axis=0)
    print(
        f"{len(counts)} tables, {n_nodes} nodes, {by_levels} tests by levels, {by_pairs} by pairs"
    )
    print("every optimum is that of all nodes")
