"""Optimal univariate microaggregation: against all partitions, worked figures."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import OptimalMicroaggregation
from anonopt.masking.optimal_microaggregation import optimal_sizes
from tests.oracles import masking as oracle

numbers = st.lists(st.integers(-50, 50), min_size=1, max_size=9)


@given(numbers, st.integers(1, 5), st.booleans())
def test_cost_is_the_least_of_all_partitions(cells, k, squared):
    k = min(k, len(cells))
    sizes = optimal_sizes(np.sort(np.array(cells, dtype=float)), k, squared=squared)
    assert sizes.sum() == len(cells)
    assert sizes.min() >= k
    assert sizes.max() <= max(2 * k - 1, k)
    cost = oracle.squared_cost if squared else oracle.absolute_cost
    found = oracle.cost_of(sorted(map(Fraction, cells)), sizes.tolist(), cost)
    # The best two partitions may differ by less than floats tell apart.
    assert float(found) == pytest.approx(float(oracle.least_cost(cells, k, squared=squared)))


@pytest.mark.parametrize(
    ("cells", "k", "expected"),
    [
        ([1, 2, 3, 10, 11, 20, 21, 22], 2, [2, 2, 2, 10.5, 10.5, 21, 21, 21]),
        ([1, 2, 3, 4, 5, 6], 3, [2, 2, 2, 5, 5, 5]),
        ([5, 1, 6, 2, 4, 3], 3, [5, 2, 5, 2, 5, 2]),
        ([7], 1, [7]),
    ],
)
def test_worked_figures(cells, k, expected):
    masked = OptimalMicroaggregation(k=k).fit_transform(pd.DataFrame({"x": cells}))
    assert masked["x"].tolist() == expected


def test_loss_of_the_worked_example():
    x = pd.Series([1.0, 2, 3, 10, 11, 20, 21, 22])
    masked = OptimalMicroaggregation(k=2).fit_transform(pd.DataFrame({"x": x}))["x"]
    assert ((masked - x) ** 2).sum() == pytest.approx(4.5)
    assert ((x - x.mean()) ** 2).sum() == pytest.approx(547.5)


def test_large_numbers_do_not_cancel():
    x = np.array([1.0, 2, 3, 10, 11, 20, 21, 22])
    assert optimal_sizes(x + 2**40, 2, squared=True).tolist() == [3, 2, 3]


def test_ordinal_cells_become_the_median_of_their_group():
    frame = pd.DataFrame({"size": ["XL", "S", "L", "S", None, "M", None]}, dtype=object)
    method = OptimalMicroaggregation(k=2, ordinal={"size": ["S", "M", "L", "XL"]})
    assert method.fit_transform(frame)["size"].tolist() == ["L", "S", "L", "S", None, "S", None]


def test_nominal_column_is_refused():
    with pytest.raises(
        ValueError, match=r"column 'zone': expected values in an order for OptimalMicroaggregation"
    ):
        OptimalMicroaggregation(k=1).fit_transform(pd.DataFrame({"zone": ["a"]}))


@pytest.mark.parametrize(
    ("values", "sizes"), [([0, 0.1, 0.5, 0.6, 0.7], [2, 3]), ([0, 0.1, 0.2, 0.9, 1], [3, 2])]
)
@pytest.mark.parametrize("squared", [True, False])
def test_small_differences_count(values, sizes, squared):
    assert optimal_sizes(np.array(values), 2, squared=squared).tolist() == sizes
