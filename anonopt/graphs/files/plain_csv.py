"""Large CSV files of plain layout, read in blocks: no quotes, and as many fields on every line.

What is not so plain, or small, is read by :func:`anonopt.data.tables.table_files.read_table`, which
holds the whole file as text and finds out everything; both give the same cells.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonopt.data.tables.dialects import SEPARATORS
from anonopt.data.tables.spellings import MISSING_SPELLINGS

LEAST_BYTES = 1 << 20
"""Size of a file up to which it is not read in blocks."""

BLOCK_BYTES = 1 << 24

_HEADER_BYTES = 1 << 16


class NotPlainError(ValueError):
    """A file whose layout has to be found out."""


@dataclass(frozen=True)
class PlainCsv:
    """A CSV file whose header is plain; whether the lines are shows when they are read.

    Attributes
    ----------
    path : Path
    separator : str
    header : tuple of str
    """

    path: Path
    separator: str
    header: tuple[str, ...]

    @classmethod
    def find(cls, path: Path) -> PlainCsv | None:
        """The file, if it is large and its header plain."""
        if not path.is_file() or path.stat().st_size < LEAST_BYTES:
            return None
        with path.open("rb") as file:
            line = file.readline(_HEADER_BYTES)
        marks = [mark for mark in SEPARATORS if mark.encode() in line]
        if (
            len(marks) != 1
            or not line.endswith(b"\n")
            or not line.isascii()
            or any(sign in line for sign in b'"\r\0')
        ):
            return None
        header = tuple(line.decode("ascii").removesuffix("\n").split(marks[0]))
        if len(set(header)) < len(header) or not all(header):
            return None
        return cls(path, marks[0], header)

    def blocks(self) -> Iterator[bytes]:
        """Lines below the header, some at a time, each block complete lines.

        Raises
        ------
        NotPlainError
            If a line has quotes, or another number of fields than the header.
        """
        with self.path.open("rb") as file:
            file.readline()
            rest = b""
            while part := file.read(BLOCK_BYTES):
                lines, end, rest = (rest + part).rpartition(b"\n")
                if end:
                    yield self._checked(lines + end)
            if rest:
                yield self._checked(rest + b"\n")

    def _checked(self, block: bytes) -> bytes:
        signs = [b'"', b"\r", b"\0", b"\n\n"] + [b","] * (self.separator != ",")
        if block.startswith(b"\n") or any(sign in block for sign in signs):
            raise NotPlainError(f"{self.path}: expected plain lines")
        try:
            block.isascii() or block.decode("utf-8")
        except UnicodeDecodeError as error:
            raise NotPlainError(f"{self.path}: expected UTF-8") from error
        content = np.frombuffer(block, dtype=np.uint8)
        separator, line_end = ord(self.separator), ord("\n")
        marks = content[(content == separator) | (content == line_end)]
        expected = np.full(len(self.header), separator, dtype=np.uint8)
        expected[-1] = line_end
        is_even = len(marks) % len(expected) == 0
        if not is_even or not (marks.reshape(-1, len(expected)) == expected).all():
            raise NotPlainError(f"{self.path}: expected as many fields on every line")
        return block

    def cells(self, block: bytes, columns: int | None = None) -> pd.DataFrame:
        """Cells of a block as text, of the first columns or of all."""
        return self._parsed(block, columns, dtype=object)

    def numbers(self, block: bytes) -> pd.DataFrame | None:
        """Cells of a block of two columns as numbers; None if one is not written as those are."""
        if len(self.header) != 2:
            return None
        try:
            frame = self._parsed(block, None, dtype=np.int64)
        except (ValueError, OverflowError):
            return None
        values = frame.to_numpy()
        n_signs = int(_n_signs(values).sum())
        # Two columns have as many marks as cells; anything more is a zero in front or a plus.
        return frame if n_signs + values.size == len(block) else None

    def _parsed(self, block: bytes, columns: int | None, **options: Any) -> pd.DataFrame:
        n_columns = len(self.header)
        frame: pd.DataFrame = pd.read_csv(
            io.BytesIO(block), sep=self.separator, header=None, names=range(n_columns),
            usecols=range(n_columns if columns is None else columns), na_filter=False,
            quoting=csv.QUOTE_NONE, skip_blank_lines=False, engine="c", low_memory=False,
            **options,
        )  # fmt: skip
        return frame

    def frame(self) -> pd.DataFrame:
        """All cells as text, None where they are empty.

        Raises
        ------
        NotPlainError
            As for :meth:`blocks`; or a cell is spelled like a missing one, which only the others
            of its column can tell.
        """
        parts = [self.cells(block) for block in self.blocks()]
        names = list(self.header)
        if not parts:
            return pd.DataFrame({name: [] for name in names}, dtype=object)
        whole = pd.concat(parts, ignore_index=True)
        whole.columns = pd.Index(names)
        for name in names:
            if set(MISSING_SPELLINGS) & set(whole[name].unique()):
                raise NotPlainError(f"{self.path}: expected no cell spelled like a missing one")
        return whole.where(whole != "", None)


def _n_signs(values: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Signs that each whole number is written with."""
    powers = 10 ** np.arange(1, 19, dtype=np.int64)
    return np.searchsorted(powers, np.abs(values.ravel()), side="right") + 1 + (values < 0).ravel()
