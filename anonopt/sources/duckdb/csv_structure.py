"""CSV files in which DuckDB would change cells without a word.

It drops empty cells too many at the end of a line, and spaces around quotes with these, and takes
an empty line of a single column for a missing cell. Before it reads a file, the bytes are
looked at, and Arrow counts the cells of each line.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

from anonopt.sources.arrow.arrow_csv import csv_rows

BLOCK = 1 << 24
"""Bytes that are read at a time; a line that is longer takes more."""

BLANKS = 1000
"""Most spaces before a quote that are looked at."""

_OF_BYTES = ("utf-8", "latin-1")
"""Encodings in which the signs of CSV are single bytes."""


def check_structure(file: str, names: list[str], *, delimiter: str, encoding: str) -> None:
    """Refuse a file that DuckDB would read otherwise than it stands.

    Parameters
    ----------
    file : str
    names : list of str
        Of its columns.
    delimiter, encoding : str

    Raises
    ------
    ValueError
        Names the file, the line, and what was found.
    """
    if encoding in _OF_BYTES and len(delimiter.encode()) == 1:
        _check_bytes(file, delimiter.encode(), is_single=len(names) == 1)
    for _ in csv_rows(file, names[:1], delimiter=delimiter, encoding=encoding):
        pass


def _check_bytes(file: str, delimiter: bytes, *, is_single: bool) -> None:
    """Refuse bytes that are no text, spaces around quotes, and empty lines of a single column."""
    ends = re.escape(delimiter) + rb"\r\n"
    # Each begins with what is looked for, as Python finds that fast.
    before = re.compile(rb' "(?<=[ %b] ")' % ends)
    after = re.compile(rb'" +(?=[%b]|\Z)' % ends)
    gap = re.compile(rb"\n(?=\r?\n)|\r(?=\r)")
    line, is_inside = 0, False
    for lines in _lines(file):
        text = b"\n" + lines
        if (place := text.find(b"\0")) >= 0:
            raise _wrong(file, line + text.count(b"\n", 0, place), "a NUL character")
        for pattern in (before, after, gap)[: 3 if is_single else 2]:
            start, inside = 0, is_inside
            for match in pattern.finditer(text):
                place = match.start()
                # Behind an odd number of quotes is the inside of a cell in quotes.
                inside ^= bool(text.count(b'"', start, place) % 2)
                start = place
                if pattern is before:
                    first = text[max(place - BLANKS, 0) : place].rstrip(b" ")[-1:]
                    is_wrong = not inside and first in (b"\n", b"\r", delimiter)
                else:
                    is_wrong = inside == (pattern is after)
                if is_wrong:
                    found = "an empty line" if pattern is gap else "a space beside a quote"
                    raise _wrong(file, line + text.count(b"\n", 0, match.end()), found)
        line += lines.count(b"\n")
        is_inside ^= bool(lines.count(b'"') % 2)


def _lines(file: str) -> Iterator[bytes]:
    """Whole lines of a file, some at a time."""
    make = gzip.open if file.lower().endswith(".gz") else open
    with make(file, "rb") as stream:
        rest = b""
        while block := stream.read(BLOCK):
            text = rest + block
            end = text.rfind(b"\n") + 1
            rest = text[end:]
            if end:
                yield text[:end]
        if rest:
            yield rest


def _wrong(file: str, line: int, found: str) -> ValueError:
    return ValueError(f"{file}: expected rows that can be read, found {found} on line {line}")
