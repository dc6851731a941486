"""Items of Section 4.1 of the thesis."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

import anonopt as ao
from anonopt.algorithms import PRAMEA
from anonopt.evaluation import PRAMScore
from anonopt.experiments.items.item import Item
from anonopt.experiments.items.verdicts import AGREES, DIFFERS, NOT_COMPARABLE, judged
from anonopt.experiments.papers.mares import chapter_4_courses, chapter_4_searches
from anonopt.experiments.papers.mares.chapter_4_courses import course_of_matrices

ITEMS = {item.name: item for item in chapter_4_searches.ITEMS}
MEASURED = [item for item in ITEMS.values() if item.measure is not chapter_4_searches.not_public]


@pytest.fixture
def short_runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Searches of eight generations."""
    monkeypatch.setattr(chapter_4_courses, "PRAMEA", partial(PRAMEA, n_generations=8))
    course_of_matrices.cache_clear()
    yield
    course_of_matrices.cache_clear()


@pytest.mark.usefixtures("short_runs")
@pytest.mark.parametrize("item", MEASURED, ids=lambda item: item.name)
def test_every_printed_number_is_measured_and_drawn(item: Item):
    measured = item.measure(1, True)
    assert {printed.measured for printed in item.printed} <= set(measured)
    assert np.isfinite(list(measured.values())).all()
    if item.picture is not None:
        points = item.picture.points(True)
        assert points[["panel", "series", "x", "y"]].notna().all(axis=None)
        assert (points.loc[points["series"] == "IL", "x"] <= 8).all()


@pytest.mark.parametrize("name", ["german", "flare"])
def test_start_is_frequency_pram_by_entropy_alone(short_runs: None, name: str):
    problem = ao.get_problem(f"{name}-pram", p=0.5)
    figures = PRAMScore(problem.columns, seed=77, draws=60).figures(problem.matrices(problem.start))
    start = course_of_matrices(name, None, 3).iloc[0]
    assert start["IL"] == pytest.approx(figures.EBIL, abs=1)
    assert start["DR"] == pytest.approx(figures.DR, abs=1)
    assert start["score"] == pytest.approx((start["IL"] + start["DR"]) / 2)


@pytest.mark.usefixtures("short_runs")
def test_a_generation_changes_one_matrix():
    problem = ao.get_problem("german-pram", objectives=["score_mean"], loss="EBIL", p=0.5)
    ends = np.cumsum(problem.space.matrix_lengths)
    changed = set()

    def note(algorithm: PRAMEA) -> None:
        places = np.flatnonzero(algorithm.pop[0].X != problem.start)
        changed.update(np.searchsorted(ends, places, side="right").tolist())

    algorithm = PRAMEA(
        n_generations=1,
        mutation=ao.operators.GrayBitFlip(matrices="one"),
        crossover=ao.operators.RangeSwapCrossover(matrices="one"),
    )
    ao.solve(problem, algorithm, seed=1, callback=note)
    assert len(changed) <= 1


@pytest.mark.usefixtures("short_runs")
def test_a_search_that_hardly_moves_is_told_from_the_printed_one():
    item = ITEMS["figure-4-7"]
    (printed,) = item.printed
    values = [item.measure(seed, False)[printed.label] for seed in (1, 2)]
    assert judged(printed, values).verdict == DIFFERS
    between = dataclasses.replace(printed, value=f"{min(values) / 3 + max(values) / 1.5:.4f}")
    assert judged(between, values).verdict == AGREES
    scores = course_of_matrices("german", None, 1)["score"]
    assert len(scores) == 9
    assert (scores.diff().dropna() <= 0).all()


def test_losses_of_the_start_are_those_of_the_columns_of_the_matrix():
    item = ITEMS["section-4-1"]
    measured = item.measure(1, True)
    for printed in item.printed:
        assert float(printed.value) == pytest.approx(measured[printed.label], abs=0.1)
        assert judged(printed, [measured[printed.label]]).verdict == NOT_COMPARABLE
    problem = ao.get_problem("german-pram", p=0.5)
    shares = []
    for codes, matrix in zip(problem.columns.codes.T, problem.matrices(problem.start), strict=True):
        P = matrix.probabilities
        bits = [[-p * math.log(p) if p > 0 else 0.0 for p in row] for row in P.tolist()]
        total = sum(bits[i][j] for j in codes for i in range(len(P)))
        shares.append(total / (len(codes) * math.log(len(P))))
    expected = 100 * sum(shares) / 3
    assert measured["German, IL of frequency PRAM"] == pytest.approx(expected)


@pytest.mark.parametrize("name", ["table-4-3", "table-4-4", "table-4-5"])
def test_printed_scores_are_the_means_of_printed_losses_and_risks(name: str):
    values = [float(printed.value or "nan") for printed in ITEMS[name].printed]
    for loss, risk, score in (values[:3], values[3:]):
        assert score == pytest.approx((loss + risk) / 2, abs=0.0151)


@pytest.mark.parametrize("name", ["figure-4-4", "table-4-3", "figure-4-5"])
def test_housing_is_not_compared(name: str):
    item = ITEMS[name]
    assert item.measure(1, True) == {}
    for printed in item.printed:
        verdict = judged(printed, [])
        assert verdict.verdict == NOT_COMPARABLE
        assert "not public" in verdict.why
