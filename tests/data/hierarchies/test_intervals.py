"""Intervals: every value in its label, edges, codes, range."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Hierarchy

numbers = st.one_of(
    st.integers(-1000, 1000),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.decimals(-1000, 1000, places=3).map(float),
)
widths = st.one_of(
    st.integers(1, 50),
    st.sampled_from([0.1, 0.3, 2.5, 1e-3, Fraction(1, 3), Fraction(100, 7), Decimal("0.7")]),
)


def contains(label, value):
    """Whether a label says that it holds a value, read as a person would."""
    number = Decimal(str(value))
    if label == "*":
        return True
    if label.startswith("<"):
        return number < Decimal(label[1:])
    if label.startswith(">="):
        return number >= Decimal(label[2:])
    low, high = re.fullmatch(r"\[(.+),(.+)\)", label).groups()
    return Decimal(low) <= number < Decimal(high)


@given(
    st.lists(numbers, min_size=1, max_size=20),
    widths,
    st.one_of(st.integers(-10, 10), st.sampled_from([0.1, Fraction(1, 3)])),
    st.lists(st.integers(2, 5), max_size=3),
)
def test_labels_contain_their_values(values, width, anchor, fan_outs):
    tree = Hierarchy.intervals(values, width=width, anchor=anchor, fan_outs=fan_outs)
    codes = tree.encode(pd.Series(values, dtype=object), "x")
    assert tree.height == len(fan_outs) + 2
    for level in range(1, tree.height + 1):
        for value, code in zip(values, codes, strict=True):
            assert contains(tree.labels[level][tree.maps[level, code]], value)


@given(
    st.lists(st.integers(-100, 100), min_size=1, max_size=30),
    st.integers(1, 12),
    st.integers(-50, 0),
    st.integers(1, 50),
    st.lists(st.integers(2, 4), max_size=2),
)
def test_codes_take_the_values_outside(values, width, low, high, fan_outs):
    tree = Hierarchy.intervals(
        values, width=width, low=low, high=high, fan_outs=fan_outs, bottom_code=True, top_code=True
    )
    for leaf, text in enumerate(tree.labels[0]):
        for level in range(1, tree.height):
            label = tree.labels[level][tree.maps[level, leaf]]
            assert contains(label, text)
            assert label.startswith("<") == (int(text) < low)
            assert label.startswith(">=") == (int(text) >= high)


@given(st.lists(numbers, min_size=1, max_size=20))
def test_leaves_keep_numeric_order(values):
    tree = Hierarchy.intervals(values, width=10)
    leaves = [Decimal(text) for text in tree.labels[0]]
    assert leaves == sorted(leaves)


def test_worked_example():
    tree = Hierarchy.intervals([25], width=10, anchor=0, fan_outs=[2])
    assert tree.labels == (("25",), ("[20,30)",), ("[20,40)",), ("*",))


def test_intervals_are_half_open():
    tree = Hierarchy.intervals([15, 19, 20], width=5)
    assert tree.labels[1] == ("[15,20)", "[20,25)")
    assert tree.maps[1].tolist() == [0, 0, 1]


def test_decimal_edges_are_exact():
    tree = Hierarchy.intervals([0.1, 0.2, 0.3, 0.7], width=0.1)
    assert tree.labels[1] == ("[0.1,0.2)", "[0.2,0.3)", "[0.3,0.4)", "[0.7,0.8)")


def test_edges_without_decimal_text_are_rounded_up_to_the_places_of_the_values():
    tree = Hierarchy.intervals(range(10), width=Fraction(10, 3))
    assert tree.labels[1] == ("[0,4)", "[4,7)", "[7,10)")


def test_edges_keep_every_digit():
    texts = ["0.3333333333333333333333333333333333", "0.4"]
    tree = Hierarchy.intervals(texts, width=Fraction(1, 3))
    assert tree.labels[1] == (
        "[0,0.3333333333333333333333333333333334)",
        "[0.3333333333333333333333333333333334,0.6666666666666666666666666666666667)",
    )


def test_negative_numbers_and_anchor():
    tree = Hierarchy.intervals([-3, 2], width=5, anchor=2, fan_outs=[2])
    assert tree.labels[1:3] == (("[-3,2)", "[2,7)"), ("[-8,2)", "[2,12)"))


def test_intervals_are_cut_where_a_code_takes_over():
    tree = Hierarchy.intervals(
        [16, 18, 74, 75], width=10, low=18, high=75, bottom_code=True, top_code=True
    )
    assert tree.labels[1] == ("<18", "[18,20)", "[70,75)", ">=75")


@pytest.mark.parametrize(("value", "side"), [(9, "9"), (90, "90"), (95.5, "95.5")])
def test_value_outside_the_declared_range_is_named(value, side):
    with pytest.raises(ValueError, match=rf"declared range \[10,90\), found {side} "):
        Hierarchy.intervals([20, value], width=10, low=10, high=90)


def test_a_code_covers_its_own_side_only():
    with pytest.raises(ValueError, match=r"found 95"):
        Hierarchy.intervals([5, 95], width=10, low=10, high=90, bottom_code=True)


def test_height_depends_on_the_arguments_only():
    for values in ([1], range(1000), [0.5, 1e9]):
        assert Hierarchy.intervals(values, width=10, fan_outs=[2, 2]).height == 4


def test_missing_values_are_left_out():
    tree = Hierarchy.intervals(pd.Series([1.0, np.nan, 2.0]), width=2)
    assert tree.labels[0] == ("1", "2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 0}, "width: expected a number above 0, found 0"),
        ({"width": -1.5}, "width: expected a number above 0"),
        ({"width": float("nan")}, "width: expected a finite number, found nan"),
        ({"width": True}, "width: expected a finite number, found True"),
        ({"width": 1, "anchor": "a"}, "anchor: expected a finite number, found 'a'"),
        ({"width": 1, "fan_outs": [1]}, "fan_outs: expected a whole number of at least 2, found 1"),
        ({"width": 1, "low": 3, "high": 3}, "expected low < high, found 3 and 3"),
        ({"width": 1, "bottom_code": True}, "bottom_code: expected low"),
        ({"width": 1, "top_code": True}, "top_code: expected high"),
    ],
)
def test_arguments_out_of_range(options, message):
    with pytest.raises(ValueError, match=message):
        Hierarchy.intervals([1], **options)


def test_fan_out_is_a_whole_number():
    with pytest.raises(TypeError, match="fan_outs: expected a whole number of at least 2"):
        Hierarchy.intervals([1], width=1, fan_outs=[2.0])


@pytest.mark.parametrize("value", ["abc", float("inf")])
def test_value_that_is_not_a_number(value):
    with pytest.raises(ValueError, match=f"values: expected a finite number, found {value!r}"):
        Hierarchy.intervals([1, value], width=1)
