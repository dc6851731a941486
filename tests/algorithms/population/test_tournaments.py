"""Tournaments of two: violation, dominance, ties."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from pymoo.core.population import Population

from anonopt.algorithms.population.tournaments import less_violated, less_violated_or_dominating

POP = Population.new(
    "F", np.array([[1.0, 1.0], [2.0, 2.0], [0.0, 3.0], [0.0, 0.0], [9.0, 9.0]]),
    "G", np.array([[-1.0], [-2.0], [0.0], [2.0], [1.0]]),
)  # fmt: skip
FEASIBLE = {0, 1, 2}
PAIRS = np.array(list(itertools.permutations(range(5), 2)))


def wins(tournament, n_rounds=200):
    """Share of its tournaments against the second that the first of each pair wins."""
    generator = np.random.default_rng(1)
    winners = tournament(POP, np.tile(PAIRS, (n_rounds, 1)), random_state=generator)
    assert winners.shape == (len(PAIRS) * n_rounds, 1)
    won = (winners[:, 0] == np.tile(PAIRS[:, 0], n_rounds)).reshape(n_rounds, -1)
    return {tuple(pair): share for pair, share in zip(PAIRS.tolist(), won.mean(0), strict=True)}


@pytest.mark.parametrize("tournament", [less_violated, less_violated_or_dominating])
def test_smaller_violation_wins_always(tournament):
    for (one, other), share in wins(tournament).items():
        if one in FEASIBLE and other not in FEASIBLE:
            assert share == 1
        elif other in FEASIBLE and one not in FEASIBLE:
            assert share == 0
    assert wins(tournament)[4, 3] == 1


def test_feasible_ones_are_drawn_whatever_their_objectives():
    shares = wins(less_violated)
    for pair in itertools.permutations(FEASIBLE, 2):
        assert shares[pair] == pytest.approx(0.5, abs=0.15)


def test_dominating_one_wins_and_incomparable_ones_are_drawn():
    shares = wins(less_violated_or_dominating)
    assert (shares[0, 1], shares[1, 0]) == (1, 0)
    for pair in ((0, 2), (2, 0), (1, 2), (2, 1)):
        assert shares[pair] == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("tournament", [less_violated, less_violated_or_dominating])
def test_tournaments_pickle(tournament):
    assert pickle.loads(pickle.dumps(tournament)) is tournament
