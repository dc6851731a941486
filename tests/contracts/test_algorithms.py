"""What every registered algorithm promises, on small lattices with known answers."""

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
from anonopt.problems import get_problem
from anonopt.runs import MemoizingEvaluator, Result, resume_run, save_run, solve
from tests.contracts.toy_problems import ToyLattice, front_of_all
from tests.histories import assert_same_history, without_seconds

LATTICE = ToyLattice().space.kind

ON_LEVELS = {
    name: entry
    for name, entry in ALGORITHMS.items()
    if (entry.spaces is None or LATTICE in entry.spaces) and not entry.real_numbers
}
ENTRIES = {
    name: entry for name, entry in ON_LEVELS.items() if not (entry.fixed_k or entry.node_measures)
}
"""Those that take nothing but problems of nodes, equations, matrices or real numbers have files of
their own."""

WIDE = 9, 9, 9
"""Heights of a lattice that no search has converged on before a small budget is used up."""
SEEDS = 7, 8, 9

every = pytest.mark.parametrize("name", ENTRIES)
multi_objective = pytest.mark.parametrize(
    "name", [name for name, entry in ENTRIES.items() if entry.multi_objective]
)
single_objective = pytest.mark.parametrize(
    "name", [name for name, entry in ENTRIES.items() if entry.single_objective]
)


def toy_for(name: str, *args: Any, **options: Any) -> ToyLattice:
    """A toy lattice of two objectives, or of one if the algorithm takes no more."""
    if not ALGORITHMS[name].multi_objective:
        options["objectives"] = ("loss",)
    return ToyLattice(*args, **options)


def small(name: str, problem: ToyLattice, size: int = 10) -> Algorithm:
    """The algorithm with a population or batch of the given size, if it has one."""
    algorithm = get_algorithm(name, problem)
    sizes = [option for option in ("batch_size", "pop_size") if hasattr(algorithm, option)]
    return get_algorithm(name, problem, **dict.fromkeys(sizes[:1], size))


def genomes(frame: pd.DataFrame, problem: ToyLattice) -> set[tuple[int, ...]]:
    return {tuple(row) for row in frame[list(problem.space.names)].to_numpy().tolist()}


def outcome(name: str, seed: int) -> tuple[Any, ...]:
    problem = toy_for(name, WIDE)
    result = solve(problem, small(name, problem), budget=45, seed=seed)
    return without_seconds(result.history), result.front, result.n_evaluations, result.message


def assert_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    for left, right in zip(one, other, strict=True):
        if isinstance(left, pd.DataFrame):
            pd.testing.assert_frame_equal(left, right, check_exact=True)
        else:
            assert left == right


@pytest.fixture(scope="module")
def earlier():
    """Runs of all algorithms of one seed, after which all have run with other ones."""
    return {(seed, name): outcome(name, seed) for seed in SEEDS for name in ENTRIES}


@every
def test_same_seed_gives_the_same_run_also_after_other_runs(name, earlier):
    assert_same(earlier[SEEDS[0], name], outcome(name, SEEDS[0]))


@every
def test_seed_matters_exactly_if_declared(name, earlier):
    histories = [earlier[seed, name][0] for seed in SEEDS]
    differ = any(not histories[0].equals(history) for history in histories[1:])
    assert differ is ALGORITHMS[name].stochastic


@every
@pytest.mark.parametrize("least_privacy", [None, 6, 1000])
@pytest.mark.usefixtures("entropy_guard")
def test_all_randomness_comes_from_the_seed(name, least_privacy):
    problem = toy_for(name, least_privacy=least_privacy)
    solve(problem, small(name, problem), termination=("n_gen", 12), seed=3)


@every
@pytest.mark.parametrize("evaluator", [None, MemoizingEvaluator])
def test_solutions_keep_the_objectives_of_their_genomes(name, evaluator):
    problem = toy_for(name, least_privacy=6)
    options = {} if evaluator is None else {"evaluator": evaluator()}
    outcome = minimize(problem, small(name, problem), ("n_gen", 6), seed=1, **options)
    for population in (outcome.pop, outcome.opt):
        F, G = problem.evaluate(population.get("X"), return_values_of=["F", "G"])
        np.testing.assert_array_equal(population.get("F"), F)
        np.testing.assert_array_equal(population.get("G"), G)


@every
def test_genomes_are_integers_within_the_bounds(name):
    problem = toy_for(name)
    minimize(problem, small(name, problem), ("n_gen", 6), seed=1)
    for X in problem.batches:
        assert X.dtype == np.int64
        assert np.all((X >= problem.xl) & (X <= problem.xu))
    problem = toy_for(name, WIDE)
    result = solve(problem, small(name, problem), budget=30, seed=1)
    assert result.X.dtype == np.int64
    assert {str(result.history[gene].dtype) for gene in problem.space.names} == {"int64"}


