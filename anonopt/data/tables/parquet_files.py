"""Parquet files, written group by group."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from os import PathLike
from typing import Any

import pandas as pd

from anonopt._registry import engine
from anonopt.data.tables.streamed_files import replaced


def write_groups(path: str | PathLike[str], frames: Iterable[pd.DataFrame]) -> None:
    """Write frames of the same columns as the groups of rows of one file, in their order.

    Parameters
    ----------
    path : path
        Replaced when everything is written.
    frames : iterable of DataFrame
        At least one; taken one after the other.

    Raises
    ------
    ModuleNotFoundError
        If the extra ``scale`` is not installed (says how to install it).
    ValueError, OSError
        If the file cannot be written.
    """
    arrow = engine("pyarrow", "writing Parquet")
    parquet = engine("pyarrow.parquet", "writing Parquet")
    with replaced(path) as part, ExitStack() as files:
        writer: Any = None
        for frame in frames:
            if writer is None:
                rows = arrow.Table.from_pandas(frame, preserve_index=False)
                opened = parquet.ParquetWriter(part, rows.schema, compression="zstd")
                writer = files.enter_context(opened)
            else:
                rows = arrow.Table.from_pandas(frame, schema=writer.schema, preserve_index=False)
            writer.write_table(rows, row_group_size=max(len(frame), 1))
        # Written to its end, before the block of the part ends.
        files.close()
