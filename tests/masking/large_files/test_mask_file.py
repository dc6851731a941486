"""Files that are masked some rows at a time have the cells that they have in memory."""

from __future__ import annotations

import errno
import os
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.masking import (
    MDAV,
    PRAM,
    BottomCoding,
    GlobalRecoding,
    PreClustered,
    RankSwapping,
    TopCoding,
    mask_file,
)
from anonopt.masking.large_files import mask_file as module
from anonopt.masking.large_files import masked_cells, masked_parts
from anonopt.sources import DuckDBSource

pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

CELLS = {
    "pram": lambda: PRAM("diagonal", theta=0.6, columns=["note", "grade"], random_state=3),
    "pram of missing cells": lambda: PRAM(
        p=0.7, columns=["note"], mask_missing=True, random_state=3
    ),
    "invariant": lambda: PRAM(invariant=True, columns=["zone", "note"], random_state=4),
    "rarest": lambda: GlobalRecoding(p=2, columns=["zone", "note"]),
    "neighbours": lambda: GlobalRecoding(k=40, columns=["grade"]),
    "top": lambda: TopCoding(p=3, columns=["grade", "income"]),
    "bottom": lambda: BottomCoding(p=2, code=-1, columns=["grade"]),
}
PARTS = {
    "mdav": lambda: PreClustered(MDAV(3, columns=["income", "age"]), 4, random_state=1),
    "mdav of categories": lambda: PreClustered(
        MDAV(3, columns=["grade", "zone"], ordinal={"grade": None, "zone": None}), 3, random_state=2
    ),
    "swaps": lambda: PreClustered(
        RankSwapping(5, columns=["income", "age", "grade"], random_state=5), 3, random_state=1
    ),
}


def people(n_rows: int = 300, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    income = rng.normal(size=n_rows).round(2)
    income[rng.random(n_rows) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "id": np.arange(n_rows),
            "zone": rng.choice(list("abcde"), n_rows, p=[0.5, 0.2, 0.2, 0.07, 0.03]),
            "note": pd.Series(rng.choice(["x", "y", None], n_rows), dtype=object).astype("str"),
            "grade": rng.integers(1, 9, n_rows),
            "age": rng.integers(18, 90, n_rows),
            "income": income,
        }
    )


@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("batch_rows", [1, 64, 10**6])
def test_cells_are_those_in_memory_whatever_is_read_at_a_time(
    name, batch_rows, tmp_path, monkeypatch
):
    monkeypatch.setattr(masked_cells, "DRAWS", 17)
    n_rows = 40 if batch_rows == 1 else 300
    frame = people(n_rows)
    report = mask_file(CELLS[name](), frame, tmp_path / "masked.parquet", batch_rows=batch_rows)
    masked = pd.read_parquet(tmp_path / "masked.parquet")
    expected = CELLS[name]().fit_transform(frame)
    pd.testing.assert_frame_equal(masked, expected)
    assert (report["rows"], report["parts"]) == (n_rows, 0)


