"""Random search: distinct nodes, uniform order, lattices of any size."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.algorithms import RandomSearch
from anonopt.algorithms.population.random_search import RankShuffle
from anonopt.runs import solve
from tests.contracts.toy_problems import ToyLattice


@pytest.mark.parametrize("batch_size", [1, 30, 79, 80, 500])
def test_no_node_is_drawn_twice_and_all_are_in_the_end(batch_size):
    problem = ToyLattice()
    result = solve(problem, RandomSearch(batch_size=batch_size), seed=3)
    drawn = [tuple(x) for X in problem.batches for x in X.tolist()]
    assert len(drawn) == 80
    assert set(drawn) == {tuple(x) for x in problem.nodes().tolist()}
    assert result.n_evaluations == 80


@given(st.integers(1, 60), st.integers(0, 2**32))
def test_shuffle_is_a_permutation(n, seed):
    generator, ranks = np.random.default_rng(seed), RankShuffle(n)
    assert sorted(ranks.draw(generator) for _ in range(n)) == list(range(n))
    with pytest.raises(IndexError, match="all numbers were drawn"):
        ranks.draw(generator)


def test_every_order_is_equally_likely():
    generator, orders = np.random.default_rng(1), Counter()
    for _ in range(12_000):
        ranks = RankShuffle(4)
        orders[tuple(ranks.draw(generator) for _ in range(4))] += 1
    assert len(orders) == 24
    # 500 expected each, standard deviation 22
    assert all(390 < count < 610 for count in orders.values())


@pytest.mark.parametrize("n", [2**63, 2**63 + 1, 3 * 2**70, 2**70])
def test_numbers_beyond_64_bits_are_drawn_uniformly(n):
    generator, ranks = np.random.default_rng(2), RankShuffle(n)
    drawn = [ranks.draw(generator) for _ in range(2000)]
    assert len(set(drawn)) == 2000
    quarters = Counter(4 * rank // n for rank in drawn)
    assert set(quarters) == {0, 1, 2, 3}
    # 500 expected each, standard deviation 19
    assert all(400 < count < 600 for count in quarters.values())
    assert any(rank % 2 for rank in drawn)


def test_memory_grows_with_the_draws_only():
    generator, ranks = np.random.default_rng(3), RankShuffle(2**70)
    for _ in range(100):
        ranks.draw(generator)
    assert len(ranks._moved) <= 100


def test_seventy_columns():
    result = solve(ToyLattice((1,) * 70), RandomSearch(batch_size=50), budget=120, seed=1)
    assert result.n_unique == 120
    # 60 ones expected in each column, standard deviation 5.5
    ones = result.history.iloc[:, 1:71].sum()
    assert ones.between(30, 90).all()
