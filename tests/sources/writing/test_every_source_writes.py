"""Every source protects its rows into the same file, in their order."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from anonopt.data import Hierarchy, Microdata
from anonopt.sources import LargeTable, PandasSource
from anonopt.sources.writing import protected_batches, protected_files
from tests.sources.frames import SOURCES

ROLES = {
    "quasi_identifiers": ["age", "zone"],
    "hierarchies": {
        "age": Hierarchy.intervals(range(20, 40), width=5),
        "zone": Hierarchy([["A", "B"], ["*", "*"]]),
    },
    "identifiers": ["name"],
}


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_files_are_those_of_the_frame(name, tmp_path, client, monkeypatch):
    monkeypatch.setattr(protected_batches, "ROWS", 40)
    monkeypatch.setattr(protected_files, "ROWS", 40)
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "name": np.arange(150).astype(str),
            "zone": rng.choice(["A", "B", None], 150),
            "pay": rng.choice([0.5, 1.25, np.nan], 150),
            "age": rng.integers(20, 40, 150),
            "row": np.arange(150),
        }
    )
    source = SOURCES[name](frame, tmp_path)
    table = LargeTable(source, **ROLES)
    report = table.apply([1, 0], k=12, suppression=0.9, to=tmp_path / "found.parquet", flag="out")
    expected, mask = Microdata(frame, **ROLES).apply(
        [1, 0], k=12, suppression=0.9, return_mask=True
    )
    found = pd.read_parquet(tmp_path / "found.parquet")
    assert report["suppressed"] == mask.sum() > 0
    cells = [
        one.astype(object).where(one.notna(), None) for one in (found, expected.assign(out=mask))
    ]
    assert cells[0].to_numpy().tolist() == cells[1].to_numpy().tolist()
    table.apply([1, 0], k=12, suppression=0.9, to=tmp_path / "found.csv")
    texts = pd.read_csv(tmp_path / "found.csv", dtype=str, keep_default_na=False)
    assert texts["row"].astype(int).tolist() == list(range(150))
    assert texts["age"].tolist() == expected["age"].tolist()


@pytest.mark.parametrize("name", ["duckdb", "arrow"])
def test_batches_may_end_elsewhere_where_fewer_columns_are_read(name, tmp_path):
    # Text comes as dictionaries, whose batches end with the row groups; numbers alone do not.
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = pa.table({"zone": pa.array(list("aabb") * 5, pa.string()), "pay": np.arange(20)})
    pq.write_table(rows, tmp_path / "rows.parquet", row_group_size=7)
    table = Microdata.from_parquet(
        tmp_path / "rows.parquet",
        engine=name,
        quasi_identifiers=["zone"],
        hierarchies={"zone": "flat"},
    )
    report = table.apply([0], k=2, to=tmp_path / "found.parquet")
    assert report["classes"] == 2
    assert pd.read_parquet(tmp_path / "found.parquet")["pay"].tolist() == list(range(20))


@pytest.mark.parametrize("is_in_memory", [True, False])
def test_types_are_those_of_all_rows_and_text_may_be_in_pieces(is_in_memory, tmp_path, monkeypatch):
    monkeypatch.setattr(protected_files, "ROWS", 3)
    one = pd.DataFrame({"zone": ["A", "A"], "late": [None, None], "price": [Decimal("1.5")] * 2})
    other = pd.DataFrame({"zone": ["B", "B"], "late": ["x", "y"], "price": [Decimal("123.25")] * 2})
    frame = pd.concat([one, other], ignore_index=True)
    roles = {"quasi_identifiers": ["zone"], "hierarchies": {"zone": "flat"}}
    table = Microdata(frame, **roles) if is_in_memory else LargeTable(PandasSource(frame), **roles)
    table.apply([1], k=2, to=tmp_path / "found.parquet")
    found = pd.read_parquet(tmp_path / "found.parquet")
    assert found["price"].tolist() == frame["price"].tolist()
    assert found["late"].isna().tolist() == [True, True, False, False]


def test_files_of_a_table_in_memory_have_names_of_any_kind(tmp_path, monkeypatch):
    monkeypatch.setattr(protected_files, "ROWS", 3)
    table = Microdata(
        pd.DataFrame({0: [1, 1, 2, 2], 1: [3, 4, 5, 6]}),
        quasi_identifiers=[0],
        hierarchies={0: "flat"},
    )
    table.apply([0], k=2, to=tmp_path / "found.parquet")
    assert pd.read_parquet(tmp_path / "found.parquet").to_numpy().T[1].tolist() == [3, 4, 5, 6]
