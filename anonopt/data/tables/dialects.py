"""How a CSV file is written: found out, told, and kept in what is written after it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

SEPARATORS = (",", ";", "\t", "|")
"""Separators of fields that are found out; any other character can be named."""

_LINE_END = re.compile(r"\r\n|\r|\n")


class Record(NamedTuple):
    """One record of a CSV file and the line on which it starts, counted from 1."""

    line: int
    fields: list[str]


@dataclass(frozen=True, kw_only=True)
class Dialect:
    r"""How a table is written.

    Attributes
    ----------
    separator : str
        One character between fields.
    encoding : str
        As Python names it.
    mark : bytes
        Byte order mark at the beginning, or nothing.
    decimal : str
        ``"."`` or ``","``, of numbers.
    line_end : str
        ``"\n"``, ``"\r\n"`` or ``"\r"``.
    quotes_all : bool
        Whether every field of the file stands in quotes.
    ends_with_line_end : bool
    missing : tuple of str
        Texts that stand for missing cells somewhere in the file, besides the empty one.

    Examples
    --------
    >>> Dialect(separator=";", decimal=",").field("a;b")
    '"a;b"'
    """

    separator: str = ","
    encoding: str = "utf-8"
    mark: bytes = b""
    decimal: str = "."
    line_end: str = "\n"
    quotes_all: bool = False
    ends_with_line_end: bool = True
    missing: tuple[str, ...] = ()

    def field(self, text: str) -> str:
        """Text of a field as it stands in the file."""
        needs_quotes = self.quotes_all or any(
            character in text for character in (self.separator, '"', "\r", "\n")
        )
        return '"' + text.replace('"', '""') + '"' if needs_quotes else text

    def quoting(self, fields: Iterable[str]) -> tuple[Dialect, Dialect]:
        """Dialects of the filled and of the empty cells of a column: all in quotes, or as needed.

        One for all, since quotes of their own would tell the cells that changed from the others.

        Parameters
        ----------
        fields : iterable of str
            Cells of the column as they stand in the file.

        Examples
        --------
        >>> filled, empty = Dialect().quoting(['"a"', '"b"', ""])
        >>> filled.field("c"), empty.field("")
        ('"c"', '')
        """
        known = set(fields)
        empty = known & {"", '""'}
        filled, blank = (
            replace(self, quotes_all=all(field.startswith('"') for field in some)) if some else self
            for some in (known - empty, empty)
        )
        return filled, blank

    def content(self, name: str, text: str) -> bytes:
        """Bytes of a text.

        Parameters
        ----------
        name : str
            What is written, for the message.
        text : str

        Raises
        ------
        ValueError
            If the encoding has not all of its characters.
        """
        try:
            # A first character that readers would take for a mark needs one before it.
            doubled = "\ufeff" if text.startswith("\ufeff") and not self.mark else ""
            return self.mark + (doubled + text).encode(self.encoding)
        except UnicodeEncodeError as error:
            found = text[error.start : error.end][:20]
            raise ValueError(
                f"{name}: expected text that {self.encoding} can hold, found {found!r}"
            ) from error

    def described(self) -> dict[str, object]:
        """What was found out, for people and programs."""
        return {
            "separator": "tab" if self.separator == "\t" else self.separator,
            "encoding": self.encoding + (" with byte order mark" if self.mark else ""),
            "decimal": self.decimal,
            "missing": ["", *self.missing],
        }


def split_by_each(name: str, text: str, separator: str | None) -> list[tuple[str, list[Record]]]:
    """Records that each separator makes, of those with which the text is CSV.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    text : str
    separator : str or None
        None tries :data:`SEPARATORS`.

    Raises
    ------
    ValueError
        If the file is empty, is CSV with no separator, or the separator is none.
    """
    check_separator(name, text, separator)
    candidates, errors = [], []
    # One that does not occur parts nothing.
    present = [mark for mark in SEPARATORS if mark in text] or SEPARATORS[:1]
    for candidate in present if separator is None else [separator]:
        try:
            candidates.append((candidate, list(split(name, text, candidate))))
        except ValueError as error:
            errors.append(error)
    if not candidates:
        raise errors[0]
    return candidates


def check_separator(name: str, text: str, separator: str | None) -> None:
    """Refuse an empty file, and what is no separator; None is found out later.

    Raises
    ------
    ValueError
        If the text has no value, or the separator is not one character.
    """
    if not text.strip("\r\n \ufeff"):
        raise ValueError(f"{name}: expected at least one line of values, found an empty file")
    if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
        raise ValueError(f"separator: expected one character, found {separator!r}")


def split(name: str, text: str, separator: str) -> Iterator[Record]:
    """Records of a text; quoted fields may hold separators and line ends, empty lines are none.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    text, separator : str

    Raises
    ------
    ValueError
        If a line is not CSV; names it.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for fields in reader:
            if fields:
                yield Record(line, fields)
            line = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{name}, line {line}: expected CSV, found {error}") from error


