"""Experiments of KGEN: labels, what they rest on, and that drawn data are compared with nothing."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from anonopt.experiments import reproduce
from anonopt.experiments.items.verdicts import DIFFERS, NOT_COMPARABLE, SAME, judged
from anonopt.experiments.papers import PAPERS
from anonopt.experiments.papers.kgen import experiments, searches
from anonopt.experiments.papers.kgen.experiments import ITEMS
from anonopt.problems import get_problem

EXPERIMENTS = {item.name: item for item in ITEMS}

PRIVATE = {"F2: attributes", "F2: observations", "F2, KGEN: most columns with a result"}
UNMEASURED = {*PRIVATE, "exact approaches: most columns with a result"}


@pytest.fixture
def no_files(tmp_path, monkeypatch):
    """No data folder, and no network either."""
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(tmp_path))
    searches.problem_of.cache_clear()

    def refuse(*args, **options):
        raise OSError("no network in tests")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path)
    yield
    searches.problem_of.cache_clear()


@pytest.fixture
def few_columns(monkeypatch):
    """Five columns alone, so that everything takes a second."""
    for module in (experiments, searches):
        monkeypatch.setattr(module, "COLUMNS", (5,), raising=False)


def test_stand_in_needs_no_file_and_is_compared_with_nothing(no_files):
    item = EXPERIMENTS["figures-8-10-freight"]
    assert {printed.value for printed in item.printed} == {None}
    numbers = item.measure(1, True)
    assert {printed.label for printed in item.printed} == set(numbers)
    assert np.isfinite(list(numbers.values())).all()
    assert item.measure(1, True) == numbers
    assert numbers["KGEN, 5 columns: accuracy, %"] == 100


def test_without_cargo_its_items_name_the_file_and_the_stand_in(no_files):
    frame = reproduce("kgen2022", "section-4-1")
    assert set(frame["verdict"]) == {NOT_COMPARABLE}
    assert frame["why"].str.contains("c2k_data_comma.csv").all()
    assert frame["why"].str.contains("figures-8-10-freight").all()


def test_parameters_are_those_of_the_defaults():
    frame = reproduce("kgen2022", "table-7").set_index("number")
    assert set(frame.drop("random, populationSize")["verdict"]) == {SAME}
    assert frame.loc["random, populationSize", "verdict"] == NOT_COMPARABLE


def test_sizes_of_cargo(shared_data, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(shared_data))
    frame = reproduce("kgen2022", "section-4-1").set_index("number")
    assert frame.loc[["c2k: attributes", "c2k: observations"], "verdict"].tolist() == [SAME, SAME]


def test_items_on_cargo_have_a_number_for_every_label(shared_data, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(shared_data))
    # Those of the statements, and those with rows of their own.
    monkeypatch.setattr(experiments, "COLUMNS", (5, 6, 7, 15, 25))
    numbers = experiments.on_cargo(2, True)
    for name in ("section-5-1", "figure-8", "figure-9", "figure-10"):
        labels = {printed.label for printed in EXPERIMENTS[name].printed}
        assert labels - set(numbers) <= UNMEASURED
        for printed in EXPERIMENTS[name].printed:
            if printed.label not in numbers:
                continue
            verdict = judged(printed, [numbers[printed.label]]).verdict
            if printed.value is None:
                assert verdict == NOT_COMPARABLE and printed.why
            elif printed.value == "300":
                assert verdict == DIFFERS and printed.why
            else:
                assert verdict == SAME
                wrong = dataclasses.replace(printed, value="12")
                assert judged(wrong, [numbers[printed.label]]).verdict == DIFFERS


def test_random_search_stays_on_the_reduced_lattice(shared_data, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(shared_data))
    found = searches.figures_of("cargo", 5, searches.RANDOM, 1)
    assert found.looked_at == get_problem("cargo-5", bounds="no_suppression").space.size
    everywhere = searches.figures_of("cargo", 5, searches.RANDOM_ABOVE_TABLE_8, 1)
    assert everywhere.looked_at == get_problem("cargo-5", bounds="sound").space.size == 432
    assert everywhere.accuracy == 100 > found.accuracy


@pytest.mark.usefixtures("no_files", "few_columns")
def test_pictures_without_cargo_say_what_they_show():
    for name in ("figure-7", "figure-8", "figure-9", "figure-10"):
        points = EXPERIMENTS[name].picture.points(True)
        assert set(points["panel"]) == {"freight (drawn, not Cargo 2000)"}
        assert set(points["x"]) == {5}
        assert np.isfinite(points["y"]).all()


def test_paper_holds_every_item_once():
    names = [item.name for item in PAPERS["kgen2022"].items]
    assert len(names) == len(set(names)) == 18
