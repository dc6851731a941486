"""A protected file is read again: classes, suppressed rows and number of its rows."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import BoolArray, IntArray
from anonopt.data.microdata import Microdata
from anonopt.data.values import TOP
from anonopt.sources.source import CodedColumn, Source
from anonopt.sources.writing.suppressed_classes import SuppressedClasses


def check_counts(
    part: Path,
    table: Microdata,
    node: Sequence[int],
    suppressed: SuppressedClasses,
    *,
    ending: str,
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
    ending : ``".parquet"`` or ``".csv"``
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
    source = source_of_part(part, ending, columns)
    try:
        if source.n_rows != table.n_rows:
            raise broken(f"{table.n_rows} rows", f"{source.n_rows}")
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
        raise broken(f"{suppressed.rows} suppressed rows", f"{found_rows}")
    if not np.array_equal(np.sort(kept), expected):
        raise broken(
            f"{suppressed.n_kept} classes of at least {suppressed.least} rows",
            f"{len(kept)} of at least {int(kept.min()) if len(kept) else 0}",
        )


def _holds_tops(table: Microdata, node: Sequence[int]) -> bool:
    """Whether a class of a node can have the label ``*`` in every quasi-identifier."""
    trees = (table.hierarchies[column] for column in table.quasi_identifiers)
    return all(TOP in tree.labels[level] for tree, level in zip(trees, node, strict=True))


def source_of_part(part: Path, ending: str, columns: Sequence[str]) -> Source:
    """The rows of some columns of a file that was written here.

    Parameters
    ----------
    part : Path
    ending : ``".parquet"`` or ``".csv"``
        Of the file that it will be.
    columns : sequence of str
    """
    names = _names(part, ending)
    is_known = "" not in names and len({name.lower() for name in names}) == len(names)
    if is_known and importlib.util.find_spec("duckdb") is not None:
        from anonopt.sources.duckdb.duckdb_source import DuckDBSource

        make = DuckDBSource.of_parquet if ending == ".parquet" else DuckDBSource.of_csv
        return make(part)
    if ending == ".parquet":
        from anonopt.sources.arrow.arrow_source import ArrowSource

        return ArrowSource.of_parquet(part)
    from anonopt.sources.pandas_source import PandasSource

    places = sorted(names.index(column) for column in columns)
    rows = pd.read_csv(part, dtype="category", keep_default_na=False, usecols=places)
    # Pandas has names of its own for columns without one, and for those that it has seen.
    return PandasSource(rows.set_axis([names[place] for place in places], axis=1))


def _names(part: Path, ending: str) -> list[str]:
    if ending == ".parquet":
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


def broken(expected: str, found: str) -> ValueError:
    """The error of a file that is not what it has to be as it is read again."""
    return ValueError(f"to: expected {expected} in the file as read again, found {found}")
