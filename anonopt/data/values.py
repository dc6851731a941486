"""Values: how cells of a table and labels of a hierarchy are written, and when they are equal.

One notion of equality holds wherever values meet: hierarchies, roles, masked columns, orders,
labels of matrices, compared files (:mod:`anonopt.data.equal_values` applies it to columns).

- **Numbers** are equal if they are the same number, exactly, whatever their type: 39, 39.0,
  ``Decimal("39.00")``, a nullable and an arrow 39 are one value. Nothing is rounded: whole numbers
  are exact at any size, and a float that several numbers of the other column would be rounded to is
  refused. A float that is not whole stands for its shortest decimal: 0.1 is one tenth.
- **Text of numbers** is a number where all of a column is: "39" and "39.0" are 39. A column with
  leading zeros ("007") or with several spellings of a number ("1.1" and "1.10") holds **codes**:
  text, that equals no number; beside a column of numbers it is refused.
- **Truth values** equal text "True", "true" or "TRUE", where a column keeps to one style, and
  nothing else; beside numbers they are refused.
- **Points in time** are equal if they are the same nanosecond: a date is its midnight, text counts
  if it is ISO 8601. Those with a time zone are equal by instant, and are refused beside those
  without one.
- Anything else (durations, periods, intervals) equals values of its own kind, and its text.
- **Missing** cells, None, NaN, NaT, NA, null, and the text ``<missing>``, are one value.

Two types that leave room for a guess are an error that names the column and both.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Iterable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cache
from numbers import Integral
from typing import Any, cast

import numpy as np
import pandas as pd

from anonopt.data.readings import MOST_DIGITS, nanoseconds, read_number

MISSING = "<missing>"
"""Label of a missing cell, a category of its own."""

TOP = "*"
"""Label of the top value of a hierarchy, and of every cell of a suppressed row."""

WHOLE_FLOATS = 2**53
"""Up to here every whole number is a float."""

Kind = str
"""What a value is: "text", "number", "truth value", "date", "instant", or the name of its type."""

_LONGEST_EXPONENT = 400
_KINDS: dict[Kind, tuple[type, ...]] = {
    "text": (str,),
    "truth value": (bool, np.bool_),
    # Before numbers: to numpy a duration is a whole number.
    "duration": (datetime.timedelta, np.timedelta64),
    "number": (Integral, float, np.floating, Decimal, Fraction),
    "date": (datetime.date, np.datetime64),
}

_DECIMALS_ONLY = 10**MOST_DIGITS


def as_text(value: object) -> str:
    """Write one value that is not missing as the text of a label.

    Equal numbers have one text whatever their type: whole ones have no decimal point, decimals no
    zeros at their end. Points in time at midnight are written as dates, unless they have a time
    zone.

    Examples
    --------
    >>> as_text(39.0), as_text("39.0"), as_text(0.5), as_text(True)
    ('39', '39.0', '0.5', 'True')
    >>> as_text(Decimal("39.00")), as_text(Decimal("0.50"))
    ('39', '0.5')
    >>> import datetime
    >>> as_text(datetime.datetime(2014, 9, 3))
    '2014-09-03'
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, Integral):
        return _whole_text(int(value))
    if isinstance(value, float | np.floating):
        # Beyond 2**53 a float stands for a range of integers, so its digits would mislead.
        is_whole = float(value).is_integer() and abs(float(value)) <= WHOLE_FLOATS
        return str(int(value)) if is_whole else str(value)
    if isinstance(value, Decimal | Fraction):
        return _decimal_text(value)
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, datetime.datetime):
        is_midnight = value.time() == datetime.time(0) and not getattr(value, "nanosecond", 0)
        is_date = is_midnight and value.tzinfo is None
        return value.date().isoformat() if is_date else value.isoformat(sep=" ")
    return str(value)


def _whole_text(number: int) -> str:
    # Python writes very long integers as decimals only.
    return str(number) if abs(number) < _DECIMALS_ONLY else str(Decimal(number))


