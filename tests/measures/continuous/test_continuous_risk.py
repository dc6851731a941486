"""Ranks, windows, intervals and linkage by distance of numeric files."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from anonopt.measures import interval_risk
from anonopt.measures.categorical.record_linkage import linkage
from anonopt.measures.continuous.continuous_risk import (
    continuous_disclosure_risk,
    doubled_ranks,
    range_distance,
    rank_window,
)
from anonopt.measures.continuous.nearest_records import NearestRecords
from anonopt.measures.continuous.record_agreement import agreement_rows, own_patterns
from tests.oracles import continuous as oracle

SMALL = st.integers(-4, 4)


@given(st.lists(SMALL, min_size=1, max_size=12), st.floats(-6, 6))
def test_ranks_equal_plain_counts(column, value):
    ranks = doubled_ranks(np.sort(np.array(column, dtype=float)), [value])
    assert ranks.tolist() == [2 * oracle.mid_rank(column, value)]


@pytest.mark.parametrize(
    ("percent", "n_rows", "window"), [(5, 100, 10), (0, 100, 0), (0.1, 3000, 6), (2.5, 41, 2)]
)
def test_window(percent, n_rows, window):
    assert rank_window(percent, n_rows) == window


@pytest.mark.parametrize("percent", [-1, 101, float("nan")])
def test_window_out_of_range(percent):
    with pytest.raises(ValueError, match=r"expected 0\.\.100"):
        rank_window(percent, 10)


class TestIntervalRisk:
    def test_inside_is_the_risk(self):
        risk = interval_risk([10, 20, 30], [10.5, 25, 30], half_width=0.1)
        assert risk == pytest.approx(2 / 3)

    def test_each_column_has_its_own_deviation(self):
        original = np.array([[10, 1000], [20, 2000], [30, 3000]])
        masked = original + np.array([2, 200])
        assert interval_risk(original, masked, half_width=0.2) == 1
        assert interval_risk(original, masked, half_width=0.19) == 0

    def test_wider_intervals_hold_no_less(self):
        rng = np.random.default_rng(1)
        original = rng.normal(size=(50, 2))
        masked = original + rng.normal(size=(50, 2))
        risks = [interval_risk(original, masked, half_width=w) for w in (0, 0.5, 1, 2, 9)]
        assert risks == sorted(risks)
        assert (risks[0], risks[-1]) == (0, 1)

    def test_constant_column_and_one_row(self):
        assert interval_risk([5, 5, 5], [5, 5, 6], half_width=3) == pytest.approx(2 / 3)
        assert interval_risk([5], [5], half_width=1) == 1
        assert interval_risk([5], [6], half_width=1) == 0

    def test_two_rows_have_a_deviation(self):
        # 10 / sqrt(2) = 7.07, a fifth of which is 1.41.
        assert interval_risk([0, 10], [1.4, 10], half_width=0.2) == 1
        assert interval_risk([0, 10], [1.5, 10], half_width=0.2) == 0.5

    def test_faults(self):
        with pytest.raises(ValueError, match=r"found shapes \(2,\) and \(3,\)"):
            interval_risk([1, 2], [1, 2, 3], half_width=1)
        with pytest.raises(ValueError, match=r"half_width: expected a number .*at least 0"):
            interval_risk([1, 2], [1, 2], half_width=-1)


def test_distance_is_a_share_of_the_range_of_both_files():
    original, masked = np.array([[0.0, 7.0], [8.0, 7.0]]), np.array([[0.0, 7.0], [18.0, 7.0]])
    assert range_distance(original, masked) == pytest.approx(100 * (10 / 18) / 4)


def test_risk_of_a_file_weighs_intervals_half_and_linkages_a_quarter():
    assert continuous_disclosure_risk(40, 10, 20) == 27.5
    assert continuous_disclosure_risk(0, 100, 0) == continuous_disclosure_risk(0, 0, 100) == 25


def dbrl(original, masked):
    ties = NearestRecords(original).ties(np.arange(len(masked)), masked)
    return linkage(np.ones(int((ties > 0).sum()), dtype=int), ties[ties > 0], len(masked))


class TestNearestRecords:
    @pytest.mark.parametrize(
        ("original", "masked", "share"),
        [([0, 10, 20], [10, 10, 10], 1 / 3), ([0, 0, 20], [0, 0, 20], 2 / 3)],
    )
    def test_ties_are_shared(self, original, masked, share):
        files = (np.array(file, dtype=float)[:, np.newaxis] for file in (original, masked))
        assert dbrl(*files) == pytest.approx(100 * share)

    @given(
        arrays.arrays(np.int8, (9, 3), elements=SMALL),
        arrays.arrays(np.int8, (9, 3), elements=SMALL),
        st.integers(0, 99),
    )
    @settings(max_examples=60)
    def test_equals_plain_loops_in_any_order(self, original, masked, seed):
        x, y = original.astype(float), masked.astype(float)
        expected = pytest.approx(oracle.distance_linkage(x, y))
        assert dbrl(x, y) == expected
        order = np.random.default_rng(seed).permutation(9)
        assert dbrl(x[order], y[order]) == expected

    def test_constant_file_ties_everything(self):
        constant = np.full((4, 2), 0.1)
        assert dbrl(constant, constant + 3) == 25

    def test_values_do_not_depend_on_the_batch(self):
        rng = np.random.default_rng(2)
        x = rng.normal(size=(200, 9))
        y = x + 0.5 * rng.normal(size=x.shape)
        nearest = NearestRecords(x)
        together = nearest.ties(np.arange(200), y)
        alone = [nearest.ties(np.array([i]), y[i : i + 1])[0] for i in range(200)]
        assert together.tolist() == alone


def agreeing(x, y, window):
    near = [abs(int(a) - int(b)) <= window for a, b in zip(x, y, strict=True)]
    return sum(agrees << column for column, agrees in enumerate(near))


@given(
    arrays.arrays(np.int32, (6, 3), elements=st.integers(1, 12)),
    arrays.arrays(np.int32, (5, 3), elements=st.integers(1, 12)),
    st.integers(0, 6),
)
def test_agreement_equals_plain_counts(original, masked, window):
    patterns, counts = agreement_rows(masked, original.T.copy(), window)
    for y, row, numbers in zip(masked, patterns.tolist(), counts.tolist(), strict=True):
        expected = Counter(agreeing(x, y, window) for x in original)
        assert {p: n for p, n in zip(row, numbers, strict=True) if n > 0} == expected
        assert set(row) == set(expected)
    own = own_patterns(masked, original[:5], window).tolist()
    assert own == [agreeing(x, y, window) for x, y in zip(original[:5], masked, strict=True)]
