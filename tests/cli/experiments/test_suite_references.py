"""``anonopt experiment references`` and ``facts``: looked at, made, and made again."""

from __future__ import annotations

import hashlib
import json

import pytest

from anonopt.experiments import suite

WORDS = ("experiment", "references", "--workers", 0)
PRAM, PROVEN = "german-pram", "freight-10"


def test_files_of_the_library_are_held_to_their_checksums(run):
    outcome = run("experiment", "references", "--json")
    assert outcome.json["title"].endswith(suite().checksum)
    assert [row["sha256"] for row in outcome.json["references"]] == (
        suite().references["sha256"].tolist()
    )


def test_fronts_are_made_and_a_second_command_makes_them_no_worse(run, tmp_path):
    words = (*WORDS, "--folder", tmp_path, "--output", tmp_path / "runs.sqlite",
             "--instances", PRAM, "--instances", PROVEN, "--algorithm", "random", "--times", 1,
             "--seed", 1001)  # fmt: skip
    plan = run(*words, "--dry-run", "--json").json
    assert plan["runs"] == 1 and not list(tmp_path.glob("*.csv"))
    outcome = run(*words)
    assert outcome.code == 0, outcome.err
    assert "best known" in outcome.out and "branch and bound" in outcome.out
    index = json.loads((tmp_path / "index.json").read_text())
    for name in (PRAM, PROVEN):
        content = (tmp_path / f"{name}.csv").read_bytes()
        assert index[name]["sha256"] == hashlib.sha256(content).hexdigest()
    assert index[PRAM]["origins"] == [
        {
            "algorithm": "random",
            "seeds": [1001],
            "evaluations": 600,
            "version": index[PROVEN]["origins"][0]["version"],
            "command": "anonopt experiment references --suite anonopt-2026 --times 1 --seed 1001 "
            "--algorithm random",
        }
    ]
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.[cj]s*")}
    assert run(*words).code == 0
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.[cj]s*")} == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seed", 3), "seeds: expected seeds from 1000 on"),
        (("--instances", "german"), "unknown instance"),
        (("--suite", "anonopt-2062"), "unknown suite"),
        (("--algorithm", "nsga"), "nsga2"),
    ],
)
def test_wrong_words_are_told(run, tmp_path, words, message):
    outcome = run(*WORDS, "--folder", tmp_path, *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert not list(tmp_path.iterdir())


def test_folder_has_to_be_there(run, tmp_path):
    outcome = run(*WORDS, "--folder", tmp_path / "no")
    assert outcome.code == 2 and "expected an existing folder" in outcome.err


def test_facts_are_measured_and_kept(run, tmp_path):
    words = ("experiment", "facts", "--instances", PROVEN, "--samples", 20, "--steps", 20)
    outcome = run(*words, "--folder", tmp_path)
    assert outcome.code == 0, outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["facts.csv", "made.json"]
    assert "anonopt experiment facts --suite anonopt-2026 --seed 1 --samples 20" in (
        (tmp_path / "made.json").read_text()
    )
    assert "exists already" in run(*words, "--folder", tmp_path).err
    assert run(*words, "--json").json["facts"][0]["n_samples"] == 20
