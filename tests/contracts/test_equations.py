"""What every algorithm that takes trees promises, on a small problem of equations."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pymoo.core.algorithm import Algorithm
from pymoo.optimize import minimize

from anonopt.algorithms import ALGORITHMS, get_algorithm
from anonopt.masking.equations import Equation
from anonopt.problems import get_problem
from anonopt.runs import MemoizingEvaluator, resume_run, save_run, solve
from tests.contracts.toy_equations import ToyEquations
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history, without_seconds

PRESETS = ("nsga2", "nsga3", "spea2", "smsemoa", "ga")
"""Algorithms that take their operators from the problem."""

ONLY_TREES = [name for name, entry in ALGORITHMS.items() if entry.spaces == {"trees"}]

every = pytest.mark.parametrize("name", [*ONLY_TREES, *PRESETS])
only_trees = pytest.mark.parametrize("name", ONLY_TREES)


def toy_for(name: str, **options: Any) -> ToyEquations:
    if not ALGORITHMS[name].multi_objective:
        options["objectives"] = ("distance",)
    return ToyEquations(**options)


def small(name: str, problem: ToyEquations, size: int = 12) -> Algorithm:
    return get_algorithm(name, problem, pop_size=size)


def outcome(name: str, seed: int) -> tuple[Any, ...]:
    problem = toy_for(name)
    result = solve(problem, small(name, problem), budget=60, seed=seed)
    return without_seconds(result.history), result.front, result.n_evaluations, result.message


def assert_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    for left, right in zip(one, other, strict=True):
        if isinstance(left, pd.DataFrame):
            pd.testing.assert_frame_equal(left, right, check_exact=True)
        else:
            assert left == right


@every
def test_same_seed_gives_the_same_run_and_another_seed_another(name):
    first = outcome(name, seed=7)
    other = outcome(name, seed=8)
    assert_same(first, outcome(name, seed=7))
    assert not first[0].equals(other[0])


@every
@pytest.mark.parametrize("largest", [None, 7, 0])
@pytest.mark.usefixtures("entropy_guard")
@pytest.mark.filterwarnings("ignore:invalid value encountered in divide")  # SPEA2 of pymoo
def test_all_randomness_comes_from_the_seed(name, largest):
    problem = toy_for(name, largest=largest)
    solve(problem, small(name, problem), termination=("n_gen", 10), seed=3)


@every
@pytest.mark.parametrize("max_depth", [2, 4])
def test_trees_are_whole_and_within_the_depth_limit(name, max_depth):
    problem = toy_for(name, max_depth=max_depth)
    minimize(problem, small(name, problem), ("n_gen", 15), seed=1)
    trees = [tree for X in problem.batches for tree in X[:, 0]]
    assert max(Equation(tree).depth for tree in trees) == max_depth


@every
@pytest.mark.parametrize("evaluator", [None, MemoizingEvaluator])
def test_solutions_keep_the_objectives_of_their_genomes(name, evaluator):
    problem = toy_for(name, largest=7)
    options = {} if evaluator is None else {"evaluator": evaluator()}
    found = minimize(problem, small(name, problem), ("n_gen", 12), seed=1, **options)
    for population in (found.pop, found.opt):
        F, G = problem.evaluate(population.get("X"), return_values_of=["F", "G"])
        np.testing.assert_array_equal(population.get("F"), F)
        np.testing.assert_array_equal(population.get("G"), G)


@every
def test_budget_is_used_up_and_never_exceeded(name):
    for budget in (1, 12, 33):
        problem = toy_for(name)
        result = solve(problem, small(name, problem), budget=budget, seed=2)
        asked_for = [problem.space.key(x) for X in problem.batches for x in X]
        assert len(asked_for) == len(set(asked_for)) == budget
        assert result.n_unique == len(result.history) == budget
        assert result.message == "budget reached"


@every
def test_result_shows_equations_that_can_be_read_and_applied(name):
    problem = toy_for(name)
    result = solve(problem, small(name, problem), budget=200, seed=2)
    assert result.X.dtype == object
    assert list(result.history.columns)[:2] == ["evaluation", "equation"]
    for x, text, values in zip(result.X, result.front["equation"], result.F, strict=True):
        equation = Equation.parse(text)
        assert equation == problem.space.equation(x)
        np.testing.assert_array_equal(problem.evaluate(x[np.newaxis]), values[np.newaxis])


@every
def test_pickled_in_mid_run_it_goes_on_as_if_nothing_had_happened(name):
    problem = toy_for(name, largest=7)
    algorithm = small(name, problem)
    algorithm.setup(
        problem, termination=("n_gen", 12), seed=1, evaluator=MemoizingEvaluator(budget=400)
    )
    for _ in range(4):
        algorithm.next()
    runs = [algorithm, pickle.loads(pickle.dumps(algorithm)), copy.deepcopy(algorithm)]
    for run in runs:
        while run.has_next():
            run.next()
    mine = [problem.space.key(x) for x in algorithm.pop.get("X")]
    for run in runs[1:]:
        assert run.evaluator.n_unique == algorithm.evaluator.n_unique
        assert [problem.space.key(x) for x in run.pop.get("X")] == mine
        np.testing.assert_array_equal(run.pop.get("F"), algorithm.pop.get("F"))


@every
@pytest.mark.parametrize(
    ("first", "extra", "whole"),
    [
        ({"budget": 23}, 18, {"budget": 41}),
        ({"termination": ("n_gen", 9)}, ("n_gen", 9), {"termination": ("n_gen", 18)}),
    ],
    ids=["evaluations", "generations"],
)
def test_saved_and_resumed_it_is_as_never_interrupted(name, first, extra, whole, tmp_path):
    problem = toy_for(name)
    save_run(solve(problem, small(name, problem), seed=3, **first), tmp_path / "run.npz")
    problem.batches.clear()
    resumed = resume_run(tmp_path / "run.npz", problem=problem, extra=extra)
    n_measured = sum(len(X) for X in problem.batches)
    through = solve(problem, small(name, problem), seed=3, **whole)
    assert_same_history(resumed.history, through.history)
    pd.testing.assert_frame_equal(resumed.front, through.front, check_exact=True)
    assert n_measured < resumed.n_unique == through.n_unique


@pytest.mark.parametrize("name", [*ONLY_TREES, "nsga2"])
def test_resumed_on_a_table_it_is_as_never_interrupted(name, tmp_path):
    objectives = ["IL", "size"] if ALGORITHMS[name].multi_objective else ["score_max"]
    problem = get_problem("german-pram-equations", objectives=objectives, expected=True)
    save_run(solve(problem, small(name, problem), budget=30, seed=3), tmp_path / "run.npz")
    resumed = resume_run(tmp_path / "run.npz", extra=25)
    through = solve(problem, small(name, problem), budget=55, seed=3)
    assert_same_history(resumed.history, through.history)
    pd.testing.assert_frame_equal(resumed.front, through.front, check_exact=True)


@every
@pytest.mark.filterwarnings("ignore:invalid value encountered in divide")  # SPEA2 of pymoo
def test_nothing_feasible_is_said_with_the_least_infeasible_solution(name):
    problem = toy_for(name, largest=0)
    result = solve(problem, small(name, problem), budget=60, seed=1)
    assert not result.success
    assert result.message.startswith(
        "budget reached; no feasible solution among 60 evaluated; the least infeasible, equation="
    )
    assert result.least_infeasible["violation"].tolist() == [1.0]
    assert len(result.front) == 0


@every
def test_constrained_front_holds_feasible_solutions_only(name):
    problem = toy_for(name, largest=3)
    result = solve(problem, small(name, problem), budget=100, seed=1)
    assert result.success
    assert all(problem.space.equation(x).size <= 3 for x in result.X)


@every
def test_it_gets_better(name):
    problem = toy_for(name, max_depth=5)
    result = solve(problem, small(name, problem), budget=300, seed=1)
    distances = result.history["distance"]
    assert distances.min() < distances[:12].min() or distances[:12].min() < 1e-9


@only_trees
def test_problem_without_trees_is_refused(name):
    with pytest.raises(ValueError, match="expected a space of trees, found levels"):
        get_algorithm(name, ToyLattice(objectives=("loss",)))


@only_trees
def test_several_objectives_are_refused(name):
    with pytest.raises(ValueError, match=f"{name}: expected a problem of 1 objective"):
        get_algorithm(name, ToyEquations())


@every
def test_unknown_option_is_refused(name):
    with pytest.raises(TypeError, match="pop_sise"):
        get_algorithm(name, toy_for(name), pop_sise=10)


@every
def test_algorithm_object_can_be_used_again(name):
    problem = toy_for(name)
    algorithm = small(name, problem)
    first, second = (solve(problem, algorithm, budget=30, seed=4) for _ in range(2))
    assert_same_history(first.history, second.history)


@every
def test_history_of_a_run_shares_the_table(name):
    problem = toy_for(name)
    found = minimize(problem, small(name, problem), ("n_gen", 3), seed=1, save_history=True)
    assert all(past.problem.table is problem.table for past in found.history)
