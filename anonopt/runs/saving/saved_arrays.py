"""Arrays of an ``.npz`` archive that somebody else may have made: nothing in it is trusted.

``numpy.load`` makes room for what a header claims, and unpacks what a few bytes stand for. Here an
array has exactly the bytes that its header speaks of, and no archive holds more than its file.
"""

from __future__ import annotations

import io
import math
import zipfile
import zlib

import numpy as np

from anonopt._typing import AnyArray

NUMBERS = "biuf"
"""Kinds of arrays that are read and written: truth values and numbers."""

_ENDING = ".npy"
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read_arrays(content: bytes) -> dict[str, AnyArray]:
    """Read the arrays of an archive as ``numpy.savez`` writes it, by name.

    Parameters
    ----------
    content : bytes
        Of the whole file. At most as much again is read into memory.

    Raises
    ------
    ValueError
        If it is no such archive, is damaged, is compressed, or holds anything but arrays of
        numbers, each once.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise ValueError("expected a zip archive, found something else, or a part of one")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            _check_members(members, len(content))
            return {
                member.filename.removesuffix(_ENDING): _array(member.filename, archive.read(member))
                for member in members
            }
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise ValueError(f"the file is damaged: {error}") from error


def _check_members(members: list[zipfile.ZipInfo], n_bytes: int) -> None:
    names = [member.filename for member in members]
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"expected each array once, found {twice!r} twice")
    for member in members:
        if member.compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"expected arrays as they are, found {member.filename!r} compressed")
    # Members that overlap would make much of few bytes.
    n_claimed = sum(member.file_size for member in members)
    if n_claimed > n_bytes:
        raise ValueError(f"expected at most {n_bytes} bytes of arrays, found {n_claimed}")


def _array(name: str, content: bytes) -> AnyArray:
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        if version not in _HEADERS:
            raise ValueError(f"found version {version}")
        shape, by_columns, dtype = _HEADERS[version](stream)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"{name!r}: expected an array of numbers, {error}") from error
    if dtype.kind not in NUMBERS:
        raise ValueError(f"{name!r}: expected numbers, found {dtype}")
    n_bytes = math.prod(shape) * dtype.itemsize
    n_found = len(content) - stream.tell()
    if any(length < 0 for length in shape) or n_bytes != n_found:
        raise ValueError(f"{name!r}: expected {n_bytes} bytes of shape {shape}, found {n_found}")
    values: AnyArray = np.ndarray(
        shape, dtype, buffer=content, offset=stream.tell(), order="F" if by_columns else "C"
    )
    # A copy, as those of a file cannot be changed.
    return values.astype(dtype.newbyteorder("="))