@every
def test_budget_is_used_up_and_never_exceeded(name):
    for budget in (1, 7, 10, 33):
        problem = toy_for(name, WIDE)
        result = solve(problem, small(name, problem), budget=budget, seed=2)
        asked_for = np.concatenate(problem.batches)
        assert len(asked_for) == len(np.unique(asked_for, axis=0)) == budget
        assert result.n_unique == len(result.history) == budget
        assert result.n_evaluations >= budget
        assert result.message == "budget reached"


@every
def test_pickled_in_mid_run_it_goes_on_as_if_nothing_had_happened(name):
    problem = toy_for(name, least_privacy=6)
    algorithm = small(name, problem)
    algorithm.setup(
        problem, termination=("n_gen", 8), seed=1, evaluator=MemoizingEvaluator(budget=200)
    )
    for _ in range(3):
        algorithm.next()
    revived = pickle.loads(pickle.dumps(algorithm))
    copied = copy.deepcopy(algorithm)
    for run in (algorithm, revived, copied):
        while run.has_next():
            run.next()
    for run in (revived, copied):
        assert run.n_iter == algorithm.n_iter
        assert run.evaluator.n_unique == algorithm.evaluator.n_unique
        for attribute in ("X", "F"):
            for mine, theirs in ((algorithm.pop, run.pop), (algorithm.opt, run.opt)):
                np.testing.assert_array_equal(mine.get(attribute), theirs.get(attribute))


@every
@pytest.mark.parametrize("least_privacy", [None, 6])
@pytest.mark.parametrize(
    ("first", "extra", "whole"),
    [
        ({"budget": 23}, 18, {"budget": 41}),
        ({"termination": ("n_gen", 2)}, ("n_gen", 2), {"termination": ("n_gen", 4)}),
    ],
    ids=["evaluations", "generations"],
)
def test_saved_and_resumed_it_is_as_never_interrupted(
    name, least_privacy, first, extra, whole, tmp_path
):
    problem = toy_for(name, WIDE, least_privacy=least_privacy)
    save_run(solve(problem, small(name, problem), seed=3, **first), tmp_path / "run.npz")
    problem.batches.clear()
    resumed = resume_run(tmp_path / "run.npz", problem=problem, extra=extra)
    n_measured = sum(len(X) for X in problem.batches)
    assert_same_end(resumed, solve(problem, small(name, problem), seed=3, **whole))
    assert n_measured < resumed.n_unique


@pytest.mark.parametrize("name", ON_LEVELS)
@pytest.mark.filterwarnings("ignore:invalid value encountered in divide")  # SPEA2 of pymoo
def test_resumed_on_a_table_it_is_as_never_interrupted(name, tmp_path):
    entry = ALGORITHMS[name]
    objectives = ["k", "glm"] if entry.multi_objective else ["generalization_level"]
    limit = {"k": 3} if entry.fixed_k else {"constraints": {"k": 2}}
    problem = get_problem("german-k-glm", objectives=objectives, **limit)
    # The searches that test nodes hand out few before they end.
    budget, extra = (1, 1) if entry.fixed_k or entry.node_measures else (30, 25)
    first = solve(problem, get_algorithm(name, problem), budget=budget, seed=3)
    assert first.message.startswith("budget reached")
    save_run(first, tmp_path / "run.npz")
    resumed = resume_run(tmp_path / "run.npz", extra=extra)
    through = solve(problem, get_algorithm(name, problem), budget=budget + extra, seed=3)
    assert_same_end(resumed, through)
    assert resumed.n_unique == budget + extra


def assert_same_end(one: Result, other: Result) -> None:
    assert_same_history(one.history, other.history)
    pd.testing.assert_frame_equal(one.front, other.front, check_exact=True)
    for name in ("n_evaluations", "n_unique", "seed", "message", "success"):
        assert getattr(one, name) == getattr(other, name)
    for attribute in ("X", "F", "G"):
        np.testing.assert_array_equal(
            one.algorithm.pop.get(attribute), other.algorithm.pop.get(attribute)
        )


@every
@pytest.mark.parametrize("least_privacy", [None, 3])
def test_tiny_lattice_is_covered_and_the_run_ends_by_itself(name, least_privacy):
    problem = toy_for(name, (2, 1), least_privacy=least_privacy)
    result = solve(problem, small(name, problem, size=50), seed=1)
    assert sum(len(X) for X in problem.batches) == 6
    assert result.n_unique == 6
    assert result.message == "search space exhausted"
    assert genomes(result.front, problem) == front_of_all(problem)