def check_even(name: str, records: Sequence[Record]) -> None:
    """Refuse a record with another number of fields than the first.

    Raises
    ------
    ValueError
        If there is one; names the line and both numbers.
    """
    for record in records[1:]:
        check_fields(name, records[0], record)


def check_fields(name: str, first: Record, record: Record) -> None:
    """Refuse a record with another number of fields than the first; see :func:`check_even`."""
    if len(record.fields) != len(first.fields):
        names = ", ".join(repr(field) for field in first.fields[:8])
        raise ValueError(
            f"{name}: expected as many fields on every line, found {len(first.fields)} names "
            f"or values on line {first.line} ({names}) and {len(record.fields)} fields on "
            f"line {record.line}"
        )


def gapless(name: str, records: Iterable[Record]) -> Iterator[Record]:
    r"""Records of one field each, between which no line is empty.

    Raises
    ------
    ValueError
        If one is, since it could be a missing cell.

    Examples
    --------
    >>> list(gapless("x.csv", split("x.csv", "x\n1\n\n3\n", ",")))
    Traceback (most recent call last):
    ValueError: x.csv, line 3: expected a value, found an empty line (a missing cell is "")
    """
    line = None
    for record in records:
        if line is not None and record.line > line:
            found = 'found an empty line (a missing cell is "")'
            raise ValueError(f"{name}, line {line}: expected a value, {found}")
        line = record.line + 1 + len(_LINE_END.findall(record.fields[0]))
        yield record


def raw_records(text: str, separator: str) -> Iterator[list[str]]:
    r"""Fields of each record as they stand in a text that :func:`split` takes, quotes included.

    Examples
    --------
    >>> list(raw_records('a;"b;c"\n\n"1"; 2\n', ";"))
    [['a', '"b;c"'], ['"1"', ' 2']]
    """
    if '"' not in text:
        yield from (line.split(separator) for line in _LINE_END.split(text) if line)
        return
    mark = re.escape(separator)
    pattern = re.compile(rf'("(?:[^"]|"")*"|(?!")[^{mark}\r\n]*)({mark}|\r\n|\r|\n|\Z)')
    fields: list[str] = []
    for match in pattern.finditer(text):
        raw, end = match.groups()
        fields.append(raw)
        if end == separator:
            continue
        if fields != [""]:
            yield fields
        if end == "":
            return
        fields = []


def layout(text: str, separator: str, **known: Any) -> Dialect:
    """Dialect of a text that has a record, whose separator, and what else is given, are known."""
    first = list(islice(raw_records(text, separator), 100))
    start = len(separator.join(first[0]))
    end = _LINE_END.search(text, text.find(separator.join(first[0])) + start)
    return Dialect(
        separator=separator,
        line_end=end.group() if end else "\n",
        quotes_all=all(raw.startswith('"') for fields in first for raw in fields),
        ends_with_line_end=text.endswith(("\n", "\r")),
        **known,
    )
