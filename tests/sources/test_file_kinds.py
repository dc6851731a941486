"""Kinds of files by their names: what is read as what, and what is refused."""

from __future__ import annotations

import gzip

import pandas as pd
import pytest

from anonopt.measures.lattice.check import check
from anonopt.sources.file_kinds import check_text_name, check_written, kind_of
from anonopt.sources.opening import opened
from anonopt.sources.paths import Files

FRAME = pd.DataFrame({"age": ["21", "38", "21"], "job": ["a, b", 'c "d"', None]})


@pytest.fixture
def folder(tmp_path):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    for name in ("one", "all", "none", ".hidden"):
        (tmp_path / name).mkdir()
    FRAME.to_parquet(tmp_path / "rows.PARQUET")
    FRAME.to_csv(tmp_path / "rows.csv", index=False)
    FRAME.to_csv(tmp_path / "rows.tsv", index=False, sep="\t")
    FRAME.to_csv(tmp_path / "rows.csv.gz", index=False)
    FRAME.to_csv(tmp_path / "rows.tsv.gz", index=False, sep="\t")
    FRAME.to_csv(tmp_path / "rows.txt", index=False, sep="|")
    (tmp_path / "all" / "a.csv").write_bytes((tmp_path / "rows.csv").read_bytes())
    FRAME[:0].to_csv(tmp_path / "all" / "b.csv.gz", index=False)
    for name in ("all/.b.parquet", ".hidden/c.parquet", "all/.old.csv", "none/.a.csv"):
        (tmp_path / name).write_text("what no engine reads")
    return tmp_path


@pytest.mark.parametrize(
    "path",
    ["rows.PARQUET", "rows.csv", "rows.tsv", "rows.csv.gz", "rows.tsv.gz", "all", "all/*.csv*",
     "all/*", "*.PARQUET", "r*.csv"],
)  # fmt: skip
def test_rows_are_those_that_pandas_reads(folder, path):
    source = opened(folder / path, "frame")
    found = source.session.arrow(f"select * from {source.relation}").to_pandas()
    found = found.astype(object).where(found.notna(), None)
    assert found.to_numpy().tolist() == FRAME.astype(object).where(FRAME.notna(), None).to_numpy(
    ).tolist()  # fmt: skip
    options = {"quasi_identifiers": ["age"], "sensitive": "job"}
    pd.testing.assert_series_equal(check(folder / path, **options), check(FRAME, **options))


@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        ("rows.txt", ValueError, r"frame: .* \.csv\.gz, \.tsv or \.tsv\.gz, found \.txt in .*rows"),
        ("rows.csv.zip", ValueError, r"found \.zip in .*rows\.csv\.zip"),
        ("absent.xlsx", ValueError, r"found \.xlsx in .*absent"),
        ("absent", FileNotFoundError, "found none at .*absent"),
        ("absent/*", FileNotFoundError, "found none at .*absent"),
        ("none", FileNotFoundError, "expected a folder of files that end in"),
        ("*", ValueError, r"found \.txt in"),
        ("rows.[ct]sv", ValueError, r"rows\.csv \(CSV\) and .*rows\.tsv \(CSV with tabs\)"),
        ("", ValueError, r"rows\.PARQUET \(Parquet\) and .*\.csv \(CSV\); take .*/\*\.parquet"),
    ],
)
def test_other_names_are_refused(folder, path, error, words):
    with pytest.raises(error, match=words):
        kind_of(folder / path, "frame")
    with pytest.raises(error, match=words):
        opened(folder / path, "frame")


def test_hidden_files_are_taken_where_a_pattern_says_so(folder):
    files = Files("Parquet", folder / "all" / ".*.parquet")
    assert files.files == [str(folder / "all" / ".b.parquet")]
    assert files.takes(folder / "all" / ".c.parquet")
    assert not Files("Parquet", folder / "all" / "*.parquet").takes(folder / "all" / ".c.parquet")


def test_files_that_are_no_gzip(tmp_path):
    pytest.importorskip("duckdb")
    (tmp_path / "a.csv.gz").write_text("age\n21\n")
    with pytest.raises(ValueError, match=r"a\.csv\.gz: expected a file of gzip"):
        opened(tmp_path / "a.csv.gz", "frame")
    whole = gzip.compress(FRAME.to_csv().encode() * 100)
    (tmp_path / "a.csv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"a\.csv\.gz"):
        opened(tmp_path / "a.csv.gz", "frame")


def test_names_of_outputs():
    assert check_written("a.CSV", "to") == ".csv"
    for name in ("a.csv.gz", "a.tsv", "a", ".csv"):
        with pytest.raises(ValueError, match=r"to: expected a name that ends in \.parquet or"):
            check_written(name, "to")
    for name in ("a.txt", "a", "a.v2"):
        check_text_name(name, "--output")
    for name in ("a.csv.gz", "a.PARQUET", "a.xlsx"):
        with pytest.raises(ValueError, match="--output: expected a CSV file, found"):
            check_text_name(name, "--output")
