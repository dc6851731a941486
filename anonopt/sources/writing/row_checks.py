"""Columns that stay in a protected file, read again and compared with the source row by row."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from anonopt._registry import engine
from anonopt.sources.arrow.arrow_csv import csv_rows
from anonopt.sources.large_table import LargeTable
from anonopt.sources.writing.moments import Finest, with_texts
from anonopt.sources.writing.protected_checks import broken
from anonopt.sources.writing.row_files import as_frame

Same = Callable[[Any, Any], bool]
"""Whether two Arrow tables of one column hold the same cells."""


def check_order(
    part: Path,
    table: LargeTable,
    columns: Sequence[str],
    rows: int,
    *,
    ending: str,
    finest: Finest,
) -> None:
    """Compare the columns that stay as they are with those of the source, row by row.

    Parameters
    ----------
    part : Path
    table : LargeTable
    columns : sequence of str
    rows : int
        That the source gives at a time.
    ending : ``".parquet"`` or ``".csv"``
        Of the name that the file will have.
    finest : mapping of str to Series
        That the texts of CSV were made with.

    Raises
    ------
    ValueError
        If a cell differs, or there are more rows or fewer: the rows are in another order, or
        changed while they were read. Names the column and the first row.
    """
    if not columns:
        return
    names, row = list(columns), 0

    def is_written(cells: Any, found: Any) -> bool:
        return _is_written(cells, found, finest)

    is_parquet = ending == ".parquet"
    same: Same = _is_same if is_parquet else is_written
    pieces = _Pieces(_of_parquet(part, names) if is_parquet else csv_rows(part, names))
    for batch in table.source.batches(rows, columns=names):
        found = pieces.taken(len(batch))
        for name in names:
            cells, own = batch.select([name]), None if found is None else found.select([name])
            if own is None or len(own) < len(cells) or not same(cells, own):
                first = row + (0 if own is None else _first_other(cells, own, same))
                raise broken(
                    f"column {name!r} in the order of {table.source!r}",
                    f"another from row {first} on",
                )
        row += len(batch)
    if pieces.taken(1) is not None:
        raise broken(f"the {row} rows of {table.source!r}", "more")


def _first_other(cells: Any, found: Any, same: Same) -> int:
    """First row in which two tables differ that are not the same."""
    n_rows = min(len(cells), len(found))
    return bisect_left(
        range(n_rows), True, key=lambda row: not same(cells[: row + 1], found[: row + 1])
    )


class _Pieces:
    """Rows of tables that come one after the other, in pieces of other sizes.

    Parameters
    ----------
    tables : iterator of pyarrow Table
    """

    def __init__(self, tables: Iterator[Any]) -> None:
        self._tables = tables
        self._held: list[Any] = []

    def taken(self, n_rows: int) -> Any:
        """Next rows, fewer at the end; None if there are no more."""
        held = sum(map(len, self._held))
        while held < n_rows and (more := next(self._tables, None)) is not None:
            self._held.append(more)
            held += len(more)
        if held == 0:
            return None
        rows = engine("pyarrow", "rows of a file").concat_tables(self._held)
        self._held = [rows[n_rows:]] if held > n_rows else []
        return rows[:n_rows]


def _of_parquet(part: Path, columns: list[str]) -> Iterator[Any]:
    """Groups of rows of a Parquet file."""
    with engine("pyarrow.parquet", "reading Parquet").ParquetFile(part) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group, columns=columns)


def _is_written(cells: Any, found: Any, finest: Finest) -> bool:
    """Whether texts are those that cells have in CSV: numbers by value, others by their text."""
    arrow, compute = engine("pyarrow", "reading CSV"), engine("pyarrow.compute", "reading CSV")
    types = arrow.types
    array, text = _whole(cells.column(0)), _whole(found.column(0))
    kind = array.type
    if types.is_string(kind) or types.is_large_string(kind):
        return bool(array.cast(arrow.string()).fill_null("").equals(text))
    is_float = types.is_float32(kind) or types.is_float64(kind)
    if not is_float and not types.is_integer(kind) and not types.is_date32(kind):
        texts = with_texts(as_frame(cells), finest).iloc[:, 0]
        missing = texts.isna().tolist()
        pairs = zip(texts.tolist(), missing, strict=True)
        return bool(text.equals(arrow.array(["" if gone else str(cell) for cell, gone in pairs])))
    nothing = arrow.scalar(None, arrow.string())
    try:
        read = compute.if_else(compute.equal(text, ""), nothing, text).cast(kind)
    except arrow.ArrowInvalid:
        return False
    if is_float:
        array = compute.if_else(compute.is_nan(array), arrow.scalar(None, kind), array)
    return _same(array, read)


def _is_same(cells: Any, found: Any) -> bool:
    return _same(cells.column(0), found.column(0))


def _same(one: Any, other: Any) -> bool:
    """Whether two Arrow arrays hold the same cells; what is not a number is the same as itself."""
    types = engine("pyarrow", "reading Parquet").types
    first, second = _whole(one), _whole(other)
    kind = second.type
    first = first.cast(kind)
    if types.is_floating(kind):
        # As whole numbers, since Arrow takes what is not a number for unequal to itself.
        return bool(first.view(f"int{kind.bit_width}").equals(second.view(f"int{kind.bit_width}")))
    if first.equals(second) or not types.is_nested(kind):
        return bool(first.equals(second))
    if not first.is_valid().equals(second.is_valid()):
        return False
    if types.is_struct(kind):
        return all(map(_same, first.flatten(), second.flatten()))
    if not (types.is_list(kind) or types.is_large_list(kind)):
        # Others are rare, and as texts what is not a number equals itself.
        return repr(first.to_pylist()) == repr(second.to_pylist())
    same_lengths = first.value_lengths().equals(second.value_lengths())
    return bool(same_lengths) and _same(first.flatten(), second.flatten())


def _whole(array: Any) -> Any:
    """An array in one piece, without a dictionary."""
    arrow = engine("pyarrow", "reading Parquet")
    if isinstance(array, arrow.ChunkedArray):
        array = array.combine_chunks()
    return array.dictionary_decode() if arrow.types.is_dictionary(array.type) else array
