"""Risks of DEGREE, and orders of matrices on the columns that stand for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anonopt.experiments.items.verdicts import DIFFERS, SAME, judged
from anonopt.experiments.papers.mares import chapter_4_invariance as invariance
from anonopt.experiments.papers.mares import degree

BY_NAME = {item.name: item for item in invariance.ITEMS}


@pytest.fixture(scope="module")
def measured() -> Iterator[dict[str, dict[str, float]]]:
    """Numbers of every item, of searches and draws a tenth as long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invariance, "GENERATIONS", 25)
        patch.setattr(invariance, "N_FILES", 10)
        yield {name: dict(item.measure(1, True)) for name, item in BY_NAME.items()}
    invariance.utilities.cache_clear()


@pytest.mark.parametrize("name", list(BY_NAME))
def test_what_is_measured_is_what_is_printed(name, measured):
    assert set(measured[name]) <= {one.label for one in BY_NAME[name].printed}
    comparable = {
        one.label for one in BY_NAME[name].printed if one.comparable and one.value is not None
    }
    assert comparable <= set(measured[name])


@pytest.mark.parametrize("name", ["table-4-10", "table-4-11"])
def test_weighted_risks_come_back_to_every_digit(name, measured):
    risks = [one for one in BY_NAME[name].printed if "risk" in one.label and one.value is not None]
    of_degree = [one for one in risks if ":" not in one.label]
    assert len(of_degree) == 5
    for one in of_degree:
        assert judged(one, [measured[name][one.label]]).verdict == SAME
        assert judged(one, [measured[name][one.label] + 0.002]).verdict == DIFFERS


def test_invariance_lowers_every_difference(measured):
    for name in ("table-4-10", "table-4-11"):
        values = [value for label, value in measured[name].items() if "less difference" in label]
        assert values == [4, 4, 4]


def test_invariance_raises_the_risk_but_of_adult(measured):
    raised = {
        label.split(",")[0]: value
        for name in ("table-4-10", "table-4-11")
        for label, value in measured[name].items()
        if "above the initial" in label
    }
    assert raised == {"german": 1, "adult": 0}


def test_sums_over_the_originals_are_another_risk():
    found = invariance.risks_of_degree("4.8")
    ours = found[f"{degree.INVARIANT}, risk{invariance.BY_ORIGINALS}"]
    assert ours == pytest.approx(2.504, abs=0.001)
    assert found[f"{degree.INITIAL}, risk{invariance.BY_ORIGINALS}"] < ours


def test_runs_are_repeatable(measured):
    pair = invariance.PAIRS["4.8"][0]
    before = invariance.utilities(pair, 1)
    invariance.utilities.cache_clear()
    assert invariance.utilities(pair, 1) == before
