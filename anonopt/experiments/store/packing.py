"""Arrays in few bytes, and back bit for bit."""

from __future__ import annotations

import math
import zlib

import numpy as np

from anonopt._typing import AnyArray, BoolArray, FloatArray

MOST_WRITTEN_OUT = 10**30
"""Sizes of spaces from this on are told by their order of magnitude."""

LEVEL = 1
"""Of zlib: more takes several times as long for a few percent."""


def pack_numbers(values: AnyArray) -> bytes:
    """Pack an array of numbers: little-endian, transposed byte by byte, then zlib.

    Bytes of equal weight stand together, as those of the exponents are mostly alike.

    Parameters
    ----------
    values : array (n, ...)
        Of a fixed size an item.

    Returns
    -------
    bytes
    """
    ordered = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    planes = ordered.reshape(-1).view(np.uint8).reshape(-1, ordered.dtype.itemsize).T
    return zlib.compress(planes.tobytes(), LEVEL)


def unpack_numbers(content: bytes, dtype: str, shape: tuple[int, ...]) -> AnyArray:
    """Bring back what :func:`pack_numbers` packed.

    Parameters
    ----------
    content : bytes
    dtype : str
        Such as ``"float64"``.
    shape : tuple of int

    Raises
    ------
    ValueError
        If the bytes are damaged, or of another number of items.

    Examples
    --------
    >>> values = np.array([[1.5, -0.0], [np.nan, np.inf]])
    >>> back = unpack_numbers(pack_numbers(values), "float64", (2, 2))
    >>> back.tobytes() == values.tobytes()
    True
    """
    kind = np.dtype(dtype).newbyteorder("<")
    size = kind.itemsize * int(np.prod(shape))
    raw = _unzipped(content)
    if len(raw) != size:
        raise ValueError(f"content: expected {size} bytes of {dtype} {shape}, found {len(raw)}")
    planes = np.frombuffer(raw, np.uint8).reshape(kind.itemsize, -1)
    packed = np.ascontiguousarray(planes.T).reshape(-1).view(kind)
    return packed.astype(np.dtype(dtype)).reshape(shape)


def _unzipped(content: bytes) -> bytes:
    try:
        return zlib.decompress(content)
    except zlib.error as error:
        raise ValueError(
            f"content: expected packed numbers, found damaged ones ({error})"
        ) from error


def pack_flags(flags: BoolArray) -> bytes:
    """Pack truth values, eight a byte, then zlib."""
    return zlib.compress(np.packbits(flags).tobytes(), LEVEL)


def unpack_flags(content: bytes, n: int) -> BoolArray:
    """Bring back what :func:`pack_flags` packed.

    Raises
    ------
    ValueError
        If the bytes are damaged, or of another number of values.

    Examples
    --------
    >>> unpack_flags(pack_flags(np.array([True, False, True])), 3).tolist()
    [True, False, True]
    """
    bits = np.frombuffer(_unzipped(content), np.uint8)
    if len(bits) != -(-n // 8):
        raise ValueError(f"content: expected {n} truth values, found {len(bits)} bytes")
    return np.unpackbits(bits, count=n).astype(np.bool_)


def pack_seconds(seconds: FloatArray) -> bytes:
    """Pack times that never decrease, to the microsecond: differences, which are small."""
    steps = np.diff(np.rint(np.asarray(seconds) * 1e6).astype(np.int64), prepend=0)
    return pack_numbers(steps)


def unpack_seconds(content: bytes, n: int) -> FloatArray:
    """Bring back what :func:`pack_seconds` packed.

    Examples
    --------
    >>> unpack_seconds(pack_seconds(np.array([0.25, 0.25, 1.000001])), 3).tolist()
    [0.25, 0.25, 1.000001]
    """
    return np.asarray(np.cumsum(unpack_numbers(content, "int64", (n,))) / 1e6, dtype=np.float64)


def size_text(size: int | None) -> str | None:
    """Number of genomes as text: all digits, or its order of magnitude where they are many."""
    if size is None or size < MOST_WRITTEN_OUT:
        return None if size is None else str(size)
    return f"10^{math.log10(size):.1f}"
