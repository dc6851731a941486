"""The result of a run: front, history, least infeasible solution."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from anonopt.algorithms import ExhaustiveSearch, RandomSearch
from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.runs import solve
from tests.contracts.toy_problems import ToyLattice, front_of_all


def slow_front(F, feasible):
    def dominated(i):
        return any(
            feasible[j] and (F[j] <= F[i]).all() and (F[j] < F[i]).any() for j in range(len(F))
        )

    return {i for i in range(len(F)) if feasible[i] and not dominated(i)}


@given(
    st.integers(1, 4).flatmap(
        lambda m: arrays.arrays(
            np.int64, st.tuples(st.integers(0, 25), st.just(m)), elements=st.integers(0, 4)
        )
    ),
    st.randoms(use_true_random=False),
)
def test_front_rows_are_the_feasible_non_dominated_ones_in_order(values, random):
    F = values.astype(float)
    X = np.array([[random.randint(0, 9), i] for i in range(len(F))], dtype=np.int64).reshape(-1, 2)
    feasible = np.array([random.random() < 0.7 for _ in range(len(F))], dtype=bool)
    rows = front_rows(X, F, feasible)
    assert set(rows.tolist()) == slow_front(F, feasible)
    keys = [(*F[row], *X[row]) for row in rows]
    assert keys == sorted(keys)


def test_objects_keep_the_order_of_evaluation_among_equals():
    X = np.array([["b"], ["a"], ["c"]], dtype=object)
    F = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 3.0]])
    assert front_rows(X, F, np.ones(3, dtype=bool)).tolist() == [2, 0, 1]


@pytest.mark.parametrize("least_privacy", [None, 5])
def test_front_of_everything_is_the_true_front(least_privacy):
    problem = ToyLattice(objectives=("privacy", "loss", "spread"), least_privacy=least_privacy)
    result = solve(problem, ExhaustiveSearch())
    assert {tuple(x) for x in result.X.tolist()} == front_of_all(problem)
    pd.testing.assert_frame_equal(result.front, problem.frame(result.X, result.F))
    np.testing.assert_array_equal(problem.evaluate(result.X, return_values_of=["F"]), result.F)


def test_front_does_not_depend_on_the_way_there():
    problem = ToyLattice()
    one = solve(problem, ExhaustiveSearch())
    other = solve(problem, RandomSearch(batch_size=7), seed=3)
    pd.testing.assert_frame_equal(one.front, other.front)


def test_history_tells_every_distinct_solution_in_order():
    problem = ToyLattice((2, 1), least_privacy=3)
    history = solve(problem, ExhaustiveSearch(batch_size=4)).history
    assert history.columns.tolist() == [
        "evaluation", "column0", "column1", "privacy", "loss", "feasible", "seconds",
    ]  # fmt: skip
    assert history["evaluation"].tolist() == [1, 2, 3, 4, 5, 6]
    assert history[["column0", "column1"]].to_numpy().tolist() == problem.nodes().tolist()
    assert history["privacy"].tolist() == [1, 2, 2, 4, 3, 6]
    assert history["loss"].tolist() == [0, 4, 3, 7, 6, 10]
    assert history["feasible"].tolist() == [False, False, False, True, True, True]


def test_one_row_only_if_nothing_is_feasible():
    feasible = solve(ToyLattice((2, 1), least_privacy=6), ExhaustiveSearch())
    assert feasible.success
    assert feasible.least_infeasible.empty
    infeasible = solve(ToyLattice((2, 1), least_privacy=7), ExhaustiveSearch())
    assert infeasible.least_infeasible.to_dict("records") == [
        {"column0": 2, "column1": 1, "privacy": 6.0, "loss": 10.0, "violation": 1.0}
    ]
    assert infeasible.least_infeasible.columns.equals(feasible.least_infeasible.columns)


def test_result_is_frozen_and_pickles():
    result = solve(ToyLattice((2, 1)), RandomSearch(), seed=5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.seed = 3
    twin = pickle.loads(pickle.dumps(result))
    pd.testing.assert_frame_equal(twin.front, result.front)
    assert (twin.seed, twin.message) == (5, result.message)
