"""Dates: worked example, formats, order, faults."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Hierarchy, Microdata

TEXTS = ["2014-09-03", "2014-10-03", "2014-09-30"]
LEVELS = ["day", "month", "year"]


@pytest.mark.parametrize(
    "values",
    [
        TEXTS,
        pd.to_datetime(TEXTS),
        pd.Series(pd.to_datetime(TEXTS)),
        pd.Series(pd.to_datetime(TEXTS)).dt.tz_localize("Europe/Paris"),
        np.array(TEXTS, dtype="datetime64[D]"),
        [datetime.date.fromisoformat(text) for text in TEXTS],
    ],
)
def test_worked_example(values):
    tree = Hierarchy.dates(values, levels=LEVELS)
    assert tree.height == 3
    frame = pd.DataFrame({"day": values})
    table = Microdata(frame, quasi_identifiers=["day"], hierarchies={"day": tree})
    days = table.apply([0])["day"].tolist()
    # A day with a time zone is an instant, and says so.
    assert [day[:10] for day in days] == TEXTS
    assert all(len(day) == 10 or day.endswith("00:00:00+02:00") for day in days)
    assert table.apply([1])["day"].tolist() == ["2014-09", "2014-10", "2014-09"]
    assert [int(table.apply([level])["day"].value_counts().min()) for level in range(4)] == [
        1,
        1,
        3,
        3,
    ]


@given(st.lists(st.dates(), min_size=1, max_size=20))
def test_labels_contain_their_days(days):
    tree = Hierarchy.dates(days)
    assert tree.height == 4
    assert list(tree.labels[0]) == sorted(tree.labels[0])
    for leaf, text in enumerate(tree.labels[0]):
        month, year, decade = (tree.labels[level][tree.maps[level, leaf]] for level in (1, 2, 3))
        assert text.startswith(month)
        assert month.startswith(year)
        first, last = decade.split("-")
        assert first <= year <= last
        assert int(last) - int(first) == 9


def test_other_format_keeps_the_text_of_the_table():
    texts = ["03.09.2014", "01.01.1999"]
    tree = Hierarchy.dates(texts, levels=LEVELS, format="%d.%m.%Y")
    assert tree.labels[:2] == (("01.01.1999", "03.09.2014"), ("1999-01", "2014-09"))
    assert tree.encode(pd.Series(texts), "day").tolist() == [1, 0]


def test_levels_can_be_left_out():
    assert Hierarchy.dates(TEXTS, levels=["day", "decade"]).labels[1:] == (("2010-2019",), ("*",))


def test_first_value_of_another_format_is_named():
    with pytest.raises(ValueError, match=r"format '%Y-%m-%d', found '10/03/2014'"):
        Hierarchy.dates(["2014-09-03", "10/03/2014", "x"])


@pytest.mark.parametrize(
    "value", [pd.Timestamp("2014-09-03 12:30"), pd.Timestamp(1), datetime.datetime(2014, 9, 3, 1)]
)
def test_time_of_day_is_refused(value):
    with pytest.raises(ValueError, match="without a time of day, found"):
        Hierarchy.dates([value])


def test_time_of_day_in_text_is_refused():
    with pytest.raises(ValueError, match="without a time of day, found '2014-09-03 12:30'"):
        Hierarchy.dates(["2014-09-03 12:30"], format="%Y-%m-%d %H:%M")


def test_two_texts_of_one_day_are_refused():
    with pytest.raises(ValueError, match="one text a day, found '2014-09-03' and '2014-9-3'"):
        Hierarchy.dates(["2014-09-03", "2014-9-3"])


def test_numbers_are_not_dates():
    with pytest.raises(ValueError, match="expected dates or text, found 20140903"):
        Hierarchy.dates([20140903])


def test_missing_days_are_left_out():
    assert Hierarchy.dates([None, "2014-09-03", pd.NaT]).labels[0] == ("2014-09-03",)


@pytest.mark.parametrize(
    "levels", [[], ["month", "year"], ["day", "year", "month"], ["day", "day"], ["day", "week"]]
)
def test_unknown_or_unordered_levels_are_refused(levels):
    with pytest.raises(ValueError, match="levels: expected 'day' and then any of"):
        Hierarchy.dates(TEXTS, levels=levels)
