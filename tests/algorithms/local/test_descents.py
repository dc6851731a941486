"""Greedy descent and LevelSearch: what they find, what they skip, when they end."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.algorithms import GreedyDescent, LevelSearch
from anonopt.algorithms.local.descent import REQUEST_LIMIT
from anonopt.algorithms.local.node_memory import NodeMemory
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import de_pascale_table, small_problems
from tests.contracts.toy_problems import ToyLattice
from tests.examples import examples

SEARCHES = [GreedyDescent, LevelSearch]
ADULT_COLUMNS = [
    "sex", "age", "race", "marital-status", "education",
    "native-country", "workclass", "occupation", "income",
]  # fmt: skip


@pytest.mark.parametrize("search", SEARCHES)
@examples(10)
@given(
    small=small_problems(),
    objective=st.sampled_from(["height", "generalization_level", "glm", "discernibility"]),
)
def test_a_run_without_budget_ends_with_the_best_node(search, small, objective):
    problem = small.problem(objective)
    nodes = problem.lattice.nodes()
    F, G = problem.evaluate(nodes, return_values_of=["F", "G"])
    result = solve(problem, search(), seed=1)
    assert result.success
    assert result.F[0, 0] == pytest.approx(F[(G <= 0).all(axis=1)].min())
    assert result.n_unique <= len(nodes)


@pytest.mark.parametrize("search", SEARCHES)
@examples(10)
@given(small=small_problems(), seed=st.integers(0, 9))
def test_no_node_is_evaluated_below_one_known_to_be_infeasible(search, small, seed):
    history = solve(small.problem("glm"), search(), seed=seed).history
    levels = history.iloc[:, 1 : 1 + len(small.small.table.quasi_identifiers)].to_numpy()
    feasible = history["feasible"].to_numpy()
    for row in range(len(levels)):
        infeasible = levels[:row][~feasible[:row]]
        assert not (levels[row] <= infeasible).all(axis=1).any()


def test_greedy_descends_from_the_top_to_a_minimal_node():
    problem = ToyLattice((4, 3, 3), objectives=("loss",), least_privacy=24)
    algorithm = GreedyDescent()
    algorithm.setup(problem, seed=1)
    algorithm.next()
    assert np.concatenate(problem.batches)[0].tolist() == [4, 3, 3]
    node = algorithm.best_node
    assert np.prod(node + 1) >= 24
    lowered = node - np.eye(3, dtype=int)
    assert all(np.prod(x + 1) < 24 for x in lowered[(lowered >= 0).all(axis=1)])


@pytest.mark.parametrize("search", SEARCHES)
def test_a_run_without_a_feasible_top_goes_on_from_what_is_feasible(search):
    table = ao.load_dataset("german")
    problem = LatticeProblem(table, ["k"], {"height": 8})
    result = solve(problem, search(), budget=200, seed=1)
    assert result.success
    assert result.X.sum(axis=1).max() <= 8


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "problem",
    [
        ToyLattice((4, 3, 3), objectives=("loss",), least_privacy=24),
        LatticeProblem(de_pascale_table(4), ["height"], k=2),
        LatticeProblem(ao.load_dataset("german"), ["generalization_level"], k=5),
        LatticeProblem(ao.load_dataset("german"), ["glm"], k=5, suppression=0.01),
        LatticeProblem(ao.load_dataset("german"), ["discernibility"], k=5, suppression=0.01),
    ],
    ids=["toy", "de Pascale", "german", "german glm", "german discernibility"],
)
def test_a_search_stops_by_itself_within_bounded_requests(search, problem, monkeypatch):
    requests = []
    is_settled = NodeMemory.is_settled
    monkeypatch.setattr(
        NodeMemory, "is_settled", lambda *args: requests.append(args) or is_settled(*args)
    )
    result = solve(problem, search(), seed=1)
    assert len(requests) <= 200_000
    if result.message != "search space exhausted":
        reason = "algorithm finished: no new node within reach in (.*) requests"
        n_fruitless = int(re.fullmatch(reason, result.message)[1])
        assert REQUEST_LIMIT <= n_fruitless < REQUEST_LIMIT + 1000
        assert result.n_unique < problem.space.size


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_goes_on_as_long_as_nothing_feasible_is_known(search):
    problem = ToyLattice((9, 9, 9, 9), objectives=("privacy",), least_privacy=10_001)
    result = solve(problem, search(), budget=3000, seed=1)
    assert (result.n_unique, result.success) == (3000, False)


def test_level_search_finds_the_optimum_of_25_columns(shared_data, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(shared_data))
    problem = ao.get_problem("cargo-25")
    result = solve(problem, LevelSearch(), budget=5000, seed=0)
    # 91 of 100 levels are proven by branch and bound.
    assert result.F[0, 0] == pytest.approx(0.91)
    assert result.X[0].sum() == 91


def test_level_search_finds_the_optimum_of_a_loss_that_is_not_monotone(shared_data):
    table = ao.load_dataset(
        "adult",
        hierarchies=shared_data / "hierarchies" / "adult_arx",
        quasi_identifiers=ADULT_COLUMNS,
        sensitive=None,
    )
    problem = LatticeProblem(table, ["glm_normalized"], k=5, suppression=0.01)
    for seed in range(3):
        result = solve(problem, LevelSearch(), budget=500, seed=seed)
        assert result.F[0, 0] == pytest.approx(0.402001, abs=1e-6)
        assert result.X[0].tolist() == [0, 3, 1, 1, 2, 2, 1, 1, 0]
