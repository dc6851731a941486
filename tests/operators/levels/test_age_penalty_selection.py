"""KGEN's selection: probabilities by generalization and age."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from scipy import stats

from anonopt.operators import AgePenaltySelection

HEIGHTS = [3, 4, 1]
NODES = [[1, 0, 0], [0, 0, 1], [3, 4, 1], [2, 1, 0], [0, 2, 0]]
AGES = [0, 3, 0, 9, 20]
LOG = np.array([1 / 3, 1, 3, 2 / 3 + 1 / 4, 1 / 2]) / 3


def case():
    problem = Problem(n_var=3, n_obj=1, xl=0, xu=np.array(HEIGHTS))
    return problem, Population.new("X", np.array(NODES), "anon_age", AGES)


@pytest.mark.parametrize("as_printed", [False, True])
def test_draws_follow_the_probabilities(as_printed):
    problem, pop = case()
    weights = (LOG if as_printed else 1 - LOG) * (1 - np.array([0, 3, 0, 9, 9]) / 10)
    expected = weights / weights.sum()
    selection = AgePenaltySelection(as_printed=as_printed)
    np.testing.assert_allclose(selection.probabilities(problem, pop), expected)
    rows = selection(problem, pop, 10_000, 2, to_pop=False, random_state=np.random.default_rng(4))
    assert rows.shape == (10_000, 2)
    possible = expected > 0
    for column in rows.T:
        counts = np.bincount(column, minlength=len(pop))
        assert counts[~possible].sum() == 0
        chi_square = stats.chisquare(counts[possible], expected[possible] * len(column))
        assert chi_square.pvalue > 0.001
    # Mates are drawn independently.
    table = stats.contingency.crosstab(rows[:, 0], rows[:, 1]).count
    assert stats.chi2_contingency(table).pvalue > 0.001


def test_individuals_without_an_age_are_new():
    problem, _ = case()
    pop = Population.new("X", np.array(NODES[:2]))
    weights = 1 - LOG[:2]
    found = AgePenaltySelection().probabilities(problem, pop)
    np.testing.assert_allclose(found, weights / weights.sum())
    pop[1].data["anon_age"] = 5
    weights[1] *= 0.5
    found = AgePenaltySelection().probabilities(problem, pop)
    np.testing.assert_allclose(found, weights / weights.sum())


def test_where_no_weight_is_left_all_are_equally_likely():
    problem, _ = case()
    pop = Population.new("X", np.array([HEIGHTS, HEIGHTS]))
    assert AgePenaltySelection().probabilities(problem, pop).tolist() == [0.5, 0.5]


def test_without_a_generator_it_refuses():
    problem, pop = case()
    with pytest.raises(ValueError, match="random_state"):
        AgePenaltySelection()(problem, pop, 2, 2)
