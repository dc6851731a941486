"""One call that compares numeric files, and its linkage of rank-swapped ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.evaluation import ContinuousMaskingEvaluator, compare, compare_continuous
from anonopt.masking import RankSwapping
from tests.oracles import continuous as oracle

FIGURES = ["DBIL", "PIL", "IL", "ID", "DBRL", "PRL", "RSRL", "DR", "score_max", "score_mean"]


@pytest.fixture
def original():
    rng = np.random.default_rng(1)
    income = rng.gamma(2, 10, 60)
    return pd.DataFrame({"income": income, "debt": income + rng.normal(0, 3, 60), "zone": "a"})


@pytest.fixture
def masked(original):
    method = RankSwapping(10, columns=["income", "debt"], random_state=3)
    return method.fit_transform(original)


COLUMNS = ["income", "debt"]


def test_names_and_sums(original, masked):
    figures = compare_continuous(original, masked, COLUMNS)
    assert list(figures.index) == FIGURES
    assert np.isnan(figures["RSRL"])
    assert figures["IL"] == figures["PIL"]
    assert figures["score_max"] == max(figures["IL"], figures["DR"])
    assert figures["score_mean"] == (figures["IL"] + figures["DR"]) / 2


def test_compare_takes_numeric_columns_here(original, masked):
    pd.testing.assert_series_equal(
        compare(original, masked, columns=COLUMNS), compare_continuous(original, masked, COLUMNS)
    )


def test_linkage_of_rank_swapping_equals_plain_loops(original, masked):
    x, y = original[COLUMNS].to_numpy(), masked[COLUMNS].to_numpy()
    figures = compare_continuous(original, masked, COLUMNS, p=10)
    assert figures["RSRL"] == pytest.approx(oracle.rank_swapping_linkage(x, y, 10))
    # Who knows the window links more than who does not.
    assert figures["RSRL"] > figures["PRL"]


def test_rank_swapping_always_leaves_the_true_original_possible(original):
    masked = RankSwapping(1, columns=COLUMNS, random_state=3).fit_transform(original)
    figures = compare_continuous(original, masked, COLUMNS, p=1)
    assert figures["RSRL"] > 50


def test_one_column_and_options(original, masked):
    figures = compare_continuous(original, masked, ["debt"], agreement=0)
    evaluator = ContinuousMaskingEvaluator(original[["debt"]].to_numpy(), agreement=0)
    expected = evaluator.measure(masked[["debt"]].to_numpy()).values(["PRL"])
    assert figures["PRL"] == expected[0]


class TestFaults:
    def test_rows(self, original, masked):
        with pytest.raises(ValueError, match="masked file of 60 rows, found 59"):
            compare_continuous(original, masked[:-1], COLUMNS)

    def test_text(self, original, masked):
        with pytest.raises(ValueError, match="'zone': expected numbers"):
            compare_continuous(original, masked)

    def test_infinite_cells(self, original, masked):
        masked.loc[3, "debt"] = np.inf
        with pytest.raises(ValueError, match=r"'debt': .*found 1 cells"):
            compare_continuous(original, masked, COLUMNS)

    def test_window(self, original, masked):
        with pytest.raises(ValueError, match=r"percent above 0 and up to 100, found 200"):
            compare_continuous(original, masked, COLUMNS, p=200)
