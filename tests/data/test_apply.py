"""Protected tables: both suppression rules, the mask, what stays untouched."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Hierarchy, Microdata
from tests.oracles.protection import generalize, largest_k, suppressed_for_k

A = Hierarchy.ordered(["a", "b", "c", "d"], fan_outs=[2])
B = Hierarchy.ordered(["x", "y", "z"])
PATHS = [
    {path[0]: path for path in tree.to_frame().itertuples(index=False, name=None)}
    for tree in (A, B)
]

rows = st.lists(
    st.tuples(st.sampled_from(A.labels[0]), st.sampled_from(B.labels[0])), min_size=1, max_size=30
)
nodes = st.tuples(st.integers(0, 2), st.integers(0, 1))


def build(rows):
    frame = pd.DataFrame(rows, columns=["A", "B"])
    return Microdata(frame, quasi_identifiers=["A", "B"], hierarchies={"A": A, "B": B})


def of_classes(*sizes):
    """A table whose rows form classes of the given sizes."""
    values = np.repeat(np.arange(len(sizes)), sizes)
    frame = pd.DataFrame({"q": values})
    return Microdata(frame, quasi_identifiers=["q"], hierarchies={"q": "flat"})


@given(rows, nodes, st.data())
def test_reverse_rule_agrees_with_the_slow_twin(rows, node, data):
    budget = data.draw(st.integers(0, len(rows) - 1))
    protected, mask = build(rows).apply(node, suppression=budget, return_mask=True)
    expected = generalize(rows, PATHS, node)
    assert mask.tolist() == suppressed_for_k(expected, largest_k(expected, budget))
    assert list(protected.itertuples(index=False, name=None)) == [
        ("*", "*") if out else row for row, out in zip(expected, mask, strict=True)
    ]


@given(rows, nodes, st.integers(1, 5), st.data())
def test_fixed_k_agrees_with_the_slow_twin(rows, node, k, data):
    budget = data.draw(st.integers(0, len(rows) - 1))
    expected = suppressed_for_k(generalize(rows, PATHS, node), k)
    table = build(rows)
    if sum(expected) > budget:
        with pytest.raises(ValueError, match=f"k={k}: .*{budget} rows.* found {sum(expected)} of"):
            table.apply(node, k=k, suppression=budget)
    else:
        mask = table.apply(node, k=k, suppression=budget, return_mask=True)[1]
        assert mask.tolist() == expected


def test_rows_are_counted_not_classes():
    table = of_classes(4, 1, 2)
    with pytest.raises(ValueError, match=r"at most 2 rows .* found 3 of 7"):
        table.apply([0], k=3, suppression=0.4)
    mask = table.apply([0], k=3, suppression=0.43, return_mask=True)[1]
    assert mask.sum() == 3


def test_k_equal_to_and_above_what_can_be_had():
    table = of_classes(3, 3)
    assert table.apply([0], k=3)["q"].tolist() == ["0"] * 3 + ["1"] * 3
    with pytest.raises(ValueError, match=r"k=4: expected at most 0 rows .* found 6 of 6"):
        table.apply([0], k=4)
    with pytest.raises(ValueError, match=r"k=7: .*found 6 of 6"):
        table.apply([1], k=7)


def test_full_generalization_is_not_suppression():
    protected, mask = of_classes(1, 1, 1).apply([1], k=3, return_mask=True)
    assert protected["q"].tolist() == ["*"] * 3
    assert not mask.any()


def test_suppressed_rows_are_flagged_in_the_mask():
    frame = pd.DataFrame({"age": [30, 31, 30, 31, 70], "sex": ["F", "F", "M", "M", "F"]})
    age = Hierarchy.from_tree({"*": {"<50": [30, 31], ">=50": [70]}})
    table = Microdata(
        frame, quasi_identifiers=["age", "sex"], hierarchies={"age": age, "sex": "flat"}
    )
    protected, mask = table.apply([1, 0], k=2, suppression=0.2, return_mask=True)
    assert protected.iloc[4].tolist() == ["*", "*"]
    assert mask.tolist() == [False] * 4 + [True]


def test_other_columns_are_untouched_and_identifiers_dropped():
    frame = pd.DataFrame(
        {
            "day": pd.to_datetime(["2014-09-03", "2014-10-03"]),
            "name": ["p", "q"],
            "zone": ["a", "b"],
            "pay": [1.5, np.nan],
        },
        index=["r1", "r2"],
    )
    original = frame.copy()
    table = Microdata(
        frame, quasi_identifiers=["zone"], hierarchies={"zone": A}, identifiers=["name"]
    )
    protected = table.apply([1])
    assert protected.columns.tolist() == ["day", "zone", "pay"]
    assert protected["zone"].tolist() == ["{a, b}"] * 2
    pd.testing.assert_frame_equal(
        protected[["day", "pay"]], original[["day", "pay"]], check_dtype=True
    )
    pd.testing.assert_frame_equal(frame, original)
    protected["pay"] = 0
    assert table.frame["pay"].iloc[0] == 1.5


def test_levels_without_generalization_are_text():
    protected = of_classes(1, 1).apply([0])
    assert protected["q"].tolist() == ["0", "1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"node": [2]}, r"node 0, column 'q': expected a level in 0\.\.1, found 2"),
        ({"node": [[0], [1]]}, "expected one vector of levels, found 2"),
        ({"node": []}, "expected one vector of levels, found 0"),
        ({"node": [0], "k": 0}, "k: expected a whole number of at least 1, found 0"),
        ({"node": [0], "suppression": 1.5}, "expected a share in 0..1"),
        ({"node": [0], "suppression": 1.0}, "expected a budget of 0 to 2 rows"),
    ],
)
def test_arguments_out_of_range(arguments, message):
    with pytest.raises(ValueError, match=message):
        of_classes(1, 2).apply(**arguments)


def test_k_is_a_whole_number():
    with pytest.raises(TypeError, match="k: expected a whole number of at least 1, found 2"):
        of_classes(1, 2).apply([0], k=2.5)
