"""Items of Chapter 3: what comes back, what is told apart, and what is not at hand."""

from __future__ import annotations

import pandas as pd
import pytest

from anonopt.experiments import reproduce
from anonopt.experiments.items.verdicts import DIFFERS, NOT_COMPARABLE, SAME
from anonopt.experiments.papers.mares import chapter_3_categorical as categorical
from anonopt.experiments.papers.mares import chapter_3_continuous as continuous
from anonopt.experiments.papers.mares.chapter_3 import ITEMS
from anonopt.experiments.papers.mares.chapter_3_courses import Course, courses, start_and_end

BY_NAME = {item.name: item for item in ITEMS}


def verdicts(name):
    found = reproduce("mares2013", name, quick=True)
    return dict(zip(found["number"], found["verdict"], strict=True))


def test_genomes_come_back_but_for_the_shifted_rows():
    found = verdicts("table-3-1")
    shifted = {label for label, verdict in found.items() if verdict == DIFFERS}
    assert all(label.startswith(("12 given 7", "7 given 12")) for label in shifted)
    assert len(shifted) == 4
    assert sum(verdict == SAME for verdict in found.values()) == 6
    assert set(verdicts("figure-3-1").values()) == {SAME}


def test_both_rows_of_12_and_7_have_one_genome():
    found = BY_NAME["table-3-1"].measure(1, True)
    assert found["12 given 7, genome"] == found["7 given 12, genome"] == 1110


def test_another_genome_would_be_told(monkeypatch):
    monkeypatch.setattr("anonopt.experiments.papers.mares.chapter_3.gray_encode", lambda x: x)
    assert DIFFERS in reproduce("mares2013", "figure-3-1")["verdict"].tolist()


@pytest.fixture
def toy_runs(monkeypatch):
    """Runs of three generations in place of the real ones."""

    def run(*args):
        figures = {"min": [3.0, 2.5, 2.0], "mean": [4.0, 3.0, 3.0], "max": [9.0, 9.0, 8.0]}
        scores = ("score_mean", "score_max")
        history = {f"{score}_{key}": values for score in scores for key, values in figures.items()}
        figures = {"IL": [1.0, 2.0], "DR": [5.0, 2.0]}
        files = pd.DataFrame(figures | {score: [3.0, 2.0] for score in scores})
        return Course(pd.DataFrame(history), files, files)

    monkeypatch.setattr(categorical, "course", run)
    monkeypatch.setattr(continuous, "course", run)


@pytest.mark.parametrize(
    "name",
    [
        item.name
        for item in ITEMS
        if item.measure.__module__ in (categorical.__name__, continuous.__name__)
        and item.name not in ("section-3-5-populations", "section-3-5-rank-swapping")
    ],
)
def test_every_number_that_can_be_compared_is_measured(toy_runs, name):
    item = BY_NAME[name]
    measured = item.measure(1, True)
    comparable = [one for one in item.printed if one.comparable]
    assert [one.label for one in comparable if one.measured not in measured] == []
    if item.picture is not None:
        points = item.picture.points(True)
        assert list(points.columns) == ["panel", "series", "x", "y"]
        assert points.notna().all(axis=None)


def test_start_and_end_are_those_of_the_course(toy_runs):
    found = start_and_end("A", categorical.course("german", "score_max", 1), "score_max")
    assert found["A, start min"] == 3.0
    assert found["A, end max"] == 8.0
    assert found["A, decrease of min"] == 1.0
    assert found["A, best file at the end, IL"] == 2.0


def test_printed_scores_stand_at_both_ends_of_a_course(toy_runs):
    run = categorical.course("german", "score_max", 1)
    points = courses({"A": run}, "score_max", {"A": (("3", None), ("2",))})
    assert points[points["series"] == "printed"]["x"].tolist() == [0, 1000]


def test_numbers_of_files_are_those_of_the_thesis():
    printed = {one.label: one.value for one in BY_NAME["section-3-5-populations"].printed}
    assert len(categorical.starting_genomes("german", 1)) == int(printed["German"])


def test_what_is_not_public_is_not_compared():
    housing = [one for item in ITEMS for one in item.printed if one.label.startswith("Housing")]
    assert len(housing) > 10
    assert not any(one.comparable for one in housing)


def test_without_diabetes_it_is_said_what_to_fetch(tmp_path, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path)
    found = reproduce("mares2013", "table-3-2-diabetes", quick=True)
    assert set(found["verdict"]) == {NOT_COMPARABLE}
    assert found["why"].str.startswith("not measured: diabetes.csv is not at hand").all()
    assert not found["why"].str.contains(str(tmp_path)).any()


def test_times_are_of_both_kinds_of_generations_and_never_compared():
    item = BY_NAME["section-3-5-times"]
    assert not any(one.comparable for one in item.printed)
