"""Text of values of all types, and numbers in text."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data.values import as_number, as_text, is_missing


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.int64(7), "7"),
        (np.float32(0.1), "0.1"),
        (np.float64(7), "7"),
        (-0.0, "0"),
        (1e300, "1e+300"),
        (np.bool_(True), "True"),
        (Decimal("1.50"), "1.5"),
        (datetime.date(2014, 9, 3), "2014-09-03"),
        (np.datetime64("2014-09-03"), "2014-09-03"),
        (pd.Timestamp("2014-09-03 12:30"), "2014-09-03 12:30:00"),
        (pd.Timestamp("2014-09-03", tz="Europe/Paris"), "2014-09-03 00:00:00+02:00"),
        (pd.Timestamp("2014-09-03") + pd.Timedelta(1, "ns"), "2014-09-03 00:00:00.000000001"),
    ],
)
def test_text(value, text):
    assert as_text(value) == text


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_number_in_its_text_is_the_number(number):
    assert as_number(as_text(number)) == number


@pytest.mark.parametrize(
    ("text", "number"), [("007", 7), (" 7 ", 7), ("+7.0", 7), (".5", 0.5), ("5.", 5), ("1e3", 1000)]
)
def test_other_ways_to_write_a_number(text, number):
    assert as_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["", " ", "nan", "inf", "-inf", "1_000", "1,5", "0x10", "e5", ".", "1e999", "[1,2)", "٣"],
)
def test_text_that_is_no_finite_number(text):
    assert as_number(text) is None


def test_missing():
    assert all(map(is_missing, [None, math.nan, np.float32("nan"), pd.NA, pd.NaT]))
    assert not any(map(is_missing, ["", "nan", 0, False, "?"]))