def _decimal_text(number: Decimal | Fraction) -> str:
    if isinstance(number, Fraction):
        exact = _terminating(number)
        return str(number) if exact is None else _decimal_text(exact)
    if not number.is_finite() or abs(number.adjusted()) > _LONGEST_EXPONENT:
        return str(number).replace("Infinity", "inf")
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def _terminating(number: Fraction) -> Decimal | None:
    """A fraction as a decimal, if it is one."""
    rest, places = number.denominator, 0
    while rest % 10 == 0 or rest % 5 == 0 or rest % 2 == 0:
        rest //= next(factor for factor in (10, 5, 2) if rest % factor == 0)
        places += 1
    if rest != 1:
        return None
    digits = number.numerator * 10**places // number.denominator
    return Decimal(digits).scaleb(-places, Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN))


def kind_of(value: object) -> Kind:
    """Kind of a value that is not missing.

    Examples
    --------
    >>> kind_of(True), kind_of(np.float32(1)), kind_of(pd.Timestamp("2014-09-03", tz="UTC"))
    ('truth value', 'number', 'instant')
    """
    cls: Any = type(value)
    kind = kind_of_type(cls)
    if kind == "date" and getattr(value, "tzinfo", None) is not None:
        return "instant"
    return kind


@cache
def kind_of_type(cls: Any) -> Kind:
    """Kind of the values of a type; that of instants is "date" here."""
    name: str = cls.__name__
    return next((kind for kind, types in _KINDS.items() if issubclass(cls, types)), name)


def key_of(value: object) -> Hashable:
    """What is the same for equal values of one kind, and differs for all others.

    Examples
    --------
    >>> key_of(39.0) == key_of(Decimal("39.00")) == 39
    True
    >>> key_of(2.0**53) == key_of(2**53 + 1)
    False
    """
    kind = kind_of(value)
    if kind == "text":
        return str(value)
    if kind == "number":
        return number_key(value)
    if kind == "truth value":
        return kind, bool(value)
    if kind in ("date", "instant"):
        return kind, _moment_key(value)
    if kind == "duration":
        return kind, pd.Timedelta(value)  # type: ignore[arg-type]
    return kind, value


def number_key(value: object) -> int | Decimal | Fraction:
    """A number without what its type would round: an int if it is whole."""
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, float | np.floating):
        number = float(value)
        return int(number) if number.is_integer() else Decimal(str(value))
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else value
    return _whole_or_decimal(value)  # type: ignore[arg-type]


def _whole_or_decimal(number: Decimal) -> int | Decimal:
    if not number.is_finite() or number.adjusted() > MOST_DIGITS:
        return number
    return int(number) if number == number.to_integral_value() else number


def _moment_key(value: Any) -> int:
    """Nanoseconds since the first day of the calendar, in UTC if the zone is known."""
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    fraction = value.microsecond * 1000 + getattr(value, "nanosecond", 0)
    offset = value.utcoffset()
    shift = 0 if offset is None else (offset.days * 86_400 + offset.seconds) * 10**9
    return nanoseconds(value, fraction) - shift


def is_missing(value: object) -> bool:
    """Whether a cell holds no value: None, NaN, NaT or NA."""
    return value is None or value is pd.NaT or value is pd.NA or value != value


def distinct(values: Iterable[object]) -> list[object]:
    """Values of a domain that are not missing, each once, in order of first appearance."""
    series = values if isinstance(values, pd.Series) else pd.Series(list(values), dtype=object)
    return [value for value in series.dropna().unique() if not is_missing(value)]


def as_texts(values: Iterable[object], what: str) -> list[str]:
    """Write values as labels and refuse missing ones.

    Raises
    ------
    ValueError
        If a value is missing; `what` names the place in the message.
    """
    given = list(values)
    if set(map(type, given)) == {str}:
        return cast(list[str], given)
    texts = []
    for position, value in enumerate(given):
        if is_missing(value):
            raise ValueError(
                f"{what}: expected a label, found a missing value at position {position} "
                f"(the label of missing cells is {MISSING!r})"
            )
        texts.append(as_text(value))
    return texts


def as_number(text: str) -> int | float | None:
    """Read a label as a finite number, the nearest float unless it is whole; None if it is none.

    Examples
    --------
    >>> as_number("39"), as_number("39.0") == 39, as_number("[30,40)") is None
    (39, True, True)
    """
    number = read_number(text)
    if number is None or isinstance(number, int):
        return number
    nearest = float(text)
    return nearest if math.isfinite(nearest) else None
