"""Risks of DEGREE, and orders of matrices on the columns that stand for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anonopt.experiments.items.verdicts import DIFFERS, SAME, judged
from anonopt.experiments.papers.mares import chapter_4_invariance as invariance
from anonopt.experiments.papers.mares import degree

BY_NAME = {item.name: item for item in invariance.ITEMS}


@pytest.fixture(scope="module")
def measured() -> Iterator[dict[str, float]]:
    """Numbers of all items, of searches and draws a tenth as long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invariance, "GENERATIONS", 25)
        patch.setattr(invariance, "N_FILES", 10)
        yield dict(invariance.invariance(1, True))
    invariance.utilities.cache_clear()
    invariance.searched.cache_clear()


def test_what_is_measured_is_what_is_printed(measured):
    printed = [one for item in invariance.ITEMS for one in item.printed]
    comparable = {one.label for one in printed if one.comparable}
    assert comparable == set(measured)


@pytest.mark.parametrize("name", ["table-4-10", "table-4-11"])
def test_weighted_risks_come_back_to_every_digit(name, measured):
    risks = [one for one in BY_NAME[name].printed if ": risk" in one.label and one.value]
    of_degree = [one for one in risks if one.label.startswith("DEGREE")]
    assert len(of_degree) == 5
    for one in of_degree:
        assert judged(one, [measured[one.label]]).verdict == SAME
        assert judged(one, [measured[one.label] + 0.002]).verdict == DIFFERS


def test_every_matrix_has_less_difference_than_the_initial_one(measured):
    values = [value for label, value in measured.items() if "less difference" in label]
    assert values == [4] * 6


def test_invariance_raises_the_risk_but_of_adult(measured):
    raised = {
        (label.split(",")[0], value)
        for label, value in measured.items()
        if "above the initial" in label
    }
    assert raised == {("german", 1), ("adult", 0)}


def test_sums_over_the_originals_are_another_risk(measured):
    ours = measured[f"DEGREE-SCH, {degree.INVARIANT}: risk{invariance.BY_ORIGINALS}"]
    assert ours == pytest.approx(2.504, abs=0.001)
    assert measured[f"DEGREE-SCH, {degree.INITIAL}: risk{invariance.BY_ORIGINALS}"] < ours


def test_runs_are_repeatable(measured):
    pair = invariance.PAIRS["DEGREE-SCH"][0]
    before = invariance.utilities(pair, 1)
    invariance.utilities.cache_clear()
    invariance.searched.cache_clear()
    assert invariance.utilities(pair, 1) == before


def test_pictures_show_both_pairs():
    for name in ("figures-4-10-4-11", "figures-4-12-4-13"):
        points = BY_NAME[name].picture.points(True)
        assert points["panel"].nunique() in (2, 4)
        assert points[["x", "y"]].notna().all().all()
