"""Rows written to Parquet or CSV as they come, some at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from anonopt._registry import engine
from anonopt.data.tables.plain_tables import csv_bytes
from anonopt.sources.arrow.arrow_values import as_series
from anonopt.sources.source import Source
from anonopt.sources.writing.moments import Finest, finest_cells, with_texts

Batches = Iterator[Any]
"""Record batches; for CSV also frames."""


def write_rows(part: Path, rows: Batches, *, ending: str, finest: Finest) -> None:
    """Write record batches, or for CSV frames, to a path.

    Parameters
    ----------
    part : Path
    rows : iterator of DataFrame or pyarrow RecordBatch
        Of the same columns.
    ending : ``".parquet"`` or ``".csv"``
        Of the name that the file will have.
    finest : mapping of str to Series
        Of the columns that have moments, for CSV; see ``finest_cells``.
    """
    if ending == ".parquet":
        _write_parquet(part, rows)
    else:
        _write_csv(part, rows, finest)


def _write_parquet(part: Path, rows: Batches) -> None:
    arrow = engine("pyarrow", "writing Parquet")
    parquet = engine("pyarrow.parquet", "writing Parquet")
    writer: Any = None
    try:
        for batch in rows:
            table = arrow.Table.from_batches([batch])
            if writer is None:
                writer = parquet.ParquetWriter(part, table.schema, compression="zstd")
            writer.write_table(table, row_group_size=max(len(table), 1))
    finally:
        if writer is not None:
            writer.close()


def _write_csv(part: Path, rows: Batches, finest: Finest) -> None:
    with part.open("wb") as file:
        for number, chunk in enumerate(rows):
            frame = chunk if isinstance(chunk, pd.DataFrame) else as_frame(chunk)
            file.write(csv_bytes(with_texts(frame, finest), header=number == 0))


def as_frame(batch: Any) -> pd.DataFrame:
    """A record batch as a frame; whole numbers stay whole beside missing cells.

    Columns of categories are columns of their values.
    """
    is_dictionary = engine("pyarrow", "rows of a source").types.is_dictionary
    columns = {}
    for name in batch.schema.names:
        cells = batch[name]
        columns[name] = as_series(cells.dictionary_decode() if is_dictionary(cells.type) else cells)
    return pd.DataFrame(columns, columns=batch.schema.names)


def finest_of_source(source: Source, columns: Sequence[str], rows: int) -> Finest:
    """The finest moments of columns of a source, found in a pass over those that have any.

    Parameters
    ----------
    source : Source
    columns : sequence of str
        Those that are written as they are.
    rows : int
        To be read at a time.
    """
    types = engine("pyarrow", "rows of a source").types
    names = []
    for name in columns:
        kind = source.schema.field(name).type
        kind = kind.value_type if types.is_dictionary(kind) else kind
        if types.is_timestamp(kind) or types.is_duration(kind):
            names.append(name)
    if not names:
        return {}
    return finest_cells(map(as_frame, source.batches(rows, columns=names)))
