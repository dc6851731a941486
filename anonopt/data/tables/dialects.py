"""How a CSV file is written: found out, told, and kept in what is written after it."""

from __future__ import annotations

import codecs
import csv
import io
import re
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

Source = str | PathLike[str] | BinaryIO

SEPARATORS = (",", ";", "\t", "|")
"""Separators of fields that are found out; any other character can be named."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks, the longer of two alike first, and the encodings that they stand for."""

WESTERN = "cp1252"
"""Encoding of older files of western languages, the only one that is guessed."""

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
            return self.mark + text.encode(self.encoding)
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


def read_bytes(source: Source) -> tuple[str, bytes]:
    """Name and content of a file or a binary stream.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is a device, which may never end.
    """
    if not isinstance(source, str | PathLike):
        return str(getattr(source, "name", "standard input")), source.read()
    path = Path(source)
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise ValueError(f"{path}: expected a file, found a device")
    return str(path), path.read_bytes()


def decoded(name: str, content: bytes, encoding: str | None) -> tuple[str, str, bytes]:
    """Text of a file, its encoding and its byte order mark.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    content : bytes
    encoding : str or None
        None finds it out: a byte order mark, else UTF-8, else the older western encoding where
        the text it makes has letters and common signs alone.

    Raises
    ------
    ValueError
        If there is no such encoding, the content is not in it, or none is found.
    """
    marks = [entry for entry in _MARKS if content.startswith(entry[0])]
    mark, marked = marks[0] if marks else (b"", "utf-8")
    known = marked if encoding is None else _codec(encoding)
    if not marked.startswith(known):
        mark = b""
    elif mark:
        known = marked
    try:
        text = content[len(mark) :].decode(known)
    except UnicodeError as error:
        guess = _western(content) if encoding is None and not mark else None
        if guess is None:
            raise ValueError(
                f"{name}: expected {known.upper()} text, found {error} "
                "(encoding= or --encoding names another)"
            ) from error
        text, known = guess, WESTERN
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ValueError(f"{name}: expected text, found a NUL character on line {line}")
    return text, known, mark


def _codec(encoding: str) -> str:
    try:
        known = codecs.lookup(encoding)
        # Some codecs are of bytes to bytes.
        known.decode(b"")[0].encode("ascii")
    except (LookupError, ValueError, AttributeError, TypeError) as error:
        raise ValueError(
            f"encoding: expected a name such as utf-8 or cp1252, found {encoding!r}"
        ) from error
    return known.name.removesuffix("-sig")


def _western(content: bytes) -> str | None:
    try:
        text = content.decode(WESTERN)
    except UnicodeError:
        return None
    others = {character for character in text if ord(character) > 127}
    common = set("€£§°²³½µ«»–—‘’“”„…ºª\xa0")
    # Hardly any word has a y with two dots; in files of other encodings the byte is frequent.
    letters = {c for c in others if unicodedata.category(c) in ("Lu", "Ll")} - set("ÿŸ")
    return text if others <= letters | common else None


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
    if not text.strip("\r\n \ufeff"):
        raise ValueError(f"{name}: expected at least one line of values, found an empty file")
    if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
        raise ValueError(f"separator: expected one character, found {separator!r}")
    candidates, errors = [], []
    for candidate in SEPARATORS if separator is None else (separator,):
        try:
            candidates.append((candidate, split(text, candidate)))
        except ValueError as error:
            errors.append(error)
    if not candidates:
        raise ValueError(f"{name}, {errors[0]}") from errors[0]
    return candidates


def split(text: str, separator: str) -> list[Record]:
    """Records of a text; quoted fields may hold separators and line ends, empty lines are none.

    Raises
    ------
    ValueError
        If a line is not CSV; names it.
    """
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


def check_even(name: str, records: Sequence[Record]) -> None:
    """Refuse a record with another number of fields than the first.

    Raises
    ------
    ValueError
        If there is one; names the line and both numbers.
    """
    first = records[0]
    for record in records[1:]:
        if len(record.fields) != len(first.fields):
            names = ", ".join(repr(field) for field in first.fields[:8])
            raise ValueError(
                f"{name}: expected as many fields on every line, found {len(first.fields)} names "
                f"or values on line {first.line} ({names}) and {len(record.fields)} fields on "
                f"line {record.line}"
            )


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
