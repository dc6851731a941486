"""Equal values of columns: which cells of one or several columns hold the same value.

A value has a key, and equal values have equal keys. What a text is equal to depends on the columns
that are compared, so keys are made for all of them at once; the rules are those of
:mod:`anonopt.data.values`. Keys are made of distinct values, so their time does not grow with the
rows, and they do not depend on the order of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import IntArray
from anonopt.data.float_numbers import settle_floats
from anonopt.data.readings import TRUTHS, has_leading_zero, read_moment, read_number
from anonopt.data.values import MISSING, TOP, Kind, as_text, is_missing, key_of, kind_of, number_key

Key = Hashable


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """Distinct values of a column, or of a list.

    Made by :meth:`of` and :meth:`of_list`.

    Attributes
    ----------
    values : list of n_values objects
        None is missing. Two of them may be equal (39 and "39").
    codes : int64 array (n_rows,)
        Position in `values` of each cell; -1 where it is missing.
    found : str
        What errors call the type of the values.
    """

    values: list[Any]
    codes: IntArray
    found: str

    @classmethod
    def of(cls, column: pd.Series[Any]) -> ColumnValues:
        """Distinct values of a column.

        Raises
        ------
        TypeError
            If a cell holds what cannot be a value, such as a list.

        Examples
        --------
        >>> cells = ColumnValues.of(pd.Series([2.5, None, 1.0, 2.5]))
        >>> cells.values, cells.codes.tolist()
        ([2.5, 1.0], [0, -1, 1, 0])
        """
        codes, values = _factorize(column)
        missing = [at for at, value in enumerate(values) if is_missing(value) or value == MISSING]
        if missing:
            # Not a number in a nullable column, or the text of missing cells.
            kept = np.ones(len(values), dtype=bool)
            kept[missing] = False
            places = np.where(kept, np.cumsum(kept) - 1, -1)
            codes = np.append(places, -1)[codes]
            values = [value for value, keep in zip(values, kept.tolist(), strict=True) if keep]
        return cls(values, codes, _found(column.dtype, values))

    @classmethod
    def of_list(cls, values: Iterable[object], found: str) -> ColumnValues:
        """Values of a list as they stand, those that are equal included; missing ones left out."""
        present = [value for value in values if not (is_missing(value) or value == MISSING)]
        return cls(present, np.arange(len(present)), found)

    @property
    def has_missing(self) -> bool:
        """Whether a cell is missing."""
        return bool((self.codes < 0).any())

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """Kinds of the values, text apart."""
        types = {type(value): value for value in self.values}
        if any(hasattr(value, "tzinfo") for value in types.values()):
            return frozenset(map(kind_of, self.values)) - {"text"}
        return frozenset(map(kind_of, types.values())) - {"text"}

    @cached_property
    def is_plain(self) -> bool:
        """Whether all values are whole numbers and floats of Python, their own keys."""
        return {type(value) for value in self.values} <= {int, float}

    @cached_property
    def texts(self) -> list[str]:
        """The values that are text, and stand for something."""
        return [text for text in self.values if isinstance(text, str) and text != TOP]

    @cached_property
    def numbers(self) -> dict[str, Key] | None:
        """Number of each text; None if one is none, or the texts are codes."""
        numbers: dict[str, Key] = {}
        for text in self.texts:
            number = read_number(text)
            if number is None or has_leading_zero(text):
                return None
            numbers[text] = number if isinstance(number, int) else number_key(number)
        return numbers if len(set(numbers.values())) == len(numbers) else None

    @cached_property
    def is_codes(self) -> bool:
        """Whether all texts are numbers that are written as codes are."""
        return self.numbers is None and all(read_number(text) is not None for text in self.texts)

    @cached_property
    def truths(self) -> dict[str, Key] | None:
        """Truth value of each text; None if one is none, or they are of several styles."""
        styles = {TRUTHS.get(text, (text, False))[0] for text in self.texts}
        if len(styles) > 1 or not all(text in TRUTHS for text in self.texts):
            return None
        return {text: ("truth value", TRUTHS[text][1]) for text in self.texts}

    @cached_property
    def dates(self) -> dict[str, Key] | None:
        """Point in time of each text; None if one is none, or names its offset from UTC."""
        return self._moments("date")

    @cached_property
    def instants(self) -> dict[str, Key] | None:
        """Point in time of each text with an offset from UTC; None if one is none."""
        return self._moments("instant")

    def _moments(self, kind: Kind) -> dict[str, Key] | None:
        moments: dict[str, Key] = {}
        for text in self.texts:
            moment = read_moment(text)
            if moment is None or moment[0] != (kind == "instant"):
                return None
            moments[text] = (kind, moment[1])
        return moments


READINGS: dict[Kind, Callable[[ColumnValues], dict[str, Key] | None]] = {
    "number": lambda column: column.numbers,
    "truth value": lambda column: column.truths,
    "date": lambda column: column.dates,
    "instant": lambda column: column.instants,
}
"""How all texts of a column are read as values of a kind; None if they cannot be."""


def equal_keys(name: Hashable, *columns: ColumnValues) -> tuple[list[Key], ...]:
    """Keys of the values of columns, equal for equal values.

    Parameters
    ----------
    name : column
        For messages.
    *columns : ColumnValues
        Columns, lists of labels, orders: whatever values of `name` are looked up in.

    Returns
    -------
    tuple of lists
        Key of each value of each column. Numbers have a number as their key and text its own,
        unless it is read as something else.

    Raises
    ------
    ValueError
        If two columns cannot be compared without guessing; names the column and both types.

    Examples
    --------
    >>> numbers, texts = [39, 40.5], ["40.50", "39.0"]
    >>> equal_keys("age", *(ColumnValues.of(pd.Series(v, dtype=object)) for v in (numbers, texts)))
    ([39, Decimal('40.5')], [Decimal('40.50'), 39])
    """
    kinds = _shared_kinds(name, columns)
    if kinds == {"number"} and all(column.is_plain for column in columns):
        keys: tuple[list[Key], ...] = tuple(column.values for column in columns)
    else:
        read = _reading(name, kinds, columns)
        if read is None:
            keys = _keys_by_text(name, columns)
        else:
            keys = tuple(_keys(column, read(column) or {}) for column in columns)
    if kinds == {"number"}:
        return settle_floats(name, columns, keys)
    return keys


def _keys(column: ColumnValues, readings: dict[str, Key]) -> list[Key]:
    return [
        readings.get(value, value) if isinstance(value, str) else key_of(value)
        for value in column.values
    ]


def _shared_kinds(name: Hashable, columns: Sequence[ColumnValues]) -> frozenset[Kind]:
    """Kind of all values that are no text, if there are some.

    Raises
    ------
    ValueError
        If there are several.
    """
    owners: dict[Kind, ColumnValues] = {}
    for column in columns:
        for kind in sorted(column.kinds):
            owners.setdefault(kind, column)
    if len(owners) > 1:
        (first, one), (second, other) = list(owners.items())[:2]
        raise _refusal(name, f"{one.found} ({first}s)", f"{other.found} ({second}s)")
    return frozenset(owners)


def _reading(
    name: Hashable, kinds: frozenset[Kind], columns: Sequence[ColumnValues]
) -> Callable[[ColumnValues], dict[str, Key] | None] | None:
    """How all texts of all columns are read, None if they stay text."""
    written = [column for column in columns if column.texts]
    # A column of text is told apart by its text, and so are columns of which one holds all texts.
    largest = max((set(column.texts) for column in written), key=len, default=set())
    is_told = not kinds and all(largest.issuperset(column.texts) for column in written)
    for kind in kinds or READINGS:
        read = READINGS.get(kind, _unread)
        # But a date may be written in two ways.
        if is_told and kind not in ("date", "instant"):
            continue
        if all(read(column) is not None for column in written):
            return read
    return None


def _unread(column: ColumnValues) -> dict[str, Key] | None:
    """Text of other kinds is told by the text of values alone."""
    return None if column.texts else {}


def _keys_by_text(name: Hashable, columns: Sequence[ColumnValues]) -> tuple[list[Key], ...]:
    """Keys where text stays text, and equals the text of a value of another kind.

    Raises
    ------
    ValueError
        If a text may be another spelling of a value.
    """
    _check_zones(name, columns)
    values = [value for column in columns for value in column.values if not isinstance(value, str)]
    written = {as_text(value): key_of(value) for value in values}
    keys = tuple(_keys(column, written) for column in columns)
    known = set(written.values())
    for column, own in zip(columns, keys, strict=True):
        others = [other for other in columns if other.kinds and not column.kinds]
        # Text beside values in one column was told apart by whoever made the column.
        if column.texts and others and (doubt := _doubt(column, own, others[0], known)):
            raise _refusal(name, others[0].found, f"{column.found}, {doubt}")
    return keys


def _doubt(
    column: ColumnValues, keys: Sequence[Key], other: ColumnValues, known: set[Key]
) -> str | None:
    """Text of a column that may be another spelling of a value, None if there is none."""
    unread = [key for key in keys if isinstance(key, str) and key != TOP]
    if other.kinds == {"number"}:
        if column.is_codes:
            return f"which holds codes, {_spelling(column)}"
        unread = [text for text in unread if read_number(text) in known]
    elif known <= set(keys):
        # Every value has its text, so what is left is other text.
        return None
    return f"with the text {min(unread)!r}" if unread else None


def _check_zones(name: Hashable, columns: Sequence[ColumnValues]) -> None:
    """Raise for text of points in time, with a time zone in one column and without in another."""
    written = [column for column in columns if column.texts]
    aware = [column for column in written if column.instants is not None]
    naive = [column for column in written if column.dates is not None]
    if aware and naive:
        raise _refusal(
            name, f"{naive[0].found} (dates as text)", f"{aware[0].found} (instants as text)"
        )


def _spelling(column: ColumnValues) -> str:
    """A text that a number would not have, or two of one number."""
    for text in sorted(column.texts):
        if has_leading_zero(text):
            return repr(text)
    texts: dict[Key, str] = {}
    for text in sorted(column.texts):
        if (first := texts.setdefault(read_number(text), text)) != text:
            return f"{first!r} and {text!r}"
    return repr(min(column.texts))


def _refusal(name: Hashable, one: str, other: str) -> ValueError:
    return ValueError(
        f"column {name!r}: expected values of types that can be compared without guessing, found "
        f"{one} and {other}"
    )


def _found(dtype: object, values: Sequence[object]) -> str:
    """What errors call the type of a column: objects by those that they are."""
    if dtype != np.dtype(object):
        return str(dtype)
    return f"object of {', '.join(sorted({type(value).__name__ for value in values})) or 'nothing'}"


def _factorize(column: pd.Series[Any]) -> tuple[IntArray, list[Any]]:
    """Codes and distinct values of a column, -1 where it is missing."""
    if column.dtype == object and (found := _mixed(column)) is not None:
        return found
    try:
        codes, uniques = pd.factorize(column)
    except TypeError as error:
        raise TypeError(
            f"column {column.name!r}: expected single values, found lists or the like ({error})"
        ) from error
    dtype = uniques.dtype
    kind = getattr(dtype, "numpy_dtype", dtype)
    # As objects, short floats become floats of 64 bits, whose shortest decimals are others.
    is_short_float = isinstance(kind, np.dtype) and kind.kind == "f" and kind.itemsize < 8
    values = list(map(kind.type, uniques)) if is_short_float else uniques.tolist()
    return codes.astype(np.int64, copy=False), values


def _mixed(column: pd.Series[Any]) -> tuple[IntArray, list[Any]] | None:
    """Codes and distinct values of objects of several types; None if they are of one.

    Python takes True for 1, and 39 for 39.0: here values of two types are two.
    """
    cells = column.to_numpy()
    present = np.flatnonzero(~column.isna().to_numpy())
    types = list(map(type, cells[present].tolist()))
    if len(set(types)) < 2:
        return None
    places: dict[tuple[type, Any], int] = {}
    codes = np.full(len(cells), -1, dtype=np.int64)
    codes[present] = [
        places.setdefault(pair, len(places))
        for pair in zip(types, cells[present].tolist(), strict=True)
    ]
    return codes, [value for _, value in places]
