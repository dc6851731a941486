"""Small frames with cells of all kinds, and every source of the rows of a frame."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import strategies as st

from anonopt.sources import ArrowSource, DaskSource, DuckDBSource, PandasSource, Source

TEXTS = ["x", "", " x", "X", "007", "7", "7.0", "<missing>", "true", "2014-09-03", "ä"]
DAY = datetime.date(2014, 9, 3)


def series(values: list[Any], dtype: Any) -> Callable[[list[int]], pd.Series]:
    return lambda places: pd.Series([values[i % len(values)] for i in places], dtype=dtype)


def categories(values: list[Any], *, ordered: bool) -> Callable[[list[int]], pd.Series]:
    def made(places: list[int]) -> pd.Series:
        codes = [i % (len(values) + 1) - 1 for i in places]
        return pd.Series(pd.Categorical.from_codes(codes, values, ordered=ordered))

    return made


KINDS: dict[str, Callable[[list[int]], pd.Series]] = {
    "text": series([*TEXTS, None], object),
    "numbers as text": series(["7", "7.0", "8", None], object),
    "truths as text": series(["true", "false", None], object),
    "whole numbers": series([3, 1, 2, 2**53 + 1, -7], "int64"),
    "whole numbers and missing": series([3, None, 2**53 + 1], "Int64"),
    "small whole numbers": series([3, 0, 255], "uint8"),
    "floats": series([0.0, -0.0, 1.0, 0.1, float("nan"), 2.5], "float64"),
    "short floats": series([0.1, 2.5, -0.0, None], "float32"),
    "truth values": series([True, False], "bool"),
    "truth values and missing": series([True, None, False], object),
    "dates": series([DAY, None, DAY.replace(day=1)], object),
    "moments": series([pd.Timestamp("2014-09-03"), pd.NaT, pd.Timestamp("2014-09-03 07:00:00.5")],
                      "datetime64[ns]"),
    "instants": series([pd.Timestamp("2014-09-03", tz="Europe/Berlin"), pd.NaT,
                        pd.Timestamp("2014-09-03 07:00", tz="Europe/Berlin")],
                       "datetime64[us, Europe/Berlin]"),
    "decimals": series([Decimal("1.00"), Decimal("1.50"), None], object),
    "categories": categories(["b", "a", "c"], ordered=False),
    "ordered categories": categories(["low", "high", "high and dry"], ordered=True),
    "numbers as categories": categories([10, 9], ordered=False),
    "only missing": series([None], object),
}  # fmt: skip


@st.composite
def frames(draw: Callable[..., Any]) -> pd.DataFrame:
    """A frame of two quasi-identifiers q0, q1, two sensitive columns s0, s1 and a target t."""
    n_rows = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=5, max_size=5))
    names = ["q0", "q1", "s0", "s1", "t"]
    return pd.DataFrame(
        {
            name: KINDS[kind](rng.integers(0, 60, n_rows).tolist())
            for name, kind in zip(names, kinds, strict=True)
        }
    )


def by_pandas(frame: pd.DataFrame, folder: Path) -> Source:
    return PandasSource(frame)


def by_duckdb(frame: pd.DataFrame, folder: Path) -> Source:
    pytest.importorskip("duckdb")
    frame.to_parquet(folder / "rows.parquet", row_group_size=5)
    return DuckDBSource.of_parquet(folder / "rows.parquet", threads=1)


def by_arrow(frame: pd.DataFrame, folder: Path) -> Source:
    table = pa.Table.from_pandas(frame)
    pq.write_table(table, folder / "rows.parquet", row_group_size=5)
    return ArrowSource.of_parquet(folder / "rows.parquet")


def by_arrow_tables(frame: pd.DataFrame, folder: Path) -> Source:
    whole = pa.Table.from_pandas(frame)
    parts = [whole.slice(start, 4) for start in range(0, len(frame), 4)]
    return ArrowSource(pa.concat_tables(parts or [whole]))


def by_dask(frame: pd.DataFrame, folder: Path) -> Source:
    import dask.dataframe

    return DaskSource(dask.dataframe.from_pandas(frame, npartitions=3, sort=False))


SOURCES: dict[str, Callable[[pd.DataFrame, Path], Source]] = {
    "pandas": by_pandas,
    "duckdb": by_duckdb,
    "arrow": by_arrow,
    "arrow tables": by_arrow_tables,
    "dask": by_dask,
}
