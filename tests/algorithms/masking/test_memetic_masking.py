"""Memetic search of masked files: fronts, scores, bounds, equal seeds, saved runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.algorithms import MemeticMasking, nsga2
from anonopt.problems import ContinuousMaskingProblem, MaskingProblem
from anonopt.runs import resume_run, save_run, solve
from tests.algorithms.masking.test_masking_ea import small_problem, some_start
from tests.contracts.toy_problems import ToyLattice
from tests.histories import assert_same_history, without_seconds


def area(result):
    """Share of the square up to 100 that the front dominates."""
    front = result.front.sort_values("IL")
    left = np.append(front["IL"].to_numpy()[1:], 100.0) - front["IL"].to_numpy()
    return float((left * (100 - front["DR"].to_numpy())).sum()) / 10_000


def test_its_front_is_better_than_that_of_nsga2_after_twice_as_many_evaluations():
    problem = small_problem(["IL", "DR"])
    start = some_start(problem)
    ours = solve(problem, MemeticMasking(sampling=start), budget=100, seed=1)
    other = solve(problem, nsga2(problem, sampling=start), budget=200, seed=1)
    assert area(ours) > area(other) + 0.05


@pytest.mark.parametrize("objective", ["score_max", "score_mean"])
def test_a_score_is_its_own_aim(objective):
    problem = small_problem([objective])
    algorithm = MemeticMasking(sampling=some_start(problem), n_generations=8)
    course = solve(problem, algorithm, seed=1).algorithm.history()[f"{objective}_min"]
    assert (np.diff(course) <= 0).all()
    assert course.iloc[-1] < 0.8 * course.iloc[0]


def test_bounds_decide_which_files_are_kept():
    frame = small_problem().original.frame
    problem = MaskingProblem(frame, ["IL"], constraints={"DR": 20.0})
    algorithm = MemeticMasking(sampling=some_start(problem), n_generations=8)
    result = solve(problem, algorithm, seed=1)
    figures = problem.evaluator.measure(result.X[0].reshape(problem.space.shape)).figures()
    assert figures.DR <= 20 + 1e-9
    assert figures.IL == result.front["IL"].iloc[0]


@pytest.mark.parametrize("objectives", [["IL", "DR"], ["DBRL"], ["DBIL", "ID", "PRL"]])
def test_equal_seeds_are_equal_runs_with_compiled_passes_and_without(objectives):
    histories = []
    for accelerator in ("auto", "auto", "numpy"):
        frame = small_problem().original.frame
        problem = MaskingProblem(frame, objectives, accelerator=accelerator)
        algorithm = MemeticMasking(sampling=some_start(problem), n_generations=3, n_matings=2)
        histories.append(without_seconds(solve(problem, algorithm, seed=3).history))
    pd.testing.assert_frame_equal(histories[0], histories[1], check_exact=True)
    pd.testing.assert_frame_equal(histories[0], histories[2], rtol=1e-12)


def test_the_population_is_bounded_and_no_two_of_it_measure_the_same():
    problem = small_problem(["IL", "DR"])
    algorithm = MemeticMasking(sampling=some_start(problem), pop_size=15, n_generations=6)
    F = solve(problem, algorithm, seed=2).algorithm.pop.get("F")
    assert len(F) == 15 == len(np.unique(F, axis=0))


def test_one_file_is_enough_to_start_with():
    problem = small_problem(["IL", "DR"])
    start = some_start(problem, n=1)
    result = solve(problem, MemeticMasking(sampling=start, n_generations=4), seed=2)
    assert len(result.front) > 1


def test_saved_and_resumed_it_is_as_never_interrupted(tmp_path):
    problem = ao.get_problem("german-masking")
    options = {"pop_size": 10, "n_matings": 1}
    save_run(solve(problem, MemeticMasking(n_generations=2, **options), seed=3), tmp_path / "r.npz")
    resumed = resume_run(tmp_path / "r.npz", extra=("n_gen", 1))
    through = solve(problem, MemeticMasking(n_generations=3, **options), seed=3)
    assert_same_history(resumed.history, through.history)
    np.testing.assert_array_equal(resumed.X, through.X)


def test_other_problems_are_refused():
    frame = pd.DataFrame({"income": np.arange(30.0), "age": np.arange(30.0) % 7})
    numbers = ContinuousMaskingProblem(frame, ["IL", "DR"])
    with pytest.raises(ValueError, match="expected a MaskingProblem, found ContinuousMasking"):
        solve(numbers, MemeticMasking(), budget=5, seed=1)
    with pytest.raises(ValueError, match="expected a space of cells, found levels"):
        solve(ToyLattice(), MemeticMasking(), budget=5, seed=1)
    wide = pd.DataFrame({f"c{j}": [f"v{i}" for i in range(40)] for j in range(5)})
    with pytest.raises(ValueError, match="combinations of 5 columns"):
        solve(MaskingProblem(wide, ["IL", "DR"]), MemeticMasking(), budget=5, seed=1)


@pytest.mark.parametrize(
    ("options", "named"),
    [({"n_matings": 0}, "n_matings"), ({"n_passes": 0}, "n_passes"),
     ({"prob_mutation": 1.5}, "prob_mutation"), ({"pop_size": 0}, "pop_size")],
)  # fmt: skip
def test_wrong_options_are_named(options, named):
    with pytest.raises(ValueError, match=named):
        MemeticMasking(**options)
