"""Dates: levels of a hierarchy from days to months, years and decades."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import pandas as pd

from anonopt.data.values import TOP, as_text, distinct

Unit = Literal["day", "month", "year", "decade"]

UNITS: tuple[Unit, ...] = ("day", "month", "year", "decade")
"""Units of the levels, finest first; each refines the next."""


def date_levels(
    values: Iterable[object], *, levels: Sequence[Unit], text_format: str
) -> list[list[str]]:
    """Levels of :meth:`anonopt.Hierarchy.dates`, the days in rising order."""
    _check_units(levels)
    texts: dict[datetime.date, str] = {}
    for value in distinct(values):
        day = _read_day(value, text_format)
        text = as_text(value)
        if texts.setdefault(day, text) != text:
            raise ValueError(
                f"values: expected one text a day, found {texts[day]!r} and {text!r} for {day}"
            )
    days = sorted(texts)
    above = [[_period(day, unit) for day in days] for unit in levels[1:]]
    return [[texts[day] for day in days], *above, [TOP] * len(days)]


def _check_units(levels: Sequence[Unit]) -> None:
    ranks = [UNITS.index(unit) for unit in levels if unit in UNITS]
    is_rising = len(ranks) == len(levels) and ranks == sorted(set(ranks))
    if not is_rising or ranks[:1] != [0]:
        raise ValueError(
            f"levels: expected 'day' and then any of 'month', 'year', 'decade' in this order, "
            f"found {list(levels)}"
        )


def _read_day(value: object, text_format: str) -> datetime.date:
    """Day of a value; text is read by its format."""
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, str):
        try:
            moment = datetime.datetime.strptime(value, text_format)
        except (ValueError, re.error) as error:
            # The latter where the format names one part of the date twice.
            raise ValueError(
                f"values: expected dates of the format {text_format!r}, found {value!r} "
                f"(the option format names another, such as '%d.%m.%Y')"
            ) from error
    elif isinstance(value, datetime.datetime):
        moment = value
    elif isinstance(value, datetime.date):
        return value
    else:
        raise ValueError(f"values: expected dates or text, found {value!r}")
    fraction = moment.nanosecond if isinstance(moment, pd.Timestamp) else 0
    if moment.time() != datetime.time(0) or fraction:
        raise ValueError(
            f"values: expected dates without a time of day, found {as_text(value)!r} "
            f"(round them to days first)"
        )
    return moment.date()


def _period(day: datetime.date, unit: Unit) -> str:
    """Label of the month, year or decade of a day."""
    if unit == "month":
        return f"{day.year:04d}-{day.month:02d}"
    if unit == "year":
        return f"{day.year:04d}"
    first = day.year // 10 * 10
    return f"{first:04d}-{first + 9:04d}"
