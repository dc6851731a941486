"""Probabilistic information loss: against plain loops, at the edges, and what it must not see."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from anonopt.measures.continuous.probabilistic_loss import ProbabilisticLoss, file_statistics
from tests.oracles import continuous as oracle

SEEDS = st.integers(0, 2**32 - 1)


def files(seed, *, n_rows=40, n_columns=3):
    rng = np.random.default_rng(seed)
    original = rng.gamma(2.0, 5.0, (n_rows, n_columns))
    original[:, -1] += original[:, 0]
    return original, original + rng.normal(0, 1.0, original.shape)


def pil(original, masked):
    return ProbabilisticLoss(original)(file_statistics(masked))


@given(SEEDS)
@settings(max_examples=20)
def test_equals_plain_loops(seed):
    original, masked = files(seed)
    assert pil(original, masked) == pytest.approx(oracle.probabilistic_loss(original, masked))


def test_one_column_has_three_kinds_of_statistics():
    original, masked = files(3, n_columns=1)
    assert pil(original, masked) == pytest.approx(oracle.probabilistic_loss(original, masked))


@given(SEEDS)
@settings(max_examples=20)
def test_rows_of_both_files_can_be_shuffled_together(seed):
    original, masked = files(seed)
    order = np.random.default_rng(seed).permutation(len(original))
    expected = pytest.approx(pil(original, masked), abs=1e-9)
    assert pil(original[order], masked[order]) == expected
    assert pil(original, masked[order]) == expected


@given(SEEDS, st.floats(0.001, 1000), st.floats(-1000, 1000))
@settings(max_examples=20)
def test_units_do_not_matter(seed, scale, shift):
    original, masked = files(seed)
    assert pil(original * scale + shift, masked * scale + shift) == pytest.approx(
        pil(original, masked), abs=1e-6
    )


def test_columns_can_change_places():
    original, masked = files(5)
    order = [2, 0, 1]
    expected = pytest.approx(pil(original, masked))
    assert pil(original[:, order], masked[:, order]) == expected


def test_shift_of_a_mean_by_one_standard_error():
    original, _ = files(1)
    masked = original.copy()
    masked[:, 0] += original[:, 0].std() / np.sqrt(len(original))
    losses = ProbabilisticLoss(original).losses(file_statistics(masked))
    assert losses.means == pytest.approx([100 * (2 * norm.cdf(1) - 1), 0, 0])
    assert losses.covariances == pytest.approx(np.zeros((3, 3)))


def test_same_file_has_no_loss_and_a_shuffled_one_has_none_either():
    original, _ = files(2, n_rows=1000)
    # A copy of a column: the correlation of 1 has a standard deviation of 0, but for rounding.
    original = np.column_stack([original, original[:, 0], np.full(1000, 0.1)])
    assert pil(original, original) == 0
    assert pil(original, original[::-1]) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("value", [0.1, 0.0, 1e9])
def test_constant_column_costs_nothing_until_it_is_changed(value):
    original, _ = files(4)
    original[:, 1] = value
    assert pil(original, original) == 0
    masked = original.copy()
    masked[0, 1] += 1
    losses = ProbabilisticLoss(original).losses(file_statistics(masked))
    assert losses.means.tolist() == [0, 100, 0]
    assert np.diagonal(losses.covariances).tolist() == [0, 100, 0]
    assert (losses.correlations[1, [0, 2]] == 100).all()


def test_masked_column_that_is_constant():
    original, _ = files(4)
    masked = original.copy()
    masked[:, 1] = original[:, 1].mean()
    losses = ProbabilisticLoss(original).losses(file_statistics(masked))
    assert losses.means[1] == pytest.approx(0, abs=1e-9)
    assert np.isfinite(losses.correlations).all()
    assert np.isfinite(losses.quantiles).all()


def test_quantile_within_a_value_that_many_rows_share():
    original = np.array([[0.0]] * 90 + [[1.0]] * 10)
    masked = original.copy()
    masked[:50] = 0.5
    losses = ProbabilisticLoss(original).losses(file_statistics(masked))
    assert losses.quantiles[0, :5].tolist() == [0, 0, 0, 0, 0]
    assert losses.quantiles[0, 10] == 100


def test_one_row():
    original = np.array([[1.0, 2.0]])
    assert pil(original, original) == 0
    assert pil(original, original + 1) == pytest.approx(100 * 2 / 5)
