"""anonopt check: the figures of the library, and exit codes."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from anonopt.data import read_table
from anonopt.measures.lattice.check import check

TABLE = """zip,sex,illness
8166*,F,flu
8166*,F,cold
8167*,M,flu
8167*,M,flu
*,*,cold
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_json_equals_the_library(run, table):
    words = ["--qi", "zip", "--qi", "sex", "--sensitive", "illness", "--json"]
    expected = check(read_table(table), quasi_identifiers=["zip", "sex"], sensitive="illness")
    outcome = run("check", table, *words)
    assert outcome.err == ""
    # One class has a single sensitive value: two figures are infinite, which JSON cannot write.
    infinite = {"recursive_cl": None, "delta_disclosure": None}
    assert outcome.json == {**expected.to_dict(), **infinite}
    assert outcome.code == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--k", 1], 0),
        (["--k", 2], 1),
        (["--k", 2, "--suppressed-stars"], 0),
        (["--k", 3, "--suppressed-stars"], 1),
        (["--k", 2, "--l", 2, "--suppressed-stars"], 1),
        (["--k", 2, "--t", 0.4, "--suppressed-stars"], 0),
        (["--k", 2, "--t", 0.39, "--suppressed-stars"], 1),
    ],
)
def test_exit_code_says_whether_it_is_as_asked(run, table, words, code):
    outcome = run("check", table, "--qi", "zip,sex", "--sensitive", "illness", *words)
    assert outcome.code == code
    assert ("NOT anonymous" in outcome.out) is bool(code)


def test_columns_by_commas_and_by_repetition_are_the_same(run, table):
    by_commas = run("check", table, "--qi", "zip, sex", "--json")
    assert by_commas.json == run("check", table, "--qi", "zip", "--qi", "sex", "--json").json


def test_column_with_a_comma_in_its_name_is_not_parted(run, tmp_path):
    path = tmp_path / "comma.csv"
    path.write_text('"age, in years",x\n1,2\n1,3\n', encoding="utf-8")
    assert run("check", path, "--qi", "age, in years").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--qi", "zipp"], "'zipp'"),
        (["--qi", "zip", "--sensitive", "ilness"], "'ilness'"),
        (["--qi", "zip", "--l", 2], "sensitive"),
        (["--qi", "zip", "--k", 0], "--k"),
        (["--qi", "zip", "--t", 1.5, "--sensitive", "illness"], "--t"),
        ([], "--qi"),
        (["--qi", ","], "quasi_identifiers"),
    ],
)
def test_wrong_options_are_named(run, table, words, message):
    outcome = run("check", table, *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"a,b\n1,2\n1\n", "line 3"),
        (b"a,b\n", "empty"),
        (b"a,b\n\xff\xfe,2\n", "UTF-8"),
    ],
)
def test_wrong_files_are_named(run, tmp_path, content, message):
    path = tmp_path / "wrong.csv"
    path.write_bytes(content)
    outcome = run("check", path, "--qi", "a")
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


def test_missing_file_and_folder_are_named(run, tmp_path):
    for path in (tmp_path / "nothing.csv", tmp_path):
        outcome = run("check", path, "--qi", "a", "--json")
        assert (outcome.code, outcome.out) == (2, "")
        assert str(path) in outcome.err


def test_brackets_in_names_are_no_markup(run, tmp_path):
    path = tmp_path / "[bold]table.csv"
    path.write_text("a\n1\n1\n", encoding="utf-8")
    assert "[bold]table.csv" in run("check", path, "--qi", "a").out
    assert "'[red]'" in run("check", path, "--qi", "[red]").err


def test_json_of_a_verdict_is_a_boolean(run, table):
    assert json.loads(run("check", table, "--qi", "sex", "--json").out)["anonymous"] is False


def test_parquet_is_counted_by_its_engine(run, tmp_path):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"zip": list("xxxxyyyy"), "illness": list("pppqppqq")})
    frame.to_csv(tmp_path / "table.csv", index=False)
    frame.to_parquet(tmp_path / "table.parquet")
    words = ["--qi", "zip", "--sensitive", "illness", "--json"]
    found = [run("check", tmp_path / name, *words) for name in ("table.csv", "table.parquet")]
    assert found[0].json == found[1].json
    refused = run("check", tmp_path / "table.parquet", "--qi", "zip", "--decimal", ",")
    assert "--decimal: expected with a CSV file" in refused.err
