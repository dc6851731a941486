"""Branch and bound: equal to looking at every node, proofs that are true, limits that hold."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given

from anonopt.algorithms import BranchAndBound, ExhaustiveSearch
from anonopt.data import cargo_columns, load_dataset
from anonopt.problems import LatticeProblem
from anonopt.runs import Result, solve
from tests.algorithms.small_problems import (
    KEPT_DETAIL,
    UNSUPPRESSED_GLM,
    de_pascale_table,
    small_problems,
)
from tests.examples import examples
from tests.oracles import measures as oracle

OBJECTIVES = ("generalization_level", "height", "glm", "glm_normalized", "precision_loss")
ORACLES = {**oracle.MEASURES, "height": lambda classes: sum(classes.node)}


def best(values: Iterable[float]) -> float:
    return pytest.approx(min(values), rel=1e-9, abs=1e-12)


def cargo(shared_data, n_columns: int, k: int, **options) -> LatticeProblem:
    table = load_dataset("cargo", quasi_identifiers=cargo_columns(n_columns), data_dir=shared_data)
    return LatticeProblem(table, ["generalization_level"], k=k, suppression=0.005, **options)


@pytest.mark.parametrize("accelerator", ["numpy", "auto"])
@pytest.mark.parametrize("objective", OBJECTIVES)
@examples(10)
@given(small=small_problems())
def test_optimum_is_that_of_the_slow_twin(objective, accelerator, small):
    problem = small.problem(objective, accelerator=accelerator)
    result = solve(problem, BranchAndBound(), seed=1)
    losses = [
        ORACLES[objective](small.small.classes(node, small.budget, small.k))
        for node in small.feasible()
    ]
    assert result.front[objective].iloc[0] == best(losses)
    search = result.algorithm
    assert search.gap == 0
    assert search.bound == search.incumbent == best(losses)


@examples(16)
@given(small_problems())
def test_optimum_of_weighted_glm_and_of_measures_of_the_user(small):
    weights = dict.fromkeys(small.small.table.quasi_identifiers[:1], 2.5)
    for objective, options in (
        ("glm", {"weights": weights}),
        (UNSUPPRESSED_GLM, {}),
        (KEPT_DETAIL, {}),
    ):
        problem = small.problem(objective, **options)
        found = solve(problem, BranchAndBound(), seed=1)
        wanted = solve(problem, ExhaustiveSearch(), seed=1)
        assert found.F[0, 0] == pytest.approx(wanted.F[0, 0], rel=1e-9, abs=1e-12)
        natural = problem.natural(wanted.F)[0, 0]
        assert found.algorithm.incumbent == pytest.approx(natural, rel=1e-9, abs=1e-12)


@examples(15)
@given(small_problems())
def test_bound_is_true_and_rises_and_both_accelerators_make_the_same_tests(small):
    runs: list[Result] = []
    for accelerator in ("numpy", "auto"):
        problem = small.problem("glm", accelerator=accelerator)
        runs.append(solve(problem, BranchAndBound(), seed=1))
    histories = [run.algorithm.bound_history for run in runs]
    assert histories[0].equals(histories[1])
    history = histories[0]
    assert history["bound"].is_monotonic_increasing
    assert history["incumbent"].is_monotonic_decreasing
    assert (history["bound"] <= runs[0].F[0, 0] + 1e-9).all()


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("n_columns", [4, 5])
def test_cargo_equals_exhaustive_search(shared_data, n_columns, k):
    problem = cargo(shared_data, n_columns, k)
    result = solve(problem, BranchAndBound(), seed=1)
    nodes = problem.lattice.nodes()
    feasible = problem.evaluator.small_class_rows(nodes, k) <= problem.evaluator.rule.budget
    least = (nodes[feasible] / 4).mean(axis=1).min()
    assert result.front["generalization_level"].tolist() == [pytest.approx(least)]
    assert result.algorithm.gap == 0
    assert result.algorithm.n_tests < 5_000


@pytest.mark.parametrize("limit", [{"test_budget": 3_000}, {"max_seconds": 0.05}])
def test_limits_stop_the_search_with_the_gap_it_has(shared_data, limit):
    problem = cargo(shared_data, 20, 2)
    result = solve(problem, BranchAndBound(**limit), seed=1)
    search = result.algorithm
    assert result.success
    assert search.gap > 0
    assert search.incumbent == result.front["generalization_level"].iloc[0]
    assert search.gap == pytest.approx(search.incumbent - search.bound)
    # No column is begun that could take more tests than are left.
    assert "test_budget" not in limit or 2_990 < search.n_tests <= 3_000


def test_callback_sees_the_bound_while_the_search_goes_on(shared_data):
    seen = []

    def watch(search):
        seen.append((search.n_tests, search.bound, search.incumbent))

    problem = cargo(shared_data, 20, 2)
    result = solve(problem, BranchAndBound(test_budget=40_000), callback=watch, seed=1)
    history = result.algorithm.bound_history
    assert len(seen) >= 4
    assert history[["n_tests", "bound", "incumbent"]].to_numpy().tolist() == [
        list(row) for row in seen
    ]
    steps = np.diff(history["n_tests"])
    assert (steps < 10_100).all()


def test_k_above_the_number_of_rows_is_said(shared_data):
    problem = LatticeProblem(de_pascale_table(4), ["height"], k=5)
    result = solve(problem, BranchAndBound(), seed=1)
    assert not result.success
    assert result.algorithm.n_tests == 0
    assert "no feasible solution among 1 evaluated" in result.message
    assert result.least_infeasible["violation"].tolist() == [1.0]


@pytest.mark.parametrize("objective", ["k", "cm", "suppressed", "average_class_size"])
def test_objective_without_a_bound_is_refused_by_name(objective):
    table = load_dataset(
        "adult", quasi_identifiers=["sex", "race"], sensitive=None, target="income"
    )
    problem = LatticeProblem(table, [objective], k=5)
    with pytest.raises(ValueError, match=f"BranchAndBound: expected .* found '{objective}'"):
        solve(problem, BranchAndBound(), seed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test_budget": 0}, "test_budget: expected a whole number of at least 1, found 0"),
        ({"max_seconds": 0.0}, "max_seconds: expected a positive number, found 0.0"),
        ({"max_seconds": float("nan")}, "max_seconds: expected a number, found nan"),
    ],
)
def test_limits_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        BranchAndBound(**options)
