"""Rows written to Parquet or CSV as they come, some at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from anonopt.data.tables.plain_tables import csv_bytes, text_cells
from anonopt.sources.engines import engine

Batches = Iterator[Any]
"""Record batches; for CSV also frames."""


def writer_of(target: Path) -> Callable[[Path, Batches], None]:
    """What writes rows to a path, by the name of the file that it is for.

    Parameters
    ----------
    target : Path

    Raises
    ------
    ValueError
        If its name ends neither in ``.parquet`` nor in ``.csv``.
    """
    writers = {".parquet": _write_parquet, ".csv": _write_csv}
    if target.suffix not in writers:
        raise ValueError(f"to: expected a name that ends in .parquet or .csv, found {target.name}")
    return writers[target.suffix]


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


def _write_csv(part: Path, rows: Batches) -> None:
    with part.open("wb") as file:
        for number, chunk in enumerate(rows):
            frame = chunk if isinstance(chunk, pd.DataFrame) else as_frame(chunk)
            file.write(csv_bytes(text_cells(frame), header=number == 0))


def as_frame(batch: Any) -> pd.DataFrame:
    """A record batch as a frame; whole numbers stay whole beside missing cells."""
    from anonopt.sources.arrow.arrow_values import as_series

    return pd.DataFrame(
        {name: as_series(batch[name]) for name in batch.schema.names}, columns=batch.schema.names
    )
