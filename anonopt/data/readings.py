"""What a text says: a number, a truth value or a point in time, read exactly or not at all."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal, InvalidOperation

_NUMBER = re.compile(r"\s*[+-]?(\d+|(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?)\s*", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_LEADING_ZERO = re.compile(r"\s*[+-]?0\d", re.ASCII)
_MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d(?::\d\d)?)?)?",
    re.ASCII,
)

MOST_DIGITS = 4300
"""Digits of a whole number that Python reads in one go; longer ones are read as decimals."""

MOST_EXPONENT = 4_000
"""Exponent of ten up to which a text says a number: 1e999999999 would be a billion digits."""

TRUTHS: dict[str, tuple[str, bool]] = {
    spelling(text): (style, text == "True")
    for style, spelling in {"Title": str.title, "lower": str.lower, "UPPER": str.upper}.items()
    for text in ("True", "False")
}
"""Texts of truth values, with their style: the texts of one column share it."""


def read_number(text: str) -> int | Decimal | None:
    """Read a text as the number it says, exactly; None if it says none.

    Whole numbers are of any size; infinite ones count as numbers.

    Examples
    --------
    >>> read_number("39"), read_number("39.50"), read_number("-inf"), read_number("[30,40)")
    (39, Decimal('39.50'), Decimal('-Infinity'), None)
    """
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text)
    if text[:1].isalpha() and text[0] not in "iI":
        return None
    match = _NUMBER.fullmatch(text)
    if match is None:
        return Decimal(text) if _INFINITE.fullmatch(text) else None
    stripped = text.strip()
    # The second group is that of numbers with a point or an exponent.
    if match[2] is None and len(stripped) <= MOST_DIGITS:
        return int(stripped)
    try:
        number = Decimal(stripped)
    except InvalidOperation:
        # An exponent that no decimal has.
        return None
    has_exponent = "e" in stripped.lower()
    return None if has_exponent and abs(number.adjusted()) > MOST_EXPONENT else number


def has_leading_zero(text: str) -> bool:
    """Whether a text of a number starts with a zero that a number would not have: a code.

    Examples
    --------
    >>> has_leading_zero("007"), has_leading_zero("0.7"), has_leading_zero("0")
    (True, False, False)
    """
    return _LEADING_ZERO.match(text) is not None


def read_moment(text: str) -> tuple[bool, int] | None:
    """Read a date or a point in time in ISO 8601, to the nanosecond.

    Returns
    -------
    (is_aware, nanoseconds) or None
        Whether the text names an offset from UTC, and the nanoseconds since the first day of the
        calendar, in UTC if it does.

    Examples
    --------
    >>> read_moment("2014-09-03") == read_moment("2014-09-03 00:00:00")
    True
    >>> read_moment("2014-09-03T02:00+02:00") == read_moment("2014-09-03 00:00:00Z")
    True
    >>> read_moment("2014-13-03") is None
    True
    """
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, offset = match.groups()
    try:
        moment = datetime.datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0)
        )
    except ValueError:
        return None
    return offset is not None, nanoseconds(moment, int((fraction or "").ljust(9, "0"))) - (
        _offset_seconds(offset or "Z") * 10**9
    )


def nanoseconds(moment: datetime.datetime, fraction: int) -> int:
    """Nanoseconds since the first day of the calendar; `fraction` is the part of a second."""
    seconds = (moment.hour * 60 + moment.minute) * 60 + moment.second
    try:
        day = moment.toordinal()
    except NotImplementedError as error:
        raise ValueError(
            f"expected days of the years 1 to 9999, found the year {moment.year}"
        ) from error
    return (day * 86_400 + seconds) * 10**9 + fraction


def _offset_seconds(offset: str) -> int:
    if offset == "Z":
        return 0
    digits = offset[1:].replace(":", "").ljust(6, "0")
    seconds = (int(digits[:2]) * 60 + int(digits[2:4])) * 60 + int(digits[4:6])
    return -seconds if offset[0] == "-" else seconds
