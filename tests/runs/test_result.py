"""The result of a run: front, history, least infeasible solution."""

from __future__ import annotations

import dataclasses
import pickle
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population

import anonopt as ao
from anonopt.algorithms import PBGEA, ExhaustiveSearch, RandomSearch
from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.operators import BoxArchive, ParetoArchive
from anonopt.problems import LatticeProblem
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


def test_seconds_of_the_history_grow_up_to_those_of_the_run():
    class Slow(ToyLattice):
        def _values(self, X):
            time.sleep(0.05)
            return super()._values(X)

    result = solve(Slow(), RandomSearch(batch_size=5), budget=15, seed=1)
    seconds = result.history["seconds"].to_numpy().reshape(3, 5)
    assert (seconds == seconds[:, :1]).all()
    assert (np.diff(seconds[:, 0], prepend=0) >= 0.05).all()
    assert seconds[-1, -1] <= result.seconds


def people():
    frame = pd.DataFrame(
        {"age": [20, 21, 30, 31, 40, 41], "sex": list("MFMFMF")}, index=list("abcdef")
    )
    age = ao.Hierarchy.intervals(range(20, 50), width=10, fan_outs=[2])
    return ao.Microdata(
        frame, quasi_identifiers=["age", "sex"], hierarchies={"age": age, "sex": "flat"}
    )


def test_protected_data_of_a_row_is_that_of_its_genome_with_the_rule_of_the_problem():
    problem = LatticeProblem(people(), objectives=["glm", "precision_loss"], k=2)
    result = solve(problem, ExhaustiveSearch(), seed=1)
    assert len(result.X) > 0
    for row, x in enumerate(result.X):
        expected = problem.table.apply(x.tolist(), k=2)
        pd.testing.assert_frame_equal(result.protect(row), expected)
    pd.testing.assert_frame_equal(result.protect(), result.protect(0))


def test_rows_that_are_not_there_are_refused():
    problem = LatticeProblem(people(), objectives=["k", "glm"])
    result = solve(problem, ExhaustiveSearch(), seed=1)
    n_rows = len(result.front)
    for row in (-1, n_rows):
        with pytest.raises(ValueError, match=rf"row: .* at most {n_rows - 1}, found {row}"):
            result.protect(row)
    with pytest.raises(TypeError, match=r"row: expected .*, found 0\.0"):
        result.protect(0.0)
    infeasible = solve(ToyLattice((2, 1), least_privacy=7), ExhaustiveSearch())
    with pytest.raises(ValueError, match=r"row: expected a feasible .*, found none .*fails"):
        infeasible.protect(0)


def test_data_protected_by_chance_needs_a_random_state():
    frame = pd.DataFrame({"zone": list("abcabcabcaab")})
    problem = ao.problems.PRAMProblem(frame, expected=True)
    result = solve(problem, ao.algorithms.nsga2(problem), budget=30, seed=1)
    with pytest.raises(ValueError, match="random_state"):
        result.protect(0)
    protected = result.protect(0, random_state=3)
    pd.testing.assert_frame_equal(protected, result.protect(0, random_state=3))
    assert protected.shape == frame.shape


def test_archive_of_ones_own_gets_every_distinct_solution():
    problem = ToyLattice()
    archive = BoxArchive([5, 10], problem.maximize)
    result = solve(problem, RandomSearch(batch_size=7), budget=50, seed=1, archive=archive)
    assert len(archive) == 0
    expected = BoxArchive([5, 10], problem.maximize)
    X = result.history[list(problem.space.names)].to_numpy()
    expected.add(evaluated(problem, X))
    assert result.archive.keys == expected.keys
    X, F = expected.population().get("X", "F")
    pd.testing.assert_frame_equal(result.archive_front, problem.frame(X, F))
    assert 0 < len(result.archive_front) < len(result.front)


def evaluated(problem, X):
    pop = Population.new("X", X)
    return Evaluator().eval(problem, pop)


def test_archive_holds_the_front_and_nothing_infeasible():
    problem = ToyLattice(least_privacy=5)
    result = solve(problem, PBGEA(pop_size=5), budget=40, seed=1, archive=ParetoArchive())
    columns = list(result.front.columns)
    pd.testing.assert_frame_equal(
        result.archive_front.sort_values(columns, ignore_index=True),
        result.front.sort_values(columns, ignore_index=True),
    )
    none = solve(ToyLattice(least_privacy=999), RandomSearch(), seed=1, archive=ParetoArchive())
    assert none.archive_front.empty
    assert list(none.archive_front.columns) == list(none.front.columns)


def test_archive_front_without_an_archive_is_refused():
    result = solve(ToyLattice((2, 1)), RandomSearch(), seed=1)
    assert result.archive is None
    with pytest.raises(ValueError, match="archive: expected a run with"):
        result.archive_front  # noqa: B018


@pytest.mark.parametrize(("least_privacy", "success"), [(20, True), (20.5, False), (21, False)])
def test_a_small_violation_is_one(least_privacy, success):
    # The largest product of level + 1 is 20.
    problem = ToyLattice((4, 3), objectives=("loss",), least_privacy=least_privacy)
    result = solve(problem, ExhaustiveSearch())
    assert result.success is success
    assert len(result.X) == len(result.F) == len(result.front) == success
    assert result.history["feasible"].sum() == success
