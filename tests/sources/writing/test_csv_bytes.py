"""CSV that is written some rows at a time has the bytes of ``to_csv`` of the protected frame."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from anonopt.data import Microdata
from anonopt.data.tables.plain_tables import csv_bytes
from anonopt.sources import DuckDBSource, LargeTable
from anonopt.sources.arrow import arrow_csv
from anonopt.sources.writing import protected_batches, protected_files
from anonopt.sources.writing.moments import finest_cells, with_texts
from tests.sources.frames import KINDS, SOURCES

ROLES = {"quasi_identifiers": ["zone"], "hierarchies": {"zone": "flat"}}
N_ROWS = 44


@pytest.fixture(autouse=True)
def few_rows_at_a_time(monkeypatch):
    monkeypatch.setattr(protected_batches, "ROWS", 9)
    monkeypatch.setattr(protected_files, "ROWS", 9)
    # Far fewer bytes than a row has.
    monkeypatch.setattr(arrow_csv, "BLOCK", 64)


def frame_of_all_kinds() -> pd.DataFrame:
    rows = list(range(N_ROWS))
    numbers = [3.0, -0.0, 1e300, np.inf, -np.inf, np.nan, 5e-324, 0.1, 2.0**53, -1.5]
    texts = ['a "b"', "one, two", "two\nlines", "", None, " x ", "NA", "007", "3.0", "'"]
    frame = pd.DataFrame(
        {
            "zone": ["A", "B"] * (N_ROWS // 2),
            "number": [numbers[i % 10] for i in rows],
            "text, with": [texts[i % 10] for i in rows],
            "large": [2**63 - 1 - i for i in rows],
            "few": pd.array([None if i % 4 else 2**62 + i for i in rows], dtype="Int64"),
            "time": [datetime.time(7, i) for i in rows],
            "money": [Decimal(i).scaleb(-2) for i in rows],
        }
    )
    others = {name: KINDS[name](rows).rename(name) for name in KINDS if name != "decimals"}
    return pd.concat([frame, *others.values()], axis=1)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_bytes_are_those_of_the_protected_frame(name, tmp_path, client):
    frame = frame_of_all_kinds()
    if name == "dask":
        # Dask turns objects into text, and does not know which categories there are.
        kinds = frame.dtypes.map(lambda kind: isinstance(kind, pd.CategoricalDtype))
        frame = frame.loc[:, ~kinds & ~frame.columns.isin(["time", "money", "dates"])]
        frame = frame.drop(columns=["truth values and missing", "only missing"])
    table = LargeTable(SOURCES[name](frame, tmp_path), **ROLES)
    table.apply([0], k=2, to=tmp_path / "found.csv", flag="out")
    small = Microdata(frame, **ROLES)
    expected, mask = small.apply([0], k=2, return_mask=True)
    expected["out"] = mask
    content = expected.to_csv(index=False, lineterminator="\n").encode()
    assert (tmp_path / "found.csv").read_bytes() == content
    small.apply([0], k=2, to=tmp_path / "small.csv", flag="out")
    assert (tmp_path / "small.csv").read_bytes() == content


def test_a_query(tmp_path):
    import duckdb

    connection = duckdb.connect()
    query = """select chr(65 + i % 2) as zone, i * 1.5 as price, i / 2 as half, i::hugeint as h,
        timestamp '2020-01-01' + interval (i) hour as t, i % 3 = 0 as truth, date '2020-01-01' + i
        as day, case when i > 3 then 'nan'::double end as gap
        from (select range::int as i from range(20)) order by i"""
    table = Microdata.from_duckdb(connection, query, **ROLES)
    table.apply([0], k=2, to=tmp_path / "found.csv")
    frame = connection.sql(query).df()
    frame["day"] = frame["day"].dt.date
    frame["h"] = range(20)
    frame["price"] = [Decimal(15 * i).scaleb(-1) for i in range(20)]
    assert (tmp_path / "found.csv").read_bytes() == csv_bytes(frame)


def test_a_carriage_return_stands_in_quotes_wherever_parts_end(tmp_path):
    texts = ["a"] * 11 + ["b\r", "c\r\nd"] + ["e"] * 7
    frame = pd.DataFrame({"zone": ["A", "B"] * 10, "text": texts})
    frame.to_parquet(tmp_path / "rows.parquet")
    table = Microdata.from_parquet(tmp_path / "rows.parquet", **ROLES)
    table.apply([0], to=tmp_path / "found.csv")
    found = (tmp_path / "found.csv").read_bytes()
    assert found == csv_bytes(frame) and found.count(b'"') == 4
    source = DuckDBSource.of_csv(tmp_path / "found.csv")
    assert set(source.distinct("text").values) == set(frame["text"])


@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_moments_are_written_as_in_a_whole_column(kind, unit):
    per = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[unit]
    day = 86_400 * 10**9 // per
    for step in (day * per, 3600 * 10**9, 10**9, 10**6, 10**3, 1):
        numbers = np.arange(40) * max(step // per, 1)
        numbers[:30] = numbers[:30] // day * day
        cells = pd.Series(numbers.astype(f"{kind}[{unit}]"))
        cells[::7] = pd.NaT
        frame = pd.DataFrame({"moment": cells, "row": range(40)})
        if kind == "datetime64":
            frame["instant"] = cells.dt.tz_localize("Europe/Berlin")
        parts = [frame[start : start + 8] for start in range(0, 40, 8)]
        finest = finest_cells(parts)
        found = [csv_bytes(with_texts(part, finest), header=not i) for i, part in enumerate(parts)]
        assert b"".join(found) == csv_bytes(frame)
