"""Codes of sensitive attributes and class labels: order of labels, missing cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import MISSING
from anonopt.data.labels import encode_labels


@given(st.lists(st.one_of(st.none(), st.integers(-50, 50)), min_size=1))
def test_labels_of_numbers_rise_by_value_and_name_each_row(values):
    codes, labels = encode_labels(pd.Series(values, dtype=object))
    assert codes.dtype == np.int32
    assert [labels[code] for code in codes] == [
        MISSING if value is None else str(value) for value in values
    ]
    numbers = [int(label) for label in labels if label != MISSING]
    assert numbers == sorted(set(numbers))
    assert MISSING not in labels[:-1]


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (["10", "9"], ("9", "10")),
        (["10", "9", "b"], ("10", "9", "b")),
        ([1.5, 1.0, -2], ("-2", "1", "1.5")),
        (["b", None, "a", np.nan], ("a", "b", MISSING)),
        ([True, False], ("False", "True")),
        ([None, None], (MISSING,)),
        ([1, "1"], ("1",)),
        ([MISSING, None, "a"], ("a", MISSING)),
    ],
)
def test_order_of_labels(values, labels):
    assert encode_labels(pd.Series(values, dtype=object))[1] == labels


def test_ordered_categories_keep_their_order():
    grades = pd.Categorical(["high", "low", None], categories=["low", "mid", "high"], ordered=True)
    codes, labels = encode_labels(pd.Series(grades))
    assert labels == ("low", "high", MISSING)
    assert codes.tolist() == [1, 0, 2]


def test_missing_cells_come_last_even_if_a_category_is_named_like_them():
    grades = pd.Categorical([MISSING, "low", None], categories=[MISSING, "low"], ordered=True)
    codes, labels = encode_labels(pd.Series(grades))
    assert labels == ("low", MISSING)
    assert codes.tolist() == [1, 0, 1]


def test_unordered_categories_are_ordered_by_text():
    values = pd.Series(pd.Categorical(["b", "a"], categories=["b", "a"]))
    assert encode_labels(values)[1] == ("a", "b")
