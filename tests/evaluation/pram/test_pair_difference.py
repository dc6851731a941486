"""Bivariate difference of a masked column and one that stays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.data import CategoricalColumns, masking_set
from anonopt.evaluation.pram.pair_difference import PairDifference, bivariate_difference
from anonopt.masking import pram_matrix


@pytest.fixture(scope="module")
def columns() -> list[CategoricalColumns]:
    frame = masking_set("german").frame
    return [CategoricalColumns.of(frame, columns=[name]) for name in ("employment", "housing")]


def test_difference_is_half_the_sum_over_the_records():
    # Eq. 4.5: |3 - 2| + |1 - 2| + |0 - 1| + |2 - 1| over 2 * 6 records.
    assert bivariate_difference([[3, 1], [0, 2]], [[2, 2], [1, 1]]) == pytest.approx(100 * 4 / 12)


def test_tables_of_different_shape_or_size_are_refused():
    with pytest.raises(ValueError, match=r"found 3 records in \(2,\) and 4 in \(2,\)"):
        bivariate_difference([1, 2], [2, 2])
    with pytest.raises(ValueError, match="tables of one shape"):
        bivariate_difference([[1, 2]], [1, 2])


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
