"""What every algorithm for real numbers promises, on a small problem with a known optimum."""

from __future__ import annotations

import copy
import pickle

import cma  # noqa: F401 -- it imports scipy.stats, which draws examples for its docstrings
import numpy as np
import pandas as pd
import pytest
from pymoo.core.algorithm import Algorithm
from pymoo.optimize import minimize

from anonopt.algorithms import ALGORITHMS, get_algorithm
from anonopt.runs import MemoizingEvaluator, resume_run, save_run, solve
from tests.algorithms.real_problems import Distance
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history

every = pytest.mark.parametrize(
    "name", [name for name, entry in ALGORITHMS.items() if entry.real_numbers]
)
limited = pytest.mark.parametrize("least", [None, 0.5, 2.0])


def made(name: str, **options: object) -> Algorithm:
    return get_algorithm(name, Distance(), **options)


@every
@limited
@pytest.mark.usefixtures("entropy_guard")
def test_all_randomness_comes_from_the_seed(name, least):
    one, other = (solve(Distance(least=least), made(name), budget=80, seed=3) for _ in range(2))
    assert_same_history(one.history, other.history)
    pd.testing.assert_frame_equal(one.front, other.front, check_exact=True)
    another = solve(Distance(least=least), made(name), budget=80, seed=4)
    assert not one.history.equals(another.history)


@every
def test_optimum_is_approached_within_the_bounds(name):
    problem = Distance()
    result = solve(problem, made(name), budget=600, seed=1)
    assert result.n_unique == 600
    assert result.F[0, 0] < 0.1
    for X in problem.batches:
        assert ((X >= problem.xl) & (X <= problem.xu)).all()


@every
def test_constraints_go_first(name):
    result = solve(Distance(least=0.5), made(name), budget=400, seed=1)
    assert result.success
    assert result.X[0, 1] >= 0.5
    # Rows are repaired to sums of 1: the two genes that miss the target do so by 0.4 each.
    assert result.F[0, 0] == pytest.approx(0.8, abs=0.1)
    nothing = solve(Distance(least=2.0), made(name), budget=60, seed=1)
    assert not nothing.success and len(nothing.least_infeasible) == 1


@every
@pytest.mark.parametrize("budget", [1, 7, 33])
def test_budget_is_used_up_and_never_exceeded(name, budget):
    problem = Distance()
    result = solve(problem, made(name), budget=budget, seed=2)
    assert sum(map(len, problem.batches)) == result.n_unique == len(result.history) == budget
    assert result.message == "budget reached"


@every
@limited
def test_solutions_keep_the_objectives_of_their_genomes(name, least):
    problem = Distance(least=least)
    outcome = minimize(problem, made(name), ("n_gen", 12), seed=1, evaluator=MemoizingEvaluator())
    for population in (outcome.pop, outcome.algorithm.opt):
        F = problem.evaluate(population.get("X"), return_values_of=["F"])
        np.testing.assert_array_equal(population.get("F"), F)


@every
def test_copied_and_pickled_in_mid_run_it_goes_on_as_if_nothing_had_happened(name):
    algorithm = made(name)
    algorithm.setup(Distance(), termination=("n_gen", 9), seed=1, evaluator=MemoizingEvaluator())
    for _ in range(4):
        algorithm.next()
    runs = algorithm, pickle.loads(pickle.dumps(algorithm)), copy.deepcopy(algorithm)
    for run in runs:
        while run.has_next():
            run.next()
    for run in runs[1:]:
        np.testing.assert_array_equal(algorithm.pop.get("X"), run.pop.get("X"))
        np.testing.assert_array_equal(algorithm.opt.get("X"), run.opt.get("X"))


@every
def test_saved_and_resumed_it_is_as_never_interrupted(name, tmp_path):
    path = tmp_path / "run.npz"
    save_run(solve(Distance(least=0.5), made(name), budget=33, seed=3), path)
    resumed = resume_run(path, problem=Distance(least=0.5), extra=31)
    whole = solve(Distance(least=0.5), made(name), budget=64, seed=3)
    assert_same_history(resumed.history, whole.history)
    pd.testing.assert_frame_equal(resumed.front, whole.front, check_exact=True)


@every
def test_plateaus_do_not_end_a_run(name):
    result = solve(Distance(plateau=0.5), made(name), budget=300, seed=1)
    assert result.n_unique == 300


@every
def test_object_can_be_used_again(name):
    algorithm = made(name)
    first, second = (solve(Distance(), algorithm, budget=40, seed=4) for _ in range(2))
    assert algorithm.problem is None
    assert_same_history(first.history, second.history)


@every
def test_whole_numbers_and_unknown_options_are_refused(name):
    lattice = ToyLattice(objectives=("loss",))
    with pytest.raises(ValueError, match=f"{name}: expected genomes of real numbers, found lev"):
        get_algorithm(name, lattice)
    for unknown in ("pop_sise", "mutation"):
        with pytest.raises(TypeError, match=unknown):
            made(name, **{unknown: 10})
