"""Numeric columns as whole numbers of a declared number of decimals: genes of masked files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import FloatArray, IntArray
from anonopt.data.columns.gray_codes import gray_decode, gray_encode
from anonopt.data.columns.numeric_values import numeric_values
from anonopt.data.immutable import Immutable
from anonopt.data.roles import find_columns

MAX_BITS = 53
"""Bits of the longest numbers: all of them are exact floating-point numbers."""


@dataclass(frozen=True, eq=False)
class ScaledColumns(Immutable):
    """Some numeric columns of a table as whole numbers from 0 on, and their Gray-code genomes.

    Made by :meth:`of`. A value is multiplied by ten to the number of decimals of its column and
    rounded; columns that hold a number below 0 have half of their range below it (offset binary:
    `offset` is added). So each column has the numbers ``0 .. 2**n_bits - 1``, and every genome of
    that many bits is that of a value: nothing has to be repaired (Mares 2013, Section 3.2).

    Immutable and shared: copies return the object itself.

    Attributes
    ----------
    names : tuple of columns
    numbers : int64 array (n_rows, n_columns), read-only
        Whole number of each cell, in row-major order.
    decimals : tuple of int
    offsets : tuple of int
        What is added to the scaled values of each column; 0 without negative values.
    n_bits : tuple of int
        Bits of each column, at least 1.

    Examples
    --------
    >>> columns = ScaledColumns.of(pd.DataFrame({"rate": [0.5, 1.2], "debt": [-3, 8]}),
    ...                            decimals={"rate": 1})
    >>> columns.offsets, columns.n_bits
    ((0, 16), (4, 5))
    >>> columns.numbers.tolist()
    [[5, 13], [12, 24]]
    >>> columns.genomes(columns.numbers).tolist()
    [[0, 0], [0, 0]]
    """

    _arrays = ("numbers",)

    names: tuple[Hashable, ...]
    numbers: IntArray
    decimals: tuple[int, ...]
    offsets: tuple[int, ...]
    n_bits: tuple[int, ...]

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        *,
        columns: Sequence[Hashable] | None = None,
        decimals: Mapping[Hashable, int] | None = None,
    ) -> ScaledColumns:
        """Scale columns of a table.

        Parameters
        ----------
        frame : DataFrame (n_rows, ...)
        columns : list of columns, optional
            By default all.
        decimals : mapping of column to int, optional
            Decimals that the values of a column have; negative for numbers of whole tens,
            hundreds ... By default 0.

        Raises
        ------
        ValueError
            If a column cannot be taken as numbers (see
            :func:`~anonopt.data.columns.numeric_values.numeric_values`), decimals are given for
            another column, a value of `frame` has more decimals than declared, or the numbers
            of a column need more than 53 bits.
        TypeError
            If a number of decimals is not whole.
        """
        names = find_columns(frame, columns, decimals=decimals)
        declared = dict(decimals or {})
        digits = tuple(
            check_integer(f"decimals of column {name!r}", declared.get(name, 0)) for name in names
        )
        values = numeric_values(frame, names)
        scaled = _scaled(values, digits, names)
        _check_decimals_suffice(values, scaled, digits, names)
        low, high = scaled.min(axis=0), scaled.max(axis=0)
        spans = [_span(name, int(a), int(b)) for name, a, b in zip(names, low, high, strict=True)]
        numbers = scaled + np.array([offset for offset, _ in spans], dtype=np.int64)
        numbers.flags.writeable = False
        return cls(
            names=names,
            numbers=numbers,
            decimals=digits,
            offsets=tuple(offset for offset, _ in spans),
            n_bits=tuple(bits for _, bits in spans),
        )

    @property
    def n_rows(self) -> int:
        """Number of rows, N."""
        return len(self.numbers)

    @property
    def n_columns(self) -> int:
        """Number of columns, V."""
        return len(self.names)

    def encode(self, frame: pd.DataFrame) -> IntArray:
        """Whole numbers of the same columns of another table, rounded to the decimals.

        Parameters
        ----------
        frame : DataFrame (n, ...)

        Returns
        -------
        int64 array (n, n_columns)

        Raises
        ------
        ValueError
            If a value is out of the range of the column's bits (names column and value).
        """
        values = numeric_values(frame, self.names)
        numbers = np.asarray(_scaled(values, self.decimals, self.names) + np.array(self.offsets))
        highest = 2 ** np.array(self.n_bits) - 1
        wrong = (numbers < 0) | (numbers > highest)
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            low, high = self.values(np.stack([np.zeros_like(highest), highest]))[:, column]
            raise ValueError(
                f"column {self.names[column]!r}: expected values from {low:.15g} to {high:.15g}, "
                f"which fit into {self.n_bits[column]} bits, found {values[row, column]:.15g}"
            )
        return numbers

    def values(self, numbers: IntArray) -> FloatArray:
        """Values of whole numbers.

        Parameters
        ----------
        numbers : int64 array (..., n_columns)

        Returns
        -------
        float array of the same shape
        """
        multiplier, divisor = _scales(self.decimals)
        return np.asarray((numbers - np.array(self.offsets)) * divisor / multiplier)

    def genomes(self, numbers: IntArray) -> IntArray:
        """Genomes: xor of the Gray codes of masked and original numbers (Mares 2013, Eq. 3.1).

        Parameters
        ----------
        numbers : int64 array (..., n_rows, n_columns)

        Returns
        -------
        int64 array of the same shape
            0 where a cell is not changed; of ``n_bits`` bits.
        """
        return gray_encode(numbers) ^ self._codes

    def masked_numbers(self, genomes: IntArray) -> IntArray:
        """Whole numbers that genomes stand for, the inverse of :meth:`genomes`."""
        return gray_decode(np.bitwise_xor(genomes, self._codes))

    def decode(self, numbers: IntArray, frame: pd.DataFrame) -> pd.DataFrame:
        """Copy of a table with these columns replaced by values of whole numbers.

        Columns of whole numbers stay so if no decimals are declared for them.

        Parameters
        ----------
        numbers : int64 array (n_rows, n_columns)
        frame : DataFrame (n_rows, ...)
            The table the other columns and the row index come from.

        Raises
        ------
        ValueError
            If the shape is not that of the columns.
        """
        if numbers.shape != (len(frame), self.n_columns):
            raise ValueError(
                f"numbers: expected shape {(len(frame), self.n_columns)}, found {numbers.shape}"
            )
        values = self.values(numbers)
        masked = frame.copy()
        for position, name in enumerate(self.names):
            column = pd.Series(values[:, position], index=frame.index)
            is_whole = pd.api.types.is_integer_dtype(frame[name]) and self.decimals[position] <= 0
            masked[name] = column.astype(np.int64) if is_whole else column
        return masked

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of numbers, decimals, offsets and bits, 64 hexadecimal digits."""
        described = [[repr(name) for name in self.names], self.decimals, self.offsets, self.n_bits]
        digest = hashlib.sha256(json.dumps(described).encode())
        digest.update(self.numbers.astype("<i8", copy=False).tobytes())
        return digest.hexdigest()

    @cached_property
    def _codes(self) -> IntArray:
        return gray_encode(self.numbers)

    def __repr__(self) -> str:
        return f"ScaledColumns(n_rows={self.n_rows}, names={list(self.names)})"


