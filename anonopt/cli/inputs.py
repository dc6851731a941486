"""Tables that commands read: from files or standard input, in any dialect of CSV."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, TextIO

import typer

from anonopt.cli.console import note

if TYPE_CHECKING:
    from anonopt.data.tables.table_files import DateFormats, TableFile

STANDARD = Path("-")
"""Stands for standard input or output."""

TAB = "tab"

LARGE = 50_000_000
"""Bytes of a file from which on it is said that it is being read."""

Separator = Annotated[
    str | None,
    typer.Option(help="Character between fields of the input, or tab. [found out]"),
]
Encoding = Annotated[
    str | None, typer.Option(help="Of the input, such as utf-8 or cp1252. [found out]")
]
Decimal = Annotated[str | None, typer.Option(help="Of numbers: . or a comma. [found out]")]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        help="Text of missing cells, in all columns, besides the empty one; repeat it. "
        "[NA, NaN, NULL, . and the like, among numbers and dates]"
    ),
]
Dates = Annotated[
    list[str] | None,
    typer.Option(
        help="Format of the dates of a column, such as 'birth=%d.%m.%Y'; repeat it, also for a "
        "column of several formats."
    ),
]


def read_input(
    file: Path,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
    dates: DateFormats | None = None,
) -> TableFile:
    """Read a table, and say on standard error how it was read where that is not as usual.

    Parameters
    ----------
    file : Path
        ``-`` is standard input.
    separator, encoding, decimal, missing, dates
        As for :func:`anonopt.data.read_table`; ``tab`` is a separator, too.

    Raises
    ------
    FileNotFoundError, ValueError
        As :func:`anonopt.data.read_table`.
    """
    from anonopt.data.tables.dialects import Dialect
    from anonopt.data.tables.table_files import TableFile

    if file != STANDARD and file.is_file() and file.stat().st_size >= LARGE:
        note("Reading ", f"{file} into memory, {file.stat().st_size / 1e6:,.0f} MB")
    table = TableFile.read(
        standard(sys.stdin) if file == STANDARD else file,
        separator="\t" if separator in (TAB, "\\t") else separator,
        encoding=encoding,
        decimal=decimal,
        missing=missing,
        dates=dates,
    )
    found = table.dialect.described()
    if found != Dialect().described():
        note(f"{table.name}: ", described(found), style="")
    return table


def standard(stream: TextIO | None) -> BinaryIO:
    """Bytes of standard input or output.

    Raises
    ------
    OSError
        If whoever started the program has closed it.
    """
    # Python has no stream where there was none to inherit.
    if stream is None:
        raise OSError("standard input or output: expected an open stream, found a closed one")
    return stream.buffer


def described(found: dict[str, Any]) -> str:
    """A dialect in a line."""
    missing = ", ".join(found["missing"][1:])
    ending = f", missing cells {missing}" if missing else ""
    return (
        f"separator {found['separator']}, encoding {found['encoding']}, "
        f"decimal {found['decimal']}{ending}"
    )


def split_dates(options: Sequence[str] | None) -> dict[str, list[str]]:
    """Formats by column.

    Raises
    ------
    ValueError
        If an option is not of the form ``column=format``.

    Examples
    --------
    >>> split_dates(["birth=%d.%m.%Y", "birth=%Y"])
    {'birth': ['%d.%m.%Y', '%Y']}
    """
    formats: dict[str, list[str]] = {}
    for text in options or ():
        column, sign, form = text.partition("=")
        if not sign or "%" not in form:
            raise ValueError(f"--dates: expected a text such as birth=%d.%m.%Y, found {text!r}")
        formats.setdefault(column, []).append(form)
    return formats
