"""Protected tables written to Parquet or CSV row by row, and read again before they get a name."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from anonopt.data.microdata import Microdata
from anonopt.data.output_files import check_target, same_file
from anonopt.data.tables.plain_tables import csv_bytes, text_cells
from anonopt.data.tables.streamed_files import replaced
from anonopt.sources.engines import engine
from anonopt.sources.large_table import LargeTable
from anonopt.sources.writing.protected_batches import ROWS, ProtectedBatches
from anonopt.sources.writing.protected_checks import check_counts, check_order
from anonopt.sources.writing.suppressed_classes import SuppressedClasses

Rows = Iterator[Any]
"""Frames or record batches."""


def write_protected(
    table: Microdata,
    node: Sequence[int],
    to: str | PathLike[str],
    *,
    k: int | None = None,
    suppression: float = 0.0,
    class_bounds: Mapping[Any, float] | None = None,
    flag: str | None = None,
) -> pd.Series[Any]:
    """Write a protected table to a file; see :meth:`anonopt.Microdata.apply`.

    Returns
    -------
    Series
        ``rows`` of the file, ``suppressed`` rows, ``k`` (rows of the smallest class that is kept,
        0 if none is), ``classes`` that are kept, ``seconds``.

    Raises
    ------
    TypeError, ValueError, OSError
        As :meth:`anonopt.Microdata.apply`; or if the file read again is not what it has to be.
    """
    started, target = time.perf_counter(), Path(to)
    write = _writer(target)
    _check_flag(table, flag)
    check_target(target)
    if isinstance(table, LargeTable):
        for path in table.source.paths:
            if same_file(path, target):
                raise ValueError(f"to: expected another file than the table's own, found {target}")
    levels = table.lattice.validate(node)
    if len(levels) != 1:
        raise ValueError(f"node: expected one vector of levels, found {len(levels)}")
    rule: dict[str, Any] = {"k": k, "suppression": suppression, "class_bounds": class_bounds}
    suppressed = SuppressedClasses.of(table, levels[0].tolist(), **rule)
    with replaced(target) as part:
        if isinstance(table, LargeTable):
            rows = ProtectedBatches(table, levels[0].tolist(), suppressed, flag=flag)
            write(part, iter(rows))
            if table.source.is_ordered and target.suffix == ".parquet":
                check_order(part, table, rows.kept, ROWS)
        else:
            write(part, _frames(table, node, rule, flag))
        check_counts(part, table, suppressed, suffix=target.suffix, flag=flag)
    return pd.Series(
        {
            "rows": table.n_rows,
            "suppressed": suppressed.rows,
            "k": suppressed.least,
            "classes": suppressed.n_kept,
            "seconds": time.perf_counter() - started,
        },
        dtype=object,
    )


def _check_flag(table: Microdata, flag: str | None) -> None:
    names = list(table.source.columns) if isinstance(table, LargeTable) else list(table.frame)
    if flag is None:
        return
    if not isinstance(flag, str) or not flag:
        raise TypeError(f"flag: expected the name of a new column, found {flag!r}")
    if flag in names:
        raise ValueError(f"flag: expected the name of a new column, found {flag!r}, which is there")


def _frames(
    table: Microdata, node: Sequence[int], rule: dict[str, Any], flag: str | None
) -> Iterator[pd.DataFrame]:
    """Protected rows of a table in memory, some at a time."""
    frame, mask = table.apply(node, return_mask=True, **rule)
    if flag is not None:
        frame[flag] = mask
    for start in range(0, len(frame), ROWS):
        yield frame[start : start + ROWS]


def _writer(target: Path) -> Callable[[Path, Rows], None]:
    writers = {".parquet": _write_parquet, ".csv": _write_csv}
    if target.suffix not in writers:
        raise ValueError(f"to: expected a name that ends in .parquet or .csv, found {target.name}")
    return writers[target.suffix]


def _write_parquet(part: Path, rows: Rows) -> None:
    arrow = engine("pyarrow", "writing Parquet")
    parquet = engine("pyarrow.parquet", "writing Parquet")
    writer: Any = None
    try:
        for chunk in rows:
            if isinstance(chunk, pd.DataFrame):
                schema = None if writer is None else writer.schema
                table = arrow.Table.from_pandas(chunk, schema=schema, preserve_index=False)
            else:
                table = arrow.Table.from_batches([chunk])
            if writer is None:
                writer = parquet.ParquetWriter(part, table.schema, compression="zstd")
            writer.write_table(table, row_group_size=max(len(table), 1))
    finally:
        if writer is not None:
            writer.close()


def _write_csv(part: Path, rows: Rows) -> None:
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