def _scales(digits: Sequence[int]) -> tuple[FloatArray, FloatArray]:
    """Powers of ten that values are multiplied by, and divided by: whole numbers, hence exact."""
    places = np.array(digits)
    return 10.0 ** np.maximum(places, 0), 10.0 ** np.maximum(-places, 0)


def _scaled(values: FloatArray, digits: Sequence[int], names: Sequence[Hashable]) -> IntArray:
    multiplier, divisor = _scales(digits)
    scaled = np.rint(values * multiplier / divisor)
    # Compared as floats: such numbers may not fit into 64 bits.
    too_long = np.abs(scaled) >= 2.0**MAX_BITS
    if too_long.any():
        row, column = np.argwhere(too_long)[0]
        raise ValueError(
            f"column {names[column]!r}: expected values of at most {MAX_BITS} bits at "
            f"{digits[column]} decimals, found {values[row, column]}"
        )
    return scaled.astype(np.int64)


def _check_decimals_suffice(
    values: FloatArray, scaled: IntArray, digits: Sequence[int], names: Sequence[Hashable]
) -> None:
    # 0.1 + 0.2 has one decimal as far as anybody who declares one is concerned.
    multiplier, divisor = _scales(digits)
    exact = values * multiplier / divisor
    wrong = np.abs(exact - scaled) > 1e-9 * np.maximum(np.abs(exact), 1.0)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"column {names[column]!r}: expected values of at most {digits[column]} decimals, "
            f"found {values[row, column]} (declare decimals={{{names[column]!r}: ...}})"
        )


def _span(name: Hashable, low: int, high: int) -> tuple[int, int]:
    """Offset and number of bits of a column of scaled values low..high."""
    if low >= 0:
        offset, bits = 0, max(high.bit_length(), 1)
    else:
        half = max(high.bit_length(), (-low - 1).bit_length())
        offset, bits = 2**half, half + 1
    if bits > MAX_BITS:
        raise ValueError(
            f"column {name!r}: expected at most {MAX_BITS} bits, found {bits} for values from "
            f"{low} to {high} (declare fewer decimals)"
        )
    return offset, bits
