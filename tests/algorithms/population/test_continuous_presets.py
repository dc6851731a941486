"""Presets for real numbers, the (1+1)-ES and CMA-ES: options, first genomes, steps."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.optimize import minimize

import anonopt as ao
from anonopt.algorithms import CMAES, OnePlusOneES, de, pso
from anonopt.algorithms.population.cmaes import single_values
from anonopt.algorithms.population.one_plus_one import reflected
from anonopt.runs import solve
from tests.algorithms.real_problems import Distance


@pytest.mark.parametrize(
    "variant", ["DE/best/1/bin", "DE/rand/2/exp", "DE/target-to-best/1/line", "DE/rand/1/hypercube"]
)
@pytest.mark.usefixtures("entropy_guard")
def test_variants_of_differential_evolution_draw_from_the_seed(variant):
    search = de(Distance(), variant=variant, pop_size=8)
    assert solve(Distance(), search, budget=60, seed=1).n_unique == 60


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"variant": "DE/rand/1"}, ValueError, 'variant: expected "DE/<selection>/<1 or 2>'),
        ({"variant": "DE/worst/1/bin"}, ValueError, "selection of the variant: .* found 'worst'"),
        ({"variant": "DE/rand/1/two"}, ValueError, "crossover of the variant: .* found 'two'"),
        ({"variant": 5}, ValueError, "variant: .* found 5"),
        ({"pop_size": 3}, ValueError, "pop_size: expected a whole number of at least 4"),
        ({"variant": "DE/rand/2/bin", "pop_size": 5}, ValueError, "at least 6"),
        ({"CR": 1.5}, ValueError, "CR: "),
        ({"F": 0}, ValueError, "F: "),
        ({"sampling": np.zeros((3, 4))}, ValueError, "sampling: expected pop_size = 20 genomes, f"),
        ({"control": 5}, TypeError, "control"),
        ({"repair": 5}, TypeError, "repair: expected a pymoo Repair"),
    ],
)
def test_options_that_cannot_be_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        de(Distance(), **options)


def test_swarms_and_strategies_check_their_options():
    with pytest.raises(ValueError, match="pop_size: expected a whole number of at least 2"):
        pso(Distance(), pop_size=1)
    with pytest.raises(ValueError, match="pop_size: expected a whole number of at least 2"):
        CMAES(pop_size=1)
    with pytest.raises(ValueError, match="sigma: "):
        CMAES(sigma=0)
    with pytest.raises(ValueError, match="least_sigma: expected at most sigma"):
        OnePlusOneES(sigma=0.1, least_sigma=0.2)


def test_best_place_is_mutated_unless_told_otherwise():
    for pertube_best in (True, False):
        search = pso(Distance(), pertube_best=pertube_best)
        assert solve(Distance(), search, budget=100, seed=1).F[0, 0] < 0.5


def test_first_genomes_are_those_of_the_space_and_uniform_ones_where_they_are_too_few():
    problem = ao.get_problem("german-pram", encoding="simplex", objectives=["score_max"])
    own = problem.space.starting_population(np.random.default_rng(1))
    outcome = minimize(problem, de(problem, pop_size=len(own) + 5), ("n_gen", 1), seed=1)
    X = outcome.pop.get("X")
    np.testing.assert_allclose(X[: len(own)], own)
    assert len(np.unique(X, axis=0)) == len(np.unique(own, axis=0)) + 5
    sums = X.reshape(len(X), -1)[:, : problem.space.row_lengths[0]].sum(axis=1)
    np.testing.assert_allclose(sums, 1)  # the space's repair


def test_given_first_genomes_and_termination_are_used():
    first = np.full((6, 4), 0.5)
    for search in (
        de(Distance(), pop_size=6, sampling=first, termination=("n_gen", 2)),
        pso(Distance(), pop_size=6, sampling=first, termination=("n_gen", 2)),
        CMAES(sampling=first, termination=("n_gen", 2)),
        OnePlusOneES(sampling=first, termination=("n_gen", 2)),
    ):
        problem = Distance()
        outcome = minimize(problem, search, seed=1)
        assert outcome.algorithm.n_iter == 3
        np.testing.assert_array_equal(problem.batches[0], first)


def test_restarts_come_when_steps_are_too_short():
    search = OnePlusOneES(sigma=0.1, least_sigma=0.09, n_first=2)
    flat = solve(Distance(plateau=10.0), search, budget=60, seed=1).algorithm
    assert flat.n_restarts > 1
    flat = solve(Distance(plateau=10.0), CMAES(), budget=500, seed=1).algorithm
    assert flat.n_restarts > 0
    assert len(flat.pop) > 4 + int(3 * np.log(4))


def test_the_best_of_a_run_outlives_restarts():
    search = OnePlusOneES(sigma=0.1, least_sigma=0.09, n_first=2)
    outcome = minimize(Distance(), search, ("n_eval", 80), seed=1)
    problem = outcome.problem
    assert outcome.F[0] == min(problem._values(X)[0].min() for X in list(problem.batches))


def test_infeasible_values_are_above_all_others_and_ordered():
    problem = Distance(least=0.5)
    X = np.array([[0.5, 0.1, 0.5, 0.5], [0.9, 0.6, 0.3, 0.7], [0.5, 0.4, 0.5, 0.5]])
    values = single_values(Evaluator().eval(problem, Population.new("X", X)))
    assert values[1] < values[2] < values[0]


def test_reflection_stays_within_bounds_and_keeps_what_is_inside():
    lower, upper = np.array([0.0, 2.0, 1.0]), np.array([1.0, 3.0, 1.0])
    np.testing.assert_array_equal(reflected(np.array([0.4, 2.5, 1.0]), lower, upper), [0.4, 2.5, 1])
    rng = np.random.default_rng(1)
    for x in rng.normal(size=(50, 3), scale=5):
        assert ((reflected(x, lower, upper) >= lower) & (reflected(x, lower, upper) <= upper)).all()
