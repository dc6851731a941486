"""Text of leaves that are no value of their hierarchy together."""

from __future__ import annotations

import pandas as pd
import pytest

import anonopt as ao
from anonopt.data.hierarchies.leaf_ranges import range_text
from anonopt.data.recoded_groups import RecodedGroups, recode

AGES = ao.Hierarchy.intervals(range(17, 31), width=5)
ZONES = ao.Hierarchy([["A", "B", "C", "D"], ["N", "N", "S", "S"], ["*", "*", "*", "*"]])


@pytest.mark.parametrize(
    ("hierarchy", "low", "high", "text"),
    [
        (AGES, 0, 3, "[17, 20]"),
        (AGES, 2, 2, "19"),
        (AGES.with_missing(), 12, 14, "[29, 30] or <missing>"),
        (AGES.with_missing(), 13, 14, "30 or <missing>"),
        (AGES.with_missing(), 14, 14, "<missing>"),
        (ZONES, 1, 2, "{B, C}"),
        (ZONES.with_missing(), 2, 4, "{C, D} or <missing>"),
        (ao.Hierarchy([["a, b", "c", " d"], ["*", "*", "*"]]), 0, 2, "{'a, b', c, ' d'}"),
        # In the order of the tree 9 comes last.
        (ao.Hierarchy.text(["10", "11", "9"]), 1, 2, "{11, 9}"),
    ],
)
def test_numbers_in_order_are_intervals_and_all_else_sets(hierarchy, low, high, text):
    assert range_text(hierarchy, low, high) == text


def test_a_range_is_refused_the_text_of_another_label():
    ages = ao.Hierarchy([["17", "18", "19"], ["[17, 18]", "[17, 18]", "19"], ["*", "*", "*"]])
    other = ao.Hierarchy([["17", "18", "19"], ["17", "[17, 18]", "[17, 18]"], ["*", "*", "*"]])
    groups = RecodedGroups([0, 0, 1], lows=[[0], [2]], highs=[[1], [2]])
    for hierarchy, clear in ((ages, True), (other, False)):
        table = ao.Microdata(
            pd.DataFrame({"age": [17, 18, 19]}),
            quasi_identifiers=["age"],
            hierarchies={"age": hierarchy},
        )
        if clear:
            assert recode(table, groups)[0]["age"].tolist() == ["[17, 18]", "[17, 18]", "19"]
        else:
            with pytest.raises(ValueError, match=r"'age': expected a text of its own.*\[17, 18\]"):
                recode(table, groups)
