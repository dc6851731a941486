"""anonopt mask: the file it writes, what it reports, and wrong input."""

from __future__ import annotations

import pandas as pd
import pytest

from anonopt.data import read_table
from anonopt.masking import MDAV, METHODS, PreClustered

EDUCATION = ["school", "bachelor", "master", "doctor"]
ORDER = f"education={','.join(EDUCATION)}"

OPTIONS = {
    "mdav": ("--k", 3),
    "optimal-microaggregation": ("--k", 3),
    "mondrian": ("--k", 3),
    "global-median": ("--k", 3),
    "rank-swapping": ("--p", 50),
    "additive-noise": ("--share", 0.5),
    "correlated-noise": ("--share", 0.5),
    "global-recoding": ("--p", 2),
    "top-coding": ("--p", 2),
    "bottom-coding": ("--p", 2),
    "pram": ("--matrix", "uniform"),
    "cell-suppression": ("--k", 3),
}


@pytest.fixture
def mask(run, people):
    """Run the command on people.csv."""

    def call(method, *words):
        return run("mask", method, people / "people.csv", *words, "--output", people / "masked.csv")

    return call


def masked_and_original(people):
    return read_table(people / "masked.csv"), read_table(people / "people.csv")


@pytest.mark.parametrize("method", [name for name in METHODS if name != "pre-clustered"])
def test_every_method_masks_the_columns_named_and_no_other(mask, people, method):
    names = ["age"] if method.endswith("noise") else ["education", "age"]
    order = ("--ordinal", ORDER) if "education" in names else ()
    outcome = mask(method, *OPTIONS[method], "--columns", ",".join(names), *order, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    masked, original = masked_and_original(people)
    assert list(masked.columns) == list(original.columns)
    others = [name for name in original if name not in names]
    pd.testing.assert_frame_equal(masked[others], original[others])
    changed = {name: int((masked[name] != original[name]).sum()) for name in names}
    assert outcome.json["changed"] == changed
    assert sum(changed.values()) > 0
    assert outcome.json["rows"] == 9


def test_columns_that_stay_as_they_were_are_told(mask):
    outcome = mask("mdav", "--k", 3, "--columns", "age")
    assert outcome.code == 0, outcome.err
    assert "as they were:  name, zip, education" in outcome.out


def test_file_is_that_of_the_library(mask, people):
    assert mask("mdav", "--k", 3, "--columns", "age,education", "--ordinal", ORDER).code == 0
    masked, original = masked_and_original(people)
    frame = original.astype({"age": int})
    expected = MDAV(k=3, columns=["age", "education"], ordinal={"education": EDUCATION})
    expected = expected.fit_transform(frame)
    assert masked["education"].tolist() == expected["education"].tolist()
    assert masked["age"].astype(float).tolist() == expected["age"].tolist()


@pytest.mark.parametrize("starts", [{}, {"n_starts": 1}])
def test_clusters(mask, people, starts):
    words = ("--clusters", 2, "--seed", 4, *(("--n-starts", 1) if starts else ()))
    assert mask("mdav", "--k", 2, "--columns", "age", *words).code == 0
    masked, original = masked_and_original(people)
    method = PreClustered(MDAV(k=2, columns=["age"]), 2, random_state=4, **starts)
    expected = method.fit_transform(original.astype({"age": int}))
    assert masked["age"].astype(float).tolist() == expected["age"].tolist()


def test_same_seed_gives_the_same_file(mask, people):
    def content(seed):
        mask(
            "pram",
            "--matrix",
            "uniform",
            "--columns",
            "education,illness",
            "--seed",
            seed,
            "--force",
        )
        return (people / "masked.csv").read_bytes()

    assert content(1) == content(1) != content(2)


def test_numbers_are_written_as_they_stand_in_the_file(run, tmp_path):
    path = tmp_path / "zip.csv"
    path.write_text("zip,x\n08003,1.50\n08003,1.50\n08004,2.0\n,3\n", encoding="utf-8")
    output = tmp_path / "out.csv"
    words = ("mask", "global-recoding", path, "--p", 1, "--output", output)
    assert run(*words).code == 0
    assert output.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_code_names_the_merged_category(mask, people):
    assert mask("top-coding", "--p", 2, "--code", "58+", "--columns", "age").code == 0
    masked, original = masked_and_original(people)
    expected = ["58+" if age in ("58", "87") else age for age in original["age"]]
    assert masked["age"].tolist() == expected


def test_coding_by_value(mask, people):
    assert mask("top-coding", "--value", "58", "--columns", "age").code == 0
    masked, original = masked_and_original(people)
    expected = ["58+" if age in ("58", "87") else age for age in original["age"]]
    assert masked["age"].tolist() == expected


def test_merging_until_every_category_has_k(mask, people):
    words = ("--k", 3, "--code", "other", "--columns", "education")
    assert mask("global-recoding", *words).code == 0
    masked, _ = masked_and_original(people)
    assert masked["education"].value_counts().min() >= 3


def test_noise_of_whole_numbers_is_whole_and_fresh_by_seed(mask, people):
    words = ("--share", 0.5, "--keep-moments", "--columns", "age", "--seed", 3)
    assert mask("correlated-noise", *words).code == 0
    masked, original = masked_and_original(people)
    assert masked["age"].str.fullmatch(r"-?\d+").all()
    assert masked["age"].tolist() != original["age"].tolist()


@pytest.mark.parametrize(
    "words",
    [
        ("mdav", "--k", 2),
        ("mondrian", "--k", 2),
        ("rank-swapping", "--p", 50),
        ("correlated-noise", "--share", 0.5),
        ("top-coding", "--value", 31),
    ],
)
def test_missing_numbers_stay_missing(run, tmp_path, words):
    path, output = tmp_path / "age.csv", tmp_path / "out.csv"
    path.write_text("age,x\n20,1\n22,1\nNA,1\n30,2\n31,2\nNA,3\n", encoding="utf-8")
    outcome = run("mask", *words, path, "--columns", "age", "--output", output)
    assert outcome.code == 0, outcome.err
    ages = [line.rpartition(",")[0] for line in output.read_text(encoding="utf-8").splitlines()]
    assert [row for row, age in enumerate(ages) if age in ("NA", "")] == [3, 6]
    if words[0] == "correlated-noise":
        assert all("." not in age for age in ages)


def test_numbers_can_be_categories(mask, people):
    assert mask("mdav", "--k", 9, "--columns", "zip", "--nominal", "zip").code == 0
    assert set(read_table(people / "masked.csv")["zip"]) == {"81925"}
    assert mask("mdav", "--k", 9, "--columns", "zip", "--force").code == 0
    assert set(read_table(people / "masked.csv")["zip"]) != {"81925"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mdavv", "--k", 3), "unknown masking method 'mdavv'; did you mean mdav?"),
        (("pre-clustered", "--k", 3), "unknown masking method 'pre-clustered'; known ones: "),
        (("mdav",), "mdav: expected --k"),
        (
            ("mdav", "--k", 3, "--p", 2),
            "expected --k, --allow-rare-missing, --n-variables, found --p",
        ),
        (("mdav", "--k", 10), "k: expected a whole number of at least 1 and at most 9, found 10"),
        (("mdav", "--k", 3, "--columns", "agee"), "column 'agee': expected one of"),
        (("mdav", "--k", 3, "--columns", "age", "--nominal", "zip"), "--nominal: expected columns"),
        (("top-coding", "--columns", "age"), "p: expected p or value, found none"),
        (
            ("top-coding", "--value", "old", "--columns", "age"),
            "value: expected a number",
        ),
        (("global-recoding", "--p", 1.5), "--p: expected a number of categories, found 1.5"),
        (
            ("rank-swapping", "--p", 5),
            "column 'name': expected values in an order for RankSwapping",
        ),
        (("mdav", "--k", 3, "--clusters", 0), "n_clusters: expected a whole number of at least 1"),
        (("mdav", "--k", 3, "--n-starts", 1), "--n-starts: expected with --clusters"),
        (("pram", "--matrix", "odd"), "odd"),
    ],
)
def test_wrong_input_ends_with_one_message(mask, people, words, message):
    outcome = mask(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert not (people / "masked.csv").exists()


def test_files_are_not_replaced_unasked(mask, run, people):
    (people / "masked.csv").write_text("precious", encoding="utf-8")
    outcome = mask("mdav", "--k", 3, "--columns", "age")
    assert outcome.code == 2
    assert "--force" in outcome.err
    assert (people / "masked.csv").read_text(encoding="utf-8") == "precious"
    table = people / "people.csv"
    outcome = run("mask", "mdav", table, "--k", 3, "--output", table, "--force")
    assert outcome.code == 2
    assert "found the input" in outcome.err


def test_table_for_people(mask, people):
    outcome = mask("mdav", "--k", 3, "--columns", "age")
    assert "MDAV(k=3, columns=['age'], ordinal={}), 9 rows" in outcome.out
    assert f"Written: {people / 'masked.csv'}" in outcome.out


def test_cells_are_suppressed_by_either_reading(mask, people):
    words = ("cell-suppression", "--k", 3, "--columns", "education", "--json")
    assert mask(*words).code == 0
    assert (masked_and_original(people)[0]["education"] == "*").any()
    outcome = mask(*words, "--matching", "wildcard", "--search", "importance", "--force")
    assert outcome.code == 0
    assert "matching='wildcard'" in outcome.json["method"]
    assert masked_and_original(people)[0]["education"].isna().any()


def test_the_wildcard_reading_is_told_apart_from_that_of_check(mask):
    words = ("cell-suppression", "--k", 3, "--columns", "education")
    outcome = mask(*words, "--matching", "wildcard")
    assert "anonopt check counts it as a value of its own" in " ".join(outcome.out.split())
    assert "anonopt check" not in mask(*words, "--force").out


def test_an_unknown_search_of_cells_is_wrong_input(mask):
    outcome = mask("cell-suppression", "--k", 3, "--search", "best", "--columns", "education")
    assert outcome.code == 2
    assert "search: expected one of 'greedy', 'importance', 'exact', found 'best'" in outcome.err
