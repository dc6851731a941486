"""The tour says what the lesson computes, shortly."""

from __future__ import annotations

import re

import pytest

from anonopt.teaching import Lesson, tour


@pytest.fixture(scope="module")
def stops():
    return list(tour())


def test_the_tour_is_read_in_five_minutes(stops):
    words = 0
    for stop in stops:
        texts = " ".join([stop.title, *stop.text, *stop.after])
        words += len(texts.split())
        # Of a table the eye reads a part.
        words += 0 if stop.table is None else stop.table.size // 2
        assert not re.search(r"\bnan\b", texts)
        assert stop.table is None or not stop.table.isna().any(axis=None)
    assert 6 <= len(stops) <= 10
    # At 180 words a minute.
    assert words <= 5 * 180


def test_numbers_are_those_of_the_lesson(stops):
    lesson = Lesson()
    stops = {stop.title: stop for stop in stops}
    limits = " ".join(stops["What k-anonymity does not promise"].after)
    both = lesson.compositions.iloc[-1]
    numbers = [int(number) for number in re.findall(r"\d+", limits)]
    assert both["alone in their row"] in numbers
    assert lesson.adult_composition.iloc[-1]["with fewer than 5"] in numbers
    search = stops["A search on a lattice"]
    assert search.table["nodes tested"].tolist() == lesson.efforts["tested"].tolist()
    assert f"{len(lesson.minimal)} minimal nodes" in search.text[0]
