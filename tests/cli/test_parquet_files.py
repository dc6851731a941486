"""Commands on Parquet: as in Python, complete or not at all, and refusals by name."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import anonopt as ao
from anonopt.cli.configuration.config import read_config
from anonopt.masking import MDAV, PreClustered, TopCoding

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

N = 60


@pytest.fixture
def folder(tmp_path):
    """A folder of two files, and its rows."""
    frame = pd.DataFrame(
        {
            "Person ID": [f"P-{i:03d}" for i in range(N)],
            "age": pd.array([20 + i * 7 % 50 if i % 9 else None for i in range(N)], dtype="Int64"),
            "zip": [f"{i * 37 % 97:05d}" for i in range(N)],
            "birth": pd.to_datetime([f"19{40 + i % 50}-01-02" for i in range(N)]).date,
            "height": [150 + i * 0.5 for i in range(N)],
            "illness": ["flu", "cold", "angina"] * (N // 3),
        }
    )
    (tmp_path / "people").mkdir()
    frame[: N // 2].to_parquet(tmp_path / "people" / "a.parquet")
    frame[N // 2 :].to_parquet(tmp_path / "people" / "b.parquet")
    return tmp_path / "people", frame


@pytest.mark.parametrize("given", ["people", "people/*.parquet", "people/a.parquet"])
def test_drafts_run_as_they_are(run, folder, given, monkeypatch):
    monkeypatch.chdir(folder[0].parent)
    outcome = run("init", given)
    assert outcome.code == 0, outcome.err
    draft = "people/a.toml" if given.endswith("a.parquet") else "people.toml"
    assert f"Written: {draft}" in outcome.out
    config = read_config(folder[0].parent / draft)
    assert config.data.quasi_identifiers == ["age", "zip", "birth", "height"]
    assert list(config.data.identifiers) == ["Person ID"]
    # Text stays text: the builder of intervals would refuse it.
    assert config.hierarchies["zip"] == {"builder": "text"}
    assert config.hierarchies["birth"] == {"builder": "dates"}
    if given == "people/*.parquet":
        assert run("anonymize", draft).code == 0
        qi = list(config.data.quasi_identifiers)
        figures = ao.check("people-protected.parquet", quasi_identifiers=qi, k=5, suppressed="*")
        assert figures["anonymous"]


def test_a_masked_file_and_its_record(run, folder):
    path, frame = folder
    target = path.parent / "masked.parquet"
    words = ("mdav", path, "--columns", "height", "--k", 3, "--clusters", 2, "--seed", 4)
    outcome = run("mask", *words, "--output", target, "--json")
    assert outcome.code == 0, outcome.err
    expected = PreClustered(MDAV(k=3, columns=["height"]), 2, random_state=4).fit_transform(frame)
    masked = pd.read_parquet(target)
    assert masked["height"].tolist() == expected["height"].tolist()
    assert masked["zip"].tolist() == frame["zip"].tolist()
    assert outcome.json["parts"] == 2
    told = json.loads((path.parent / "masked.parquet.record.json").read_text())
    assert "duckdb" in told["versions"]
    assert [file["file"] for file in told["inputs"]] == [str(p) for p in sorted(path.glob("*"))]
    assert told["outputs"][0]["bytes"] == target.stat().st_size
    assert "seed" not in told
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "masked.parquet",
        "masked.parquet.record.json",
        "people",
    ]
    assert run("mask", *words, "--output", target).code == 2


def test_values_of_options_are_those_of_the_column(run, folder):
    path, frame = folder
    target = path.parent / "masked.parquet"
    words = ("--columns", "height", "--value", 170, "--code", 170)
    outcome = run("mask", "top-coding", path, *words, "--output", target)
    assert outcome.code == 0, outcome.err
    assert "as they were:  Person ID, age, zip" in outcome.out
    expected = TopCoding(value=170, code=170, columns=["height"]).fit_transform(frame)
    assert pd.read_parquet(target)["height"].tolist() == expected["height"].tolist()


def test_figures_are_those_of_python(run, folder):
    path, frame = folder
    masked = path.parent / "masked.parquet"
    frame.assign(illness=frame["illness"].replace("angina", "flu")).to_parquet(masked)
    outcome = run("compare-files", path, masked, "--columns", "zip,illness", "--json")
    assert outcome.code == 0, outcome.err
    expected = ao.compare_files(path, masked, columns=["zip", "illness"])
    assert outcome.json == expected.to_dict()
    words = ("--columns", "zip,illness", "--blocks", "zip")
    assert "records linked to their original" in run("compare-files", path, masked, *words).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mask", "mdav", "--k", 3, "--columns", "height"), "--clusters: expected a number"),
        (("mask", "pram", "--shuffle"), "--shuffle: expected with a CSV file"),
        (("mask", "pram", "--strata", "zip"), "--strata: expected with a CSV file"),
        (("mask", "pram", "--columns", "none"), "none"),
        (("mask", "pram", "--nominal", "height"), "--nominal: expected columns of text"),
        (("mask", "pram", "--output", "-"), "--output: expected a file"),
        (("mask", "pram", "--output", "masked.xlsx"), "--output: expected a name that ends in"),
        (("mask", "pram", "--output", "people/masked.parquet"), "is none of the input"),
        (("compare-files", "--one-to-one"), "--one-to-one: expected with CSV files"),
        (("compare-files", "--p", 5), "--p: expected together with --blocks"),
        (("compare-files", "--columns", "height"), "height"),
        (("init", "--encoding", "utf-8"), "--encoding: expected with a CSV file"),
    ],
)
def test_refused_before_anything_is_written(run, folder, monkeypatch, words, message):
    path, _ = folder
    monkeypatch.chdir(path.parent)
    command, *others = words
    files = ["people", "people"] if command == "compare-files" else ["people"]
    if command == "mask":
        others = [others[0], *files, *others[1:]]
        others += [] if "--output" in others else ["--output", "masked.parquet"]
    else:
        others = [*files, *others]
    outcome = run(command, *others)
    assert outcome.code == 2
    assert message in " ".join(outcome.err.split())
    left = sorted(p.name for p in path.parent.rglob("*") if p.is_file())
    assert left == ["a.parquet", "b.parquet"]


def test_blocks_are_of_parquet(run, people):
    outcome = run("compare-files", people / "people.csv", people / "people.csv", "--blocks", "zip")
    assert (outcome.code, "--blocks: expected with Parquet" in outcome.err) == (2, True)
