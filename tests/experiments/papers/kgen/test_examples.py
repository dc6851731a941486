"""Worked examples of KGEN: what is printed comes back, and a wrong figure is told."""

from __future__ import annotations

import dataclasses

import pytest

from anonopt.experiments.items.verdicts import DIFFERS, SAME, judged
from anonopt.experiments.papers.kgen.examples import ITEMS, ITEMS_OF_SECTION_7, people

EXAMPLES = {item.name: item for item in (*ITEMS, *ITEMS_OF_SECTION_7)}

DIFFERENT = {"rows suppressed at <0, 0, 0>, %", "k of the first row alone"}
"""What Table 8 says and its own rows do not."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_printed_numbers_come_back(name):
    item = EXAMPLES[name]
    numbers = item.measure(1, False)
    assert list(numbers) == [printed.label for printed in item.printed]
    for printed in item.printed:
        expected = DIFFERS if printed.label in DIFFERENT else SAME
        assert judged(printed, [numbers[printed.label]]).verdict == expected, printed.label
        if expected == DIFFERS:
            assert printed.why


@pytest.mark.parametrize("name", EXAMPLES)
def test_another_number_would_be_told(name):
    item = EXAMPLES[name]
    numbers = item.measure(1, True)
    for printed in item.printed:
        wrong = dataclasses.replace(printed, value=f"{numbers[printed.label] + 1:.2f}")
        assert judged(wrong, [numbers[printed.label]]).verdict == DIFFERS


def test_the_example_is_measured_and_not_written_down(monkeypatch):
    # Where postcodes occur twice as they are, their lowest level is 0.
    monkeypatch.setattr(
        "anonopt.experiments.papers.kgen.examples.PEOPLE",
        people().frame.assign(Postcode=["80015", "80015", "85071", "85071"]),
    )
    found = EXAMPLES["table-3"].measure(1, False)
    assert found["Postcode, lowest level"] == 0