@settings(max_examples=4)
@given(
    name=st.sampled_from(sorted(PARTS)),
    seed=st.integers(0, 1000),
    batch_rows=st.integers(20, 400),
    part_rows=st.integers(1, 400),
)
def test_parts_of_a_file_that_is_its_own_sample_are_masked_as_in_memory(
    name, seed, batch_rows, part_rows, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("parts")
    frame = people(120, seed)
    frame.to_parquet(folder / "people.parquet", row_group_size=50)
    limits = {"batch_rows": batch_rows, "part_rows": part_rows}
    mask_file(PARTS[name](), folder / "people.parquet", folder / "masked.parquet", **limits)
    expected = PARTS[name]().fit_transform(pd.read_parquet(folder / "people.parquet"))
    pd.testing.assert_frame_equal(pd.read_parquet(folder / "masked.parquet"), expected)
    assert sorted(path.name for path in folder.iterdir()) == ["masked.parquet", "people.parquet"]


def test_groups_of_sampled_clusters_have_k_rows_and_do_not_depend_on_the_batches(tmp_path):
    frame = people(600).drop(columns=["note"])
    found = []
    for number, batch_rows in enumerate((50, 1000)):
        method = PreClustered(MDAV(4, columns=["income", "age"]), 5, random_state=1)
        path = tmp_path / f"{number}.parquet"
        report = mask_file(method, frame, path, batch_rows=batch_rows, sample_rows=100)
        found.append(pd.read_parquet(path))
    pd.testing.assert_frame_equal(*found)
    assert found[0].groupby(["income", "age"], dropna=False).size().min() >= 4
    assert found[0]["income"].isna().equals(frame["income"].isna())
    assert found[0][["id", "zone", "grade"]].equals(frame[["id", "zone", "grade"]])
    assert report["parts"] > 1 and report["largest_part"] < 600


def test_a_query_is_masked_into_csv(tmp_path):
    query = "select i % 7 as grade, i as id from range(50) t(i)"
    source = DuckDBSource(query, connection=duckdb.connect())
    mask_file(TopCoding(value=5, columns=["grade"], code=9), source, tmp_path / "masked.csv")
    masked = pd.read_csv(tmp_path / "masked.csv")
    expected = [i % 7 if i % 7 < 5 else 9 for i in range(50)]
    assert masked.sort_values("id")["grade"].tolist() == expected


@pytest.mark.parametrize(
    ("method", "error", "message"),
    [
        (MDAV(3), TypeError, r"method: expected a recoding, PRAM, or PreClustered"),
        (PRAM(columns=["area"]), ValueError, "column.*area"),
        (PRAM(columns=["zone"], strata=["grade"]), ValueError, r"strata: .* \['grade'\]"),
        (
            TopCoding(p=1, columns=["zone"]),
            ValueError,
            "column 'zone': expected values in an order",
        ),
        (GlobalRecoding(k=301, columns=["zone"]), ValueError, "k: expected"),
        (
            TopCoding(value=5, columns=["grade"]),
            ValueError,
            r"column 'grade': .* values of one type",
        ),
        (PreClustered(MDAV(301), 2), ValueError, "k: expected"),
        (PreClustered(MDAV(3), 0), ValueError, "n_clusters"),
        (
            PreClustered(RankSwapping(3, columns=["zone"]), 2),
            ValueError,
            r"column 'zone': expected values in an order",
        ),
    ],
)
def test_what_cannot_be_masked_is_refused_and_leaves_the_target_as_it_was(
    method, error, message, tmp_path
):
    target = tmp_path / "masked.parquet"
    target.write_text("before")
    with pytest.raises(error, match=message):
        mask_file(method, people(), target)
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["masked.parquet"]


def test_files_are_checked_before_any_work(tmp_path):
    method = PRAM(columns=["zone"], random_state=0)
    people(5).to_parquet(tmp_path / "people.parquet")
    with pytest.raises(ValueError, match="another file than the original"):
        mask_file(method, tmp_path / "people.parquet", tmp_path / "people.parquet")
    with pytest.raises(ValueError, match="expected a file that is none of the input"):
        mask_file(method, tmp_path, tmp_path / "masked.csv")
    for name in ("people.txt", "people.csv.gz"):
        with pytest.raises(ValueError, match=r"ends in \.parquet or \.csv, found \.(txt|csv\.gz)"):
            mask_file(method, tmp_path / "people.parquet", tmp_path / name)
    with pytest.raises(FileNotFoundError):
        mask_file(method, tmp_path / "no.parquet", tmp_path / "masked.parquet")
    with pytest.raises(FileNotFoundError):
        mask_file(method, people(5), tmp_path / "no" / "masked.parquet")
    with pytest.raises(ValueError, match="batch_rows"):
        mask_file(method, people(5), tmp_path / "masked.parquet", batch_rows=0)
    with pytest.raises(ValueError, match="at least one row"):
        mask_file(method, people(0), tmp_path / "masked.parquet")
    source = DuckDBSource("select 1 as age", connection=duckdb.connect())
    with pytest.raises(ValueError, match="expected rows in an order"):
        mask_file(PreClustered(MDAV(1), 1), source, tmp_path / "masked.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]


def test_a_file_that_is_changed_meanwhile_is_not_masked(tmp_path, monkeypatch):
    path, found = tmp_path / "original.parquet", module.recoded_cells
    people(50).to_parquet(path)

    def changed(*args):
        cells = found(*args)
        people(50)[::-1].to_parquet(path)
        return cells

    monkeypatch.setattr(module, "recoded_cells", changed)
    with pytest.raises(ValueError, match=r"files as they were .*original\.parquet changed"):
        mask_file(CELLS["rarest"](), path, tmp_path / "masked.parquet")
    assert [one.name for one in tmp_path.iterdir()] == ["original.parquet"]


@pytest.mark.parametrize("batch_rows", [2, 100])
def test_a_dictionary_may_hold_values_that_no_row_has(batch_rows, tmp_path):
    frame = pd.DataFrame({"zone": pd.Categorical([*"abba", None], categories=list("zaxb"))})
    frame.to_parquet(tmp_path / "original.parquet")
    method = PRAM("diagonal", theta=0.5, columns=["zone"], random_state=1)
    original, target = tmp_path / "original.parquet", tmp_path / "masked.parquet"
    mask_file(method, original, target, batch_rows=batch_rows)
    expected = method.fit_transform(frame.astype(pd.read_parquet(target)["zone"].dtype))
    pd.testing.assert_frame_equal(pd.read_parquet(target), expected)


class FullDisk(BytesIO):
    """A file that finds no room."""

    def write(self, content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_masked_cells_wait_without_a_name_and_a_full_disk_is_an_error(tmp_path, monkeypatch):
    people(60).to_parquet(tmp_path / "original.parquet")
    seen, put = [], masked_parts.StoredColumn.put

    def seeing(*args):
        seen.append(sorted(one.name for one in tmp_path.iterdir()))
        put(*args)

    monkeypatch.setattr(masked_parts.StoredColumn, "put", seeing)
    original, target = tmp_path / "original.parquet", tmp_path / "masked.parquet"
    mask_file(PARTS["mdav"](), original, target)
    # Whatever ends the process there leaves nothing.
    assert {*map(tuple, seen)} == {("original.parquet",)}
    target.write_text("before")
    monkeypatch.setattr(masked_parts, "TemporaryFile", lambda dir: FullDisk())
    with pytest.raises(OSError, match="No space left"):
        mask_file(PARTS["mdav"](), original, target)
    assert target.read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 2
