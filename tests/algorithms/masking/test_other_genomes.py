"""Runs on genomes that are too long to be kept, and on genomes that are no numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.algorithms import ExhaustiveSearch, RandomSearch, nsga2
from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.operators import ResetMutation
from anonopt.runs import resume_run, save_run, solve
from anonopt.runs.record import BestGenomes
from anonopt.runs.saving.saved_run import read_run
from tests.contracts.other_genomes import LongGenomes, Word, Words, WordSpace, words
from tests.histories import assert_same_history

POINT = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3))


@given(st.lists(st.lists(POINT, max_size=5), max_size=5))
def test_best_genomes_are_those_of_all_that_were_seen(batches):
    best = BestGenomes()
    n_seen = 0
    for batch in batches:
        rows = np.array(batch, dtype=float).reshape(-1, 3)
        X = np.arange(n_seen, n_seen + len(batch))[:, np.newaxis]
        best.add(X, rows[:, :2], rows[:, 2])
        n_seen += len(batch)
    everything = np.array([point for batch in batches for point in batch], dtype=float)
    everything = everything.reshape(-1, 3)
    F, CV = everything[:, :2], everything[:, 2]
    X = np.arange(n_seen)[:, np.newaxis]
    expected: list[int] = []
    if n_seen and (CV == 0).any():
        for row in front_rows(X, F, CV == 0).tolist():
            if not any((F[row] == F[other]).all() for other in expected):
                expected.append(row)
    elif n_seen:
        expected = [int(np.argmin(CV))]
    assert best.rows.tolist() == expected
    assert best.genomes().ravel().tolist() == expected


def test_front_of_long_genomes_holds_their_genomes():
    problem = LongGenomes()
    result = solve(problem, nsga2(problem, pop_size=10), budget=300, seed=1)
    assert result.front.columns.tolist() == ["solution", "low", "high"]
    assert result.front["solution"].tolist() == list(range(len(result.X)))
    assert result.X.shape == (len(result.front), 12)
    np.testing.assert_array_equal(problem.evaluate(result.X), result.F)
    assert result.history.columns.tolist() == ["evaluation", "low", "high", "feasible", "seconds"]
    assert len(result.history) == result.n_unique == 300
    points = result.history[["low", "high"]].drop_duplicates()
    best = [
        not ((points["low"] <= low) & (points["high"] >= high)).sum() > 1
        for low, high in points.to_numpy()
    ]
    found = set(map(tuple, result.front[["low", "high"]].to_numpy()))
    assert found == set(map(tuple, points[best].to_numpy()))


def test_record_of_long_genomes_keeps_few():
    problem = LongGenomes(200)
    result = solve(problem, RandomSearch(batch_size=50), budget=500, seed=1)
    record = result.algorithm.evaluator.record
    assert record.X is None
    rows, X = record.best()
    assert len(rows) == len(X) < 60


def test_least_infeasible_long_genome_is_named_by_a_digest():
    problem = LongGenomes(least=1000)
    result = solve(problem, RandomSearch(), budget=30, seed=1)
    assert not result.success
    assert (len(result.X), len(result.front), len(result.least_infeasible)) == (0, 0, 1)
    assert result.front.columns.tolist() == ["solution", "low", "high"]
    assert "the least infeasible, genome " in result.message
    # Twelve genes of at most 2 each.
    assert 1000 - 24 <= result.least_infeasible["violation"].iloc[0] < 1000


def test_errors_tell_the_position_of_a_gene_without_name():
    with pytest.raises(
        ValueError,
        match=r"gene 3: expected a whole number in 0\.\.2, found 9 in genome 0",
    ):
        LongGenomes().evaluate(np.array([[0, 0, 0, 9, *[0] * 8]]))


@pytest.mark.parametrize("options", [{}, {"names": ["a"], "n_var": 1}, {"n_var": 0}])
def test_genes_have_names_or_a_number(options):
    class Space(WordSpace):
        def __init__(self):
            super(WordSpace, self).__init__(**options)

    with pytest.raises(ValueError, match="n_var: expected"):
        Space()


@pytest.mark.parametrize("make", [LongGenomes, Words])
def test_saved_and_resumed_it_is_as_never_interrupted(make, tmp_path):
    problem = make()
    path = tmp_path / "run.npz"
    save_run(solve(problem, nsga2(problem, pop_size=8), budget=30, seed=3), path)
    saved = read_run(path)
    assert saved.digested
    assert (saved.X.shape, saved.X.dtype) == ((30, 16), np.uint8)
    resumed = resume_run(path, problem=problem, extra=15)
    through = solve(problem, nsga2(problem, pop_size=8), budget=45, seed=3)
    pd.testing.assert_frame_equal(resumed.front, through.front)
    assert_same_history(resumed.history, through.history)
    assert (resumed.n_unique, resumed.message) == (through.n_unique, through.message)


def test_another_algorithm_is_noticed_by_digests(tmp_path):
    problem = LongGenomes()
    save_run(solve(problem, nsga2(problem, pop_size=8), budget=30, seed=3), tmp_path / "run.npz")
    with pytest.raises(ValueError, match=r"expected digest .* as evaluation 9"):
        resume_run(
            tmp_path / "run.npz",
            problem=problem,
            algorithm=nsga2(problem, pop_size=8, mutation=ResetMutation()),
        )


def test_measures_that_cannot_be_compared_are_refused(tmp_path):
    class Own(LongGenomes):
        def _content(self):
            return repr(object())

    problem = Own()
    save_run(solve(problem, RandomSearch(), budget=10, seed=3), tmp_path / "run.npz")
    with pytest.raises(ValueError, match="the file holds no genomes"):
        resume_run(tmp_path / "run.npz", problem=problem)


def test_objects_pass_through_a_whole_run():
    problem = Words()
    result = solve(problem, nsga2(problem, pop_size=10), budget=50, seed=1)
    assert result.n_unique == 50
    found = ["".join(word) for word in result.front["word"]]
    assert set(found) >= {"a", "aa"}
    assert all(isinstance(word, Word) for word in result.X[:, 0])
    assert result.history["word"].map("".join).is_unique


def test_duplicates_of_objects_are_found_by_the_key_of_the_problem():
    from pymoo.core.population import Population

    pop = Population.new("X", words([Word("ab"), Word("b"), Word("ab")]))
    kept = Words().space.duplicates().do(pop)
    assert ["".join(x[0]) for x in kept.get("X")] == ["ab", "b"]


def test_size_of_a_huge_space_is_told_as_a_magnitude():
    with pytest.raises(ValueError, match=r"at most 10000000 genomes .*found about 10\^4771"):
        solve(LongGenomes(10_000), ExhaustiveSearch(), seed=1)
