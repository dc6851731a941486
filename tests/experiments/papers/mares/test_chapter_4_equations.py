"""Items of Section 4.2 of the thesis."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.algorithms import PRAMGP
from anonopt.evaluation import PRAMScore
from anonopt.experiments.items.item import Item
from anonopt.experiments.items.verdicts import DIFFERS, NOT_COMPARABLE, SAME, judged
from anonopt.experiments.papers.mares import chapter_4_courses, chapter_4_equations
from anonopt.experiments.papers.mares.chapter_4_courses import course_of_equations
from anonopt.experiments.papers.mares.chapter_4_searches import not_public

ITEMS = {item.name: item for item in chapter_4_equations.ITEMS}
SEARCHED = [item for item in ITEMS.values() if item.measure is chapter_4_equations.equations]


@pytest.fixture
def short_runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Searches of two generations."""
    monkeypatch.setattr(chapter_4_courses, "PRAMGP", partial(PRAMGP, n_generations=2))
    courses = course_of_equations, chapter_4_courses.best_protections
    for one in courses:
        one.cache_clear()
    yield
    for one in courses:
        one.cache_clear()


@pytest.mark.usefixtures("short_runs")
def test_every_number_that_can_be_compared_is_measured():
    measured = chapter_4_equations.equations(1, True)
    assert np.isfinite(list(measured.values())).all()
    for item in SEARCHED:
        labels = {one.measured for one in item.printed if one.comparable and one.value}
        assert labels <= set(measured)
    assert measured["German, GP Max: SCORE_max"] == measured["German, depth 5: score"]


@pytest.mark.usefixtures("short_runs")
@pytest.mark.parametrize(
    "item", [item for item in SEARCHED if item.picture], ids=lambda item: item.name
)
def test_pictures_have_points(item: Item):
    assert item.picture is not None
    points = item.picture.points(True)
    assert points[["panel", "series", "x", "y"]].notna().all(axis=None)
    assert points["panel"].nunique() == 2


@pytest.mark.usefixtures("short_runs")
def test_course_is_that_of_the_best_equation():
    found = course_of_equations("german", "score_max", 4, 3)
    problem = ao.get_problem(
        "german-pram-equations",
        objectives=["score_max"],
        max_depth=4,
        empty_categories=True,
        seed=3,
    )
    result = ao.solve(problem, PRAMGP(n_generations=2), seed=3)
    history = result.algorithm.history()
    pd.testing.assert_series_equal(found["score"], history["score_max_min"], check_names=False)
    best = problem.frame(result.X, result.F)
    assert found["score"].iloc[-1] == best["score_max"].iloc[0]


@pytest.mark.parametrize(("name", "best"), [("german", 0.6), ("flare", 0.7)])
def test_frequency_pram_is_that_of_the_best_p(name: str, best: float):
    (loss, risk), diagonal = chapter_4_courses.named_matrices(name, 2)
    problem = ao.get_problem(f"{name}-pram", p=best, empty_categories=True, seed=9)
    figures = PRAMScore(problem.columns, seed=9, draws=20).figures(problem.matrices(problem.start))
    assert loss == pytest.approx(figures.IL, abs=1)
    assert risk == pytest.approx(figures.DR, abs=1)
    assert diagonal[0] < loss < risk + 3
    assert diagonal[1] > 44


def test_worked_example_comes_back_and_another_place_would_be_told():
    item = ITEMS["figure-4-14"]
    measured = item.measure(1, True)
    for printed in item.printed:
        assert judged(printed, [measured[printed.label]]).verdict == SAME
    wrong = dataclasses.replace(item.printed[0], value="2")
    assert judged(wrong, [measured[wrong.label]]).verdict == DIFFERS
    assert ITEMS["figure-4-15"].measure(1, True)["value for a = 1 and b = 3"] == 7


@pytest.mark.parametrize("name", ["table-4-12", "table-4-13", "table-4-14"])
def test_printed_scores_follow_from_printed_losses_and_risks(name: str):
    values = np.array([float(one.value or "nan") for one in ITEMS[name].printed]).reshape(4, 4)
    np.testing.assert_array_equal(values[:, 2], values[:, :2].max(axis=1))
    np.testing.assert_allclose(values[:, 3], values[:, :2].mean(axis=1), atol=0.0151)


def test_two_tables_print_other_numbers_for_one_run():
    """Table 4.15 has Housing's run by the mean in the row of Flare (Tables 4.13 and 4.14)."""
    by_label = {one.label: one.value for name in ITEMS for one in ITEMS[name].printed}
    row = [by_label[f"Solar Flare, depth 5: {figure}"] for figure in ("IL", "DR")]
    assert row == [by_label[f"Housing, GP Mean: {figure}"] for figure in ("IL", "DR")]
    assert row != [by_label[f"Solar Flare, GP Max: {figure}"] for figure in ("IL", "DR")]


def test_housing_is_not_compared():
    for item in ITEMS.values():
        for printed in item.printed:
            if "Housing" in printed.label:
                assert judged(printed, [1.0]).verdict == NOT_COMPARABLE
    assert ITEMS["table-4-14"].measure is not_public
