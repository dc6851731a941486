"""Rows as Arrow record batches: those of Parquet files in their order, and those of frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from anonopt._registry import engine


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


def record_batch(rows: pd.DataFrame, schema: Any) -> Any:
    """Rows of a frame, at least one, as one record batch.

    Pandas keeps text in as many pieces as it was put together of, of which Arrow itself makes no
    batch.

    Parameters
    ----------
    rows : DataFrame (n_rows, n_columns)
    schema : pyarrow Schema
        Of its columns in their order, of which it has the names as text.
    """
    arrow = engine("pyarrow", "rows as Arrow has them")
    named = rows.set_axis(schema.names, axis=1)
    table = arrow.Table.from_pandas(named, schema=schema, preserve_index=False)
    (batch,) = table.combine_chunks().to_batches()
    return arrow.RecordBatch.from_arrays(batch.columns, schema=schema)
