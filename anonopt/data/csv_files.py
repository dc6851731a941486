"""Reading and writing hierarchies and tables as CSV, strictly: no line is guessed or lost."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple

import pandas as pd

from anonopt.data.output_files import write_file

Header = bool | Literal["auto"]

SEPARATORS = (",", ";")
"""Separators of fields that are recognized."""


class Record(NamedTuple):
    """One record of a CSV file and the line on which it starts, counted from 1."""

    line: int
    fields: list[str]


def read_records(
    path: str | PathLike[str], *, plausibility: Callable[[Sequence[Record]], tuple[int, ...]]
) -> list[Record]:
    """Read all records of a CSV file that is separated by ``,`` or ``;``.

    A byte order mark is skipped, quoted fields may hold separators and line breaks, and
    empty lines are ignored.

    Parameters
    ----------
    path : path
    plausibility : callable
        Rank of the records that a separator makes; the separator of the highest is taken.

    Raises
    ------
    ValueError
        If the file is empty, is not UTF-8, is not CSV, or a line has another number of
        fields than line 1; names the line and both numbers.
    FileNotFoundError
        If there is no such file.
    """
    records = max(_split_both_ways(path), key=plausibility)
    first = records[0]
    for record in records[1:]:
        if len(record.fields) != len(first.fields):
            names = ", ".join(repr(name) for name in first.fields[:8])
            raise ValueError(
                f"{path}: expected as many fields on every line, found {len(first.fields)} names "
                f"or values on line {first.line} ({names}) and {len(record.fields)} fields on "
                f"line {record.line}"
            )
    return records


def read_table(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a table with a header line from a CSV file, strictly.

    Parameters
    ----------
    path : path

    Returns
    -------
    DataFrame (n_rows, n_columns)
        All cells as text, since numbers in text match hierarchies by value; empty cells are
        missing.

    Raises
    ------
    ValueError
        As for :func:`read_records`.
    """
    records = read_records(path, plausibility=_table_plausibility)
    names, *rows = (record.fields for record in records)
    frame = pd.DataFrame(rows, columns=names, dtype=str)
    return frame.mask(frame == "")


def read_hierarchy(path: str | PathLike[str], *, header: Header) -> list[list[str]]:
    """Read the levels of a hierarchy from a CSV file of one leaf a line, leaf first.

    Parameters
    ----------
    header : bool or "auto"
        Whether the first line holds names; "auto" takes it for names if they are
        ``level0`` to ``levelN``.

    Returns
    -------
    list of H + 1 lists of text, each (n_lines,)
    """
    if header not in (True, False, "auto"):
        raise ValueError(f"header: expected True, False or 'auto', found {header!r}")
    records = read_records(path, plausibility=_hierarchy_plausibility)
    first = records[0].fields
    if header is True or (header == "auto" and first == level_names(len(first))):
        records = records[1:]
    if not records:
        raise ValueError(f"{path}: expected at least one leaf, found only a header")
    return [list(level) for level in zip(*(record.fields for record in records), strict=True)]


def write_hierarchy(path: str | PathLike[str], levels: Sequence[Sequence[str]]) -> None:
    """Write the levels of a hierarchy, one leaf a line below the names of the levels."""
    rows = [level_names(len(levels)), *zip(*levels, strict=True)]
    lines = [",".join(_quote(label) for label in row) + "\n" for row in rows]
    write_file(path, "".join(lines).encode("utf-8"))


def level_names(n_levels: int) -> list[str]:
    """Names of the columns of a hierarchy.

    Examples
    --------
    >>> level_names(2)
    ['level0', 'level1']
    """
    return [f"level{number}" for number in range(n_levels)]


def _quote(label: str) -> str:
    """Quote what a reader could take for a separator, a line end or an empty line.

    The csv module of Python leaves a carriage return unquoted between line feeds.
    """
    is_plain = label and not any(character in label for character in ',;"\r\n')
    return label if is_plain else '"' + label.replace('"', '""') + '"'


def _read_text(path: str | PathLike[str]) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected UTF-8 text, found {error}") from error


def _split_both_ways(path: str | PathLike[str]) -> list[list[Record]]:
    """Split a file by each separator with which it is CSV."""
    text = _read_text(path)
    if not text.strip():
        raise ValueError(f"{path}: expected at least one line of values, found an empty file")
    candidates, errors = [], []
    for separator in SEPARATORS:
        try:
            candidates.append(_split(text, separator))
        except ValueError as error:
            errors.append(error)
    if not candidates:
        raise ValueError(f"{path}, {errors[0]}") from errors[0]
    return candidates


def _split(text: str, separator: str) -> list[Record]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    records = []
    line = 1
    try:
        for fields in reader:
            if fields:
                records.append(Record(line, fields))
            line = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"line {line}: expected CSV, found {error}") from error
    return records


def _table_plausibility(records: Sequence[Record]) -> tuple[int, ...]:
    """Many names in the header: cells may hold decimal commas, names hardly do."""
    return (len(records[0].fields),)


def _hierarchy_plausibility(records: Sequence[Record]) -> tuple[int, ...]:
    """Even lines, then few top values, which are one but for a header, then many levels."""
    n_fields = len(records[0].fields)
    is_even = n_fields > 1 and all(len(record.fields) == n_fields for record in records)
    n_tops = len({record.fields[-1] for record in records})
    return (is_even, -n_tops, n_fields)
