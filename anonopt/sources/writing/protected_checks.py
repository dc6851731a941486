"""A protected file is read again: classes, suppressed rows, number and order of its rows."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import BoolArray, IntArray
from anonopt.data.microdata import Microdata
from anonopt.data.values import TOP
from anonopt.sources.engines import engine
from anonopt.sources.large_table import LargeTable
from anonopt.sources.source import CodedColumn, Source
from anonopt.sources.writing.suppressed_classes import SuppressedClasses


def check_counts(
    part: Path,
    table: Microdata,
    node: Sequence[int],
    suppressed: SuppressedClasses,
    *,
    suffix: str,
    flag: str | None,
) -> None:
    """Compare the classes of a protected file with those of its node.

    Parameters
    ----------
    part : Path
    table : Microdata
        What was protected.
    node : sequence of int
    suppressed : SuppressedClasses
        Of the node.
    suffix : ``".parquet"`` or ``".csv"``
    flag : str, optional
        Column of the suppressed rows.

    Raises
    ------
    ValueError
        If it has another number of rows, of suppressed rows or of classes of each size.
    """
    # Files have texts for names.
    names = [str(column) for column in table.quasi_identifiers]
    columns = [*names, *([] if flag is None else [flag])]
    source = source_of_part(part, suffix, columns)
    try:
        if source.n_rows != table.n_rows:
            raise _broken(f"{table.n_rows} rows", f"{source.n_rows}")
        stars, sizes, flags = _classes(source, names, flag)
    finally:
        source.close()
    expected = np.repeat(suppressed.kept_sizes, suppressed.kept_numbers)
    is_left_out = stars if flags is None else flags
    found_rows, kept = int(sizes[is_left_out].sum()), sizes[~is_left_out]
    if flags is None and found_rows > suppressed.rows and _holds_tops(table, node):
        # Without a flag, a class all of whose labels are `*` looks as suppressed rows do.
        kept, found_rows = np.append(kept, found_rows - suppressed.rows), suppressed.rows
    if found_rows != suppressed.rows or not stars[is_left_out].all():
        raise _broken(f"{suppressed.rows} suppressed rows", f"{found_rows}")
    if not np.array_equal(np.sort(kept), expected):
        raise _broken(
            f"{suppressed.n_kept} classes of at least {suppressed.least} rows",
            f"{len(kept)} of at least {int(kept.min()) if len(kept) else 0}",
        )


def _holds_tops(table: Microdata, node: Sequence[int]) -> bool:
    """Whether a class of a node can have the label ``*`` in every quasi-identifier."""
    trees = (table.hierarchies[column] for column in table.quasi_identifiers)
    return all(TOP in tree.labels[level] for tree, level in zip(trees, node, strict=True))


def check_order(part: Path, table: LargeTable, columns: Sequence[str], rows: int) -> None:
    """Compare the columns that stay as they are with those of the source, row by row.

    Parameters
    ----------
    part : Path
        A Parquet file.
    table : LargeTable
    columns : sequence of str
    rows : int
        That are read at a time.

    Raises
    ------
    ValueError
        If a cell differs: the rows are in another order, or changed while they were read.
    """
    if not columns:
        return
    names, row = list(columns), 0
    with engine("pyarrow.parquet", "reading Parquet").ParquetFile(part) as file:
        groups = (file.read_row_group(one, columns=names) for one in range(file.num_row_groups))
        batches = table.source.batches(rows, columns=names)
        for batch, group in _side_by_side(batches, groups):
            for column in names:
                if batch is None or group is None or not _same(batch[column], group[column]):
                    raise _broken(
                        f"column {column!r} in the order of {table.source!r}",
                        f"another from row {row} on",
                    )
            row += len(batch)


def _side_by_side(batches: Iterator[Any], groups: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
    """Pieces of the same rows of both, None where one of them has ended before the other.

    Where batches of a source end depends on the columns that are read.
    """
    streams = [(part for part in parts if len(part)) for parts in (batches, groups)]
    left: list[Any] = [None, None]
    while True:
        left = [
            next(stream, None) if part is None else part
            for stream, part in zip(streams, left, strict=True)
        ]
        if all(part is None for part in left):
            return
        if any(part is None for part in left):
            yield left[0], left[1]
            return
        n = min(map(len, left))
        yield left[0].slice(0, n), left[1].slice(0, n)
        left = [part.slice(n) if len(part) > n else None for part in left]


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


def source_of_part(part: Path, suffix: str, columns: Sequence[str]) -> Source:
    """The rows of some columns of a file that was written here.

    Parameters
    ----------
    part : Path
    suffix : ``".parquet"`` or ``".csv"``
        Of the file that it will be.
    columns : sequence of str
    """
    names = _names(part, suffix)
    is_known = "" not in names and len({name.lower() for name in names}) == len(names)
    if is_known and importlib.util.find_spec("duckdb") is not None:
        from anonopt.sources.duckdb.duckdb_source import DuckDBSource

        make = DuckDBSource.of_parquet if suffix == ".parquet" else DuckDBSource.of_csv
        return make(part)
    if suffix == ".parquet":
        from anonopt.sources.arrow.arrow_source import ArrowSource

        return ArrowSource.of_parquet(part)
    from anonopt.sources.pandas_source import PandasSource

    places = sorted(names.index(column) for column in columns)
    rows = pd.read_csv(part, dtype="category", keep_default_na=False, usecols=places)
    # Pandas has names of its own for columns without one, and for those that it has seen.
    return PandasSource(rows.set_axis([names[place] for place in places], axis=1))


def _names(part: Path, suffix: str) -> list[str]:
    if suffix == ".parquet":
        return list(engine("pyarrow.parquet", "reading Parquet").read_schema(part).names)
    with part.open(encoding="utf-8", newline="") as lines:
        return next(csv.reader(lines), [])


def _classes(
    source: Source, quasi_identifiers: Sequence[str], flag: str | None
) -> tuple[BoolArray, IntArray, BoolArray | None]:
    """Of each class: whether all labels are ``*``, its rows, and whether it is flagged."""
    columns, texts = [], []
    for column in [*quasi_identifiers, *([] if flag is None else [flag])]:
        values = source.distinct(column).values
        columns.append(CodedColumn(column, np.arange(len(values), dtype=np.int32), len(values)))
        texts.append(values.astype(str).to_numpy())
    combinations = source.combine([columns])
    (words,), sizes = combinations.counted([0])
    codes = combinations.groups[0].unpack(words)
    found = [text[code] for text, code in zip(texts, codes, strict=True)]
    stars = np.logical_and.reduce([text == TOP for text in found[: len(quasi_identifiers)]])
    flags = None if flag is None else np.char.lower(found[-1].astype(str)) == "true"
    return stars, sizes, flags


def _broken(expected: str, found: str) -> ValueError:
    return ValueError(f"to: expected {expected} in the file as read again, found {found}")
