"""Memetic search of PRAM matrices: fronts, scores, bounds, equal seeds, saved runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.algorithms import MemeticPRAM, nsga2
from anonopt.problems import PRAMProblem
from anonopt.runs import resume_run, save_run, solve
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history, without_seconds

WORK = 600


def german(objectives=("IL", "DR"), **options):
    return ao.get_problem(
        "german-pram", objectives=list(objectives), **{"expected": True, **options}
    )


def area(front):
    """Share of the square up to 100 that a front dominates."""
    front = front.sort_values("IL")
    left = np.append(front["IL"].to_numpy()[1:], 100.0) - front["IL"].to_numpy()
    return float((left * (100 - front["DR"].to_numpy())).sum()) / 10_000


def test_its_front_is_better_than_that_of_nsga2_with_every_step_counted():
    problem = german()
    result = solve(problem, MemeticPRAM(), budget=70, seed=1)
    assert result.n_unique + result.algorithm.n_steps_made <= WORK
    other = solve(problem, nsga2(problem), budget=WORK, seed=1)
    assert area(result.front) > area(other.front) + 0.05


@pytest.mark.parametrize("objective", ["score_max", "score_mean"])
@pytest.mark.parametrize("expected", [False, True])
def test_a_score_is_its_own_aim(objective, expected):
    algorithm = MemeticPRAM(n_generations=10)
    result = solve(german([objective], expected=expected), algorithm, seed=1)
    course = result.algorithm.history()[f"{objective}_min"]
    assert (np.diff(course) <= 0).all()
    assert course.iloc[-1] < 0.8 * course.iloc[0]


def test_scores_of_another_loss_are_aimed_at():
    problem = german(["score_mean"], loss="CTBIL")
    result = solve(problem, MemeticPRAM(n_generations=8), seed=1)
    other = solve(german(["score_mean"]), MemeticPRAM(n_generations=8), seed=1)
    assert result.front["score_mean"].item() < problem.evaluate(other.X).min()


def test_bounds_decide_what_is_kept():
    problem = german(["IL"], constraints={"DR": 20.0})
    result = solve(problem, MemeticPRAM(n_generations=15), seed=1)
    assert result.history.loc[result.history["feasible"], "IL"].min() < 25


def test_equal_seeds_are_equal_runs(entropy_guard):
    histories = [
        without_seconds(solve(german(expected=False), MemeticPRAM(), budget=26, seed=3).history)
        for _ in range(2)
    ]
    pd.testing.assert_frame_equal(*histories, check_exact=True)


def test_it_starts_with_matrices_that_are_evenly_spread():
    problem = german()
    start = problem.space.starting_population(np.random.default_rng(0))
    algorithm = MemeticPRAM(n_start=3)
    algorithm.setup(problem, seed=1)
    algorithm.next()
    np.testing.assert_array_equal(algorithm.pop.get("X"), start[[0, len(start) // 2, -1]])


def test_saved_and_resumed_it_is_as_never_interrupted(tmp_path):
    problem = german()
    options = {"n_start": 5, "n_steps": 2}
    save_run(solve(problem, MemeticPRAM(n_generations=2, **options), seed=3), tmp_path / "r.npz")
    resumed = resume_run(tmp_path / "r.npz", extra=("n_gen", 1))
    through = solve(problem, MemeticPRAM(n_generations=3, **options), seed=3)
    assert_same_history(resumed.history, through.history)
    np.testing.assert_array_equal(resumed.X, through.X)
    assert resumed.algorithm.n_steps_made == through.algorithm.n_steps_made == 3 * 2 * 2


def test_other_problems_are_refused():
    wide = pd.DataFrame({f"c{j}": [f"v{i}" for i in range(40)] for j in range(5)})
    ruled = german(rules={"invariance": "repair"})
    for problem, message in [
        (ruled, "expected matrices without rules, found MatrixRules"),
        (german(["expectation_share"]), "expected figures of masked files, found"),
        (german(encoding="simplex"), "expected genomes of whole numbers, found matrices"),
        (PRAMProblem(wide), "expected columns of few categories together"),
        (ToyLattice(), "expected a space of matrices, found levels"),
    ]:
        with pytest.raises(ValueError, match=message):
            solve(problem, MemeticPRAM(), budget=5, seed=1)


@pytest.mark.parametrize(
    ("options", "named"),
    [({"n_matings": 0}, "n_matings"), ({"n_steps": 0}, "n_steps"), ({"n_start": 0}, "n_start"),
     ({"prob_mutation": 1.5}, "prob_mutation"), ({"pop_size": 0}, "pop_size")],
)  # fmt: skip
def test_wrong_options_are_named(options, named):
    with pytest.raises(ValueError, match=named):
        MemeticPRAM(**options)
