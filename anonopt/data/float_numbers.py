"""Floats beside exact numbers: which number a float is, where several would be rounded to it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from anonopt.data.column_values import ColumnValues

Number = int | float | Decimal | Fraction

SAFE_DIGITS: dict[type[np.floating[Any]], int] = {np.float16: 3, np.float32: 6, np.float64: 15}
"""Decimals of so many digits come back from a float of this type as they were."""


def settle_floats(
    name: Hashable, columns: Sequence[ColumnValues], keys: tuple[list[Hashable], ...]
) -> tuple[list[Hashable], ...]:
    """Keys of numbers of which some are floats.

    A float is the number that it is exactly, or the one of its shortest decimal, whichever of them
    another column holds. A number that would be rounded to it and is neither is refused: whether
    the float stands for it cannot be known.

    Parameters
    ----------
    name : column
        For messages.
    columns : sequence of ColumnValues
    keys : tuple of lists
        Key of each value of each column; those of numbers are numbers.

    Returns
    -------
    tuple of lists
        The same, with one key for a float and the number that it is.

    Raises
    ------
    ValueError
        If a float may be several numbers of another column.
    """
    types = {type(value) for column in columns for value in column.values}
    wider: set[type] = {type(None), *types}
    for precision, digits in SAFE_DIGITS.items():
        own = {precision, float} if precision is np.float64 else {precision}
        wider -= own
        if own & types and wider - {type(None)}:
            keys = _settled(name, columns, keys, own, wider, digits)
    return keys


def _settled(
    name: Hashable,
    columns: Sequence[ColumnValues],
    keys: tuple[list[Any], ...],
    own: set[type],
    wider: set[type],
    digits: int,
) -> tuple[list[Any], ...]:
    """Keys once the floats of one precision are told; `wider` are the types they may round."""
    precision = next(kind for kind in own if kind is not float)
    floats: dict[Any, tuple[Number, str]] = {}
    numbers: dict[Number, str] = {}
    for column, column_keys in zip(columns, keys, strict=True):
        for value, key in zip(column.values, column_keys, strict=True):
            if type(value) in own:
                floats[precision(value)] = key, column.found
            elif type(value) in wider and isinstance(key, int | Decimal | Fraction | float):
                numbers.setdefault(key, column.found)
    aliases: dict[Number, Number] = {}
    for number, found in numbers.items():
        if not _is_long(number, digits):
            continue
        nearest = _rounded(number, precision)
        if nearest is None or nearest not in floats:
            continue
        key, other = floats[nearest]
        if number == key:
            continue
        shortest = (Decimal(str(nearest)), Decimal(repr(float(nearest))))
        if number not in shortest or key in numbers or key in aliases.values():
            raise ValueError(
                f"column {name!r}: expected numbers that no type rounds, found {number} ({found}) "
                f"and the float {nearest} ({other}), which may be this or another number"
            )
        aliases[number] = key
    if not aliases:
        return keys
    return tuple([aliases.get(key, key) for key in column_keys] for column_keys in keys)


def _is_long(number: Number, digits: int) -> bool:
    """Whether a number may be another one after it was rounded to so many decimals."""
    if isinstance(number, int | float):
        return not -(10**digits) <= number <= 10**digits or isinstance(number, float)
    if isinstance(number, Fraction):
        return True
    return len(number.as_tuple().digits) > digits or number.adjusted() >= digits


def _rounded(number: Number, precision: type[np.floating[Any]]) -> np.floating[Any] | None:
    """The float nearest to a number, None if it is too large for any."""
    try:
        with np.errstate(over="ignore"):
            return precision(float(number))
    except OverflowError:
        return None
