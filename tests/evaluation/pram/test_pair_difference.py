"""Bivariate difference of a masked column and one that stays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.data import CategoricalColumns, masking_set
from anonopt.evaluation.pram.pair_difference import PairDifference
from anonopt.masking import pram_matrix


@pytest.fixture(scope="module")
def columns() -> list[CategoricalColumns]:
    frame = masking_set("german").frame
    return [CategoricalColumns.of(frame, columns=[name]) for name in ("employment", "housing")]


def test_counts_are_those_of_both_columns(columns):
    frame = masking_set("german").frame
    expected = pd.crosstab(frame["employment"], frame["housing"]).to_numpy()
    np.testing.assert_array_equal(PairDifference(*columns).counts, expected)


def test_draws_common_numbers_and_expectation_agree(columns):
    matrix = pram_matrix("maximum_entropy", np.ones(5), p=0.6)
    expected = PairDifference(*columns, expected=True).difference(matrix)
    for common in (False, True):
        drawn = PairDifference(*columns, draws=2000, common=common, seed=1).difference(matrix)
        assert drawn == pytest.approx(expected, abs=0.1)


@pytest.mark.usefixtures("entropy_guard")
@pytest.mark.parametrize("common", [False, True])
def test_difference_depends_on_the_matrix_and_the_seed_alone(columns, common):
    matrix, other = (pram_matrix("maximum_entropy", np.ones(5), p=p) for p in (0.6, 0.7))
    pair = PairDifference(*columns, seed=1, common=common)
    first = pair.difference(matrix)
    assert pair.difference(other) != first
    assert pair.difference(matrix) == first
    assert PairDifference(*columns, seed=2, common=common).difference(matrix) != first


def test_one_column_each_is_needed(columns):
    with pytest.raises(ValueError, match=r"two single columns .*found shapes \(\(1000, 3\)"):
        PairDifference(masking_set("german").categorical, columns[1])
