"""What cells of text say: missing ones, numbers with a decimal comma, dates in other orders."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from anonopt.data.readings import has_leading_zero, read_moment, read_number

MISSING_SPELLINGS = (
    "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None", ".",
)  # fmt: skip
"""Texts that stand for missing cells in columns whose other cells are numbers or dates."""

Kind = Literal["numbers", "codes", "dates", "truth values", "text", "empty"]

DATE_FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d")
"""Formats that say themselves which part is which."""

SLASHED = ("%d/%m/%Y", "%m/%d/%Y")
"""Formats that look alike: only days above 12 tell them apart."""

_COMMA_NUMBER = re.compile(r"\s*[+-]?(\d+|\d*,\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[,.' \xa0]\d{3})+(?:[.,]\d+)?", re.ASCII)
_NUMBER_WITH_UNIT = re.compile(r"[€$£]?\s?[+-]?\d+(?:[.,]\d+)?\s?[%€$£]?", re.ASCII)
_TRUTHS = {"true", "false"}


def is_number(text: str, decimal: str) -> bool:
    """Whether a text is a number with this decimal sign.

    Examples
    --------
    >>> is_number("1,5", ","), is_number("1.5", ","), is_number("1.5", ".")
    (True, False, True)
    """
    if decimal == ",":
        return _COMMA_NUMBER.fullmatch(text) is not None
    return read_number(text) is not None


def looks_like_number(text: str) -> bool:
    """Whether a person would take a text for a number, whatever its signs.

    Examples
    --------
    >>> [looks_like_number(text) for text in ("12", "1.234,5", "12 %", "3+", "A1")]
    [True, True, True, False, False]
    """
    return (
        read_number(text) is not None
        or _GROUPED.fullmatch(text) is not None
        or _NUMBER_WITH_UNIT.fullmatch(text) is not None
    )


def finds_decimal_comma(columns: Iterable[Sequence[str]]) -> bool:
    """Whether the numbers of a file have decimal commas.

    Parameters
    ----------
    columns : iterable of sequences of text
        Distinct cells of each column, without empty ones.

    Returns
    -------
    bool
        True if a column is all numbers and some of them have a comma that can be no group of
        three digits, and no column has numbers with a decimal point.
    """
    has_comma = False
    for cells in columns:
        known = [text for text in cells if text not in MISSING_SPELLINGS]
        if not known:
            continue
        if all(read_number(text) is not None for text in known):
            if any("." in text for text in known):
                return False
        elif all(_COMMA_NUMBER.fullmatch(text) for text in known):
            has_comma |= any("," in text and not _GROUPED.fullmatch(text) for text in known)
    return has_comma


def missing_spellings(cells: Sequence[str], decimal: str) -> set[str]:
    """Cells of a column that stand for missing ones: its other cells are numbers or dates.

    Examples
    --------
    >>> missing_spellings(["172", "NA", "169.5"], "."), missing_spellings(["NA", "DE"], ".")
    ({'NA'}, set())
    """
    spelled = {text for text in cells if text in MISSING_SPELLINGS}
    others = [text for text in cells if text not in spelled]
    if not spelled or not others:
        return set()
    are_numbers = all(is_number(text, decimal) for text in others)
    return spelled if are_numbers or date_formats(others) else set()


def date_formats(cells: Sequence[str]) -> list[str]:
    """Formats in which all cells are dates, the most frequent first; none if they are no dates.

    Of 4/5/2014 nobody can tell which is the day: such a column has a format only if another cell
    tells. Eight digits alone are a number, not a date.

    Examples
    --------
    >>> date_formats(["03.09.2014", "2014-09-04"]), date_formats(["4/5/2014"])
    (['%d.%m.%Y', '%Y-%m-%d'], [])
    >>> date_formats(["4/5/2014", "4/25/2014"])
    ['%m/%d/%Y']
    """
    if not cells or all(text.isdigit() for text in cells):
        return []
    found: dict[str, int] = {}
    slashed = []
    for text in cells:
        known = next((form for form in DATE_FORMATS if _is_date(text, form)), None)
        if known is None and read_moment(text) is not None:
            known = DATE_FORMATS[0]
        if known is None:
            if not any(_is_date(text, form) for form in SLASHED):
                return []
            slashed.append(text)
        else:
            found[known] = found.get(known, 0) + 1
    if slashed:
        fitting = [form for form in SLASHED if all(_is_date(text, form) for text in slashed)]
        if len(fitting) != 1:
            return []
        found[fitting[0]] = len(slashed)
    return sorted(found, key=lambda form: -found[form])


def are_ambiguous_dates(cells: Sequence[str]) -> bool:
    """Whether all cells are dates of which nobody can tell day from month.

    Examples
    --------
    >>> are_ambiguous_dates(["4/5/2014"]), are_ambiguous_dates(["4/5/2014", "4/25/2014"])
    (True, False)
    """
    return bool(cells) and all(_is_date(text, form) for text in cells for form in SLASHED)


def _is_date(text: str, form: str) -> bool:
    try:
        datetime.datetime.strptime(text, form)  # a date has no zone
    except ValueError:
        return False
    return True


def as_iso(text: str, formats: Sequence[str]) -> str | None:
    """A date in one of some formats, as ISO 8601 writes it; None if it is in none.

    Examples
    --------
    >>> as_iso("03.09.2014", ["%d.%m.%Y"])
    '2014-09-03'
    """
    for form in formats:
        try:
            moment = datetime.datetime.strptime(text, form)
        except (ValueError, re.error):
            # The latter where a format names one part of the date twice.
            continue
        midnight = moment.time() == datetime.time(0)
        return moment.date().isoformat() if midnight else moment.isoformat(sep=" ")
    return None


def kind_of_cells(cells: Sequence[str]) -> Kind:
    """What a column holds, by its distinct cells that are not missing, decimal points in numbers.

    Codes are numbers some of which have leading zeros, or are written in two ways.

    Examples
    --------
    >>> kind_of_cells(["21", "34.5"]), kind_of_cells(["007", "8"]), kind_of_cells(["yes", "1"])
    ('numbers', 'codes', 'text')
    """
    if not cells:
        return "empty"
    numbers = [read_number(text) for text in cells]
    if None not in numbers:
        has_zeros = any(has_leading_zero(text) for text in cells)
        return "codes" if has_zeros else "numbers"
    if {text.lower() for text in cells} <= _TRUTHS:
        return "truth values"
    return "dates" if date_formats(cells) else "text"


def odd_cells(cells: Mapping[str, int], *, share: float = 2 / 3) -> list[str]:
    """Cells that are no numbers in a column that is nearly all numbers.

    Parameters
    ----------
    cells : mapping of text to int
        Rows of each distinct cell that is not missing.
    share : float
        Of the rows, from which on a column counts as nearly all numbers.

    Returns
    -------
    list of text
        Empty if all are numbers, or too few.

    Examples
    --------
    >>> odd_cells({"170": 3, "1,234.5": 1, "unknown": 1}), odd_cells({"A": 1, "1": 1})
    (['1,234.5', 'unknown'], [])
    """
    odd = [text for text in cells if read_number(text) is None]
    alike = sum(rows for text, rows in cells.items() if looks_like_number(text))
    if not odd or alike < 2 or alike < share * sum(cells.values()):
        return []
    return odd


def is_column_of_comma_numbers(text: str) -> bool:
    r"""Whether all lines of a text but the first are numbers, some with a decimal comma.

    Examples
    --------
    >>> is_column_of_comma_numbers("pay\n1,5\n2\n"), is_column_of_comma_numbers("a\n1,2,3\n")
    (True, False)
    """
    _, *cells = (line.strip('"') for line in text.splitlines() if line)
    known = {cell for cell in cells if cell not in MISSING_SPELLINGS and cell != ""}
    return any("," in cell for cell in known) and all(is_number(cell, ",") for cell in known)


def iso_dates(cells: pd.Series[Any], column: str, formats: str | Sequence[str]) -> pd.Series[Any]:
    """Dates of the formats given, as ISO 8601.

    Raises
    ------
    ValueError
        If a cell is no date of any of them; names column, cell and row.
    """
    known = [formats] if isinstance(formats, str) else list(formats)
    texts = {text: as_iso(text, known) for text in cells.dropna().unique()}
    for text, iso in texts.items():
        if iso is None:
            row = int(np.argmax((cells == text).to_numpy()))
            raise ValueError(
                f"column {column!r}: expected dates such as {' or '.join(known)}, "
                f"found {text!r} in row {row}"
            )
    return pd.Series([texts.get(text) for text in cells], index=cells.index, dtype=object)
