"""From the bytes of a file, a pipe or a stream to its text, whatever its encoding."""

from __future__ import annotations

import codecs
import stat
import sys
import unicodedata
from os import PathLike
from pathlib import Path
from typing import BinaryIO

Source = str | PathLike[str] | BinaryIO

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

ZIP_ARCHIVE = b"PK\x03\x04"
"""Begin of archives; workbooks of Excel and LibreOffice are some."""

GZIP = b"\x1f\x8b"
"""Begin of compressed files."""

MOST_BYTES = 2**31
"""Bytes of a pipe or another stream, up to which it counts as one that ends."""

_PART = 2**20


def read_bytes(source: Source) -> tuple[str, bytes]:
    """Name and content of a file or a binary stream.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    IsADirectoryError
        If it is a folder.
    ValueError
        If it is a device, which may never end, or a stream that has more than
        :data:`MOST_BYTES`.
    """
    if not isinstance(source, str | PathLike):
        return _read_stream(str(getattr(source, "name", "standard input")), source)
    path = Path(source)
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise ValueError(f"{path}: expected a file, found a device")
    if stat.S_ISREG(mode):
        return str(path), path.read_bytes()
    with path.open("rb") as stream:
        return _read_stream(str(path), stream)


def _read_stream(name: str, stream: BinaryIO) -> tuple[str, bytes]:
    """Name and content of a stream, which may never end."""
    parts, n_bytes = [], 0
    while part := stream.read(_PART):
        parts.append(part)
        n_bytes += len(part)
        if n_bytes > MOST_BYTES:
            raise ValueError(
                f"{name}: expected at most {MOST_BYTES:,} bytes, found a stream of more "
                "(files may be larger)"
            )
    return name, b"".join(parts)


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
        If it is an archive, or there is no such encoding, the content is not in it, or none is
        found.
    """
    if content.startswith(GZIP):
        raise ValueError(
            f"{name}: expected text, found a file of gzip (unpack it, or have an engine read it)"
        )
    if content.startswith(ZIP_ARCHIVE):
        raise ValueError(
            f"{name}: expected text, found an archive, such as a workbook of Excel (save it as CSV)"
        )
    marks = [entry for entry in _MARKS if content.startswith(entry[0])]
    mark, marked = marks[0] if marks else (b"", "utf-8")
    known = marked if encoding is None else _codec(encoding)
    if not marked.startswith(known):
        mark = b""
    elif mark:
        known = marked
    if known in ("utf-16", "utf-32"):
        # Without a mark in the file, Python would write one.
        known += "-le" if sys.byteorder == "little" else "-be"
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
