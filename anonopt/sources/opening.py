"""Which source a table is made of."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from typing import Any

import pandas as pd

from anonopt._checks import check_choice
from anonopt._registry import loaded
from anonopt.sources.file_kinds import kind_of
from anonopt.sources.large_table import LargeTable
from anonopt.sources.source import Source

PARQUET: dict[str, str] = {
    "duckdb": "anonopt.sources.duckdb.duckdb_source:DuckDBSource",
    "arrow": "anonopt.sources.arrow.arrow_source:ArrowSource",
    "dask": "anonopt.sources.arrow.dask_source:DaskSource",
}
"""Class of the source by engine."""

PACKAGES = {"duckdb": "duckdb", "arrow": "pyarrow", "dask": "dask"}
"""What is installed for an engine."""

LIMITED = frozenset({"duckdb"})
"""Engines that have options of memory and threads, and evaluate nodes of too many tuples."""


def of_parquet(
    roles: Mapping[str, Any],
    path: str | PathLike[str],
    *,
    engine: str,
    options: Mapping[str, Any],
) -> LargeTable:
    """Table of Parquet files; see `Microdata.from_parquet`.

    Parameters
    ----------
    roles : mapping
        Arguments of `LargeTable` besides the source; the population as `opened` takes it.
    path : path
    engine : str
    options : mapping
        Of the engine; None is not given.
    """
    check_choice("engine", engine, PARQUET)
    given = {name: value for name, value in options.items() if value is not None}
    limits = [*given, *(name for name in ("max_tuples",) if name in roles)]
    if limits and engine not in LIMITED:
        raise ValueError(f"{limits[0]}: expected with engine='duckdb', found {engine!r}")
    make: Callable[..., Source] = loaded(PARQUET[engine]).of_parquet
    return table_of_roles(make(path, **given), roles)


def of_query(roles: Mapping[str, Any], connection: Any, query: str) -> LargeTable:
    """Table of a query of DuckDB; see `Microdata.from_duckdb`."""
    make: Callable[..., Source] = loaded(PARQUET["duckdb"])
    return table_of_roles(make(query, connection=connection), roles)


def of_dataset(roles: Mapping[str, Any], dataset: Any) -> LargeTable:
    """Table of an Arrow dataset; see `Microdata.from_arrow`."""
    make: Callable[..., Source] = loaded(PARQUET["arrow"])
    return table_of_roles(make(dataset), roles)


def of_dask(roles: Mapping[str, Any], frame: Any, *, client: Any) -> LargeTable:
    """Table of a Dask frame; see `Microdata.from_dask`."""
    make: Callable[..., Source] = loaded(PARQUET["dask"])
    return table_of_roles(make(frame, client=client), roles)


def of_counts(roles: Mapping[str, Any], rows: Rows, *, count: Hashable) -> LargeTable:
    """Table of rows that were counted; see `Microdata.from_counts`."""
    counted = loaded("anonopt.sources.counted_source:CountedSource")
    if isinstance(rows, pd.DataFrame):
        return table_of_roles(counted(rows, count=count), roles)
    with lent(rows, "rows") as source:
        counts = counted.of(source, count=count)
    return table_of_roles(counts, roles)


def table_of_roles(source: Source, roles: Mapping[str, Any]) -> LargeTable:
    """Table of a source, with a population as `opened` takes it.

    Parameters
    ----------
    source : Source
    roles : mapping
        Arguments of `LargeTable` besides the source.
    """
    people = roles["population"]
    if people is None:
        return LargeTable(source, **roles)
    with lent(people, "population") as population:
        return LargeTable(source, **{**roles, "population": population})


@contextmanager
def lent(rows: Rows, what: str) -> Iterator[Source]:
    """As `opened`; what was opened here is closed."""
    source = opened(rows, what)
    try:
        yield source
    finally:
        if isinstance(rows, str | PathLike):
            source.close()


Rows = str | PathLike[str] | pd.DataFrame | Source | LargeTable
"""What names rows: the path of Parquet or CSV, a frame, or a source."""


def opened(rows: Rows, what: str) -> Source:
    """The source that rows are read from.

    Parameters
    ----------
    rows : path, DataFrame, Source or LargeTable
        A file, a pattern or a folder of files, whose names end in ``.parquet``, or in ``.csv``,
        ``.csv.gz``, ``.tsv`` or ``.tsv.gz``: all cells of these are text.
    what : str
        What messages call it.

    Raises
    ------
    TypeError
        If it is none of these.
    FileNotFoundError, ValueError, ModuleNotFoundError
        If there is no such file, its name ends otherwise, it cannot be read, or an engine is not
        installed.
    """
    if isinstance(rows, Source):
        return rows
    if isinstance(rows, LargeTable):
        return rows.source
    if isinstance(rows, pd.DataFrame):
        of_frame: Callable[..., Source] = loaded("anonopt.sources.pandas_source:PandasSource")
        return of_frame(rows)
    if not isinstance(rows, str | PathLike):
        raise TypeError(
            f"{what}: expected a path, a DataFrame or a source, found {type(rows).__name__}"
        )
    is_csv = kind_of(rows, what).name == "CSV"
    source = loaded(PARQUET["duckdb"])
    found: Source = source.of_csv(rows) if is_csv else source.of_parquet(rows)
    return found
