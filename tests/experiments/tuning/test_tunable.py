"""Algorithms to tune: names, pairs, classes, functions and objects, under all budgets."""

import pickle

import numpy as np
import pytest
from pymoo.algorithms.hyperparameters import HyperparameterProblem, MultiRun
from pymoo.core.mixed import MixedVariableGA
from pymoo.core.variable import Choice, Integer, Real
from pymoo.optimize import minimize

from anonopt import get_problem, solve
from anonopt.algorithms import PBGEA, get_algorithm
from anonopt.experiments import Tuning
from anonopt.experiments.tuning.tunable import parameters, with_options

SIZES = {"pop_size": Integer(bounds=(4, 40))}


def made_with_size(problem, *, pop_size=12):
    return get_algorithm("nsga2", problem, pop_size=pop_size)


def tuning(algorithm, **changed):
    given = {"options": SIZES, "train": ["german-k-glm"], "seeds": [3], "budget": 40}
    return Tuning(algorithm=algorithm, **(given | changed))


@pytest.mark.parametrize(
    ("algorithm", "named"),
    [
        (made_with_size, "nsga2"),
        (PBGEA, "pbgea"),
        (("nsga2", {"n_offsprings": 6}), ("nsga2", {"n_offsprings": 6})),
    ],
    ids=["function", "class", "pair"],
)
def test_function_class_and_pair_are_tuned_as_the_name_is(algorithm, named):
    given, name = tuning(algorithm), tuning(named)
    assert given.objective({"pop_size": 7}) == name.objective({"pop_size": 7})
    assert given.objective({"pop_size": 7}) != given.objective({"pop_size": 30})


def test_options_that_stay_are_those_of_the_default():
    experiment = tuning(("nsga2", {"n_offsprings": 6})).validation(
        {"pop_size": 7}, problems=["adult-k-glm"], seeds=[0]
    )
    default, tuned = (one.make(get_problem("adult-k-glm")) for one in experiment.algorithms)
    assert (default.pop_size, default.n_offsprings) == (50, 6)
    assert (tuned.pop_size, tuned.n_offsprings) == (7, 6)
    assert with_options(("nsga2", {"pop_size": 9}), {"pop_size": 7}) == ("nsga2", {"pop_size": 7})


def test_object_is_tuned_by_the_parameters_that_pymoo_finds_in_it():
    problem = get_problem("german-k-glm")
    algorithm = get_algorithm("nsga2", problem, pop_size=10)
    options = parameters(algorithm)
    assert set(options) == {"mating.mutation.prob", "mating.crossover.prob"}
    tuned = tuning(algorithm, options=options)
    found = tuned.run_pymoo(n_trials=5, seed=1)
    changed = with_options(algorithm, found.X)
    assert changed.mating.crossover.prob.value == found.X["mating.crossover.prob"]
    assert algorithm.mating.crossover.prob.value != changed.mating.crossover.prob.value
    by_hand = Tuning(
        algorithm=changed, options=options, train=["german-k-glm"], seeds=[3], budget=40
    )
    assert by_hand.objective({}) == -found.F[0] == tuned.objective(found.X)
    experiment = tuned.validation(found.X, problems=["adult-k-glm"], seeds=[0])
    assert len({one.made_by(problem) for one in experiment.algorithms}) == 2


def test_other_processes_can_be_sent_a_function_with_its_options():
    made = pickle.loads(pickle.dumps(with_options(made_with_size, {"pop_size": 7})))
    assert made(get_problem("german-k-glm")).pop_size == 7


@pytest.mark.parametrize(
    ("algorithm", "options", "error", "message"),
    [
        (made_with_size, {"size": SIZES["pop_size"]}, TypeError, "unexpected keyword.*'size'"),
        (lambda problem, *, pop_size: None, SIZES, TypeError, "missing.*'pop_size'"),
        (lambda problem, pop_size=3: pop_size, SIZES, TypeError, "to make an algorithm, found 3"),
        (3, SIZES, TypeError, "algorithm 'default': expected a name, a pair.* found 3"),
        (("nsga2", 3), SIZES, TypeError, "algorithm 'default': expected a name, a pair"),
        (PBGEA(), SIZES, ValueError, "PBGEA: unknown parameter 'pop_size'"),
    ],
    ids=["option", "no default", "result", "number", "pair", "object"],
)
def test_what_cannot_be_tuned_is_told_before_any_run(
    algorithm, options, error, message, monkeypatch
):
    monkeypatch.setattr("anonopt.experiments.tuning.training.run_here", None)
    with pytest.raises(error, match=message):
        tuning(algorithm, options=options)


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({"seconds": 1.0}, "none of seconds, as the same seed would not .* found 1 seconds"),
        ({"evaluations": 9, "seconds": 2}, "none of seconds"),
        ({"generations": 5}, "expected evaluations or tests too, as a generation costs"),
        ([10, 20], "expected one to tune with, found 10 evaluations; 20 evaluations"),
        ({"tests": 5}, " tests: expected algorithms that test nodes"),
    ],
)
def test_budget_that_is_not_fair_is_refused_with_the_reason(budget, message):
    with pytest.raises(ValueError, match=f"budget.*{message}"):
        tuning("nsga2", budget=budget)


