"""anonopt compare-files: the figures of the library, kinds of columns, and wrong input."""

from __future__ import annotations

import pytest

from anonopt.data import read_table
from anonopt.evaluation.comparison.compare import compare

EDUCATION = ["school", "bachelor", "master", "doctor"]
ORDER = f"education={','.join(EDUCATION)}"
ORIGINAL = """education,zip,age,x
school,8166,20,a
bachelor,8167,30,a
master,8166,40,b
doctor,8167,50,b
"""
MASKED = """education,zip,age,x
bachelor,8166,25,a
bachelor,8167,25,b
doctor,8166,45,b
doctor,8166,45,b
"""


@pytest.fixture
def compare_files(run, tmp_path):
    """Run the command on the two files."""
    (tmp_path / "original.csv").write_text(ORIGINAL, encoding="utf-8")
    (tmp_path / "masked.csv").write_text(MASKED, encoding="utf-8")

    def call(*words):
        return run("compare-files", tmp_path / "original.csv", tmp_path / "masked.csv", *words)

    return call


def files(tmp_path):
    return read_table(tmp_path / "original.csv"), read_table(tmp_path / "masked.csv")


def test_json_equals_the_library(compare_files, tmp_path):
    outcome = compare_files("--columns", "education, x", "--ordinal", ORDER, "--p", 25, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    wanted = compare(
        *files(tmp_path), columns=["education", "x"], ordinal={"education": EDUCATION}, p=25
    )
    assert outcome.json == wanted.to_dict()


def test_figure_that_was_not_asked_for_is_null(compare_files):
    assert compare_files("--columns", "x", "--json").json["RSRL"] is None


def test_table_shows_every_figure_with_its_meaning(compare_files):
    outcome = compare_files("--columns", "education", "--ordinal", ORDER, "--untouched", "x")
    assert outcome.code == 2
    assert "'x'" in outcome.err
    outcome = compare_files("--columns", "education", "--ordinal", ORDER)
    assert outcome.code == 0
    for name in ("DBIL", "CTBIL", "EBIL", "IL", "ID", "DBRL", "PRL", "DR", "score_max"):
        assert f" {name} " in f" {outcome.out}"
    assert "RSRL" not in outcome.out
    assert "16.67" in outcome.out


def test_numbers_are_continuous_unless_they_are_said_to_be_categories(compare_files, tmp_path):
    original, masked = (frame[["zip", "age"]].astype(int) for frame in files(tmp_path))
    outcome = compare_files("--columns", "age,zip", "--json")
    assert outcome.json.keys() == compare(original, masked).to_dict().keys()
    nominal = compare_files("--columns", "age,zip", "--nominal", "age,zip", "--json")
    wanted = compare(original.astype(str), masked.astype(str))
    assert nominal.json["DBIL"] == wanted["DBIL"] == 62.5
    mixed = compare_files("--columns", "age,zip", "--nominal", "zip", "--ordinal", "age", "--json")
    # Ages of both files are six categories: each moved by one of five steps; one zip of four.
    assert mixed.json["DBIL"] == pytest.approx(100 * (1 / 5 + 1 / 4) / 2)
    assert "CTBIL" in mixed.json


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--columns", "edu"], "'edu'"),
        ([], "continuous ['zip', 'age'] and categories ['education', 'x']"),
        (["--columns", "x", "--nominal", "zip"], "--nominal"),
        (["--columns", "x", "--ordinal", "x=a"], "'b'"),
        (["--columns", "x", "--p", 0], "percent above 0"),
    ],
)
def test_wrong_input_is_named(compare_files, words, message):
    outcome = compare_files(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_files_of_different_rows_are_refused(run, tmp_path):
    (tmp_path / "a.csv").write_text("x\na\nb\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("x\na\n", encoding="utf-8")
    outcome = run("compare-files", tmp_path / "a.csv", tmp_path / "b.csv")
    assert outcome.code == 2
    assert "2 original and 1 masked" in outcome.err
