"""Tables of a masked and an untouched column: Eqs. 4.5 and 4.8."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from anonopt.measures.categorical.bivariate import (
    bivariate_difference,
    chi_square,
    chi_square_difference,
)

tables = st.lists(st.lists(st.integers(1, 30), min_size=3, max_size=3), min_size=2, max_size=5).map(
    np.array
)


@given(tables)
def test_statistic_is_that_of_scipy(counts):
    assert chi_square(counts) == pytest.approx(chi2_contingency(counts, correction=False)[0])


@given(tables)
def test_rows_and_columns_without_records_change_nothing(counts):
    padded = np.pad(counts, ((0, 1), (1, 0)))
    assert chi_square(padded) == pytest.approx(chi_square(counts))


@given(tables, st.integers(1, 9))
def test_independent_columns_have_exactly_no_statistic(counts, times):
    independent = np.outer(counts[0], counts[:, 0]) * times
    assert chi_square(independent) == 0
    assert chi_square_difference(independent, independent) == 0


def test_difference_is_the_share_of_records_elsewhere():
    before, after = np.array([[5, 0], [0, 5]]), np.array([[0, 5], [5, 0]])
    assert bivariate_difference(before, after) == 100
    assert bivariate_difference(before, before) == 0
    assert bivariate_difference(before, np.full((2, 2), 2.5)) == 50
    # Eq. 4.5: |3 - 2| + |1 - 2| + |0 - 1| + |2 - 1| over 2 * 6 records.
    before, after = np.array([[3, 1], [0, 2]]), np.array([[2, 2], [1, 1]])
    assert bivariate_difference(before, after) == pytest.approx(100 * 4 / 12)


def test_change_from_no_association_is_infinite():
    independent, related = np.full((2, 2), 5), np.array([[6, 4], [4, 6]])
    assert chi_square_difference(independent, related) == math.inf
    assert chi_square_difference(related, independent) == 100


@pytest.mark.parametrize("measure", [bivariate_difference, chi_square_difference])
def test_tables_that_do_not_fit_are_refused(measure):
    with pytest.raises(ValueError, match="same shape"):
        measure(np.ones((2, 2)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="at least one record"):
        measure(np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="as many in both, found 4 and 8"):
        measure(np.ones((2, 2)), np.full((2, 2), 2))
