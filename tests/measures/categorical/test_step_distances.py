"""Distances of categories in whole steps: thesis Eqs. 2.6 (corrected) and 2.7."""

from __future__ import annotations

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
