"""``anonopt reproduce`` prints verdicts, and writes reports and pictures."""

from __future__ import annotations

import pytest

from anonopt.experiments import reproduction
from tests.experiments.conftest import calls as calls
from tests.experiments.papers_of_tests import OWN


def test_every_number_is_printed_with_its_verdict(run, calls):
    outcome = run("reproduce", "own")
    assert outcome.code == 0
    for text in ("ratio", "0.93", "0.925", "same", "not measured: own.csv", "no number is printed"):
        assert text in outcome.out


def test_json_is_for_programs(run, calls):
    rows = run("reproduce", "own", "table-1", "--json").json
    assert [(row["paper"], row["verdict"]) for row in rows] == [("own", "same")]


def test_items_are_listed_and_nothing_runs(run, calls):
    outcome = run("reproduce", "own", "--list")
    assert outcome.code == 0 and "A surface" in outcome.out
    rows = run("reproduce", "all", "--list", "--json").json
    assert {"own", "dewri2010"} <= {row["paper"] for row in rows}
    assert [row["picture"] for row in rows if row["paper"] == "own"] == [False, False, True, True]
    assert calls.read_text() == ""


def test_report_and_picture_are_written_together(run, calls, tmp_path):
    page, picture = tmp_path / "page.md", tmp_path / "shares.png"
    words = ("reproduce", "own", "--quick", "--output", page, "--plot", picture)
    assert run(*words).code == 0
    assert "`anonopt reproduce own --quick`" in page.read_text(encoding="utf-8")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert run(*words).code == 2
    assert run(*words, "--force").code == 0


def test_figure_is_drawn_from_its_points(run, calls, tmp_path):
    picture = tmp_path / "figure.svg"
    assert run("reproduce", "own", "figure-1", "--plot", picture).code == 0
    assert "k (rows)" in picture.read_text(encoding="utf-8")


def test_all_papers_make_one_page(run, calls, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "PAPERS", {OWN.name: OWN})
    page = tmp_path / "page.tex"
    assert run("reproduce", "all", "--output", page).code == 0
    assert r"\begin{longtable}" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ("dewri2011",),
        ("own", "table-9"),
        ("all", "table-1"),
        ("own", "--output", "page.html"),
        ("own", "--plot", "page.md"),
        ("own", "--workers", "0"),
    ],
)
def test_wrong_input_ends_with_2_before_anything_runs(run, calls, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert run("reproduce", *words).code == 2
    assert calls.read_text() == ""
