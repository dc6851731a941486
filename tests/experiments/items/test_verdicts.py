"""Verdicts are computed from the printed digits, the range, and the tolerance."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from anonopt.experiments.items.item import Printed
from anonopt.experiments.items.verdicts import as_decimal, judged, rounded_as


def verdict_on(value, values, **options):
    return judged(Printed(label="a", value=value, why="the reason", **options), values)


@pytest.mark.parametrize(
    ("value", "ours", "verdict"),
    [
        ("0.94", 0.936, "same"),
        ("0.94", 0.9449, "same"),
        ("0.94", 0.945, "differs"),
        ("0.940", 0.936, "differs"),
        ("916", 915.5, "same"),
        ("916", 917, "differs"),
        ("3.7e-4", 0.000374, "same"),
        ("3.7e-4", 0.000376, "differs"),
        ("-38.0", -38.04, "same"),
        ("0", 0.4, "same"),
        ("0", -0.4, "same"),
        ("1.0", 1.0, "same"),
    ],
)
def test_same_is_every_printed_digit(value, ours, verdict):
    assert verdict_on(value, [ours]).verdict == verdict


def test_agrees_within_the_range_of_the_runs():
    assert verdict_on("0.94", [0.90, 0.95]).verdict == "agrees"
    assert verdict_on("0.96", [0.90, 0.95]).verdict == "differs"


def test_agrees_within_the_tolerance_of_the_mean():
    assert verdict_on("0.96", [0.93, 0.95], tolerance=0.02).verdict == "agrees"
    assert verdict_on("0.97", [0.93, 0.95], tolerance=0.02).verdict == "differs"


def test_reason_stands_where_it_is_called_for():
    assert verdict_on("0.94", [0.94]).why == ""
    assert verdict_on("0.94", [0.9, 1.0]).why == ""
    assert verdict_on("0.94", [0.5]).why == "the reason"
    assert verdict_on(None, [0.5]) == (0.5, 0.0, 0.5, 0.5, "not comparable", "the reason")


def test_nothing_measured_is_not_comparable():
    found = verdict_on("0.94", [])
    assert found.verdict == "not comparable" and np.isnan(found.ours)


def test_run_that_comes_to_no_number_differs():
    found = verdict_on("0.94", [np.nan])
    assert found.verdict == "differs" and np.isnan(found.ours)
    assert found.why == "1 of 1 runs come to no number"
    some = verdict_on("0.94", [0.94, np.inf, 0.94])
    assert (some.verdict, some.ours) == ("differs", 0.94)
    assert some.why == "1 of 3 runs come to no number"
    assert verdict_on(None, [np.nan]).verdict == "not comparable"


def test_not_comparable_stays_so_whatever_is_measured():
    assert verdict_on("5", [5.0], comparable=False).verdict == "not comparable"


def test_variance_is_judged_by_its_interval():
    values = [1.0, 2.0, 3.0, 4.0, 5.0]
    found = verdict_on("2.5", values, variance_of="b")
    assert found.ours == 2.5 and found.verdict == "same"
    # By tables of chi-square with 4 degrees of freedom: 0.4844 and 11.143.
    assert (found.least, found.most) == pytest.approx((10 / 11.143, 10 / 0.4844), rel=1e-3)
    assert verdict_on("20", values, variance_of="b").verdict == "agrees"
    assert verdict_on("21", values, variance_of="b").verdict == "differs"
    assert verdict_on("2.5", [1.0], variance_of="b").verdict == "not comparable"


@pytest.mark.parametrize("text", ["", "1,5", "about 3", "0.9 %", "nan", "1e"])
def test_printed_text_must_be_a_number(text):
    with pytest.raises(ValueError, match="printed: expected a number"):
        as_decimal(text)


def test_digits_behind_large_powers_count():
    assert rounded_as("1.2e4", 12345.0) == Decimal("1.2e4")
