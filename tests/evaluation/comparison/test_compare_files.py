"""Figures of files from joint counts are those of the same files in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.evaluation.comparison import (
    blocked_swapping,
    counted_keys,
    counted_records,
    paired_sources,
)
from anonopt.evaluation.comparison.paired_sources import PairedSources
from anonopt.sources import DuckDBSource

pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

ORDERS = {"size": ["S", "M", "L", "XL"], "grade": None}


def files(n_rows: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    pair = [
        pd.DataFrame(
            {
                "zone": rng.choice(list("abcd"), n_rows),
                "size": rng.choice(["S", "M", "L"], n_rows),
                "grade": rng.integers(1, 5, n_rows),
                "note": pd.Series(rng.choice(["x", "y", None], n_rows), dtype=object),
            }
        )
        for _ in range(2)
    ]
    kept = rng.random((n_rows, 4)) < 0.6
    return pair[0], pair[1].mask(pd.DataFrame(kept, columns=pair[0].columns), pair[0]).astype(
        {"grade": np.int64}
    )


@settings(max_examples=6)
@given(
    n_rows=st.integers(1, 60),
    seed=st.integers(0, 10**6),
    dimension=st.integers(1, 3),
    per_cell=st.booleans(),
    is_sparse=st.booleans(),
)
def test_they_are_the_same_to_the_bit(n_rows, seed, dimension, per_cell, is_sparse):
    original, masked = files(n_rows, seed)
    options = {"ordinal": ORDERS, "dimension": dimension, "per_cell": per_cell}
    expected = ao.compare(original, masked, accelerator="numpy", **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paired_sources, "ROWS", 7)
        if is_sparse:
            patch.setattr(counted_keys, "DENSE", 3)
            patch.setattr(counted_keys, "PENDING", 5)
        found = ao.compare_files(original, masked, **options)
    assert found.to_dict() == expected[found.index].to_dict()


def test_parquet_and_csv_are_read_in_parts_of_their_own(tmp_path, monkeypatch):
    original, masked = files(500, 1)
    original.to_parquet(tmp_path / "original.parquet", row_group_size=64)
    masked.to_parquet(tmp_path / "masked.parquet", row_group_size=100)
    monkeypatch.setattr(paired_sources, "ROWS", 90)
    expected = ao.compare(original, masked, ordinal=ORDERS, accelerator="numpy")
    paths = tmp_path / "original.parquet", tmp_path / "masked.parquet"
    found = ao.compare_files(*paths, ordinal=ORDERS)
    assert found.to_dict() == expected[found.index].to_dict()
    masked.to_csv(tmp_path / "masked.csv", index=False)
    mixed = ao.compare_files(paths[0], tmp_path / "masked.csv", ordinal=ORDERS)
    assert mixed.to_dict() == found.to_dict()


def test_what_cannot_be_compared_is_refused_before_rows_are_read(tmp_path, monkeypatch):
    original, masked = files(30, 2)
    monkeypatch.setattr(paired_sources, "ROWS", 0)
    text = ["zone", "size"]
    with pytest.raises(ValueError, match="found 30 original and 29 masked"):
        ao.compare_files(original, masked[1:])
    with pytest.raises(ValueError, match=r"column 'area': expected in both .* the original one"):
        ao.compare_files(original, masked, columns=["zone", "area"])
    with pytest.raises(ValueError, match=r"column 'zone': .* found none in the masked one"):
        ao.compare_files(original, masked.drop(columns="zone"))
    with pytest.raises(ValueError, match="column 'grade': expected categories, found continuous"):
        ao.compare_files(original, masked)
    with pytest.raises(ValueError, match=r"ordinal: expected columns among .* \['grade'\]"):
        ao.compare_files(original, masked, columns=text, ordinal={"grade": None})
    with pytest.raises(ValueError, match=r"column 'zone': .* labels of the masked file that cover"):
        ao.compare_files(original, masked.assign(zone="*"), columns=text)
    with pytest.raises(FileNotFoundError, match="none at"):
        ao.compare_files(tmp_path / "no.parquet", masked)
    with pytest.raises(TypeError, match="masked: expected a path"):
        ao.compare_files(original, 3)
    with pytest.raises(ValueError, match="p: expected together with blocks"):
        ao.compare_files(original, masked, p=5)
    with pytest.raises(TypeError, match="columns: expected a list"):
        ao.compare_files(original, masked, columns="zone")
    query = DuckDBSource("select 'a' as zone from range(30)", connection=duckdb.connect())
    with pytest.raises(ValueError, match="expected rows in an order, found the query"):
        ao.compare_files(original, query)


def test_labels_that_cannot_be_read_are_refused_as_in_memory():
    original = pd.DataFrame({"zone": list("aabbccdd") * 2})
    masked = pd.DataFrame({"zone": ["ab" if zone in "ab" else "cd" for zone in original["zone"]]})
    for compare in (ao.compare, ao.compare_files):
        with pytest.raises(ValueError, match=r"column 'zone': expected .* found 'ab'"):
            compare(original, masked)


@settings(max_examples=8)
@given(
    n_rows=st.integers(1, 60),
    seed=st.integers(0, 10**6),
    blocks=st.sets(st.sampled_from(["zone", "size", "grade", "note"])),
    p=st.sampled_from([1, 5, 30, 100]),
    has_boxes=st.booleans(),
)
def test_linkage_of_all_pairs_lies_between_the_bounds_of_the_blocks(
    n_rows, seed, blocks, p, has_boxes
):
    original, masked = files(n_rows, seed)
    expected = ao.compare(original, masked, ordinal=ORDERS, accelerator="numpy", p=p)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paired_sources, "ROWS", 11)
        patch.setattr(counted_records, "PENDING", 15)
        if not has_boxes:
            patch.setattr(blocked_swapping, "MAX_CELLS", 1)
        found = ao.compare_files(original, masked, ordinal=ORDERS, blocks=sorted(blocks), p=p)
    for name in ("DBRL", "PRL", "RSRL"):
        least, most = found[f"{name}_least"], found[f"{name}_most"]
        assert least - 1e-9 <= expected[name] <= most + 1e-9
        is_whole = not blocks or (
            name == "RSRL" and has_boxes and blocks.isdisjoint({"size", "grade"})
        )
        if is_whole:
            assert least == expected[name] == most


def test_bounds_meet_where_blocks_tell_enough():
    original = pd.DataFrame({"zone": list("aabb"), "grade": [1, 2, 1, 9], "id": list("wxyz")})
    found = ao.compare_files(original, original, ordinal={"grade": range(1, 10)}, blocks=["zone"])
    assert found["DBRL_least"] == found["DBRL_most"] == 100
    with pytest.raises(ValueError, match=r"blocks: expected columns among .* \['area'\]"):
        ao.compare_files(original, original, columns=["zone"], blocks=["area"])
    with pytest.raises(ValueError, match=r"max_records: expected at most 3 .* found 4"):
        ao.compare_files(original, original, columns=["id"], blocks=[], max_records=3)


def test_a_file_that_is_changed_meanwhile_is_not_compared(tmp_path, monkeypatch):
    frame, codes = pd.DataFrame({"zone": list("aabb")}), PairedSources.codes
    frame.to_parquet(tmp_path / "original.parquet")

    def changing(pair):
        yield from codes(pair)
        frame[::-1].to_parquet(tmp_path / "original.parquet")

    monkeypatch.setattr(PairedSources, "codes", changing)
    with pytest.raises(ValueError, match=r"files as they were .*original\.parquet changed"):
        ao.compare_files(tmp_path / "original.parquet", frame)