def test_seeds_and_budget_are_needed_with_problems_of_ones_own():
    for name in ("seeds", "budget"):
        with pytest.raises(TypeError, match=f"{name}: expected them with problems of one's own"):
            tuning("nsga2", **{name: None})
    for name, given in (("problems", {"seeds": [1]}), ("seeds", {"problems": ["adult-k-glm"]})):
        with pytest.raises(TypeError, match=f"{name}: expected those to test with, found None"):
            tuning("nsga2").validation({}, **given)


def test_generations_beside_evaluations_and_tests_are_kept():
    tuned = tuning("nsga2", budget={"evaluations": 200, "generations": 2})
    tuned.objective({"pop_size": 10})
    problem = get_problem("german-k-glm")
    algorithm = get_algorithm("nsga2", problem, pop_size=10)
    expected = solve(problem, algorithm, budget=200, termination=("n_gen", 2), seed=3)
    assert tuned.n_evaluations == expected.n_unique < 200
    limits = {"limit": Integer(bounds=(10**4, 10**6))}
    tests = tuning("ola", options=limits, train=["freight-5"], budget={"tests": 7})
    tests.objective({})
    assert list(tests.trials["ended"]) == [{"budget of tests reached": 1}]


def test_search_that_asks_for_known_solutions_ends_and_says_so(monkeypatch):
    monkeypatch.setattr("anonopt.runs.search.STALL_LIMIT", 500)
    options = {"eliminate_duplicates": Choice(options=[False])}
    tuned = tuning("nsga2", options=options, budget=640)
    tuned.objective({"eliminate_duplicates": False})
    (ended,) = tuned.trials["ended"]
    (reason,) = ended
    assert reason.startswith("no new solution in")
    assert tuned.n_evaluations < 640


class Fragile(PBGEA):
    """Fails with small populations."""

    def _infill(self):
        if self.pop_size < 20:
            raise ArithmeticError("too few")
        return super()._infill()


def test_run_that_fails_counts_as_nothing_found_and_is_told():
    problems = {"a": get_problem("german-k-glm"), "b": get_problem("german-k-glm", suppression=0.1)}

    def fails_on_one(problem, *, pop_size=30):
        is_first = problem.portable_fingerprint == problems["a"].portable_fingerprint
        return Fragile(pop_size=pop_size if is_first else 30)

    tuned = tuning(fails_on_one, train=problems)
    whole, half = tuned.objective({}), tuned.objective({"pop_size": 5})
    assert 0 < half < whole
    assert tuned.trials["ended"][1] == {"ArithmeticError: too few": 1, "budget reached": 1}
    assert (tuned.n_runs, tuned.n_evaluations) == (4, 3 * 40)
    with pytest.raises(RuntimeError, match=r"(?s)'pop_size': 5.*every run failed.*in _infill"):
        tuning(Fragile).objective({"pop_size": 5})


def test_pymoos_own_runs_tune_one_objective():
    problem = get_problem("german-k-glm", objectives=["glm"])
    algorithm = get_algorithm("ga", problem, pop_size=5)
    runs = MultiRun(problem, seeds=[1, 2], termination=("n_evals", 10))
    search = MixedVariableGA(pop_size=3, n_offsprings=1)
    tuned = HyperparameterProblem(algorithm, runs)
    found = minimize(tuned, search, ("n_evals", 4), seed=1)
    assert set(found.X) == set(parameters(algorithm))
    changed = with_options(algorithm, found.X)
    values = [minimize(problem, changed, ("n_evals", 10), seed=seed).F[0] for seed in (1, 2)]
    assert found.F[0] == np.mean(values)


def test_pymoos_own_runs_cannot_take_fronts():
    problem = get_problem("german-k-glm")
    algorithm = get_algorithm("nsga2", problem, pop_size=50)
    runs = MultiRun(problem, seeds=range(1, 6), termination=("n_gen", 1))
    with pytest.raises(ValueError, match="inhomogeneous"):
        runs(algorithm)
    options = {"mating.crossover.prob": Real(bounds=(0.5, 1.0))}
    ours = tuning(algorithm, options=options, seeds=[1, 2], budget=20)
    assert 0 < ours.objective({}) < 1
