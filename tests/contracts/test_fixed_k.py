"""What every search for k-anonymous nodes under the fixed-k rule promises."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from pymoo.optimize import minimize

from anonopt.algorithms import ALGORITHMS, get_algorithm
from anonopt.data import load_dataset
from anonopt.problems import LatticeProblem
from anonopt.runs import MemoizingEvaluator, solve
from tests.algorithms.small_problems import de_pascale_table
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history

NAMES = [name for name, entry in ALGORITHMS.items() if entry.fixed_k]

every = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def problem() -> LatticeProblem:
    names = ["age", "education", "race", "sex", "native-country"]
    table = load_dataset("adult", quasi_identifiers=names)
    return LatticeProblem(table, ["height"], k=50, suppression=0.01)


@every
@pytest.mark.usefixtures("entropy_guard")
def test_runs_do_not_depend_on_the_seed(name, problem):
    one, other = (solve(problem, get_algorithm(name, problem), seed=seed) for seed in (1, 2))
    assert_same_history(one.history, other.history)
    assert one.algorithm.n_tests == other.algorithm.n_tests > 0
    assert one.message == "algorithm finished"


@every
def test_what_is_reported_is_feasible_and_measured_by_the_problem(name, problem):
    result = solve(problem, get_algorithm(name, problem), seed=1)
    assert result.success
    F, G = problem.evaluate(result.X, return_values_of=["F", "G"])
    np.testing.assert_array_equal(result.F, F)
    assert (G <= 0).all()
    if ALGORITHMS[name].exact:
        assert result.F[0, 0] == problem.pareto_front()[0, 0]


@every
def test_pickled_in_mid_run_it_goes_on_as_if_nothing_had_happened(name, problem):
    algorithm = get_algorithm(name, problem)
    algorithm.setup(problem, seed=1, evaluator=MemoizingEvaluator())
    algorithm.next()
    runs = [algorithm, pickle.loads(pickle.dumps(algorithm)), copy.deepcopy(algorithm)]
    for run in runs:
        while run.has_next():
            run.next()
    for run in runs[1:]:
        assert run.n_iter == algorithm.n_iter
        assert run.n_tests == algorithm.n_tests
        np.testing.assert_array_equal(run.opt.get("X"), algorithm.opt.get("X"))


@every
def test_it_runs_in_pymoo_minimize(name, problem):
    algorithm = get_algorithm(name, problem)
    outcome = minimize(problem, algorithm, seed=1)
    assert outcome.F[0] == solve(problem, algorithm, seed=1).F[0, 0]


@every
@pytest.mark.parametrize("budget", [1, 2])
def test_budget_of_distinct_evaluations_is_kept(name, problem, budget):
    result = solve(problem, get_algorithm(name, problem), budget=budget, seed=1)
    assert result.n_unique == budget
    assert result.success


@every
def test_k_above_the_number_of_rows(name):
    problem = LatticeProblem(de_pascale_table(4), ["height"], k=5)
    result = solve(problem, get_algorithm(name, problem), seed=1)
    assert not result.success
    assert result.message == (
        "algorithm finished; no feasible solution among 1 evaluated; the least infeasible, "
        "age=3, postcode=4, gender=1, fails suppression by 1"
    )
    assert result.least_infeasible[["age", "postcode", "gender"]].to_numpy().tolist() == [[3, 4, 1]]


@every
def test_k_of_all_rows_leaves_the_top_or_what_equals_it(name):
    problem = LatticeProblem(de_pascale_table(4), ["height"], k=4)
    result = solve(problem, get_algorithm(name, problem), seed=1)
    assert result.front.to_numpy().tolist() == [[3, 4, 1, 8]]


@every
def test_k_of_one_is_met_at_the_bottom(name):
    problem = LatticeProblem(de_pascale_table(4), ["height"], k=1)
    result = solve(problem, get_algorithm(name, problem), seed=1)
    assert result.front.to_numpy().tolist() == [[0, 0, 0, 0]]


@every
def test_lattice_of_a_single_node(name):
    table = load_dataset("adult", quasi_identifiers=["sex", "race"])
    flat = LatticeProblem(table, ["height"], k=table.n_rows)
    result = solve(flat, get_algorithm(name, flat), seed=1)
    assert result.front.to_numpy().tolist() == [[1, 1, 2]]


@every
def test_other_problems_are_refused(name):
    table = load_dataset("adult", quasi_identifiers=["sex", "race"])
    for problem, message in (
        (ToyLattice(objectives=("loss",)), "expected a LatticeProblem with .*, found ToyLattice"),
        (LatticeProblem(table, ["height"]), r"expected a problem with a fixed k \(option k\)"),
        (LatticeProblem(table, ["height", "glm"], k=2), "of 1 objective, found 2"),
        (LatticeProblem(table, ["height"], {"l": 2}, k=2), "expected no constraint .* found l"),
    ):
        with pytest.raises(ValueError, match=f"{name}: {message}|{name}: expected .*{message}"):
            get_algorithm(name, problem)


@every
def test_entry_is_documented(name):
    assert ALGORITHMS[name].summary
    assert ALGORITHMS[name].paper
    assert not ALGORITHMS[name].multi_objective
