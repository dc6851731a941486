"""Masked numeric files as a problem: genomes, incremental evaluation, searches."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from pymoo.core.population import Population

import anonopt as ao
from anonopt.algorithms import MaskingEA
from anonopt.evaluation import compare_continuous
from anonopt.operators import CellCrossover, GrayCellMutation
from anonopt.problems import ContinuousMaskingProblem, get_problem


@pytest.fixture
def frame():
    rng = np.random.default_rng(1)
    income = rng.gamma(2, 100, 50).round(1)
    debt = (income - rng.normal(150, 50, 50)).round().astype(int)
    return pd.DataFrame({"zone": "a", "income": income, "debt": debt}, index=range(50, 100))


def make(frame, objectives=("IL", "DR"), **options):
    options = {"columns": ["income", "debt"], "decimals": {"income": 1}, **options}
    return ContinuousMaskingProblem(frame, objectives, **options)


def start(problem, seed=2):
    return problem.space.starting_population(np.random.default_rng(seed))


def test_genomes_stand_for_files(frame):
    problem = make(frame)
    assert not problem.genomes([frame]).any()
    masked = frame.assign(debt=frame["debt"] + 5, income=frame["income"].to_numpy()[::-1])
    x = problem.genomes([masked])[0]
    pd.testing.assert_frame_equal(problem.protect(x), masked)


def test_every_genome_within_the_bounds_is_a_file(frame):
    problem = make(frame)
    rng = np.random.default_rng(3)
    X = np.array([rng.integers(0, problem.xu + 1) for _ in range(5)])
    for x in X:
        masked = problem.protect(x)
        assert problem.genomes([masked])[0].tolist() == x.tolist()
    assert np.isfinite(problem.evaluate(X)).all()


def test_objectives_are_those_of_the_comparison(frame):
    problem = make(frame, ["IL", "ID", "DBRL", "PRL", "DR", "score_max", "score_mean"])
    X = start(problem)[:3]
    values = problem.evaluate(X)
    for x, row in zip(X, values, strict=True):
        figures = compare_continuous(frame, problem.protect(x), ["income", "debt"])
        assert row.tolist() == figures[list(problem.objective_names)].tolist()


def test_offspring_are_measured_from_their_parents_and_equal_a_full_evaluation(frame):
    problem = make(frame)
    X = start(problem)
    pop = Population.new("X", X)
    pop.set("F", problem.evaluate(X))
    rng = np.random.default_rng(5)
    full = make(frame)
    for _ in range(6):
        children = CellCrossover()(
            problem, pop, rng.integers(0, len(pop), (4, 2)), random_state=rng
        )
        children = GrayCellMutation()(problem, children, random_state=rng)
        measured = problem.evaluate(children.get("X"), return_values_of=["F"])
        np.testing.assert_array_equal(measured, full.evaluate(children.get("X")))
        pop = Population.merge(pop, children)


def test_parents_that_made_room_are_measured_again(frame):
    problem = make(frame)
    X = start(problem)
    problem.evaluate(X)
    problem._memory = problem._memory.emptied()
    pop = Population.new("X", X[:4])
    child = GrayCellMutation()(problem, pop, random_state=np.random.default_rng(1)).get("X")
    assert all(problem._memory.knows(problem.space.key(x)) for x in [*X[:4], *child])
    np.testing.assert_array_equal(problem.evaluate(child), make(frame).evaluate(child))


def test_copies_and_pickles(frame):
    problem = make(frame)
    X = start(problem)[:3]
    F = problem.evaluate(X)
    for twin in (copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
        np.testing.assert_array_equal(twin.evaluate(X), F)
        assert twin.fingerprint == problem.fingerprint
    assert make(frame, agreement=2).fingerprint != problem.fingerprint
    assert make(frame.assign(debt=1)).fingerprint != problem.fingerprint


@pytest.mark.usefixtures("entropy_guard")
def test_masking_ea_never_gets_worse_and_is_repeatable(frame):
    problem = make(frame, ["score_mean"], n_files=6)
    algorithm = MaskingEA(n_generations=60)
    result = ao.solve(problem, algorithm, seed=1)
    again = ao.solve(make(frame, ["score_mean"], n_files=6), MaskingEA(n_generations=60), seed=1)
    np.testing.assert_array_equal(result.X, again.X)
    np.testing.assert_array_equal(result.F, again.F)
    history = result.algorithm.history()
    assert history["score_mean_min"].is_monotonic_decreasing
    assert history["score_mean_mean"].iloc[-1] < history["score_mean_mean"].iloc[0]
    assert result.F[0, 0] == history["score_mean_min"].iloc[-1]
    figures = compare_continuous(frame, problem.protect(result.X[0]), ["income", "debt"])
    assert result.F[0, 0] == figures["score_mean"]


@pytest.mark.parametrize("preset", ["nsga2", "spea2"])
def test_front_searches(frame, preset):
    problem = make(frame, n_files=8)
    algorithm = getattr(ao.algorithms, preset)(problem, pop_size=8)
    result = ao.solve(problem, algorithm, budget=60, seed=1)
    assert len(result.front) == len(result.X) > 1
    expected = problem.natural(make(frame).evaluate(result.X))
    np.testing.assert_array_equal(result.front[["IL", "DR"]].to_numpy(), expected)


class TestFaults:
    def test_objective(self, frame):
        with pytest.raises(ValueError, match="one of 'numeric file', found one of 'file'"):
            make(frame, ["CTBIL"])
        with pytest.raises(TypeError, match="expected a list of measures"):
            make(frame, "IL")

    def test_rows(self, frame):
        with pytest.raises(ValueError, match="masked files of 50 rows, found 49"):
            make(frame).genomes([frame[:-1]])

    def test_values_that_have_no_genome(self, frame):
        with pytest.raises(ValueError, match=r"column 'debt': .*found 1000000"):
            make(frame).genomes([frame.assign(debt=10**6)])

    def test_genes_out_of_bounds(self, frame):
        problem = make(frame)
        with pytest.raises(
            ValueError, match=r"gene 3: expected a whole number in 0\.\..*, found -1"
        ):
            problem.evaluate(np.eye(1, problem.n_var, 3, dtype=int) * -1)


@pytest.mark.parametrize(("name", "n_files"), [("census", 50), ("tarragona", 16), ("eia", 16)])
def test_named_problems(shared_data, monkeypatch, name, n_files):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(shared_data))
    problem = get_problem(f"{name}-masking", objectives=["score_mean"])
    assert problem.n_files == n_files
    x = problem.genomes([problem.protect(np.zeros(problem.n_var, dtype=np.int64))])
    assert not x.any()


def test_named_problem_without_its_file_says_where_it_comes_from(tmp_path, monkeypatch):
    monkeypatch.delenv("ANONOPT_DATA_DIR", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path)
    with pytest.raises(FileNotFoundError, match="R package sdcMicro"):
        get_problem("census-masking")
