"""``anonopt report`` of a saved run, also of a table of one's own."""

from __future__ import annotations

import sys

import pytest

import anonopt as ao
from anonopt.visualization.report import report_page


def test_saved_run_becomes_a_page(run, tmp_path):
    problem = ao.get_problem("german-k-glm")
    result = ao.solve(problem, ao.algorithms.PBGEA(), budget=20, seed=1)
    ao.save_run(result, tmp_path / "run.npz")
    told = run("report", tmp_path / "run.npz", "--json")
    assert told.code == 0, told.err
    assert told.json["solutions"] == len(result.front)
    assert told.json["sections"] == ["The run", "Front", "Course of the search"]
    assert (tmp_path / "run-report.html").stat().st_size == told.json["bytes"] < 10_000_000
    levels = ",".join(str(level) for level in result.X[0].tolist())
    assert f"--node {levels}" in report_page(result).solutions[0].note
    again = run("report", tmp_path / "run.npz")
    assert again.code == 2  # nothing is replaced unless asked


def test_run_of_ones_own_table_takes_its_configuration(run, people):
    config, saved = people / "people.toml", people / "run.npz"
    assert run("solve", config, "--checkpoint", saved, "--budget", 30).code == 0
    missing = run("report", saved)
    assert missing.code == 2
    assert "--problem" in missing.err
    told = run("report", saved, "--problem", config, "--json")
    assert told.code == 0, told.err
    assert "no original records" in told.json["warning"]
    shown = run("report", saved, "--problem", config, "--sample-rows", 3, "--force", "--json")
    assert "original records" in shown.json["warning"]


def test_run_of_local_recodings_is_reported(run, people, edited):
    config = edited(("k = 3", 'k = 3\nmethod = "local"'))
    saved = people / "run.npz"
    assert run("solve", config, "--checkpoint", saved, "--budget", 10).code == 0
    told = run("report", saved, "--problem", config, "--json")
    assert told.code == 0, told.err
    assert told.json["solutions"] >= 1


def test_configuration_of_another_table_is_refused(run, people, edited):
    saved = people / "run.npz"
    assert run("solve", people / "people.toml", "--checkpoint", saved, "--budget", 30).code == 0
    table = people / "people.csv"
    lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
    table.write_text("".join(lines[:-1]), encoding="utf-8")
    told = run("report", saved, "--problem", people / "people.toml")
    assert told.code == 2
    assert "expected the problem of the saved run" in told.err


@pytest.mark.parametrize("name", ["people.csv", "people.toml"])
def test_table_in_place_of_a_run_tells_how_one_is_made(run, people, name):
    told = run("report", people / name)
    assert told.code == 2
    assert "--checkpoint" in told.err


def test_missing_extra_is_no_fault(run, people, monkeypatch):
    saved = people / "run.npz"
    assert run("solve", people / "people.toml", "--checkpoint", saved, "--budget", 30).code == 0
    monkeypatch.setitem(sys.modules, "plotly", None)
    told = run("report", saved, "--problem", people / "people.toml")
    assert told.code == 2
    assert told.err.startswith("Error: ") and "anonopt[report]" in told.err
