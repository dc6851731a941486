"""Objectives that can be infinitely bad: they rank last and are shown as they are."""

from __future__ import annotations

import numpy as np
import pytest

import anonopt as ao
from anonopt.problems import LatticeProblem
from tests.contracts.problem_kinds import small_table

ALGORITHMS = ("nsga2", "nsga3", "spea2", "smsemoa", "pbgea", "random", "exhaustive")


@pytest.fixture(scope="module")
def problem():
    return LatticeProblem(small_table(), ["recursive_cl", "glm"])


@pytest.fixture(scope="module")
def front(problem):
    """Objectives that no node dominates, infinite ones compared as such."""
    values = problem.evaluator.evaluate_all(["recursive_cl", "glm"])
    rows = values[["recursive_cl", "glm"]].to_numpy()
    assert np.isinf(rows[:, 0]).sum() > 1
    assert np.isfinite(rows[:, 0]).sum() > 1
    best = [
        row for row in rows.tolist() if not any((o <= row).all() and (o < row).any() for o in rows)
    ]
    return {tuple(row) for row in best}


def test_exact_front_is_that_of_brute_force(problem, front):
    found = problem.natural(problem.pareto_front())
    assert {tuple(row) for row in found.tolist()} == front
    # The node that loses least has a class of one illness.
    assert np.isinf(found[:, 0]).any()


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.filterwarnings("error:.*(NaN|invalid|divide|overflow)")
def test_searches_report_the_front_with_infinite_values(problem, front, name):
    options = {} if name in ("random", "exhaustive") else {"pop_size": 20}
    algorithm = ao.algorithms.get_algorithm(name, problem, **options)
    result = ao.solve(problem, algorithm, budget=problem.space.size, seed=1)
    assert result.n_unique == problem.space.size or name not in ("random", "exhaustive")
    reported = result.front[["recursive_cl", "glm"]]
    assert not reported.isna().any(axis=None)
    assert not result.history[["recursive_cl", "glm"]].isna().any(axis=None)
    if result.n_unique == problem.space.size:
        assert {tuple(row) for row in reported.to_numpy().tolist()} == front
    else:
        assert np.isinf(reported["recursive_cl"]).any()


def test_a_finite_value_is_better_than_an_infinite_one(problem):
    one = LatticeProblem(problem.table, ["recursive_cl"])
    result = ao.solve(one, ao.algorithms.get_algorithm("ga", one, pop_size=10), budget=30, seed=1)
    best = problem.evaluator.evaluate_all(["recursive_cl"])["recursive_cl"].min()
    assert np.isfinite(best)
    assert np.isfinite(result.front["recursive_cl"].iloc[0])


def test_infinite_values_miss_every_bound(problem):
    bounded = LatticeProblem(problem.table, ["glm"], {"recursive_cl": 3})
    nodes = problem.lattice.nodes()
    G = bounded.evaluate(nodes, return_values_of=["G"])[:, 0]
    values = problem.evaluator.evaluate_all(["recursive_cl"])["recursive_cl"].to_numpy()
    np.testing.assert_array_equal(G <= 0, values <= 3)
    np.testing.assert_array_equal(np.isinf(G), np.isinf(values))
    best = bounded.natural(bounded.pareto_front()).min()
    losses = problem.evaluator.evaluate_all(["glm"])["glm"].to_numpy()
    assert best == losses[values <= 3].min()
