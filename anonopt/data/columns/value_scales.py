"""Intervals and ends as text, over numbers, dates and values in an order of their own."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import TypeAlias

from anonopt.data.readings import read_number

Exact: TypeAlias = int | Decimal

_BRACKETS = re.compile(r"\s*([\[\](])(.*)([\])\[(])\s*", re.DOTALL)
_SIGNS = {
    "<=": ("<=", "≤", "up to", "at most"),
    ">=": (">=", "≥", "at least"),
    "<": ("<", "under", "below", "less than"),
    ">": (">", "over", "above", "more than"),
}
"""Signs of one end, and words that stand for them in front of it."""
_SIGN_OF = {word: sign for sign, words in _SIGNS.items() for word in words}
_FROM = ("+", "and over", "and above", "and more", "or over", "or above", "or more")
"""What stands behind the lower end of an interval without an upper one."""
_END = re.compile(
    rf"\s*({'|'.join(map(re.escape, _SIGN_OF))})\s*(.+?)\s*"
    rf"|\s*(.+?)\s*({'|'.join(map(re.escape, _FROM))})\s*",
    re.DOTALL,
)
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2}([ T]\d{2}(:\d{2}(:\d{2}(\.\d+)?)?)?)?)?)?", re.ASCII)
_OFFSET = re.compile(r"(?<=:\d\d)([+-]\d\d:\d\d|Z)$")
_WITHIN_BRACKETS = (",", ";", "..")
_WITHIN_RANGES = (" to ", "..", "–", "—", "~", "-")
_INFINITE = {"": 0, "inf": 1, "+inf": 1, "infinity": 1, "∞": 1, "+∞": 1}
_INFINITE |= {"-inf": -1, "-infinity": -1, "-∞": -1}
_LAST = "\U0010ffff"
"""Text that stands behind all others."""


class NumberScale:
    """Values that are distinct numbers in ascending order."""

    def __init__(self, keys: list[Exact]) -> None:
        self._keys = keys

    def is_value(self, text: str) -> bool:
        """Whether a text is a number."""
        return as_exact(text) is not None

    def run(self, low: str, low_in: bool, high: str, high_in: bool) -> tuple[int, int] | None:
        """Codes from one end to the other, None if an end is none."""
        ends: list[Exact | None] = []
        for text, side in ((low, -1), (high, 1)):
            infinite = _INFINITE.get(text.strip().lower())
            number = None if infinite is not None else as_exact(text)
            if infinite in (0, side):
                ends.append(None)
            elif number is None:
                return None
            else:
                ends.append(number)
        start, stop = 0, len(self._keys)
        if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
            return None
        if ends[0] is not None:
            start = (bisect_left if low_in else bisect_right)(self._keys, ends[0])
        if ends[1] is not None:
            stop = (bisect_right if high_in else bisect_left)(self._keys, ends[1])
        return start, stop


class DateScale:
    """Values that are ISO dates in ascending order; an end may be a day, a month or a year."""

    def __init__(self, keys: list[str]) -> None:
        self._keys = keys

    def is_value(self, text: str) -> bool:
        """Whether a text is a date."""
        return is_day(text)

    def run(self, low: str, low_in: bool, high: str, high_in: bool) -> tuple[int, int] | None:
        """Codes from one end to the other, None if an end is none."""
        first, last = _day(low), _day(high)
        start, stop = 0, len(self._keys)
        if (first is None and low.strip()) or (last is None and high.strip()):
            return None
        if first is not None:
            start = bisect_left(self._keys, first if low_in else first + _LAST)
        if last is not None:
            stop = bisect_left(self._keys, last + _LAST if high_in else last)
        return None if first is not None and last is not None and first > last else (start, stop)


class OrderScale:
    """Values in an order of their own: both ends are values."""

    def __init__(self, texts: list[str]) -> None:
        self._codes = {text: code for code, text in enumerate(texts)}

    def run(self, low: str, low_in: bool, high: str, high_in: bool) -> tuple[int, int] | None:
        """Codes from one end to the other, None if an end is none."""
        start, stop = 0, len(self._codes)
        if low.strip():
            if (code := self._codes.get(low.strip())) is None:
                return None
            start = code if low_in else code + 1
        if high.strip():
            if (code := self._codes.get(high.strip())) is None:
                return None
            stop = code + 1 if high_in else code
        return None if start > stop else (start, stop)


def scale_of(texts: list[str], *, is_ordinal: bool) -> NumberScale | DateScale | OrderScale | None:
    """Scale of values by code, None if they have no order.

    Parameters
    ----------
    texts : list of text
    is_ordinal : bool
        Whether their codes are in an order, which counts where they are no numbers or dates.
    """
    numbers = [as_exact(text) for text in texts]
    keys = [number for number in numbers if number is not None]
    if texts and len(keys) == len(texts) and all(a < b for a, b in pairwise(keys)):
        return NumberScale(keys)
    # Of points in time with a zone the days are those of their own clocks.
    local = [_OFFSET.sub("", text) for text in texts]
    days = [_day(text) or "" for text in local]
    if texts and all(map(is_day, local)) and sorted(days) == days:
        return DateScale(days)
    return OrderScale(texts) if is_ordinal else None


def as_exact(text: str) -> Exact | None:
    """Finite number that a text says, exactly; None if it says none.

    Examples
    --------
    >>> as_exact("0.1"), as_exact("1e3") == as_exact("1000"), as_exact("1/2"), as_exact("inf")
    (Decimal('0.1'), True, None, None)
    """
    number = read_number(text)
    is_infinite = isinstance(number, Decimal) and not number.is_finite()
    return None if is_infinite else number


def is_day(text: str) -> bool:
    """Whether a text is a date, or a point in time, of ISO 8601.

    Examples
    --------
    >>> is_day("2014-09-03"), is_day("2014-09-03 12:30"), is_day("2014-09")
    (True, True, False)
    """
    return len(_day(text) or "") >= len("2014-09-03")


def intervals(label: str) -> Iterator[tuple[str, bool, str, bool]]:
    """Ends of the intervals that a label can mean, and whether each end belongs to it."""
    if match := _BRACKETS.fullmatch(label):
        left, inner, right = match.groups()
        for low, high in _parts(inner, _WITHIN_BRACKETS):
            yield low, left == "[", high, right == "]"
        return
    if match := _END.fullmatch(label):
        word, end, least, _ = match.groups()
        sign = _SIGN_OF.get(word, "")
        if least is not None:
            yield least, True, "", True
        elif sign in ("<", "<="):
            yield "", True, end, sign == "<="
        else:
            yield end, sign == ">=", "", True
        return
    if _DATE.fullmatch(label.strip()):
        yield label, True, label, True
    for low, high in _parts(label, _WITHIN_RANGES):
        if low.strip() and high.strip():
            yield low, True, high, True


def _parts(text: str, separators: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A text in two, at each place of each separator."""
    for separator in separators:
        at = text.find(separator)
        while at >= 0:
            yield text[:at], text[at + len(separator) :]
            at = text.find(separator, at + 1)


def _day(text: str) -> str | None:
    """Date or period in the form that is compared, None if it is none."""
    found = text.strip()
    if not _DATE.fullmatch(found):
        return None
    return found.replace("T", " ").removesuffix(" 00:00:00")
