"""Crossover of integer genomes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from scipy import stats

from anonopt.operators import CloneCrossover, SinglePointCrossover


def make_problem(n_var):
    return Problem(n_var=n_var, n_obj=1, xl=0, xu=99)


def mate(operator, X, parents, seed=1):
    population = Population.new("X", X)
    children = operator(
        make_problem(X.shape[1]),
        population,
        parents=np.array(parents),
        random_state=np.random.default_rng(seed),
    )
    return population, children


@given(n_var=st.integers(2, 9), n_matings=st.integers(1, 6), seed=st.integers(0, 99))
def test_children_swap_everything_behind_one_point(n_var, n_matings, seed):
    mothers = np.arange(n_matings * n_var).reshape(n_matings, n_var)
    X = np.concatenate([mothers, mothers + 60])
    parents = [(i, n_matings + i) for i in range(n_matings)]
    _, children = mate(SinglePointCrossover(prob=1.0), X, parents, seed)
    found = children.get("X").reshape(2, n_matings, n_var)
    for i in range(n_matings):
        point = int(np.sum(found[0, i] < 60))
        a, b = X[i], X[n_matings + i]
        assert 1 <= point <= n_var - 1
        assert found[0, i].tolist() == [*a[:point], *b[point:]]
        assert found[1, i].tolist() == [*b[:point], *a[point:]]


def test_points_are_uniform_over_the_gaps_between_genes():
    n_var, n_matings = 6, 20_000
    X = np.repeat([[0], [1]], n_var, axis=1)
    _, children = mate(SinglePointCrossover(prob=1.0), X, [(0, 1)] * n_matings)
    points = n_var - children.get("X")[:n_matings].sum(axis=1)
    values, counts = np.unique(points, return_counts=True)
    assert values.tolist() == [1, 2, 3, 4, 5]
    assert stats.chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize(("prob", "share"), [(0.0, 0.0), (0.8, 0.8), (0.9, 0.9), (1.0, 1.0)])
def test_share_of_matings_that_swap(prob, share):
    X = np.array([[0, 0, 0], [1, 1, 1]])
    _, children = mate(SinglePointCrossover(prob=prob), X, [(0, 1)] * 5000)
    swapped = children.get("X")[:5000].any(axis=1)
    assert swapped.mean() == pytest.approx(share, abs=0.02)


def test_genomes_of_one_gene_are_copied():
    _, children = mate(SinglePointCrossover(prob=1.0), np.array([[3], [8]]), [(0, 1), (1, 0)])
    assert children.get("X").ravel().tolist() == [3, 8, 8, 3]


def test_clone_is_a_new_individual_with_the_same_genome():
    population, children = mate(CloneCrossover(), np.array([[3, 1], [8, 2]]), [[1], [0], [1]])
    assert children.get("X").tolist() == [[8, 2], [3, 1], [8, 2]]
    assert not set(children) & set(population)
    assert all(len(child.evaluated) == 0 for child in children)


@pytest.mark.parametrize("operator", [SinglePointCrossover(prob=0.5), CloneCrossover()])
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float64])
def test_children_are_64_bit_integers_and_parents_stay(operator, dtype):
    X = np.arange(12).reshape(3, 4).astype(dtype)
    X.flags.writeable = False
    parents = [(0, 1), (1, 2), (2, 0)] if operator.n_parents == 2 else [[0], [1], [2]]
    population, children = mate(operator, X, parents)
    assert children.get("X").dtype == np.int64
    children.get("X")[:] = -1
    for child in children:
        child.X[:] = -1
    assert population.get("X").tolist() == X.tolist()
    assert population.get("X").dtype == dtype


@pytest.mark.parametrize("operator", [SinglePointCrossover(prob=0.0), CloneCrossover()])
def test_fractions_are_refused_rather_than_cut_off(operator):
    parents = [(0, 1)] if operator.n_parents == 2 else [[0]]
    with pytest.raises(ValueError, match=r"whole numbers up to 2\*\*53, found 0.5"):
        mate(operator, np.array([[0.5, 1], [1, 2]]), parents)


def test_same_seed_same_children():
    X = np.arange(40).reshape(4, 10)
    runs = [
        mate(SinglePointCrossover(), X, [(0, 1), (2, 3)] * 5, seed)[1].get("X").tolist()
        for seed in (3, 3, 4)
    ]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("prob", [-0.1, 1.1, float("nan")])
def test_probability_is_checked(prob):
    with pytest.raises(ValueError, match=r"prob: expected a number in 0\.\.1"):
        SinglePointCrossover(prob=prob)
