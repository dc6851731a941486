"""Distances of categories in whole steps: thesis Eqs. 2.6 (corrected) and 2.7."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest

from anonopt.data import CategoricalColumns
from anonopt.measures.categorical.step_distances import StepDistances


def shares(values: list[object], *, ordinal: bool) -> list[list[float]]:
    """Distances between all categories of a column."""
    columns = CategoricalColumns.of(
        pd.DataFrame({"x": values}), ordinal={"x": None} if ordinal else None
    )
    distances = StepDistances.of(columns)
    return (distances.table(0) / distances.scales[0]).tolist()


def test_nominal():
    assert shares(list("xyz"), ordinal=False) == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_ordinal_counts_steps_and_equal_values_are_at_0():
    assert shares([1, 2, 3, 4, 5], ordinal=True)[1] == [0.25, 0.0, 0.25, 0.5, 0.75]


@pytest.mark.parametrize("ordinal", [True, False])
def test_one_category_is_at_0(ordinal):
    assert shares([7, 7], ordinal=ordinal) == [[0.0]]
    assert shares([7, None], ordinal=ordinal) == [[0.0, 1.0], [1.0, 0.0]]


def test_a_missing_cell_is_furthest_from_everything_but_itself():
    distances = shares([1, 2, 3, None], ordinal=True)
    assert [row[3] for row in distances] == distances[3] == [1.0, 1.0, 1.0, 0.0]
    assert distances[0][1] == 0.5


def test_columns_have_a_common_unit():
    distances = StepDistances(n_categories=(3, 4), n_ordered=(3, 4), scales=(2, 3))
    assert [unit.tolist() for unit in distances.units] == [[0, 3, 6], [0, 2, 4, 6]]


def test_units_are_rounded_where_no_exact_one_fits():
    scales = (97, 89, 83, 79, 73, 71, 67, 61, 59)
    sizes = tuple(scale + 1 for scale in scales)
    distances = StepDistances(n_categories=sizes, n_ordered=sizes, scales=scales)
    for scale, unit in zip(scales, distances.units, strict=True):
        assert len(unit) == scale + 1
        exact = [Fraction(step * 2**40, scale) for step in range(scale + 1)]
        assert unit.tolist() == [round(share) for share in exact]
