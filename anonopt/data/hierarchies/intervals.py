"""Intervals of numbers: levels of a hierarchy from a base width and fan-outs.

All edges are computed with exact fractions, so that 0.3 lies in [0.3,0.4) for a width of 0.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from anonopt._checks import check_integer
from anonopt.data.values import TOP, as_number, as_text, distinct

Number = int | float | Decimal | Fraction


class Bounds(NamedTuple):
    """Declared range ``low <= value < high``, as text too, and whether values outside are coded."""

    low: Fraction | None
    high: Fraction | None
    bottom_code: bool
    top_code: bool
    declared: str

    @classmethod
    def of(
        cls, low: Number | None, high: Number | None, *, bottom_code: bool, top_code: bool
    ) -> Bounds:
        """Checked bounds."""
        lowest = None if low is None else exact(low, "low")
        highest = None if high is None else exact(high, "high")
        if lowest is not None and highest is not None and lowest >= highest:
            raise ValueError(f"low, high: expected low < high, found {low!r} and {high!r}")
        if bottom_code and lowest is None:
            raise ValueError("bottom_code: expected low, the bound that is coded, found None")
        if top_code and highest is None:
            raise ValueError("top_code: expected high, the bound that is coded, found None")
        return cls(lowest, highest, bottom_code, top_code, f"[{low},{high})")


def interval_levels(
    values: Iterable[object], width: Number, anchor: Number, fan_outs: Sequence[int], bounds: Bounds
) -> list[list[str]]:
    """Levels of :meth:`anonopt.Hierarchy.intervals`, the values in rising order."""
    base = exact(width, "width")
    start = exact(anchor, "anchor")
    if base <= 0:
        raise ValueError(f"width: expected a number above 0, found {width!r}")
    texts = _read_values(values)
    numbers = sorted(texts)
    _check_range(numbers, texts, bounds)
    denominators = {number.denominator for number in numbers}
    decimals = max((_decimals(Fraction(1, one)) or 0 for one in denominators), default=0)
    levels = [[texts[number] for number in numbers]]
    span = base
    for fan_out in (1, *(check_integer("fan_outs", fan_out, least=2) for fan_out in fan_outs)):
        span *= fan_out
        levels.append(_label_intervals(numbers, start, span, bounds, decimals))
    levels.append([TOP] * len(numbers))
    return levels


def exact(value: object, what: str) -> Fraction:
    """Read a number as the fraction its text says, so 0.1 is one tenth.

    Examples
    --------
    >>> exact(0.1, "width")
    Fraction(1, 10)
    """
    if isinstance(value, Fraction):
        return value
    text = as_text(value)
    if isinstance(value, bool) or as_number(text) is None:
        raise ValueError(f"{what}: expected a finite number, found {value!r}")
    return Fraction(text.strip())


def _read_values(values: Iterable[object]) -> dict[Fraction | int, str]:
    """Text of each distinct number; missing values are left to the leaf of their own."""
    texts: dict[Fraction | int, str] = {}
    for value in distinct(values):
        text = as_text(value)
        number = int(value) if isinstance(value, np.integer) else as_number(text)
        key = number if isinstance(number, int) else exact(value, "values")
        texts.setdefault(key, text)
    return texts


def _check_range(
    numbers: Sequence[Fraction | int], texts: Mapping[Fraction | int, str], bounds: Bounds
) -> None:
    """Raise for the extreme values outside a bound that is not coded."""
    if not numbers:
        return
    if bounds.low is not None and not bounds.bottom_code and numbers[0] < bounds.low:
        wrong = numbers[0]
    elif bounds.high is not None and not bounds.top_code and numbers[-1] >= bounds.high:
        wrong = numbers[-1]
    else:
        return
    raise ValueError(
        f"values: expected numbers in the declared range {bounds.declared}, found {texts[wrong]} "
        f"(set bottom_code or top_code to code values outside)"
    )


def _label_intervals(
    numbers: Sequence[Fraction | int],
    anchor: Fraction,
    span: Fraction,
    bounds: Bounds,
    decimals: int,
) -> list[str]:
    """Label of the interval or code of each number."""
    # Whole multiples of 1/scale: integer division is exact and far faster than fractions.
    scale = math.lcm(anchor.denominator, span.denominator, 10**decimals)
    origin, step = int(anchor * scale), int(span * scale)
    codes: dict[int, str] = {}
    labels = []
    low = bounds.low if bounds.bottom_code else None
    high = bounds.high if bounds.top_code else None
    for number in numbers:
        if low is not None and number < low:
            labels.append(f"<{_edge_text(low, decimals)}")
        elif high is not None and number >= high:
            labels.append(f">={_edge_text(high, decimals)}")
        else:
            interval = (int(number * scale) - origin) // step
            if interval not in codes:
                codes[interval] = _interval_text(
                    anchor + interval * span, anchor + (interval + 1) * span, bounds, decimals
                )
            labels.append(codes[interval])
    return labels


def _interval_text(start: Fraction, end: Fraction, bounds: Bounds, decimals: int) -> str:
    """``[start,end)``, cut where a code takes over."""
    if bounds.bottom_code and bounds.low is not None:
        start = max(start, bounds.low)
    if bounds.top_code and bounds.high is not None:
        end = min(end, bounds.high)
    return f"[{_edge_text(start, decimals)},{_edge_text(end, decimals)})"


def _edge_text(edge: Fraction, decimals: int) -> str:
    """Exact decimal text of an edge.

    An edge without one, such as 1/3, is rounded up to the last decimal place of the values,
    which leaves every value on its own side of the edge.
    """
    places = _decimals(edge)
    if places is None:
        places = decimals
    scaled = math.ceil(edge * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def _decimals(number: Fraction | int) -> int | None:
    """Decimal places of a number, None if they never end."""
    denominator = number.denominator
    powers = []
    for prime in (2, 5):
        power = 0
        while denominator % prime == 0:
            denominator //= prime
            power += 1
        powers.append(power)
    return max(powers) if denominator == 1 else None
