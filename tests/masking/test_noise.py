"""Noise: what is added, its covariances, whole numbers, missing cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import AdditiveNoise, CorrelatedNoise, Records
from anonopt.masking.noise import correlation_root
from tests.oracles import recoding as oracle

cells = st.one_of(st.none(), st.floats(-1e3, 1e3).map(lambda x: round(x, 3)))


def correlated_table(n_rows=20_000):
    rng = np.random.default_rng(3)
    x = rng.exponential(size=n_rows)
    y = 2 * x + rng.normal(size=n_rows)
    return pd.DataFrame({"x": 100 * x, "y": y, "z": -y + rng.normal(size=n_rows)})


@given(st.lists(cells, min_size=1, max_size=30), st.floats(0, 3), st.integers(0, 99))
def test_additive_noise_is_that_of_the_cell_by_cell_twin(column, share, seed):
    frame = pd.DataFrame({"x": pd.Series(column, dtype="float64")})
    masked = AdditiveNoise(share=share, random_state=seed).fit_transform(frame)["x"]
    draws = np.random.default_rng(seed).normal(size=len(column))
    expected = pd.Series(oracle.additive(column, share, draws), dtype="float64")
    pd.testing.assert_series_equal(masked, expected, check_names=False, rtol=1e-9, atol=1e-9)


@given(st.lists(cells, min_size=2, max_size=30), st.floats(0, 3), st.integers(0, 99))
def test_correlated_noise_of_one_column_keeps_moments_as_the_twin(column, share, seed):
    frame = pd.DataFrame({"x": pd.Series(column, dtype="float64")})
    method = CorrelatedNoise(share=share, keep_moments=True, random_state=seed)
    masked = method.fit_transform(frame)["x"]
    draws = np.random.default_rng(seed).normal(size=len(column))
    expected = oracle.additive(column, share, draws)
    if len({cell for cell in column if cell is not None}) > 1:
        expected = oracle.shrunk(column, expected, share)
    expected = pd.Series(expected, dtype="float64")
    pd.testing.assert_series_equal(masked, expected, check_names=False, rtol=1e-9, atol=1e-9)


def test_additive_noise_is_independent_and_of_the_share_asked_for():
    frame = correlated_table()
    noise = AdditiveNoise(share=0.3, random_state=1).fit_transform(frame) - frame
    np.testing.assert_allclose(noise.std() / frame.std(), 0.3, rtol=0.02)
    assert abs(noise.mean() / frame.std()).max() < 0.01
    correlations = noise.corr().to_numpy()[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 0.03
    assert abs(np.corrcoef(noise["x"], frame["x"])[0, 1]) < 0.03


def test_correlated_noise_has_the_correlations_of_the_data():
    frame = correlated_table()
    masked = CorrelatedNoise(share=0.5, random_state=1).fit_transform(frame)
    noise = masked - frame
    np.testing.assert_allclose(noise.corr(), frame.corr(), atol=0.02)
    np.testing.assert_allclose(noise.std() / frame.std(), 0.5, rtol=0.02)
    np.testing.assert_allclose(masked.cov() / frame.cov(), 1.25, rtol=0.04)


def test_moments_are_kept_where_that_is_asked():
    frame = correlated_table()
    method = CorrelatedNoise(share=0.5, keep_moments=True, random_state=1)
    masked = method.fit_transform(frame)
    np.testing.assert_allclose(masked.cov() / frame.cov(), 1.0, rtol=0.04)
    np.testing.assert_allclose(masked.mean(), frame.mean(), atol=0.02 * frame.std().max())
    assert (abs(masked - frame) > 0.01 * frame.std()).to_numpy().mean() > 0.9


def test_root_of_correlations():
    frame = correlated_table(50)
    root = correlation_root(Records.of(frame, list(frame), None).columns)
    np.testing.assert_allclose(root @ root, frame.corr(), atol=1e-12)
    np.testing.assert_allclose(root, root.T)


def test_columns_that_depend_on_each_other_are_no_error():
    frame = pd.DataFrame({"x": np.arange(50.0), "constant": 7.0}).assign(y=lambda f: 3 - f["x"])
    masked = CorrelatedNoise(share=0.5, random_state=0).fit_transform(frame)
    np.testing.assert_allclose(masked["y"], 3 - masked["x"])
    assert masked["constant"].tolist() == [7.0] * 50


def test_columns_without_a_common_row_are_refused():
    frame = pd.DataFrame({"x": [1.0, 2, None, None], "y": [None, None, 1.0, 2]})
    with pytest.raises(ValueError, match=r"at least 2 rows with a number in each.*found 0"):
        CorrelatedNoise(share=0.5, random_state=0).fit_transform(frame)


def test_whole_numbers_are_rounded_to_even():
    frame = pd.DataFrame({"x": [0, 2]})
    draws = np.random.default_rng(0).normal(size=2)
    masked = AdditiveNoise(share=5.0, random_state=0).fit_transform(frame)["x"]
    assert masked.tolist() == [
        round(a + 5 * 2**0.5 * z) for a, z in zip([0, 2], draws, strict=True)
    ]
    assert masked.dtype == np.int64


def test_type_is_widened_where_a_sum_does_not_fit():
    frame = pd.DataFrame({"x": pd.array([0, 255] * 20, dtype="uint8")})
    masked = AdditiveNoise(share=1.0, random_state=0).fit_transform(frame)["x"]
    assert masked.dtype == np.int64
    assert masked.min() < 0
    assert masked.max() > 255


def test_what_does_not_fit_into_64_bits_is_refused():
    frame = pd.DataFrame({"x": [2**62, -(2**62)] * 20}, dtype="int64")
    with pytest.raises(ValueError, match=r"column 'x': expected .* found"):
        AdditiveNoise(share=3.0, random_state=0).fit_transform(frame)


@pytest.mark.parametrize("method", [AdditiveNoise, CorrelatedNoise])
class TestBoth:
    @pytest.mark.parametrize("share", [-0.1, float("nan"), float("inf")])
    def test_share_out_of_range_is_refused(self, method, share):
        with pytest.raises(ValueError, match="share: expected a number of at least 0, found"):
            method(share=share).fit_transform(pd.DataFrame({"x": [1.0, 2.0]}))

    @pytest.mark.parametrize("values", [["a", "b"], [True, False], [1, 2]])
    def test_categories_are_refused(self, method, values):
        ordinal = {"x": None} if values == [1, 2] else None
        with pytest.raises(ValueError, match=r"column 'x': expected numbers for \w+Noise, found"):
            method(share=1.0, ordinal=ordinal).fit_transform(pd.DataFrame({"x": values}))

    def test_no_noise_changes_nothing(self, method):
        frame = pd.DataFrame({"x": [1.5, None, 3.25], "y": [3, 4, 9]})
        masked = method(share=0.0, random_state=0).fit_transform(frame)
        pd.testing.assert_frame_equal(masked, frame)
