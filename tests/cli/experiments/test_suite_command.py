"""``anonopt experiment suite`` runs a suite, goes on, and compares with what is stored."""

from __future__ import annotations

import pytest

from anonopt.algorithms import PBGEA
from anonopt.algorithms.registry import ALGORITHMS
from anonopt.experiments import load
from anonopt.experiments.suites.results_of_suite import FILES

SMALL = "german-k-glm"
WORDS = ("experiment", "suite", "--instances", SMALL, "--workers", 0)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mine():
    ALGORITHMS.register("mine", PBGEA)


def test_own_algorithm_stands_beside_the_stored_ones(run, here, mine):
    words = (*WORDS, "--algorithm", "mine", "--seeds", 2, "--report", here / "mine.md")
    outcome = run(*words)
    assert outcome.code == 0, outcome.err
    assert load(here / "anonopt-2026.sqlite").algorithms == ["mine"]
    page = (here / "mine.md").read_text(encoding="utf-8")
    assert "| problem | mine | pbgea | lattice-vnd |" in page
    assert "anonopt experiment suite --suite anonopt-2026 --seeds 2 --algorithm mine" in page
    again = run(*words, "--force", "--json")
    assert again.json["run_now"] == 0
    assert again.json["winners"][0]["instance"] == SMALL
    assert "mine.md exists already" in run(*words).err


def test_results_are_written_as_they_come_with_the_library(run, here):
    (here / "results").mkdir()
    outcome = run(*WORDS, "--algorithm", "random", "--algorithm", "ga", "--seeds", 1,
                  "--output", here / "a.sqlite", "--results", here / "results")  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert "expected a problem of 1 objective" in outcome.out
    assert sorted(path.name for path in (here / "results").iterdir()) == sorted(FILES)


def test_plan_runs_nothing(run, here):
    plan = run(*WORDS, "--algorithm", "random", "--seeds", 3, "--dry-run", "--json").json
    assert plan["runs"] == plan["missing"] == 3
    assert not list(here.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--algorithm", "mine"), "unknown algorithm"),
        (("--suite", "anonopt-2025"), "anonopt-2026"),
        (("--instances", "german"), "instance"),
        (("--report", "a.doc"), "report: expected a file ending in .md, .tex, .csv"),
    ],
)
def test_wrong_words_are_told_before_anything_runs(run, here, words, message):
    outcome = run(*WORDS, *words)
    assert outcome.code == 2 and message in outcome.err
    assert not list(here.iterdir())


def test_file_called_suite_is_run_by_its_path(run, here):
    (here / "suite").write_text(
        'problems = ["german-k-glm"]\nalgorithms = ["random"]\nseeds = 1\nbudget = 10\n'
    )
    for words in (("run", "suite"), ("./suite",)):
        outcome = run("experiment", *words, "--workers", 0)
        assert outcome.code == 0 and "suite: 1 runs in" in outcome.out, outcome.err