@every
@pytest.mark.filterwarnings("ignore:invalid value encountered in divide")  # SPEA2 of pymoo
def test_lattice_of_a_single_node(name):
    problem = toy_for(name, (0, 0))
    result = solve(problem, small(name, problem), seed=1)
    assert genomes(result.front, problem) == {(0, 0)}
    assert result.message == "search space exhausted"


@every
@pytest.mark.parametrize("budget", [None, 40])
def test_nothing_feasible_is_said_with_the_least_infeasible_solution(name, budget):
    problem = toy_for(name, (2, 1), least_privacy=7)
    result = solve(problem, small(name, problem, size=50), budget=budget, seed=1)
    assert not result.success
    assert result.message == (
        "search space exhausted; no feasible solution among 6 evaluated; "
        "the least infeasible, column0=2, column1=1, fails privacy by 1"
    )
    assert genomes(result.least_infeasible, problem) == {(2, 1)}
    assert result.least_infeasible["violation"].tolist() == [1.0]
    assert list(result.front.columns) == [*problem.space.names, *problem.objective_names]
    assert len(result.front) == len(result.X) == len(result.F) == 0


@every
def test_pymoo_minimize_survives_an_infeasible_problem(name):
    problem = toy_for(name, least_privacy=1000)
    outcome = minimize(problem, small(name, problem), ("n_gen", 8), seed=1)
    assert outcome.X is None
    least = minimize(
        problem, small(name, problem), ("n_gen", 30), seed=1, return_least_infeasible=True
    )
    assert len(least.opt) == 1


@every
def test_constrained_front_holds_feasible_solutions_only(name):
    assert ALGORITHMS[name].constraints
    problem = toy_for(name, least_privacy=24)
    result = solve(problem, small(name, problem, size=25), termination=("n_gen", 3), seed=1)
    assert result.success
    assert (np.prod(result.X + 1, axis=1) >= 24).all()


@every
def test_whole_lattice_gives_the_true_front(name):
    problem = toy_for(name, (3, 2, 2), least_privacy=4)
    result = solve(problem, small(name, problem), termination=("n_gen", 500), seed=5)
    # Which heuristics come by every node is not promised; what they saw must be judged right.
    if ALGORITHMS[name].exact or name == "random":
        assert result.n_unique == problem.space.size
    seen = genomes(result.history, problem)
    assert genomes(result.front, problem) >= front_of_all(problem) & seen
    if result.n_unique == problem.space.size:
        assert genomes(result.front, problem) == front_of_all(problem)


@single_objective
def test_one_objective(name):
    problem = ToyLattice(objectives=("privacy",))
    result = solve(problem, small(name, problem), termination=("n_gen", 30), seed=1)
    assert result.front.to_numpy().tolist() == [[4, 3, 3, 80.0]]
    assert result.F.tolist() == [[-80.0]]


@multi_objective
def test_three_objectives(name):
    problem = ToyLattice(objectives=("privacy", "loss", "spread"))
    result = solve(problem, small(name, problem), budget=70, seed=1)
    front = result.front[list(problem.objective_names)].to_numpy()
    assert len(front) > 3
    np.testing.assert_array_equal(problem.minimized(front), result.F)


@every
def test_number_of_objectives_out_of_its_range_is_refused(name):
    entry = ALGORITHMS[name]
    for objectives, able in (
        (("privacy",), entry.single_objective),
        (("privacy", "loss"), entry.multi_objective),
    ):
        problem = ToyLattice(objectives=objectives)
        if able:
            get_algorithm(name, problem)
        else:
            with pytest.raises(ValueError, match=f"{name}: expected a problem of .* objective"):
                get_algorithm(name, problem)


@every
def test_algorithm_object_can_be_used_again(name):
    problem = toy_for(name, WIDE)
    algorithm = small(name, problem)
    first, second = (solve(problem, algorithm, budget=30, seed=4) for _ in range(2))
    assert algorithm.problem is None
    assert_same_history(first.history, second.history)


@every
def test_unknown_option_is_refused(name):
    with pytest.raises(TypeError, match="pop_sise"):
        get_algorithm(name, toy_for(name), pop_sise=10)


@every
def test_history_of_a_run_shares_the_table(name):
    problem = toy_for(name)
    outcome = minimize(problem, small(name, problem), ("n_gen", 3), seed=1, save_history=True)
    assert all(past.problem.table is problem.table for past in outcome.history)


@every
def test_entry_is_documented(name):
    entry = ALGORITHMS[name]
    assert entry.summary
    assert entry.paper
