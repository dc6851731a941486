"""Rank swapping: what moves, how far, and with what probability."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import RankSwapping, rank_swapping
from anonopt.masking.rank_swapping import _swapped
from tests.examples import examples


def swapped(cells, p, seed=0, **options):
    frame = pd.DataFrame({"x": cells})
    return RankSwapping(p=p, random_state=seed, **options).fit_transform(frame)["x"]


def test_percent_is_no_fraction():
    cells = np.arange(1, 101)
    masked = swapped(cells, 5)
    assert np.abs(masked - cells).max() == 5
    assert sorted(masked) == cells.tolist()
    assert (masked != cells).mean() > 0.9


def test_percent_is_taken_as_written():
    cells = np.arange(3000)
    # In floats 2.3 * 3000 / 100 is below 69.
    assert np.abs(swapped(cells, 2.3) - cells).max() == 69


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=60),
    st.floats(0.01, 100),
    st.integers(0, 2**32),
)
def test_no_cell_moves_by_more_than_the_window(cells, p, seed):
    masked = swapped(cells, p, seed)
    window = max(math.floor(Fraction(repr(p)) * len(cells) / 100), 1)
    assert sorted(masked) == sorted(cells)
    ordered = np.sort(cells)
    # Equal cells have a range of ranks; the nearest ends of two ranges count.
    for before, after in zip(cells, masked, strict=True):
        low, high = min(before, after), max(before, after)
        gap = np.searchsorted(ordered, high, "left") - np.searchsorted(ordered, low, "right") + 1
        assert low == high or gap <= window


@examples(20)
@given(
    st.integers(0, 60),
    st.integers(1, 80),
    st.integers(0, 2**32),
    st.sampled_from(["PCG64", "MT19937", "Philox", "SFC64"]),
)
def test_partners_are_the_same_without_numba_and_so_is_what_is_drawn_next(n, window, seed, bits):
    found = []
    for many in (-1, 60):
        rng = np.random.Generator(getattr(np.random, bits)(seed))
        # Half of a drawn word may wait for the next number.
        rng.integers(5, size=seed % 2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rank_swapping, "MANY", many)
            partners = _swapped(n, window, rng)
        found.append((partners.tolist(), int(rng.integers(1000)), rng.random()))
    assert found[0] == found[1]


@given(st.integers(1, 60), st.integers(1, 80), st.integers(0, 2**32))
def test_pairs_change_places_and_none_is_left_that_could(n, window, seed):
    partners = _swapped(n, window, np.random.default_rng(seed))
    np.testing.assert_array_equal(partners[partners], np.arange(n))
    assert np.abs(partners - np.arange(n)).max() <= window
    left = np.flatnonzero(partners == np.arange(n))
    assert np.diff(left).min(initial=window + 1) > window


def test_partners_are_uniform_in_the_window():
    rng = np.random.default_rng(1)
    firsts = Counter(int(_swapped(9, 4, rng)[0]) for _ in range(4000))
    assert set(firsts) == {1, 2, 3, 4}
    # Expected 1000 each, standard deviation 27.
    assert max(abs(count - 1000) for count in firsts.values()) < 140


def test_window_is_at_least_one_rank():
    assert sorted(swapped([1, 2, 3], 0.001)) == [1, 2, 3]
    assert swapped([1, 2], 0.001).tolist() == [2, 1]


def test_missing_cells_stay():
    cells = pd.Series(["b", None, "a", "c", None, "a"], dtype=object)
    masked = swapped(cells, 100, ordinal={"x": None})
    assert masked.isna().tolist() == cells.isna().tolist()
    assert sorted(masked.dropna()) == sorted(cells.dropna())


def test_columns_are_swapped_independently():
    frame = pd.DataFrame({"x": range(200), "y": range(200)})
    masked = RankSwapping(p=10, random_state=3).fit_transform(frame)
    assert (masked["x"] != masked["y"]).mean() > 0.5


@pytest.mark.parametrize("p", [0, -1, 101, float("nan")])
def test_percent_out_of_range_is_refused(p):
    with pytest.raises(ValueError, match="p: expected percent above 0 and up to 100"):
        swapped([1, 2], p)


def test_fresh_draws_without_a_seed():
    assert swapped(range(100), 5, seed=None).tolist() != swapped(range(100), 5, seed=None).tolist()


def test_known_seed_swaps_back():
    # So the documents say that a published seed undoes the protection.
    masked = swapped(range(100), 5, seed=3)
    assert masked.tolist() != list(range(100))
    assert swapped(masked, 5, seed=3).tolist() == list(range(100))
