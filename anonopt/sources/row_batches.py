"""Rows of Parquet files in their order, some at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from anonopt.sources.engines import engine


def parquet_batches(
    files: Sequence[str], schema: Any, rows: int, *, columns: Sequence[str] | None = None
) -> Iterator[Any]:
    """Record batches of files, one file after the other, each from its first row to its last.

    A file is read group by group by one thread, so the order is that of the file by construction.

    Parameters
    ----------
    files : sequence of str
    schema : pyarrow Schema
        Columns and types of the batches.
    rows : int
        Most rows of a batch.
    columns : sequence of str, optional
        By default all of the schema.
    """
    arrow = engine("pyarrow", "reading Parquet")
    parquet = engine("pyarrow.parquet", "reading Parquet")
    names = schema.names if columns is None else list(columns)
    wanted = arrow.schema([schema.field(name) for name in names])
    # Text comes as codes and values, so that the values alone are looked up.
    texts = [field.name for field in wanted if arrow.types.is_string(field.type)]
    for path in files:
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            for batch in file.iter_batches(batch_size=rows, columns=names):
                yield batch.select(names)
