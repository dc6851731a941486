"""Distances of categories: thesis Eqs. 2.6 (corrected) and 2.7."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonopt.data import CategoricalColumns
from anonopt.measures.continuous.standardized_distances import (
    category_distances,
    nominal_distances,
    ordinal_distances,
)


def test_nominal():
    assert nominal_distances(3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_ordinal_counts_steps_and_equal_values_are_at_0():
    assert ordinal_distances(5)[1].tolist() == [0.25, 0.0, 0.25, 0.5, 0.75]


def test_one_category_is_at_0():
    assert ordinal_distances(1).tolist() == [[0.0]]
    assert ordinal_distances(2, has_missing=True).tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_a_missing_cell_is_furthest_from_everything_but_itself():
    distances = ordinal_distances(4, has_missing=True)
    assert distances[:, 3].tolist() == [1.0, 1.0, 1.0, 0.0]
    assert distances[0, 1] == 0.5


def test_distances_of_columns_follow_their_kind():
    frame = pd.DataFrame({"a": ["x", "y", "z"], "b": [1, 2, 3]})
    nominal, ordinal = category_distances(CategoricalColumns.of(frame, ordinal={"b": None}))
    np.testing.assert_array_equal(nominal, nominal_distances(3))
    np.testing.assert_array_equal(ordinal, ordinal_distances(3))
