"""Frequencies of the original file from those of a masked one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import controlled_diagonal, estimate_distribution, pram_matrix


def dominant_case(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 8))
    P = controlled_diagonal(rng.dirichlet(np.ones(size), size), bounds=(0.6, 0.9))
    return P, rng.dirichlet(np.ones(size))


@given(st.integers(0, 500))
def test_both_estimators_find_what_was_masked_by_expectation(seed):
    P, t = dominant_case(seed)
    np.testing.assert_allclose(estimate_distribution(P, t @ P, method="moment"), t, atol=1e-9)
    np.testing.assert_allclose(estimate_distribution(P, t @ P), t, atol=1e-4)


@given(st.integers(0, 500))
def test_em_stays_in_the_simplex_where_the_moment_estimate_leaves_it(seed):
    P, _ = dominant_case(seed)
    masked = np.random.default_rng(seed + 1).dirichlet(np.full(len(P), 0.2))
    estimate = estimate_distribution(P, masked)
    assert (estimate >= 0).all()
    assert estimate.sum() == pytest.approx(1, abs=1e-12)
    assert estimate_distribution(P, masked, method="moment").sum() == pytest.approx(1)


def test_moment_estimate_is_unbiased():
    rng = np.random.default_rng(5)
    P, t = pram_matrix("frequency", [50, 30, 20], p=0.6), np.array([0.5, 0.3, 0.2])
    rows = rng.multinomial(200, t @ P, size=4000)
    estimates = np.array([estimate_distribution(P, row, method="moment") for row in rows])
    error = estimates.std(axis=0) / np.sqrt(len(rows))
    assert (np.abs(estimates.mean(axis=0) - t) < 4 * error).all()


def test_matrix_without_inverse_needs_em():
    uniform = np.full((2, 2), 0.5)
    with pytest.raises(ValueError, match=r"expected one with an inverse .*found condition number"):
        estimate_distribution(uniform, [1, 1], method="moment")
    np.testing.assert_allclose(estimate_distribution(uniform, [3, 1]), [0.5, 0.5])


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match=r"method: expected one of .*, found 'bayes'"):
        estimate_distribution(np.eye(2), [1, 1], method="bayes")
    with pytest.raises(
        ValueError, match=r"expected categories the matrix yields, found share 0\.5"
    ):
        estimate_distribution([[1.0, 0.0], [1.0, 0.0]], [1, 1])
    with pytest.raises(ValueError, match=r"frequencies: expected shape \(2,\)"):
        estimate_distribution(np.eye(2), [1, 1, 1])
