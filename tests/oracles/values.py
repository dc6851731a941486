"""Equality of values by the rules of `anonopt.data.values`, cell by cell and without tricks."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class RefusedError(ValueError):
    """Two columns cannot be compared without guessing."""


def equal_cells(one: list[Any], other: list[Any]) -> list[list[bool]]:
    """Whether each cell of the one column is equal to each of the other."""
    columns = with_floats_told((one, other))
    one, other = columns
    kinds = {kind_of(cell) for column in columns for cell in column} - {"text"}
    if len(kinds) > 1:
        raise RefusedError(kinds)
    (kind,) = kinds or {None}
    readings = [kind] if kind else ["number", "truth", "date", "instant"]
    for reading in readings:
        read = [reading_of(column, reading) for column in columns]
        if None not in read:
            return [[a == b for b in read[1]] for a in read[0]]
    refuse_texts(columns, kind)
    return [[equal_beside_text(a, b) for b in other] for a in one]


def kind_of(cell: Any) -> str:
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, bool):
        return "truth"
    if isinstance(cell, int | float | Decimal | Fraction):
        return "number"
    if isinstance(cell, datetime.datetime):
        return "instant" if cell.tzinfo else "date"
    return "date"


def texts_of(column: list[Any]) -> set[str]:
    return {cell for cell in column if isinstance(cell, str)}


def reading_of(column: list[Any], kind: str) -> list[Any] | None:
    """What the cells are if all texts are of a kind; None if they are not."""
    texts = texts_of(column)
    read = {text: reading_of_text(text, kind) for text in texts}
    if None in read.values():
        return None
    if kind == "number":
        twice = any(read[a] == read[b] for a, b in combinations(texts, 2))
        if twice or any(re.match(r"[+-]?0\d", text) for text in texts):
            return None
    if kind == "truth":
        styles = (str.title, str.lower, str.upper)
        if texts and not any(all(style(t) == t for t in texts) for style in styles):
            return None
    return [read[cell] if isinstance(cell, str) else value_of(cell) for cell in column]


def reading_of_text(text: str, kind: str) -> Any:
    if kind == "number":
        return Fraction(text) if NUMBER.fullmatch(text) else None
    if kind == "truth":
        truths = {
            style(t): t == "True"
            for t in ("True", "False")
            for style in (str.title, str.lower, str.upper)
        }
        return truths.get(text)
    if kind in ("date", "instant") and re.match(r"\d{4}-\d\d-\d\d", text):
        moment = datetime.datetime.fromisoformat(text)
        return moment if (moment.tzinfo is not None) == (kind == "instant") else None
    return None


def value_of(cell: Any) -> Any:
    if isinstance(cell, float):
        return Fraction(cell) if cell.is_integer() else Fraction(repr(cell))
    if isinstance(cell, int | Decimal | Fraction) and not isinstance(cell, bool):
        return Fraction(cell)
    if isinstance(cell, datetime.date) and not isinstance(cell, datetime.datetime):
        return datetime.datetime(cell.year, cell.month, cell.day)
    return cell


def with_floats_told(columns: tuple[list[Any], list[Any]]) -> tuple[list[Any], list[Any]]:
    """Columns where a float is the number of its shortest decimal, if one of them holds that.

    A number that a float may have been rounded from, and is neither of the two, is refused.
    """
    cells = [cell for column in columns for cell in column if kind_of(cell) == "number"]
    exact = {Fraction(cell) for cell in cells if not isinstance(cell, float)}
    if cells and all(reading_of(column, "number") is not None for column in columns):
        exact |= {Fraction(text) for column in columns for text in texts_of(column)}

    def told(cell: Any) -> Any:
        near = {number for number in exact if isinstance(cell, float) and float(number) == cell}
        if not near or near == {value_of(cell)}:
            return cell
        if near != {Fraction(repr(cell))}:
            raise RefusedError(cell)
        return Fraction(repr(cell))

    one, other = ([told(cell) for cell in column] for column in columns)
    return one, other


def refuse_texts(columns: tuple[list[Any], ...], kind: str | None) -> None:
    """Text that may be another spelling of a value of the other column, or is of another kind."""
    apparent = {
        next((k for k in ("number", "truth", "date", "instant") if reading_of(column, k)), None)
        for column in columns
        if column and texts_of(column) == set(column)
    }
    if len(apparent - {None}) > 1:
        raise RefusedError(apparent)
    for column, other in (columns, columns[::-1]):
        if kind is None or not texts_of(column) or texts_of(column) != set(column):
            continue
        values = [cell for cell in other + column if not isinstance(cell, str)]
        written = {text_of(value) for value in values}
        unread = texts_of(column) - written
        if kind == "number":
            numbers = {text: reading_of_text(text, kind) for text in texts_of(column)}
            is_codes = reading_of(column, kind) is None and None not in numbers.values()
            doubtful = is_codes
            doubtful |= any(numbers[text] in map(value_of, values) for text in unread)
            doubtful |= bool(unread) and set(numbers.values()) == {None}
        else:
            doubtful = bool(unread) and not written <= texts_of(column)
        if doubtful:
            raise RefusedError(unread)


def equal_beside_text(a: Any, b: Any) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        return a == b
    if isinstance(a, str) or isinstance(b, str):
        return text_of(a) == text_of(b)
    return bool(value_of(a) == value_of(b))


def text_of(cell: Any) -> str:
    value = value_of(cell)
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else repr(float(value))
    if isinstance(value, datetime.datetime) and not value.tzinfo:
        midnight = value.time() == datetime.time(0)
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    return value.isoformat(sep=" ") if isinstance(value, datetime.datetime) else str(value)
