"""Text of a value: how cells of a table and labels of a hierarchy are written and compared."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable
from numbers import Integral

import numpy as np
import pandas as pd

MISSING = "<missing>"
"""Label of a missing cell, a category of its own."""

TOP = "*"
"""Label of the top value of a hierarchy, and of every cell of a suppressed row."""

_NUMBER = re.compile(r"\s*[+-]?(\d+|(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?)\s*", re.ASCII)
_WHOLE_FLOATS = 2.0**53


def as_text(value: object) -> str:
    """Write one value that is not missing as the text of a label.

    Whole numbers have no decimal point whatever their type, and points in time at
    midnight are written as dates.

    Examples
    --------
    >>> as_text(39.0), as_text("39.0"), as_text(0.5), as_text(True)
    ('39', '39.0', '0.5', 'True')
    >>> import datetime
    >>> as_text(datetime.datetime(2014, 9, 3))
    '2014-09-03'
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, float | np.floating):
        # Beyond 2**53 a float stands for a range of integers, so its digits would mislead.
        is_whole = float(value).is_integer() and abs(float(value)) <= _WHOLE_FLOATS
        return str(int(value)) if is_whole else str(value)
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, datetime.datetime):
        is_midnight = value.time() == datetime.time(0) and not getattr(value, "nanosecond", 0)
        return value.date().isoformat() if is_midnight else value.isoformat(sep=" ")
    return str(value)


def is_missing(value: object) -> bool:
    """Whether a cell holds no value: None, NaN, NaT or NA."""
    return value is None or value is pd.NaT or value is pd.NA or value != value


def distinct(values: Iterable[object]) -> list[object]:
    """Values of a domain that are not missing, each once, in order of first appearance."""
    series = values if isinstance(values, pd.Series) else pd.Series(list(values), dtype=object)
    return list(series.dropna().unique())


def as_texts(values: Iterable[object], what: str) -> list[str]:
    """Write values as labels and refuse missing ones.

    Raises
    ------
    ValueError
        If a value is missing; `what` names the place in the message.
    """
    texts = []
    for position, value in enumerate(values):
        if is_missing(value):
            raise ValueError(
                f"{what}: expected a label, found a missing value at position {position} "
                f"(the label of missing cells is {MISSING!r})"
            )
        texts.append(as_text(value))
    return texts


def as_number(text: str) -> int | float | None:
    """Read a label as a finite number; None if it is not one.

    Examples
    --------
    >>> as_number("39"), as_number("39.0") == 39, as_number("[30,40)") is None
    (39, True, True)
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    try:
        number: int | float = int(text)
    except ValueError:
        number = float(text)
    return number if math.isfinite(number) else None
