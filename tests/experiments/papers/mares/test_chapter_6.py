"""Worked examples and curves of Chapter 6, beside the print."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from anonopt.experiments.items.verdicts import DIFFERS, NOT_COMPARABLE, SAME, judged
from anonopt.experiments.papers.mares import protected_graphs
from anonopt.experiments.papers.mares.chapter_6 import ITEMS
from anonopt.experiments.papers.mares.protected_graphs import (
    LETTER,
    LOSSES,
    RISKS,
    graph_curves,
    graph_losses_and_risks,
    microdata_curves,
)
from anonopt.graphs import LOCATION_LEVELS

ITEM = {item.name: item for item in ITEMS}
EXAMPLES = ["table-6-1", *(f"figure-6-{number}" for number in range(2, 9))]


@pytest.fixture(autouse=True, scope="module")
def few_executions():
    """Two protected graphs at each K in place of five."""
    caches = graph_curves, microdata_curves
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protected_graphs, "N_EXECUTIONS", 2)
        for cached in caches:
            cached.cache_clear()
        yield
    for cached in caches:
        cached.cache_clear()


@pytest.mark.parametrize("name", ITEM)
def test_what_is_printed_is_measured(name):
    item = ITEM[name]
    assert {one.label for one in item.printed} <= set(item.measure(1, True))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_come_back_to_every_digit(name):
    item = ITEM[name]
    measured = item.measure(1, True)
    numbers = [one for one in item.printed if one.value is not None]
    assert numbers
    assert {judged(one, [measured[one.label]]).verdict for one in numbers} == {SAME}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_wrong_figure_would_be_told(name):
    item = ITEM[name]
    measured = item.measure(1, True)
    for one in item.printed:
        if one.value is not None:
            wrong = replace(one, value=str(float(one.value) + 1))
            assert judged(wrong, [measured[one.label]]).verdict == DIFFERS


def test_all_levels_are_printed_ones():
    printed = [one for one in ITEM["table-6-1"].printed if one.label.startswith("level of ")]
    assert len(printed) == len(LOCATION_LEVELS)


def test_graphs_that_are_not_public_are_not_compared():
    for name in ITEM.keys() - set(EXAMPLES):
        assert all(judged(one, [1.0]).verdict == NOT_COMPARABLE for one in ITEM[name].printed)


def test_order_of_losses_follows_the_formulas():
    curve = graph_curves("small", 1, True)
    assert (curve[LETTER] > curve["CDIL"]).all()
    found = graph_losses_and_risks(1, True)
    lowest = curve[list(LOSSES)].idxmin(axis=1) == "AAMIL"
    label = "first graph: share of K at which AAMIL is the lowest loss"
    assert found[label] == lowest.mean() == 0
    times = curve.iloc[-1] / curve.iloc[0]
    fastest = times[list(LOSSES)].idxmax() == "CDIL"
    assert found["first graph: CDIL grows by most times (1 yes, 0 no)"] == fastest


def test_curves_are_means_in_percent():
    curves = [graph_curves("small", 1, True), microdata_curves("small", 1, True)]
    for curve in curves:
        assert curve.index.tolist() == [2, 5, 10, 20]
        assert ((curve >= 0) & (curve <= 100)).all(axis=None)
    assert np.allclose(curves[0]["IL"], curves[0][list(LOSSES)].mean(axis=1))
    assert set(RISKS) <= set(curves[0])


@pytest.mark.parametrize("name", [name for name, item in ITEM.items() if item.picture])
def test_pictures_show_both_graphs(name):
    points = ITEM[name].picture.points(True)
    assert points["panel"].nunique() == 2
    assert len(points[["x", "y"]].dropna()) > 0
