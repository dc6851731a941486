"""Which categories rank swapping can have exchanged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.measures.categorical.rank_swapping_linkage import (
    candidate_ranges,
    swap_candidates,
    swapping_window,
)

COUNTS = st.lists(st.integers(1, 4), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("p", "n_ranked", "window"),
    [(5, 100, 5), (0.5, 100, 1), (2.3, 3000, 69), (100, 7, 7), (50, 202, 101), (1, 0, 1)],
)
def test_window_is_rounded_down_but_at_least_one_rank(p, n_ranked, window):
    assert swapping_window(p, n_ranked) == window


@pytest.mark.parametrize("p", [0, -1, 100.1, float("nan")])
def test_percent_out_of_range(p):
    with pytest.raises(ValueError, match="p: expected"):
        swapping_window(p, 10)
    with pytest.raises(ValueError, match="p: expected"):
        swap_candidates(np.array([0]), np.array([0]), np.array([3]), p)


@given(COUNTS, st.integers(1, 100))
def test_candidates_have_ranks_within_the_window(counts, p):
    ranks = np.repeat(np.arange(len(counts)), counts)
    window = max(p * len(ranks) // 100, 1)
    expected = [
        [
            a == b
            or min(
                abs(i - j) for i in np.flatnonzero(ranks == a) for j in np.flatnonzero(ranks == b)
            )
            <= window
            for b in range(len(counts))
        ]
        for a in range(len(counts))
    ]
    codes = np.arange(len(counts))
    found = swap_candidates(codes[:, np.newaxis], codes, np.array(counts), p)
    assert found.tolist() == expected


@pytest.mark.parametrize("counts", [None, np.zeros(0, dtype=int), np.array([5])])
def test_what_has_no_rank_is_never_swapped(counts):
    # Of the last one category 0 has ranks, category 1 is the missing one.
    codes = np.arange(2)
    found = swap_candidates(codes[:, np.newaxis], codes, counts, 100)
    assert found.tolist() == [[True, False], [False, True]]


@settings(max_examples=30)
@given(st.lists(st.integers(0, 4), max_size=6), st.sampled_from([1, 10, 40, 100]))
def test_candidates_are_those_of_a_range(counts, p):
    n = len(counts) + 1
    categories = np.arange(n)
    found = swap_candidates(categories[:, np.newaxis], categories, np.array(counts, dtype=int), p)
    first, last = candidate_ranges(np.array(counts, dtype=int), n, p)
    expected = (first <= categories[:, np.newaxis]) & (categories[:, np.newaxis] <= last)
    assert found.tolist() == expected.tolist()
