"""Facts of problems against plain formulas, and against all genomes of small ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.experiments import landscape
from anonopt.experiments.suites.landscape import autocorrelation, correlation_length, random_walk
from anonopt.problems import AnonymizationProblem
from anonopt.problems.spaces import Levels
from tests.oracles.landscapes import plain_autocorrelation


class Steps(AnonymizationProblem):
    """Two objectives that agree, of which one is maximized; nodes above level 3 are infeasible."""

    def __init__(self) -> None:
        super().__init__(
            space=Levels(["age", "sex"], upper=[4, 2]),
            objective_names=["gain", "loss"],
            maximize=[True, False],
            constraint_names=["low"],
        )

    def _values(self, X):
        level = X.sum(axis=1)
        return np.column_stack([level, level**2]), (level - 3.0).reshape(-1, 1)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=30))
def test_autocorrelation_is_that_of_the_plain_formula(series):
    values = np.array(series, dtype=np.float64)
    if np.ptp(values) == 0:
        assert np.isnan(autocorrelation(values))
    else:
        assert autocorrelation(values) == pytest.approx(plain_autocorrelation(series), abs=1e-12)


def test_autocorrelation_of_values_that_are_not_finite_is_not_known():
    assert np.isnan(autocorrelation(np.array([1.0, np.inf, 2.0])))


@pytest.mark.parametrize(("lag_one", "steps"), [(np.exp(-0.2), 5.0), (-np.exp(-1), 1.0), (0, 0)])
def test_correlation_length_is_the_steps_until_a_walk_forgets(lag_one, steps):
    assert correlation_length(lag_one) == pytest.approx(steps)


def test_correlation_length_of_what_never_forgets_is_infinite():
    assert correlation_length(1.0) == np.inf
    assert np.isnan(correlation_length(float("nan")))


def test_small_problems_are_evaluated_as_a_whole():
    facts = landscape(Steps(), random_state=1, n_samples=1000, n_steps=50)
    levels = [sum(node) for node in itertools.product(range(5), range(3))]
    share = sum(level <= 3 for level in levels) / len(levels)
    assert (facts.size, facts.n_samples) == (15, 15)
    assert facts.feasible == pytest.approx(share)
    assert facts.feasible_interval == (facts.feasible, facts.feasible)
    # More gain, more loss: a conflict.
    assert facts.rank_correlations.loc["gain", "loss"] == pytest.approx(1.0)


def test_sample_has_an_interval_that_holds_the_share_of_all():
    whole = landscape(Steps(), random_state=1, n_samples=15, n_steps=10).feasible
    facts = landscape(Steps(), random_state=3, n_samples=8, n_steps=10)
    low, high = facts.feasible_interval
    assert facts.n_samples == 8
    assert low < whole < high
    expected = scipy.stats.binomtest(round(8 * facts.feasible), 8).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high))


def test_walk_in_a_lattice_takes_single_steps():
    walked = random_walk(Steps(), 60, np.random.default_rng(4))
    assert walked.shape == (61, 2)
    np.testing.assert_array_equal(np.abs(np.diff(walked[:, 0])), 1.0)


def test_rank_correlations_are_spearman_s():
    problem = ao.get_problem("german-k-glm")
    facts = landscape(problem, random_state=1, n_samples=648, n_steps=10)
    nodes = np.array(list(itertools.product(*(range(top + 1) for top in problem.xu.astype(int)))))
    values = problem.natural(problem.evaluate(nodes, return_values_of=["F"]))
    expected = scipy.stats.spearmanr(values[:, 0], values[:, 1]).statistic
    assert facts.rank_correlations.iloc[0, 1] == pytest.approx(expected, abs=1e-12)
    assert facts.n_front == len(problem.pareto_front())


@pytest.mark.parametrize(
    "name", ["flare-masking", "german-pram", "flare-pram-equations", "graph-small"]
)
def test_every_family_has_facts_that_repeat(name):
    facts, again = (
        landscape(ao.get_problem(name), random_state=5, n_samples=20, n_steps=20) for _ in range(2)
    )
    assert facts.n_samples == 20
    assert facts.n_front is None
    assert facts.autocorrelations.between(-1, 1).all()
    assert facts.autocorrelations.equals(again.autocorrelations)
    assert facts.rank_correlations.equals(again.rank_correlations)


@pytest.mark.parametrize("option", ["n_samples", "n_steps"])
def test_wrong_numbers_are_refused(option):
    with pytest.raises(ValueError, match=f"{option}: expected"):
        landscape(Steps(), random_state=1, **{option: 1})
    with pytest.raises(TypeError, match="problem"):
        landscape("german-k-glm", random_state=1)
