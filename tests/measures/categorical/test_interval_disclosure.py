"""Intervals of ranks round masked categories."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.measures.categorical.disclosure_risk import disclosure_risk, score
from anonopt.measures.categorical.interval_disclosure import (
    doubled_mid_ranks,
    interval_disclosure,
    interval_hits,
)


def test_every_width_up_to_the_distance():
    # 100 categories of one row each: k ranks apart are inside the intervals of k..10 percent.
    ranks = doubled_mid_ranks(np.ones(100, dtype=int))
    masked = np.arange(13)
    hits = interval_hits(np.zeros(13, dtype=int), masked, ranks, 100)
    assert hits.tolist() == [10, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]


def test_edge_of_the_interval_is_inside():
    # Mid-ranks 1 and 2 of two rows are 50 percent apart; of 200 rows, 20 ranks are 10 percent.
    assert interval_hits(np.array([0]), np.array([1]), np.array([2, 4]), 2).tolist() == [0]
    assert interval_hits(np.array([0]), np.array([1]), np.array([2, 42]), 200).tolist() == [1]
    assert interval_hits(np.array([0]), np.array([1]), np.array([2, 43]), 200).tolist() == [0]


def test_missing_and_nominal_categories_have_no_rank():
    ranks = doubled_mid_ranks(np.array([50, 50]))
    original, masked = np.array([2, 2, 0, 0]), np.array([2, 0, 2, 0])
    assert interval_hits(original, masked, ranks, 1000).tolist() == [10, 0, 0, 10]
    assert interval_hits(original, masked, None, 1000).tolist() == [10, 0, 0, 10]


def test_only_missing_cells():
    ranks = doubled_mid_ranks(np.zeros(0, dtype=int))
    assert interval_hits(np.array([0]), np.array([0]), ranks, 5).tolist() == [10]


def test_share_of_all_cells_and_widths():
    # 35 hits of 10 widths in 2 x 3 cells.
    assert interval_disclosure(35, 2, 3) == pytest.approx(100 * 35 / 60)
    assert interval_disclosure(60, 2, 3) == 100
    assert interval_disclosure(0, 3, 2) == 0


def test_risk_and_score():
    assert disclosure_risk(40, 10, 20) == disclosure_risk(40, 20, 10) == 30
    assert (score(20, 50), score(50, 20), score(20, 50, "mean")) == (50, 50, 35)
    with pytest.raises(ValueError, match="'max', 'mean', found 'sum'"):
        score(1, 2, "sum")
