"""Sampling of integer genomes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.problem import Problem
from scipy import stats

from anonopt.operators import ExtremesSampling, UniformSampling
from anonopt.operators.levels import sampling

BOUNDS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(0, 3)).map(lambda b: (b[0], b[0] + b[1])),
    min_size=1,
    max_size=4,
)
SAMPLINGS = [UniformSampling, ExtremesSampling]


def make_problem(bounds):
    lower, upper = zip(*bounds, strict=True)
    return Problem(n_var=len(bounds), n_obj=1, xl=np.array(lower), xu=np.array(upper))


def sample(operator, problem, n_samples, seed=1):
    population = operator(problem, n_samples, random_state=np.random.default_rng(seed))
    return population.get("X").reshape(len(population), problem.n_var)


@pytest.mark.parametrize("operator", SAMPLINGS)
@pytest.mark.parametrize("distinct", [True, False])
@given(bounds=BOUNDS, n_samples=st.integers(0, 40), seed=st.integers(0, 99))
def test_number_type_and_bounds(operator, distinct, bounds, n_samples, seed):
    problem = make_problem(bounds)
    X = sample(operator(distinct=distinct), problem, n_samples, seed)
    assert X.shape == (n_samples, len(bounds))
    assert n_samples == 0 or X.dtype == np.int64
    assert np.all((problem.xl <= X) & (problem.xu >= X))


@pytest.mark.parametrize("operator", SAMPLINGS)
@given(bounds=BOUNDS, n_samples=st.integers(1, 40), seed=st.integers(0, 99))
def test_distinct_samples_use_up_the_space_before_they_repeat(operator, bounds, n_samples, seed):
    size = math.prod(high - low + 1 for low, high in bounds)
    X = sample(operator(), make_problem(bounds), n_samples, seed)
    _, counts = np.unique(X, axis=0, return_counts=True)
    assert len(counts) == min(n_samples, size)
    assert len(np.unique(X[:size], axis=0)) == min(n_samples, size)
    # Extremes come first, so the rounds that follow are even among themselves.
    assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("distinct", [True, False])
@given(bounds=BOUNDS, n_samples=st.integers(0, 12), seed=st.integers(0, 99))
def test_bottom_and_top_come_first(distinct, bounds, n_samples, seed):
    problem = make_problem(bounds)
    X = sample(ExtremesSampling(distinct=distinct), problem, n_samples, seed)
    extremes = [problem.xl, problem.xu] if np.any(problem.xl < problem.xu) else [problem.xl]
    expected = np.array(extremes[:n_samples]).reshape(-1, problem.n_var)
    assert X[: len(extremes)].tolist() == expected.tolist()


@pytest.mark.parametrize("distinct", [True, False])
def test_every_genome_is_equally_likely(distinct):
    problem = make_problem([(0, 2), (-1, 1), (4, 4)])
    generator = np.random.default_rng(5)
    operator = UniformSampling(distinct=distinct)
    rows = [operator(problem, 3, random_state=generator).get("X") for _ in range(3000)]
    _, counts = np.unique(np.concatenate(rows), axis=0, return_counts=True)
    assert len(counts) == 9
    assert stats.chisquare(counts).pvalue > 0.001


def test_repeats_in_a_used_up_space_are_equally_likely():
    problem = make_problem([(0, 1), (0, 1)])
    generator = np.random.default_rng(5)
    operator = UniformSampling()
    rows = [operator(problem, 5, random_state=generator).get("X")[4] for _ in range(2000)]
    _, counts = np.unique(rows, axis=0, return_counts=True)
    assert len(counts) == 4
    assert stats.chisquare(counts).pvalue > 0.001


def test_samples_after_the_extremes_are_equally_likely():
    problem = make_problem([(0, 2), (0, 1)])
    generator = np.random.default_rng(5)
    operator = ExtremesSampling()
    rows = [operator(problem, 4, random_state=generator).get("X")[2:] for _ in range(2000)]
    _, counts = np.unique(np.concatenate(rows), axis=0, return_counts=True)
    assert len(counts) == 4
    assert stats.chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize("operator", SAMPLINGS)
def test_space_beyond_64_bits(operator):
    problem = make_problem([(0, 1)] * 70)
    X = sample(operator(), problem, 200)
    assert len(np.unique(X, axis=0)) == 200
    assert np.all((X.mean(axis=0) > 0.3) & (X.mean(axis=0) < 0.7))


def test_largest_space_that_is_ranked():
    X = sample(UniformSampling(), make_problem([(0, 2**31 - 1)] * 2), 1000)
    assert len(np.unique(X, axis=0)) == 1000
    assert np.all(np.abs(X.mean(axis=0) / 2**30 - 1) < 0.1)


@pytest.mark.parametrize("operator", SAMPLINGS)
def test_repeats_in_a_space_too_large_to_rank_are_drawn_again(operator, monkeypatch):
    monkeypatch.setattr(sampling, "MAX_RANKED", 10)
    X = sample(operator(), make_problem([(0, 3), (0, 2)]), 12)
    assert len(np.unique(X, axis=0)) == 12


@pytest.mark.parametrize("operator", SAMPLINGS)
def test_same_seed_same_sample(operator):
    problem = make_problem([(0, 6), (0, 3), (0, 4)])
    first, again, other = (sample(operator(), problem, 20, seed) for seed in (3, 3, 4))
    assert first.tolist() == again.tolist() != other.tolist()


def test_bad_requests_are_refused():
    with pytest.raises(ValueError, match=r"n_samples: expected .* of at least 0, found -1"):
        sample(UniformSampling(), make_problem([(0, 1)]), -1)
    with pytest.raises(ValueError, match="expected bounds xl and xu"):
        sample(UniformSampling(), Problem(n_var=2, n_obj=1), 3)
    with pytest.raises(ValueError, match=r"whole numbers up to 2\*\*53, found 0.5"):
        sample(UniformSampling(), Problem(n_var=2, n_obj=1, xl=0, xu=0.5), 3)
    with pytest.raises(ValueError, match="xl = 2 and xu = 1 at gene 1"):
        sample(UniformSampling(), make_problem([(0, 1), (2, 1)]), 3)


@pytest.mark.parametrize("n_genes", [61, 62, 63, 64])
def test_spaces_about_as_large_as_ranks_can_count(n_genes):
    problem = Problem(n_var=n_genes, n_obj=1, xl=0, xu=1)
    X = UniformSampling()(problem, 50, random_state=np.random.default_rng(1)).get("X")
    assert X.shape == np.unique(X, axis=0).shape == (50, n_genes)
    assert (X.min(axis=0) == 0).all() and (X.max(axis=0) == 1).all()
