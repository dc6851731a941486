"""Cells of a CSV file: parted, and read as what they say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pandas as pd

from anonopt._checks import check_choice
from anonopt.data.tables.dialects import (
    SEPARATORS,
    Dialect,
    Record,
    check_fields,
    gapless,
    split,
    split_by_each,
)
from anonopt.data.tables.spellings import (
    finds_decimal_comma,
    is_column_of_comma_numbers,
    is_number,
    missing_spellings,
)


def separator_of(name: str, text: str) -> str:
    """Separator of a text: of even lines of more than one field, then of many names."""
    first = re.split(r"[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0]
    in_header = [mark for mark in SEPARATORS if mark in first]
    if len(in_header) == 1 and '"' not in first:
        # Any other one would make one name of the whole header.
        return in_header[0]
    if not in_header and is_column_of_comma_numbers(text):
        return ";"

    def plausibility(candidate: tuple[str, list[Record]]) -> tuple[int, ...]:
        records = candidate[1]
        n_fields = len(records[0].fields)
        is_even = all(len(record.fields) == n_fields for record in records)
        return (is_even and n_fields > 1, n_fields)

    return max(split_by_each(name, text, None), key=plausibility)[0]


def written_cells(name: str, text: str, separator: str) -> pd.DataFrame:
    """Cells as they stand, None where they are empty; equal ones are one object."""
    records = split(name, text, separator)
    first = next(records)
    if twice := [column for column, n in Counter(first.fields).items() if n > 1]:
        raise ValueError(f"{name}: expected each column once, found {twice[0]!r} twice")
    if len(first.fields) == 1:
        records = gapless(name, chain([first], records))
        next(records)
    known: dict[str, str | None] = {"": None}
    columns: list[list[str | None]] = [[] for _ in first.fields]
    for record in records:
        check_fields(name, first, record)
        for column, cell in zip(columns, record.fields, strict=True):
            column.append(known.setdefault(cell, cell))
    cells = dict(zip(first.fields, columns, strict=True))
    return pd.DataFrame(cells, columns=first.fields, dtype=object)


def read_cells(
    frame: pd.DataFrame, dialect: Dialect, decimal: str | None, missing: Sequence[str] | None
) -> tuple[pd.DataFrame, Dialect]:
    """Missing cells and numbers, as the options or the cells themselves say."""
    distinct = {column: list(cells.dropna().unique()) for column, cells in frame.items()}
    if decimal is None:
        decimal = "," if finds_decimal_comma(distinct.values()) else "."
    check_choice("decimal", decimal, (".", ","))
    spelled: set[str] = set()
    for column, cells in distinct.items():
        gone = (
            missing_spellings(cells, decimal)
            if missing is None
            else {text for text in cells if text in missing}
        )
        spelled |= gone
        known = [text for text in cells if text not in gone]
        texts = dict.fromkeys(gone) | {text: text for text in known}
        if decimal == "," and known and all(is_number(text, ",") for text in known):
            texts |= {text: text.replace(",", ".") for text in known}
        if any(text != new for text, new in texts.items()):
            frame[column] = pd.Series(
                [texts.get(text) for text in frame[column]], index=frame.index, dtype=object
            )
    return frame, replace(dialect, decimal=decimal, missing=tuple(sorted(spelled)))
