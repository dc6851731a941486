"""Expectation ratios and posterior probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.masking import expectation_ratios, pram_matrix
from anonopt.measures.categorical.expectation_ratios import (
    mean_expectation_ratio,
    posterior_probabilities,
)
from tests.oracles import pram as oracle

DEGREE = [98, 173, 251, 195, 170, 80]


def test_table_4_8_first_row_to_the_printed_digits():
    ratios = expectation_ratios(pram_matrix("maximum_entropy", DEGREE, p=0.6), DEGREE)
    assert ratios.round(3).tolist() == [0.846, 1.634, 2.629, 1.894, 1.6, 0.676]


def test_weighted_average_risk_of_table_4_10_to_the_printed_digits():
    matrix = pram_matrix("maximum_entropy", DEGREE, p=0.6)
    assert round(mean_expectation_ratio(matrix, DEGREE), 3) == 1.78


def test_ratios_in_loops():
    rng = np.random.default_rng(1)
    P, T = rng.dirichlet(np.ones(6), 6), rng.integers(1, 50, 6)
    expected = [oracle.ratio(P, T, k) for k in range(6)]
    np.testing.assert_allclose(expectation_ratios(P, T), expected)
    assert mean_expectation_ratio(P, T) == pytest.approx(np.average(expected, weights=T))


def test_ratios_at_the_ends():
    assert expectation_ratios(np.eye(2), [3, 0]).tolist() == [np.inf, 0]
    assert expectation_ratios([[0, 1], [1, 0]], [3, 3]).tolist() == [0, 0]
    assert mean_expectation_ratio(np.eye(2), [1, 1]) == np.inf


def test_posterior_of_the_smallest_example():
    posterior = posterior_probabilities([[0.7, 0.3], [0.4, 0.6]], [0.5, 0.5])
    assert posterior[0, 0] == pytest.approx(0.636364, abs=1e-6)
    np.testing.assert_allclose(posterior.sum(axis=1), 1, atol=1e-12)


def test_sizes_must_agree():
    for function in (expectation_ratios, posterior_probabilities, mean_expectation_ratio):
        with pytest.raises(ValueError, match=r"frequencies: expected shape \(2,\), found .*\(3,\)"):
            function(np.eye(2), [1, 2, 3])
