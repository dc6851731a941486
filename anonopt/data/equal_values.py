"""Equal values of columns: which cells of one or several columns hold the same value.

A value has a key, and equal values have equal keys. What a text is equal to depends on the columns
that are compared, so keys are made for all of them at once; the rules are those of
:mod:`anonopt.data.values`. Keys are made of distinct values, so their time does not grow with the
rows, and they do not depend on the order of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from anonopt._typing import IntArray
from anonopt.data.column_values import ColumnValues, Key
from anonopt.data.float_numbers import settle_floats
from anonopt.data.readings import has_leading_zero, read_number
from anonopt.data.values import TOP, Kind, as_text, key_of

READINGS: dict[Kind, Callable[[ColumnValues], dict[str, Key] | None]] = {
    "number": lambda column: column.numbers,
    "truth value": lambda column: column.truths,
    "date": lambda column: column.dates,
    "instant": lambda column: column.instants,
}
"""How all texts of a column are read as values of a kind; None if they cannot be."""


def equal_keys(
    name: Hashable, *columns: ColumnValues, is_lookup: bool = False
) -> tuple[list[Key], ...]:
    """Keys of the values of columns, equal for equal values.

    Parameters
    ----------
    name : column
        For messages.
    *columns : ColumnValues
        Columns, lists of labels, orders: whatever values of `name` are looked up in.
    is_lookup : bool
        Whether the caller refuses values that equal none of the others, and names them: then
        text that is of no type of the others is no error here.

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
    >>> numbers = ColumnValues.of_list([39, 40.5], "numbers")
    >>> equal_keys("age", numbers, ColumnValues.of_list(["40.50", "39.0"], "text"))
    ([39, Decimal('40.5')], [Decimal('40.50'), 39])
    """
    kinds = _shared_kinds(name, columns)
    if kinds == {"number"} and all(column.is_plain for column in columns):
        keys: tuple[list[Key], ...] = tuple(column.values for column in columns)
    else:
        read = _reading(name, kinds, columns)
        if read is None:
            keys = _keys_by_text(name, columns, is_lookup=is_lookup)
        else:
            try:
                keys = tuple(_keys(column, read(column) or {}) for column in columns)
            except ValueError as error:
                raise ValueError(f"column {name!r}: {error}") from error
    if kinds == {"number"}:
        return settle_floats(name, columns, keys)
    return keys


def distinct_codes(
    name: Hashable, column: ColumnValues, other: ColumnValues | None = None
) -> tuple[IntArray, int]:
    """Number the different values of a column, in the order in which they occur.

    Parameters
    ----------
    name : column
        For messages.
    column : ColumnValues of n_rows
        Missing cells are a value, with the last number.
    other : ColumnValues of n_cells, optional
        A column whose cells get the numbers of `column`.

    Returns
    -------
    codes : int64 array (n_rows,), or (n_cells,) with `other`
        A cell of `other` that is none of the values has the number `n_values`.
    n_values : int

    Examples
    --------
    >>> distinct_codes("age", ColumnValues.of_list([39, "39.0", 21], "cells"))
    (array([0, 0, 1]), 2)
    """
    keys, *others = equal_keys(name, *filter(None, (column, other)), is_lookup=True)
    numbers: dict[Key, int] = {}
    for key in keys:
        numbers.setdefault(key, len(numbers))
    n_values = len(numbers) + column.has_missing
    missing = len(numbers)
    wanted, cells = (keys, column) if other is None else (others[0], other)
    codes = [*(numbers.get(key, n_values) for key in wanted), missing]
    return np.array(codes, dtype=np.int64)[cells.codes], n_values


def _keys(column: ColumnValues, readings: dict[str, Key]) -> list[Key]:
    if column.types <= {int}:
        return column.values
    if column.types <= {str}:
        return [readings.get(text, text) for text in column.values] if readings else column.values
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
    largest = max((column.text_set for column in written), key=len, default=frozenset())
    is_told = not kinds and all(largest >= column.text_set for column in written)
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


def _keys_by_text(
    name: Hashable, columns: Sequence[ColumnValues], *, is_lookup: bool
) -> tuple[list[Key], ...]:
    """Keys where text stays text, and equals the text of a value of another kind.

    Raises
    ------
    ValueError
        If a text may be another spelling of a value.
    """
    if not is_lookup:
        _check_texts(name, columns)
    values = [
        value
        for column in columns
        if column.kinds
        for value in column.values
        if not isinstance(value, str)
    ]
    written = {as_text(value): key_of(value) for value in values}
    keys = tuple(_keys(column, written) for column in columns)
    known = set(written.values())
    for column, own in zip(columns, keys, strict=True):
        others = [other for other in columns if other.kinds and not column.kinds]
        # Text beside values in one column was told apart by whoever made the column.
        if column.texts and others:
            doubt = _doubt(column, own, others[0], known, is_lookup=is_lookup)
            if doubt is not None:
                raise _refusal(name, others[0].found, f"{column.found}, {doubt}")
    return keys


def _doubt(
    column: ColumnValues,
    keys: Sequence[Key],
    other: ColumnValues,
    known: set[Key],
    *,
    is_lookup: bool,
) -> str | None:
    """Text of a column that may be another spelling of a value, None if there is none."""
    unread = [key for key in keys if isinstance(key, str) and key != TOP]
    if other.kinds == {"number"}:
        if column.is_codes:
            return f"which holds codes, {_spelling(column)}"
        numbers = {text: read_number(text) for text in column.texts}
        if is_lookup or any(number is not None for number in numbers.values()):
            unread = [text for text in unread if numbers[text] in known]
    elif is_lookup or known <= set(keys):
        # Every value has its text, so what is left is other text.
        return None
    return f"with the text {min(unread)!r}" if unread else None


def _check_texts(name: Hashable, columns: Sequence[ColumnValues]) -> None:
    """Raise for text of one kind in a column, and of another in another."""
    owners: dict[Kind, ColumnValues] = {}
    for column in columns:
        if column.texts and not column.kinds:
            kind = next((kind for kind, read in READINGS.items() if read(column) is not None), None)
            if kind is not None:
                owners.setdefault(kind, column)
    if len(owners) > 1:
        (first, one), (second, other) = list(owners.items())[:2]
        raise _refusal(
            name, f"{one.found} (text of {first}s)", f"{other.found} (text of {second}s)"
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
