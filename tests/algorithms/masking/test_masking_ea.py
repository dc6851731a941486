"""Evolution of masked files: one operator a generation, crowding, history, other starts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.algorithms import MaskingEA, without_best
from anonopt.operators import CellMutation, CloneCrossover, SinglePointCrossover
from anonopt.problems import MaskingProblem
from anonopt.runs import resume_run, save_run, solve
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history


def small_problem(objectives=("score_max",), n_rows=60):
    generator = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "zone": generator.choice(list("abcd"), n_rows),
            "size": generator.choice(["S", "M", "L"], n_rows),
        }
    )
    return MaskingProblem(frame, list(objectives), ordinal={"size": ["S", "M", "L"]})


def some_start(problem, n=12, seed=1):
    """Copies of the original with ever more random cells."""
    generator = np.random.default_rng(seed)
    original = problem.columns.codes.ravel()
    X = generator.integers(0, problem.xu.astype(int), endpoint=True, size=(n, problem.n_var))
    kept = generator.random(X.shape) < np.linspace(0.95, 0.1, n)[:, np.newaxis]
    return np.where(kept, original, X).astype(problem.space.dtype)


class Watching:
    """Remembers the population after every generation."""

    def __init__(self):
        self.F = []
        self.X = []

    def __call__(self, algorithm):
        self.F.append(algorithm.pop.get("F")[:, 0].copy())
        self.X.append(algorithm.pop.get("X").copy())


@pytest.mark.parametrize("objective", ["score_max", "score_mean", "DBRL"])
def test_each_generation_changes_one_or_two_individuals_and_none_gets_worse(objective):
    problem, watching = small_problem([objective]), Watching()
    X = some_start(problem)
    solve(problem, MaskingEA(sampling=X, n_generations=150), seed=2, callback=watching)
    n_changed = []
    for F, later, X, X_later in zip(
        watching.F, watching.F[1:], watching.X, watching.X[1:], strict=False
    ):
        changed = np.flatnonzero((X != X_later).any(axis=1))
        assert len(F) == len(later) == 12
        assert (later <= F).all()
        assert set(np.flatnonzero(F != later)) <= set(changed)
        n_changed.append(len(changed))
    assert {1} <= set(n_changed) <= {0, 1, 2}
    assert watching.F[-1].mean() < watching.F[0].mean()


def steps_of(seed=2, **options):
    """Cells that each generation changed in the population, and what the run found."""
    problem, watching = small_problem(), Watching()
    algorithm = MaskingEA(sampling=some_start(problem), n_generations=40, **options)
    result = solve(problem, algorithm, seed=seed, callback=watching)
    pairs = zip(watching.X, watching.X[1:], strict=False)
    return [(X != later).sum(axis=1) for X, later in pairs], result


def test_both_operators_may_act_in_a_generation():
    steps, _ = steps_of(prob_crossover=1.0, prob_mutation=1.0)
    assert max((step > 0).sum() for step in steps) == 2
    steps, _ = steps_of(prob_crossover=0.0, prob_mutation=1.0)
    assert {int(step.max()) for step in steps} <= {0, 1}
    assert max((step > 0).sum() for step in steps) == 2
    steps, _ = steps_of(prob_crossover=0.0, prob_mutation=0.0)
    assert not np.any(steps)


def test_every_cell_may_be_mutated():
    mutation = CellMutation(prob_cell=0.1)
    steps, _ = steps_of(prob_crossover=0.0, prob_mutation=1.0, mutation=mutation)
    assert 1 < max(int(step.max()) for step in steps) < 40


def test_runs_with_both_operators_are_the_same_for_equal_seeds():
    options = {"prob_crossover": 0.9, "prob_mutation": 0.5}
    (_, one), (_, other) = steps_of(**options), steps_of(**options)
    assert_same_history(one.history, other.history)
    assert one.algorithm.population().equals(other.algorithm.population())


def test_probability_of_a_crossover_is_checked():
    with pytest.raises(ValueError, match=r"prob_crossover: expected .*0.*1.*found 1.5"):
        MaskingEA(prob_crossover=1.5)
    with pytest.raises(ValueError, match=r"prob_cell: expected .*found -1"):
        CellMutation(prob_cell=-1)


@pytest.mark.parametrize(
    ("prob_mutation", "largest_step"), [(1.0, 1), (0.0, 120)], ids=["mutation", "crossover"]
)
def test_either_mutation_or_crossover(prob_mutation, largest_step):
    problem, watching = small_problem(), Watching()
    algorithm = MaskingEA(
        sampling=some_start(problem), n_generations=60, prob_mutation=prob_mutation
    )
    solve(problem, algorithm, seed=2, callback=watching)
    steps = [
        (X != later).sum(axis=1).max() for X, later in zip(watching.X, watching.X[1:], strict=False)
    ]
    assert max(steps) <= largest_step
    if prob_mutation == 0:
        assert max(steps) > 1
        # Crossover alone brings no cell value that nobody had.
        start = watching.X[0]
        assert all((cell == start[:, i]).any() for i, cell in enumerate(watching.X[-1][0]))


def test_history_tells_least_mean_and_largest_of_every_generation():
    problem, watching = small_problem(), Watching()
    result = solve(
        problem, MaskingEA(sampling=some_start(problem), n_generations=39), seed=2,
        callback=watching,
    )  # fmt: skip
    algorithm = result.algorithm
    history = algorithm.history()
    assert history["n_generations"].tolist() == list(range(40))
    expected = [[F.min(), F.mean(), F.max()] for F in watching.F]
    names = ["score_max_min", "score_max_mean", "score_max_max"]
    np.testing.assert_allclose(history[names], expected)
    start, end = algorithm.start(), algorithm.population()
    assert start.columns.tolist() == end.columns.tolist() == ["score_max", "DR", "IL"]
    np.testing.assert_array_equal(start["score_max"], watching.F[0])
    np.testing.assert_array_equal(end["score_max"], watching.F[-1])
    for frame in (start, end):
        np.testing.assert_array_equal(frame["score_max"], frame[["IL", "DR"]].max(axis=1))
    assert history["IL_mean"].iloc[-1] == pytest.approx(end["IL"].mean())
    assert history["DR_max"].iloc[0] == start["DR"].max()


@pytest.mark.parametrize("prob_mutation", [0.0, 0.5, 1.0])
def test_optimum_is_the_best_of_the_population_in_every_generation(prob_mutation):
    problem, best = small_problem(), []

    def watch(algorithm):
        F = algorithm.pop.get("F")[:, 0]
        best.append((algorithm.opt.get("F").item(), F.min()))
        assert algorithm.opt[0] in list(algorithm.pop)

    algorithm = MaskingEA(
        sampling=some_start(problem), n_generations=60, prob_mutation=prob_mutation
    )
    solve(problem, algorithm, seed=2, callback=watch)
    assert len(best) == 61
    assert all(optimum == least for optimum, least in best)


def test_best_of_the_run_is_the_best_of_the_population():
    problem = small_problem()
    result = solve(problem, MaskingEA(sampling=some_start(problem), n_generations=200), seed=5)
    assert result.front["score_max"].tolist() == [result.algorithm.population()["score_max"].min()]
    np.testing.assert_array_equal(problem.evaluate(result.X), result.F)
    assert result.message == "algorithm finished"


@pytest.mark.usefixtures("entropy_guard")
def test_same_seed_gives_the_same_run_and_the_printed_selection_another():
    histories = []
    for as_printed in (False, False, True):
        problem = small_problem()
        algorithm = MaskingEA(sampling=some_start(problem), n_generations=80, as_printed=as_printed)
        histories.append(solve(problem, algorithm, seed=3).algorithm.history())
    pd.testing.assert_frame_equal(histories[0], histories[1], check_exact=True)
    assert not histories[0].equals(histories[2])
    assert histories[0]["score_max_mean"].iloc[-1] != histories[2]["score_max_mean"].iloc[-1]


def test_saved_and_resumed_it_is_as_never_interrupted(tmp_path):
    problem = ao.get_problem("german-masking", objectives=["score_max"])
    options = {"pop_size": 20, "n_generations": 60}
    save_run(solve(problem, MaskingEA(**options), seed=3), tmp_path / "run.npz")
    resumed = resume_run(tmp_path / "run.npz", extra=("n_gen", 30))
    through = solve(problem, MaskingEA(pop_size=20, n_generations=90), seed=3)
    assert_same_history(resumed.history, through.history)
    np.testing.assert_array_equal(resumed.X, through.X)
    pd.testing.assert_frame_equal(
        resumed.algorithm.history(), through.algorithm.history(), check_exact=True
    )


def test_starting_population_is_that_of_the_problem():
    problem = ao.get_problem("german-masking", objectives=["score_mean"])
    result = solve(problem, MaskingEA(n_generations=5), seed=3)
    assert len(result.algorithm.start()) == 104
    assert result.history["score_mean"].nunique() > 50


def test_leaving_out_the_best_leaves_the_others_in_their_order():
    problem = small_problem()
    X = some_start(problem, n=21)
    F = problem.evaluate(X)[:, 0]
    rest = without_best(problem, X, 0.1)
    assert len(rest) == 19
    left_out = set(np.argsort(F)[:2])
    np.testing.assert_array_equal(rest, X[[i for i in range(21) if i not in left_out]])
    assert len(without_best(problem, X, 0.04)) == 21
    with pytest.raises(ValueError, match="below 1, found 1"):
        without_best(problem, X, 1)
    with pytest.raises(ValueError, match="without_best: expected a problem of 1 objective"):
        without_best(small_problem(["IL", "DR"]), X, 0.1)


def test_two_objectives_are_refused():
    problem = small_problem(["IL", "DR"])
    with pytest.raises(ValueError, match="MaskingEA: expected a problem of 1 objective, found 2"):
        solve(problem, MaskingEA(), budget=5, seed=1)


def test_one_individual_is_mutated_only():
    problem, watching = small_problem(), Watching()
    algorithm = MaskingEA(sampling=some_start(problem, n=1), n_generations=49, prob_mutation=0.0)
    result = solve(problem, algorithm, seed=1, callback=watching)
    assert result.n_evaluations == 50
    assert {len(X) for X in watching.X} == {1}


def test_history_of_other_problems_holds_their_objective():
    problem = ToyLattice((9, 9), objectives=("privacy",))
    result = solve(problem, MaskingEA(pop_size=5, n_generations=20), seed=1)
    history = result.algorithm.history()
    figures = ["privacy_min", "privacy_mean", "privacy_max"]
    assert history.columns.tolist() == ["n_generations", *figures]
    assert history["privacy_max"].iloc[-1] == result.front["privacy"].max()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pop_size": 0}, "pop_size: expected a whole number of at least 1, found 0"),
        ({"n_generations": 0}, "n_generations: expected a whole number of at least 1"),
        ({"prob_mutation": 1.5}, "prob_mutation: expected a number in 0..1"),
        ({"n_leaders": 0}, "n_leaders: expected a whole number of at least 1"),
        ({"crossover": CloneCrossover()}, "expected 2 parents and as many children, found 1"),
    ],
)
def test_parameters_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        MaskingEA(**options)


def test_operators_can_be_replaced():
    problem = ToyLattice((9, 9), objectives=("loss",))
    algorithm = MaskingEA(
        pop_size=5, n_generations=50, mutation=CellMutation(), crossover=SinglePointCrossover()
    )
    assert solve(problem, algorithm, seed=1).success
