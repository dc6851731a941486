"""The evolutionary algorithm for PRAM matrices: Algorithm 6, and what every search promises."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from pymoo.optimize import minimize

import anonopt as ao
from anonopt.algorithms import PRAMEA, get_algorithm
from anonopt.data.columns.gray_codes import gray_decode
from anonopt.operators import SinglePointCrossover
from anonopt.problems import PRAMProblem
from anonopt.runs import MemoizingEvaluator, resume_run, save_run
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history, without_seconds


@pytest.fixture
def problem() -> PRAMProblem:
    return ao.get_problem("german-pram", objectives=["score_mean"])


def test_a_generation_flips_bits_or_swaps_ranges_and_the_better_matrices_stay(problem):
    algorithm = PRAMEA(n_generations=200)
    algorithm.setup(problem, seed=4)
    algorithm.next()
    np.testing.assert_array_equal(algorithm.pop[0].X, problem.start)
    n_flips = n_swaps = n_better = 0
    while algorithm.has_next():
        before = algorithm.pop[0]
        algorithm.next()
        child = algorithm.off[0]
        changed = np.flatnonzero(child.X != before.X)
        flipped = before.X[changed] ^ child.X[changed]
        # One bit of each of the three matrices, of 16, 25 and 25 numbers.
        if len(changed) == 3 and (flipped & (flipped - 1) == 0).all():
            assert np.searchsorted([16, 41, 66], changed, side="right").tolist() == [0, 1, 2]
            n_flips += 1
        else:
            for part in (slice(16), slice(16, 41), slice(41, 66)):
                assert sorted(child.X[part]) == sorted(before.X[part])
            n_swaps += 1
        is_better = child.F[0] < before.F[0]
        n_better += is_better
        assert algorithm.pop[0] is (child if is_better else before)
    assert n_flips + n_swaps == 200
    assert 70 < n_flips < 130
    assert n_better > 10


def test_history_never_rises_and_begins_with_the_start(problem):
    result = ao.solve(problem, PRAMEA(n_generations=150), seed=1)
    history = result.algorithm.history()
    assert history["n_generations"].tolist() == list(range(151))
    score = history["score_mean_min"]
    assert (score.diff().dropna() <= 0).all()
    assert (score == history["score_mean_max"]).all()
    np.testing.assert_allclose(score, (history["IL_mean"] + history["DR_mean"]) / 2)
    start = problem.evaluate(problem.start[np.newaxis])[0, 0]
    assert score.iloc[0] == start
    assert score.iloc[-1] == result.F[0, 0] < start - 2
    assert result.n_evaluations == 151


def test_start_can_be_given(problem):
    start = problem.genome([np.eye(4), np.eye(5), np.eye(5)])
    result = ao.solve(problem, PRAMEA(sampling=start[np.newaxis], n_generations=1), seed=1)
    assert result.algorithm.history()["IL_min"].iloc[0] == 0


@pytest.mark.usefixtures("entropy_guard")
def test_same_seed_gives_the_same_run(problem):
    runs = [ao.solve(problem, PRAMEA(n_generations=40), seed=seed) for seed in (3, 3, 4)]
    assert_same_history(runs[0].history, runs[1].history)
    assert not without_seconds(runs[0].history).equals(without_seconds(runs[2].history))


def test_genomes_stay_within_the_bounds_and_keep_their_objectives(problem):
    outcome = minimize(problem, PRAMEA(n_generations=60), seed=2)
    X = outcome.pop.get("X")
    assert X.dtype == np.int64
    assert (gray_decode(X) <= 1023).all()
    np.testing.assert_array_equal(problem.evaluate(X), outcome.pop.get("F"))


def test_less_violated_matrices_go_first():
    rules = {"diagonal": (0.55, 0.75), "diagonal_by": "constraint"}
    options = {"columns": ["employment"], "crossed": "housing", "expected": True, "rules": rules}
    problem = ao.get_problem("german-pram", objectives=["bivariate_difference"], **options)
    result = ao.solve(problem, PRAMEA(n_generations=600), seed=1)
    assert result.success
    diagonal = problem.matrices(result.X[0])[0].probabilities.diagonal()
    assert ((diagonal >= 0.55) & (diagonal <= 0.75)).all()


def test_pickled_in_mid_run_it_goes_on_as_if_nothing_had_happened(problem):
    algorithm = PRAMEA(n_generations=30)
    algorithm.setup(problem, seed=1, evaluator=MemoizingEvaluator())
    for _ in range(10):
        algorithm.next()
    runs = [algorithm, pickle.loads(pickle.dumps(algorithm)), copy.deepcopy(algorithm)]
    for run in runs:
        while run.has_next():
            run.next()
        pd.testing.assert_frame_equal(run.history(), algorithm.history())
        np.testing.assert_array_equal(run.pop.get("X"), algorithm.pop.get("X"))


def test_saved_and_resumed_it_is_as_never_interrupted(problem, tmp_path):
    first = ao.solve(problem, get_algorithm("pramea", problem), budget=20, seed=3)
    save_run(first, tmp_path / "run.npz")
    resumed = resume_run(tmp_path / "run.npz", extra=15)
    whole = ao.solve(problem, get_algorithm("pramea", problem), budget=35, seed=3)
    assert_same_history(resumed.history, whole.history)
    pd.testing.assert_frame_equal(resumed.front, whole.front, check_exact=True)


def test_used_again_it_begins_anew(problem):
    algorithm = PRAMEA(n_generations=20)
    one, other = (ao.solve(problem, algorithm, seed=1) for _ in range(2))
    assert len(other.algorithm.history()) == 21
    assert_same_history(one.history, other.history)


def test_other_problems_are_refused():
    with pytest.raises(ValueError, match="pramea: expected a space of matrices, found levels"):
        get_algorithm("pramea", ToyLattice(objectives=("loss",)))
    simplex = ao.get_problem("german-pram", objectives=["score_max"], encoding="simplex")
    with pytest.raises(
        ValueError, match="expected genomes of whole numbers, found matrices of float"
    ):
        get_algorithm("pramea", simplex)
    with pytest.raises(ValueError, match=r"pramea: expected a problem of .*1 objective"):
        get_algorithm("pramea", ao.get_problem("german-pram"))


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"n_generations": 0}, "n_generations: expected a whole number of at least 1, found 0"),
        ({"prob_mutation": 1.5}, r"prob_mutation: expected a number in 0\.\.1, found 1\.5"),
        ({"crossover": SinglePointCrossover()}, "1 parents and as many children, found 2 parents"),
    ],
)
def test_parameters_out_of_range_are_refused(options, found):
    with pytest.raises(ValueError, match=found):
        PRAMEA(**options)


def test_a_redrawn_parent_meets_its_child_with_a_new_fitness(problem):
    algorithm = PRAMEA(n_generations=60, redraw_parent=True)
    algorithm.setup(problem, seed=4)
    algorithm.next()
    n_kept = 0
    while algorithm.has_next():
        before = algorithm.pop[0]
        generation = algorithm.n_iter
        algorithm.next()
        child, now = algorithm.off[0], algorithm.pop[0]
        again = problem.redrawn(generation).evaluate(before.X[np.newaxis])[0, 0]
        is_better = child.F[0] < again
        n_kept += not is_better
        np.testing.assert_array_equal(now.X, child.X if is_better else before.X)
        assert now.F[0] == (child.F[0] if is_better else again)
    assert n_kept > 20
    score = algorithm.history()["score_mean_min"]
    assert (score.diff().dropna() > 0).any()


def test_redrawing_needs_draws():
    expected = ao.get_problem("german-pram", objectives=["score_mean"], expected=True)
    with pytest.raises(ValueError, match="draws: expected those of each candidate's own"):
        ao.solve(expected, PRAMEA(redraw_parent=True), seed=1)


@pytest.mark.usefixtures("entropy_guard")
def test_same_seed_gives_the_same_run_with_redrawn_parents(problem):
    algorithm = PRAMEA(n_generations=30, redraw_parent=True)
    runs = [ao.solve(problem, algorithm, seed=3) for _ in range(2)]
    histories = [run.algorithm.history() for run in runs]
    pd.testing.assert_frame_equal(*histories)
    assert runs[0].n_evaluations == 31
