"""The same values in every type and spelling that a column may have them in."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

NUMBERS = [21, 34, 55, 68, 34, 21, 55, 21]
HALVES = [0.5, 1.25, 2.0, 1.25, 0.5, 3.75, 2.0, 0.5]
TRUTHS = [True, False, True, True, False, False, True, False]
DAYS = ["2014-09-03", "2014-10-03", "2014-09-30", "2014-09-03", "2015-01-01"]
LARGE = [10**16 + n for n in (1, 3, 1, 0, 5)]
WORDS = ["low", "mid", "high", "mid", "low"]

Column = Callable[[], "pd.Series[Any]"]


def _arrow(values: list[Any], name: str) -> pd.Series[Any]:
    return pd.Series(values, dtype=f"{name}[pyarrow]")


def _numbers(values: list[Any], decimals: str) -> dict[str, Column]:
    texts = [str(value) for value in values]
    return {
        "float64": lambda: pd.Series(values, dtype=np.float64),
        "float32": lambda: pd.Series(values, dtype=np.float32),
        "Float64": lambda: pd.Series(values, dtype="Float64"),
        "text": lambda: pd.Series(texts, dtype="str"),
        "string": lambda: pd.Series(texts, dtype="string"),
        "text of decimals": lambda: pd.Series([f"{Decimal(text):.2f}" for text in texts]),
        "Decimal": lambda: pd.Series([Decimal(text + decimals) for text in texts]),
        "Fraction": lambda: pd.Series([Fraction(text) for text in texts], dtype=object),
        "objects": lambda: pd.Series(values, dtype=object),
        "several types": lambda: pd.Series(
            [(float, str, Decimal, Fraction)[i % 4](value) for i, value in enumerate(values)],
            dtype=object,
        ),
        "category": lambda: pd.Series(values, dtype="category"),
        "ordered text": lambda: pd.Series(
            pd.Categorical(texts, sorted(set(texts), key=float), ordered=True)
        ),
        "arrow double": lambda: _arrow(values, "double"),
        "arrow float": lambda: _arrow(values, "float"),
    }


def _wholes(values: list[int], decimals: str = ".00") -> dict[str, Column]:
    small: dict[str, Column] = {
        kind: lambda kind=kind: pd.Series(values, dtype=kind)  # type: ignore[misc]
        for kind in ("int64", "int8", "uint64", "Int64")
    }
    return {
        **small,
        **_numbers(values, decimals),
        "category of floats": lambda: pd.Series(values, dtype=float).astype("category"),
        "arrow int": lambda: _arrow(values, "int64"),
    }


def _large() -> dict[str, Column]:
    return {
        "int64": lambda: pd.Series(LARGE),
        "uint64": lambda: pd.Series(LARGE, dtype="uint64"),
        "Int64": lambda: pd.Series(LARGE, dtype="Int64"),
        "objects": lambda: pd.Series(LARGE, dtype=object),
        "Decimal": lambda: pd.Series([Decimal(n) for n in LARGE]),
        "text": lambda: pd.Series(list(map(str, LARGE))),
        "category": lambda: pd.Series(LARGE, dtype="category"),
        "arrow": lambda: _arrow(LARGE, "int64"),
        "float64": lambda: pd.Series(LARGE, dtype=float),
    }


def _truths() -> dict[str, Column]:
    return {
        "bool": lambda: pd.Series(TRUTHS),
        "boolean": lambda: pd.Series(TRUTHS, dtype="boolean"),
        "objects": lambda: pd.Series(TRUTHS, dtype=object),
        "text": lambda: pd.Series(list(map(str, TRUTHS))),
        "lower": lambda: pd.Series([str(truth).lower() for truth in TRUTHS]),
        "UPPER": lambda: pd.Series([str(truth).upper() for truth in TRUTHS]),
        "category": lambda: pd.Series(TRUTHS, dtype="category"),
        "arrow": lambda: _arrow(TRUTHS, "bool"),
        "int64": lambda: pd.Series(TRUTHS).astype(int),
        "text of numbers": lambda: pd.Series(TRUTHS).astype(int).astype(str),
    }


def _days() -> dict[str, Column]:
    def days() -> pd.Series[Any]:
        return pd.Series(pd.to_datetime(DAYS))

    return {
        "datetime64": days,
        "nanoseconds": lambda: days().astype("datetime64[ns]"),
        "seconds": lambda: days().astype("datetime64[s]"),
        "text": lambda: pd.Series(DAYS),
        "text of midnights": lambda: pd.Series([f"{day} 00:00:00" for day in DAYS]),
        "ISO text": lambda: pd.Series([f"{day}T00:00" for day in DAYS]),
        "date": lambda: pd.Series([datetime.date.fromisoformat(day) for day in DAYS]),
        "datetime": lambda: pd.Series(list(map(datetime.datetime.fromisoformat, DAYS)), dtype="O"),
        "numpy": lambda: pd.Series([np.datetime64(day) for day in DAYS], dtype=object),
        "category": lambda: days().astype("category"),
        "arrow timestamp": lambda: days().astype("timestamp[ns][pyarrow]"),
        "arrow date": lambda: days().dt.date.astype("date32[pyarrow]"),
        "UTC": lambda: days().dt.tz_localize("UTC"),
        "Tokyo": lambda: days().dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
        "text of UTC": lambda: days().dt.tz_localize("UTC").astype(str),
        "period": lambda: days().dt.to_period("D"),
        "duration": lambda: days() - pd.Timestamp("2014-01-01"),
        "int64": lambda: days().astype("int64"),
    }


def _words() -> dict[str, Column]:
    return {
        "text": lambda: pd.Series(WORDS),
        "objects": lambda: pd.Series(WORDS, dtype=object),
        "string": lambda: pd.Series(WORDS, dtype="string"),
        "category": lambda: pd.Series(WORDS, dtype="category"),
        "ordered category": lambda: pd.Series(pd.Categorical(WORDS, sorted(set(WORDS)), True)),
        "arrow": lambda: _arrow(WORDS, "string"),
    }


FAMILIES: dict[str, dict[str, Column]] = {
    "whole numbers": _wholes(NUMBERS),
    "halves": _numbers(HALVES, "0"),
    "large numbers": _large(),
    "truth values": _truths(),
    "days": _days(),
    "words": _words(),
}
"""Columns of the same values by family and type; some types of a family cannot be compared."""

PAIRS = [
    (family, one, other) for family, types in FAMILIES.items() for one in types for other in types
]


def column(family: str, kind: str, *, missing: bool = False) -> pd.Series[Any]:
    """A column named "c"; with `missing`, its second cell is missing."""
    values = FAMILIES[family][kind]().rename("c")
    if missing:
        if values.dtype.kind in "iub" and isinstance(values.dtype, np.dtype):
            values = values.astype(object)
        values = values.copy()
        values.iloc[1] = None
    return values
