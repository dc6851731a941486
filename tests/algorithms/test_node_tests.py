"""Tests of nodes: how many there are, how many there may be, and what they told."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymoo.optimize import minimize

import anonopt as ao
from anonopt.algorithms import ALGORITHMS, KGEN, OLA, BranchAndBound, get_algorithm
from anonopt.algorithms.node_tests import TESTS_USED_UP
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import small_problems
from tests.contracts.toy_problems import ToyLattice
from tests.examples import examples

FIXED_K = [name for name, entry in ALGORITHMS.items() if entry.fixed_k]
OUTCOMES = {"feasible", "infeasible"}

every = pytest.mark.parametrize("name", FIXED_K)


def german(objective: str = "height", **options: object) -> LatticeProblem:
    return ao.get_problem("german-k-glm", objectives=[objective], k=3, **options)


def levels(trace: pd.DataFrame, problem: LatticeProblem) -> np.ndarray:
    return trace[list(problem.space.names)].to_numpy()


@every
@examples(8)
@given(small=small_problems())
def test_trace_tells_each_test_in_order_and_the_truth_of_every_node(name, small):
    problem = small.problem()
    result = solve(problem, get_algorithm(name, problem, trace=True), seed=1)
    trace = result.algorithm.trace()
    assert trace.columns.tolist() == [
        "step", *problem.space.names, "event", "reason", "n_tests",
    ]  # fmt: skip
    assert trace["step"].tolist() == list(range(1, len(trace) + 1))
    tests = trace[trace["event"].isin(OUTCOMES)]
    assert tests["n_tests"].tolist() == list(range(1, result.algorithm.n_tests + 1))
    assert trace["n_tests"].is_monotonic_increasing
    feasible = set(small.feasible())
    for event, node in zip(trace["event"], levels(trace, problem).tolist(), strict=True):
        if event != "pruned":
            assert event.removeprefix("tagged ") == (
                "feasible" if tuple(node) in feasible else "infeasible"
            )


@every
def test_traced_it_is_the_same_search(name):
    problem = german()
    plain = solve(problem, get_algorithm(name, problem), seed=1)
    traced = solve(problem, get_algorithm(name, problem, trace=True), seed=1)
    pd.testing.assert_frame_equal(plain.front, traced.front)
    assert plain.algorithm.n_tests == traced.algorithm.n_tests > 0
    assert plain.n_evaluations == traced.n_evaluations
    with pytest.raises(ValueError, match="trace: expected a search made with trace=True"):
        plain.algorithm.trace()


def test_ola_tags_every_node_once():
    problem = german()
    trace = solve(problem, OLA(trace=True), seed=1).algorithm.trace()
    assert len(trace) == problem.lattice.size
    assert len(np.unique(levels(trace, problem), axis=0)) == problem.lattice.size
    assert trace["event"].str.startswith("tagged").sum() > len(trace) / 2
    above = trace[trace["event"] == "tagged feasible"].iloc[0]
    assert above["reason"].startswith("above (")


@every
@pytest.mark.parametrize("budget", [1, 2, 5, 17])
def test_budget_of_tests_is_never_exceeded_and_the_best_is_reported(name, budget):
    problem = german()
    whole = solve(problem, get_algorithm(name, problem), seed=1)
    result = solve(problem, get_algorithm(name, problem, test_budget=budget), seed=1)
    search = result.algorithm
    assert search.n_tests <= budget
    assert result.success
    assert result.F[0, 0] >= whole.F[0, 0]
    if whole.algorithm.n_tests > budget:
        assert search.end_reason == TESTS_USED_UP
        assert TESTS_USED_UP in result.message
    # A column of branch and bound is begun only if all its tests are left.
    assert name == "branch-and-bound" or search.n_tests in (budget, whole.algorithm.n_tests)
    by_pymoo = minimize(problem, get_algorithm(name, problem, test_budget=budget), seed=1)
    assert by_pymoo.F.tolist() == result.F[0].tolist()


def test_the_best_so_far_is_a_feasible_node_that_was_tested():
    problem = german()
    result = solve(problem, OLA(test_budget=40, trace=True), seed=1)
    trace = result.algorithm.trace()
    tested = levels(trace[trace["event"] == "feasible"], problem)
    assert result.X[0].tolist() in tested.tolist()
    assert result.F[0, 0] == tested.sum(axis=1).min()


def test_what_is_left_open_keeps_the_bound_of_branch_and_bound_true():
    problem = german("generalization_level")
    optimum = solve(problem, BranchAndBound(), seed=1).F[0, 0]
    gaps = []
    for budget in (1, 20, 200, 2000):
        search = solve(problem, BranchAndBound(test_budget=budget), seed=1).algorithm
        assert search.bound <= optimum + 1e-12 <= search.incumbent + 2e-12
        gaps.append(search.gap)
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > 0


def test_many_flat_columns_stop_at_once():
    generator = np.random.default_rng(3)
    frame = pd.DataFrame(
        generator.integers(2, size=(200, 60)), columns=[f"c{i}" for i in range(60)]
    )
    hierarchy = ao.Hierarchy([["0", "1"], ["*", "*"]])
    table = ao.Microdata(
        frame.astype(str),
        quasi_identifiers=list(frame),
        hierarchies=dict.fromkeys(frame, hierarchy),
    )
    problem = LatticeProblem(table, ["generalization_level"], k=5, suppression=0.01)
    result = solve(problem, BranchAndBound(test_budget=500), seed=1)
    assert result.message == TESTS_USED_UP
    assert 0 < result.algorithm.n_tests <= 500


@settings(max_examples=20)
@given(st.integers(0, 99), st.sampled_from([1, 3, 10]))
def test_nodes_the_crossover_of_kgen_asks_about_are_counted(seed, budget):
    problem = ToyLattice((9, 9, 9), objectives=("loss",), least_privacy=100)
    result = solve(problem, KGEN(pop_size=10, trace=True, test_budget=budget), seed=seed)
    search = result.algorithm
    assert search.n_tests <= budget
    trace = search.trace()
    assert len(trace) == search.n_tests
    feasible = np.prod(levels(trace, problem) + 1, axis=1) >= 100
    assert (trace["event"] == np.where(feasible, "feasible", "infeasible")).all()
    if search.n_tests == budget:
        assert search.end_reason in (TESTS_USED_UP, "")
    assert result.success


def test_traces_and_counts_survive_copies():
    problem = german()
    search = OLA(trace=True, test_budget=30)
    search.setup(problem, seed=1)
    for _ in range(2):
        search.next()
    for twin in (copy.deepcopy(search), pickle.loads(pickle.dumps(search))):
        pd.testing.assert_frame_equal(twin.trace(), search.trace())
        assert (twin.n_tests, twin.test_budget) == (30, 30)


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_below_one_is_refused(budget):
    with pytest.raises(ValueError, match="test_budget: expected a whole number of at least 1"):
        OLA(test_budget=budget)
