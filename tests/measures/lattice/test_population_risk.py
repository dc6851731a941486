"""Risks by a population: the journalist's, the marketer's; classes that violate the rule."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import Hierarchy, LatticeEvaluator, Microdata, check

ZIP = Hierarchy([list("abcd"), ["ab", "ab", "cd", "cd"], ["*"] * 4])
NAMES = ["journalist_risk", "marketer_risk"]
PEOPLE = pd.DataFrame({"zip": list("aaaabbbccd"), "name": range(10)})


def make_table(cells: str, population: pd.DataFrame | None = PEOPLE) -> Microdata:
    return Microdata(
        pd.DataFrame({"zip": list(cells)}),
        quasi_identifiers=["zip"],
        hierarchies={"zip": ZIP},
        population=population,
    )


def risks(table: Microdata, level: int, names: list[str] = NAMES, **rule: int) -> list[float]:
    return LatticeEvaluator(table, **rule).evaluate([[level]], names)[names].iloc[0].tolist()


def test_by_hand():
    """Sample a, a, b, d of 4 times a, 3 times b, twice c, once d."""
    table = make_table("aabd")
    assert risks(table, 0) == pytest.approx([1.0, (2 / 4 + 1 / 3 + 1 / 1) / 4])
    assert risks(table, 1) == pytest.approx([1 / 3, (3 / 7 + 1 / 3) / 4])
    assert risks(table, 2) == pytest.approx([1 / 10, 1 / 10])
    assert risks(table, 0, k=2, suppression=2) == pytest.approx([1 / 4, 1 / 4])
    assert risks(table, 0, k=3, suppression=3) == [1.0, 1.0]


def test_people_of_whom_the_table_has_nobody_count_where_they_share_a_class():
    assert risks(make_table("d"), 0) == [1.0, 1.0]
    assert risks(make_table("d"), 1) == pytest.approx([1 / 3, 1 / 3])


def test_without_a_population_the_table_is_its_own():
    table = make_table("aabd", None)
    found = risks(table, 0, ["marketer_risk", "average_risk"])
    assert found[0] == found[1]
    with pytest.raises(ValueError, match="'journalist_risk' needs a population: give population="):
        risks(table, 0)


@pytest.mark.parametrize(
    ("people", "message"),
    [
        ("aab", "population: expected at least the rows of the table, 1 of zip=d, found 0"),
        ("abd", "population: expected at least the rows of the table, 2 of zip=a, found 1"),
        ("aabde", "population: column 'zip': expected a value of its hierarchy, found 'e'"),
        ("", "population: frame: expected at least one row, found an empty table"),
    ],
)
def test_populations_that_do_not_hold_the_table(people, message):
    with pytest.raises(ValueError, match=message):
        make_table("aabd", pd.DataFrame({"zip": list(people)}))


def test_a_population_without_a_quasi_identifier():
    with pytest.raises(ValueError, match=r"population: column 'zip': expected one of the columns"):
        make_table("aabd", pd.DataFrame({"code": list("aabd")}))
    with pytest.raises(TypeError, match="population: frame: expected a pandas DataFrame, found li"):
        make_table("aabd", ["a"])


def test_missing_people():
    people = pd.DataFrame({"zip": ["a", "a", None]})
    table = make_table("a", people)
    assert table.hierarchies["zip"].n_leaves == 5
    assert risks(table, 0) == risks(table, 1) == [0.5, 0.5]
    assert risks(table, 2) == pytest.approx([1 / 3, 1 / 3])


def test_the_population_is_part_of_the_fingerprint():
    prints = {make_table("a", people).fingerprint for people in (None, PEOPLE, PEOPLE[1:])}
    assert len(prints) == 3


def test_violating_classes():
    names = ["violating_classes", "violating_share"]
    table = make_table("aabcd")
    assert risks(table, 0, names, k=2, suppression=1) == [3, 0.75]
    assert risks(table, 1, names, k=2) == [0, 0]
    with pytest.raises(ValueError, match="'violating_classes' needs the fixed-k rule: give k="):
        risks(table, 0, names)
    report = check(table.frame, quasi_identifiers=["zip"], k=2)
    assert (report["violating_classes"], report["violating_rows"]) == (3, 3)


@given(st.lists(st.sampled_from("abcd"), min_size=1), st.lists(st.sampled_from("abcd")))
def test_check_has_the_figures_of_the_evaluator(sample, others):
    people = pd.DataFrame({"zip": [*others, *sample]})
    table = make_table("".join(sample), people)
    report = check(table.frame, quasi_identifiers=["zip"], population=people)
    assert report[NAMES].tolist() == pytest.approx(risks(table, 0))
    by_hand = sum(1 / people["zip"].tolist().count(value) for value in sample) / len(sample)
    assert report["marketer_risk"] == pytest.approx(by_hand)


def test_check_matches_numbers_however_they_are_written():
    frame = pd.DataFrame({"age": [30, 31, 31]})
    people = pd.DataFrame({"age": ["30", "30", "31", "31", "32"]})
    report = check(frame, quasi_identifiers=["age"], population=people)
    assert report[NAMES].tolist() == pytest.approx([0.5, (0.5 + 1.0) / 3])
    with pytest.raises(ValueError, match="rows of the table, 2 of age=31, found 1"):
        check(frame, quasi_identifiers=["age"], population=people.drop(3))
