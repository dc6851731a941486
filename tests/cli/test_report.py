"""``anonopt report``."""

from __future__ import annotations

import sys
import webbrowser

import pytest

import anonopt as ao
from tests.experiments.stores_of_tests import experiment


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "mine.sqlite"
    experiment().run(path, workers=0)
    return path


def test_report_of_an_experiment(run, store, tmp_path):
    target = tmp_path / "x.html"
    outcome = run("report", store, "--output", target, "--title", "Mine", "--json")
    assert outcome.code == 0
    told = outcome.json
    assert told["title"] == "Mine" and told["bytes"] == target.stat().st_size
    assert told["sections"][0] == "Overview"
    assert "<h1>Mine</h1>" in target.read_text(encoding="utf-8")
    again = run("report", store, "--output", target)
    assert again.code == 2 and "--force" in again.err
    assert run("report", store, "--output", target, "--force", "--sample-rows", 0).code == 0


def test_report_stands_beside_its_input(run, tmp_path, monkeypatch):
    result = ao.solve(ao.get_problem("german-k-glm"), ao.algorithms.PBGEA(), budget=20, seed=1)
    ao.save_run(result, tmp_path / "run.npz")
    shown = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    outcome = run("report", tmp_path / "run.npz", "--open")
    assert outcome.code == 0 and "run-report.html" in outcome.out.replace("\n", "")
    assert shown == [(tmp_path / "run-report.html").resolve().as_uri()]
    refused = run("report", tmp_path / "run.npz", "--indicator", "rr", "--force")
    assert refused.code == 2 and "--indicator" in refused.err


def test_wrong_input_is_told_before_any_work(run, store, tmp_path):
    for words, message in (
        ([store.with_name("mime.sqlite")], "did you mean mine.sqlite?"),
        ([tmp_path], "found a folder"),
        ([store, "--output", store], "found the input"),
        ([store, "--output", tmp_path / "no" / "x.html"], "expected an existing folder"),
        ([store, "--output", tmp_path / "x.pdf"], "--output: expected a file ending in .html"),
        ([store, "--output", tmp_path / "x.html", "--indicator", "hypervolum"], "hypervolume"),
    ):
        outcome = run("report", *words)
        assert outcome.code == 2, words
        assert message in outcome.err.replace("\n", " "), outcome.err
    assert not (tmp_path / "x.html").exists()


def test_missing_libraries_are_named_and_are_no_fault_of_the_program(
    run, store, tmp_path, monkeypatch
):
    # As Python does where a module is not there.
    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    outcome = run("report", store, "--output", tmp_path / "x.html")
    assert outcome.code == 2
    assert outcome.err.startswith("Error: ")
    assert "anonopt[report]" in outcome.err
