"""CSV read by Arrow in the order of its lines, all cells as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from anonopt._registry import engine

BLOCK = 1 << 24
"""Bytes that are read at a time; a row that is longer takes more."""

MOST = 1 << 30
"""Bytes that one row may take."""


def csv_rows(
    path: str | PathLike[str],
    columns: Sequence[str],
    *,
    delimiter: str = ",",
    encoding: str = "utf-8",
) -> Iterator[Any]:
    """Rows of a file, one block of bytes after the other.

    Parameters
    ----------
    path : path
        Of a file with a header; compressed by gzip if its name ends in ``.gz``.
    columns : sequence of str
        At least one.
    delimiter, encoding : str

    Yields
    ------
    pyarrow Table
        Cells as text, empty ones too.

    Raises
    ------
    ValueError
        If a line has another number of cells than the header; names the file and the line.
    """
    arrow, csv = engine("pyarrow", "reading CSV"), engine("pyarrow.csv", "reading CSV")
    options: dict[str, Any] = {
        "parse_options": csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        "convert_options": csv.ConvertOptions(
            include_columns=list(columns),
            column_types=dict.fromkeys(columns, arrow.string()),
            strings_can_be_null=False,
        ),
    }
    block, given = BLOCK, 0
    while True:
        read = csv.ReadOptions(use_threads=False, block_size=block, encoding=encoding)
        start = 0
        try:
            with csv.open_csv(path, read_options=read, **options) as batches:
                for batch in batches:
                    rows = arrow.Table.from_batches([batch])[max(given - start, 0) :]
                    start += len(batch)
                    if start > given:
                        given = start
                        yield rows
            return
        except arrow.ArrowInvalid as error:
            found = str(error).splitlines()[0]
            if "Empty CSV" in found and Path(path).stat().st_size <= block:
                # A header without a line end.
                return
            if "Expected" in found or block >= MOST:
                raise ValueError(
                    f"{path}: expected rows that can be read, found: {found}"
                ) from error
            # A row that is longer than a block is read from the beginning with larger ones.
            block *= 8
