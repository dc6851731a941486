"""A saved run can be looked at without going on with it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.problems import LatticeProblem
from anonopt.runs import load_run
from anonopt.runs.saving.loading import UNFINISHED

SMALL = [
    ("german-k-glm", "pbgea"),
    ("german-k-glm", "nsga2"),
    ("german-masking", "nsga2"),
    ("german-pram-equations", "nsga2"),
    ("freight-5", "ola"),
]


@pytest.mark.parametrize(("name", "algorithm"), SMALL)
def test_loaded_run_is_the_saved_one(name, algorithm, tmp_path, monkeypatch):
    problem = ao.get_problem(name)
    result = ao.solve(problem, ao.get_algorithm(algorithm, problem), budget=40, seed=3)
    ao.save_run(result, tmp_path / "run.npz")
    monkeypatch.setattr(type(problem), "_values", None)
    loaded = load_run(tmp_path / "run.npz")
    pd.testing.assert_frame_equal(loaded.front, result.front)
    pd.testing.assert_frame_equal(loaded.history, result.history)
    found = (loaded.message, loaded.success, loaded.proven, loaded.seed, loaded.n_evaluations)
    assert found == (
        result.message,
        result.success,
        result.proven,
        result.seed,
        result.n_evaluations,
    )
    assert loaded.n_tests == result.n_tests


def test_run_that_was_interrupted_goes_no_further(tmp_path):
    path = tmp_path / "run.npz"
    problem = ao.get_problem("german-k-glm")

    def stop(algorithm):
        if algorithm.n_gen == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ao.solve(
            problem,
            ao.get_algorithm("nsga2", problem, pop_size=10),
            budget=150,
            seed=1,
            callback=stop,
            checkpoint=path,
            checkpoint_every=("n_gen", 1),
        )
    loaded = load_run(path)
    assert loaded.message == UNFINISHED
    assert 20 <= loaded.n_unique < 150
    assert ao.resume_run(path).n_unique == 150


def test_run_that_ended_by_time_goes_no_further(tmp_path):
    problem = ao.get_problem("german-k-glm")
    algorithm = ao.get_algorithm("nsga2", problem, pop_size=10)
    result = ao.solve(problem, algorithm, termination=("time", 0.2), seed=1)
    ao.save_run(result, tmp_path / "run.npz")
    assert load_run(tmp_path / "run.npz").n_unique == result.n_unique


def test_run_of_a_problem_of_ones_own_needs_it(tmp_path):
    own = LatticeProblem(ao.load_dataset("german"), objectives=["k", "glm"], suppression=0.02)
    result = ao.solve(own, ao.algorithms.PBGEA(), budget=20, seed=1)
    ao.save_run(result, tmp_path / "run.npz")
    with pytest.raises(ValueError, match="expected problem=<the problem of the run>"):
        load_run(tmp_path / "run.npz")
    loaded = load_run(tmp_path / "run.npz", problem=own)
    assert np.array_equal(loaded.F, result.F)
