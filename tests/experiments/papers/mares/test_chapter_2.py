"""Sizes of the data sets, and examples of Chapter 2, beside their print."""

from __future__ import annotations

import pytest

from anonopt.data import load_frame
from anonopt.experiments import reproduce
from anonopt.experiments.items.verdicts import DIFFERS, NOT_COMPARABLE, SAME, judged
from anonopt.experiments.papers.mares.chapter_2 import ADULT, FLARE, GERMAN, ITEMS, TABLE_2_1

BY_NAME = {item.name: item for item in ITEMS}


@pytest.mark.parametrize("item", ITEMS, ids=list(BY_NAME))
def test_what_is_measured_is_what_is_printed(item):
    measured = set(item.measure(1, True))
    assert measured <= {one.label for one in item.printed}
    comparable = {one.label for one in item.printed if one.comparable and one.value is not None}
    assert comparable <= measured


@pytest.mark.parametrize("name", ["table-2-3", "table-2-5", "section-3-5-categories", "figure-2-4"])
def test_every_number_comes_back(name):
    assert set(reproduce("mares2013", name)["verdict"]) == {SAME}


def test_of_flare_all_but_the_counts_come_back():
    found = reproduce("mares2013", "table-2-4").set_index("number")["verdict"]
    assert list(found[found == DIFFERS].index) == ["C-CLASS", "M-CLASS", "X-CLASS"]
    assert set(found.drop(["C-CLASS", "M-CLASS", "X-CLASS"])) == {SAME}


@pytest.mark.parametrize(("name", "attributes"), [("german", GERMAN), ("adult", ADULT)])
def test_one_category_more_than_occur_is_in_no_file(name, attributes):
    """The print counts categories that no row has: of the file alone most numbers differ."""
    frame = load_frame(name, split="all")
    printed = {
        one.label: one for one in BY_NAME["table-2-3" if name == "german" else "table-2-5"].printed
    }
    for attribute, (column, _) in attributes.items():
        assert judged(printed[attribute], [frame[column].nunique()]).verdict == DIFFERS


def test_the_printed_swaps_are_swaps_within_the_window():
    for before, after in TABLE_2_1.values():
        swaps = dict(zip(before, after, strict=True))
        assert all(swaps[b] == a and abs(a - b) <= 2 for a, b in swaps.items())


def test_swaps_are_those_of_the_print():
    found = reproduce("mares2013", "table-2-1", seeds=10).set_index("number")["verdict"]
    assert found.pop("the 30 masked values") == NOT_COMPARABLE
    assert set(found) <= {SAME, "agrees"}


def test_what_is_not_public_is_not_compared():
    found = reproduce("mares2013", "table-2-2").set_index("number")
    assert found.loc["BUILT", "verdict"] == NOT_COMPARABLE
    assert "not public" in found.loc["BUILT", "why"]
    assert set(FLARE) & set(found.index) == set()
