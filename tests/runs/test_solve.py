"""The driver: stops, seeds, terminations, callbacks, what it refuses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.algorithm import Algorithm
from pymoo.core.callback import Callback
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.termination import NoTermination
from pymoo.optimize import minimize
from pymoo.termination import get_termination
from pymoo.termination.default import DefaultMultiObjectiveTermination

import anonopt as ao
from anonopt.algorithms import OLA, PBGEA, Datafly, ExhaustiveSearch, RandomSearch, Samarati, nsga2
from anonopt.operators import SinglePointCrossover, StepMutation, UniformSampling
from anonopt.problems import LatticeProblem
from anonopt.runs import MemoizingEvaluator, resume_run, save_run, solve
from anonopt.runs.search import STALL_LIMIT
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history


class Stuck(Algorithm):
    """Asks for the bottom node for ever, or after the first time for nothing at all."""

    def __init__(self, *, n_requests: int):
        super().__init__(termination=NoTermination())
        self.n_requests = n_requests

    def _initialize_infill(self):
        return Population.new("X", np.zeros((1, self.problem.n_var), dtype=np.int64))

    def _infill(self):
        if self.n_requests == 0:
            return None
        return Population.new("X", np.zeros((self.n_requests, self.problem.n_var), dtype=np.int64))


class Counting(Callback):
    """Remembers what it saw."""

    def __init__(self):
        super().__init__()
        self.n_unique = []

    def notify(self, algorithm):
        self.n_unique.append(algorithm.evaluator.n_unique)


def pymoo_nsga2(**options):
    return NSGA2(
        pop_size=10,
        sampling=UniformSampling(),
        crossover=SinglePointCrossover(),
        mutation=StepMutation(),
        **options,
    )


def test_same_run_as_minimize():
    problem = ToyLattice()
    expected = minimize(problem, PBGEA(pop_size=10, n_generations=7), seed=3)
    result = solve(problem, PBGEA(pop_size=10, n_generations=7), seed=3)
    assert result.message == "algorithm finished"
    assert result.algorithm.n_gen == expected.algorithm.n_gen
    np.testing.assert_array_equal(result.algorithm.pop.get("X"), expected.pop.get("X"))
    np.testing.assert_array_equal(result.algorithm.opt.get("X"), expected.opt.get("X"))
    assert result.n_evaluations == expected.algorithm.evaluator.n_eval


def test_given_termination_replaces_that_of_the_algorithm_and_is_not_used_up():
    termination = get_termination("n_gen", 4)
    for _ in range(2):
        result = solve(ToyLattice(), PBGEA(pop_size=5), termination=termination, seed=1)
        assert result.n_evaluations == 20
        assert result.message == "algorithm finished"
    assert not termination.has_terminated()


def test_whichever_of_budget_and_termination_comes_first():
    problem = ToyLattice()
    short = solve(problem, RandomSearch(batch_size=10), budget=60, termination=("n_gen", 3), seed=1)
    assert (short.n_unique, short.message) == (30, "algorithm finished")
    cut = solve(problem, RandomSearch(batch_size=10), budget=25, termination=("n_gen", 3), seed=1)
    assert (cut.n_unique, cut.message) == (25, "budget reached")


def test_budget_is_not_cut_short_by_pymoos_default_termination():
    problem = ToyLattice()
    algorithm = pymoo_nsga2()
    assert isinstance(algorithm.termination, DefaultMultiObjectiveTermination)
    result = solve(problem, algorithm, budget=70, seed=1)
    assert isinstance(result.algorithm.termination, NoTermination)
    unlimited = solve(problem, algorithm, seed=1)
    assert isinstance(unlimited.algorithm.termination, DefaultMultiObjectiveTermination)


def test_budget_reached_exactly_at_the_end_of_a_generation():
    result = solve(ToyLattice(), RandomSearch(batch_size=10), budget=20, seed=1)
    assert (result.n_unique, result.n_evaluations) == (20, 20)
    assert result.message == "budget reached"


def test_budget_of_the_whole_search_space():
    result = solve(ToyLattice((2, 1)), RandomSearch(), budget=6, seed=1)
    assert result.message == "search space exhausted"


def test_first_population_larger_than_the_budget():
    result = solve(ToyLattice(), PBGEA(), budget=3, seed=1)
    assert result.n_unique == 3
    assert result.success


@pytest.mark.parametrize("n_requests", [0, 1, 700])
def test_algorithm_that_finds_nothing_new_is_stopped(n_requests):
    result = solve(ToyLattice(), Stuck(n_requests=n_requests), budget=10, seed=1)
    per_step = max(n_requests, 1)
    n_stalled = -(-STALL_LIMIT // per_step) * per_step
    assert result.message == f"no new solution in {n_stalled} requests"
    assert result.n_unique == 1


class Fading(Stuck):
    """Asks for the bottom node a few times, then for nothing."""

    def _infill(self):
        self.n_requests -= 1
        return super()._infill() if self.n_requests > 0 else None


@pytest.mark.parametrize("n_requests", [3, 4, 7])
def test_requests_and_steps_without_any_are_counted_together(n_requests):
    result = solve(ToyLattice(), Fading(n_requests=n_requests), budget=10, seed=1)
    n_repeated = sum(range(1, n_requests))
    assert result.message == f"no new solution in {STALL_LIMIT} requests"
    n_steps = 1 + (n_requests - 1) + (STALL_LIMIT - n_repeated)
    assert result.algorithm.n_iter - 1 == n_steps


def test_end_for_want_of_offspring_is_told():
    problem = ToyLattice()
    algorithm = nsga2(
        problem, pop_size=2, sampling=np.array([[0, 0, 0]]), mutation=StepMutation(prob_var=0.0)
    )
    result = solve(problem, algorithm, budget=20, seed=1)
    assert result.message == "algorithm finished: no new offspring"
    assert result.n_unique == 1


def test_seed_is_drawn_and_recorded():
    problem = ToyLattice()
    one, other = (solve(problem, RandomSearch(), budget=20) for _ in range(2))
    assert one.seed != other.seed
    again = solve(problem, RandomSearch(), budget=20, seed=one.seed)
    assert_same_history(again.history, one.history)


def test_seed_of_the_algorithm_is_used_unless_one_is_given():
    problem, algorithm = ToyLattice(), pymoo_nsga2(seed=11)
    own = solve(problem, algorithm, budget=20)
    assert own.seed == 11
    assert_same_history(solve(problem, pymoo_nsga2(), budget=20, seed=11).history, own.history)
    assert solve(problem, algorithm, budget=20, seed=np.int64(12)).seed == 12


def test_seed_has_to_be_a_whole_number_from_zero_on():
    with pytest.raises(ValueError, match="seed: expected a whole number of at least 0, found -1"):
        solve(ToyLattice(), RandomSearch(), seed=-1)
    with pytest.raises(TypeError, match=r"seed: expected a whole number .*, found 1\.5"):
        solve(ToyLattice(), RandomSearch(), seed=1.5)


def test_callbacks_one_or_several():
    one = Counting()
    solve(ToyLattice(), RandomSearch(batch_size=10), budget=30, seed=1, callback=one)
    assert one.n_unique == [10, 20, 30]
    seen, two = [], Counting()
    functions = [two, lambda algorithm: seen.append(algorithm.n_gen)]
    solve(ToyLattice(), RandomSearch(batch_size=10), budget=30, seed=1, callback=functions)
    assert (two.n_unique, seen) == ([10, 20, 30], [1, 2, 3])


def test_unknown_keyword_is_refused():
    with pytest.raises(TypeError, match="sead"):
        solve(ToyLattice(), RandomSearch(), sead=3)


def test_wrong_inputs_are_refused():
    with pytest.raises(TypeError, match=r"found Problem .*minimize"):
        solve(Problem(n_var=1, n_obj=1, xl=0, xu=1), RandomSearch())
    with pytest.raises(TypeError, match=r"found .*PBGEA"):
        solve(ToyLattice(), PBGEA)
    with pytest.raises(ValueError, match="budget: expected a whole number of at least 1, found 0"):
        solve(ToyLattice(), RandomSearch(), budget=0)
    with pytest.raises(ValueError, match="set up before"):
        solve(ToyLattice(), RandomSearch().setup(ToyLattice()))
    with pytest.raises(ValueError, match="found MemoizingEvaluator"):
        solve(ToyLattice(), pymoo_nsga2(evaluator=MemoizingEvaluator()))


def test_error_in_the_problem_comes_through():
    class Broken(ToyLattice):
        def _values(self, X):
            return np.full((len(X), 2), np.nan), None

    with pytest.raises(ValueError, match="objective 'privacy': expected a finite value, found nan"):
        solve(Broken(), RandomSearch(), seed=1)


def test_progress_bar_goes_to_standard_error(capsys):
    solve(ToyLattice(), RandomSearch(batch_size=10), budget=40, seed=1, progress=True)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "100%" in printed.err
    assert "40 solutions" in printed.err
    solve(ToyLattice(), ExhaustiveSearch(), seed=1)
    assert capsys.readouterr().err == ""


def test_time_and_counts_are_told():
    result = solve(ToyLattice(), PBGEA(pop_size=10, n_generations=9), seed=1)
    assert result.seconds > 0
    assert result.n_unique == len(result.history) < result.n_evaluations == 100


def fixed_k_problem():
    generator = np.random.default_rng(0)
    columns = ["age", "zip", "work"]
    frame = pd.DataFrame({name: generator.integers(0, 16, 60) for name in columns})
    hierarchy = ao.Hierarchy.intervals(range(16), width=2, fan_outs=[2, 2])
    table = ao.Microdata(
        frame, quasi_identifiers=columns, hierarchies=dict.fromkeys(columns, hierarchy)
    )
    return LatticeProblem(table, ["height"], k=3)


@pytest.mark.parametrize("search", [OLA, Samarati, Datafly])
def test_budget_of_tests_is_kept_and_told_apart_from_that_of_evaluations(search):
    problem = fixed_k_problem()
    whole = solve(problem, search(), seed=1)
    assert (whole.message, whole.n_tests) == ("algorithm finished", whole.algorithm.n_tests)
    assert whole.n_tests > 3
    cut = solve(problem, search(), test_budget=3, seed=1)
    assert (cut.message, cut.n_tests) == ("budget of tests reached", 3)
    assert cut.front["height"][0] >= whole.front["height"][0]
    enough = solve(problem, search(), test_budget=whole.n_tests, seed=1)
    assert (enough.message, enough.n_tests) == ("algorithm finished", whole.n_tests)
    first = solve(problem, search(), budget=1, test_budget=100, seed=1)
    assert (first.message, first.n_unique) == ("budget reached", 1)


def test_what_became_of_each_node_is_told_by_the_algorithm_of_the_result():
    result = solve(fixed_k_problem(), OLA(trace=True), seed=1)
    trace = result.algorithm.trace()
    assert trace["n_tests"].iloc[-1] == result.n_tests
    tested = trace["event"].isin(["feasible", "infeasible"])
    assert tested.sum() == result.n_tests


def test_budget_of_tests_is_for_searches_that_test():
    problem = ToyLattice()
    assert solve(problem, PBGEA(), budget=5, seed=1).n_tests == 0
    with pytest.raises(ValueError, match=r"test_budget: expected .* tests nodes, .* found PBGEA"):
        solve(problem, PBGEA(), test_budget=5)
    with pytest.raises(ValueError, match="test_budget: expected a whole number of at least 1"):
        solve(fixed_k_problem(), OLA(), test_budget=0)


def test_budget_of_tests_is_saved_and_cannot_be_lifted(tmp_path):
    problem, path = fixed_k_problem(), tmp_path / "run.npz"
    save_run(solve(problem, OLA(), test_budget=3, seed=1), path)
    again = resume_run(path, problem=problem)
    assert (again.message, again.n_tests) == ("budget of tests reached", 3)
    with pytest.raises(ValueError, match="ended by its budget of 3 tests"):
        resume_run(path, problem=problem, extra=1000)


def test_a_name_in_place_of_an_algorithm_is_refused_with_the_call_that_makes_one():
    expected = r"found 'ga' \(by name: ao.get_algorithm\('ga', problem\)\)"
    with pytest.raises(TypeError, match=expected):
        solve(ao.get_problem("patients-local-glm"), "ga")
