"""What columns of a table may be: roles guessed from names and cells, hierarchies proposed."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from anonopt.cli.drafting.drafted_table import DraftedTable

Role = Literal["identifier", "quasi-identifier", "sensitive", "other"]

IDENTIFIERS = frozenset(
    [
        "name",
        "surname",
        "firstname",
        "lastname",
        "forename",
        "fullname",
        "email",
        "mail",
        "phone",
        "mobile",
        "telephone",
        "tel",
        "fax",
        "ssn",
        "iban",
        "account",
        "passport",
        "street",
        "address",
        "url",
        "ip",
        "username",
        "login",
        "id",
        "uuid",
        "guid",
        "vorname",
        "nachname",
        "familienname",
        "telefon",
        "handy",
        "straße",
        "strasse",
        "adresse",
        "versichertennummer",
        "versichertennr",
    ]
)
QUASI_IDENTIFIERS = frozenset(
    [
        "age",
        "birth",
        "born",
        "dob",
        "birthday",
        "birthdate",
        "sex",
        "gender",
        "zip",
        "zipcode",
        "postcode",
        "postal",
        "plz",
        "city",
        "town",
        "village",
        "state",
        "region",
        "province",
        "county",
        "country",
        "nationality",
        "citizenship",
        "race",
        "ethnicity",
        "marital",
        "civil",
        "education",
        "degree",
        "school",
        "workclass",
        "occupation",
        "job",
        "profession",
        "employment",
        "employer",
        "joined",
        "admission",
        "discharge",
        "height",
        "weight",
        "children",
        "household",
        "language",
        "religion",
        "alter",
        "geboren",
        "geburtstag",
        "geburtsdatum",
        "geburtsjahr",
        "geschlecht",
        "postleitzahl",
        "ort",
        "wohnort",
        "stadt",
        "gemeinde",
        "landkreis",
        "bundesland",
        "beruf",
        "familienstand",
        "staatsangehörigkeit",
        "größe",
        "groesse",
        "gewicht",
        "aufnahmedatum",
        "entlassungsdatum",
    ]
)
SENSITIVE = frozenset(
    [
        "illness",
        "disease",
        "diagnosis",
        "condition",
        "symptom",
        "treatment",
        "medication",
        "drug",
        "hiv",
        "cancer",
        "salary",
        "income",
        "wage",
        "pay",
        "debt",
        "credit",
        "score",
        "grade",
        "crime",
        "offence",
        "conviction",
        "party",
        "vote",
        "diagnose",
        "krankheit",
        "gehalt",
        "einkommen",
    ]
)
"""Words in names of columns that tell their role, in English and German."""

FEW_VALUES = 40
"""Distinct values up to which a column with no telling name can be a quasi-identifier."""

MANY_ROWS = 20
"""Rows from which on a column of nothing but distinct cells is taken for an identifier."""

N_INTERVALS = 16
"""Intervals of the lowest level that numbers are grouped into, about."""

_NO_LETTERS = re.compile(r"[\W\d_]+")
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_CODE = re.compile(r"[0-9A-Za-z -]{3,10}")
_CODE_NAMES = frozenset(["zip", "zipcode", "postcode", "postal", "plz", "postleitzahl", "code"])


@dataclass(frozen=True)
class Column:
    """A column of the table, and what is guessed of it.

    Attributes
    ----------
    name : str
    role : str
    why : str
        What the guess rests on.
    hierarchy : str
        TOML value that describes the proposed hierarchy; empty if there is none.
    note : str
        What a person should look at.
    """

    name: str
    role: Role
    why: str
    hierarchy: str = ""
    note: str = ""


def guessed_columns(table: DraftedTable) -> list[Column]:
    """Guess the role of each column, and a hierarchy for each quasi-identifier."""
    guessed = [_guessed(table, str(name)) for name in table.frame.columns]
    if any(column.role == "quasi-identifier" for column in guessed):
        return guessed
    # No name tells: whatever has few values may be known from elsewhere.
    return [
        _as_quasi_identifier(table, column.name, column.why) if column.role == "other" else column
        for column in guessed
    ]


def _guessed(table: DraftedTable, name: str) -> Column:
    cells = table.frame[name].dropna()
    words = {word for word in _NO_LETTERS.split(_separated(name)) if word}
    counts = cells.value_counts(sort=False)
    n_distinct = len(counts)
    n_mails = sum(n for text, n in counts.items() if _MAIL.fullmatch(str(text)))
    if n_mails > len(cells) / 2:
        return Column(name, "identifier", "e-mail addresses")
    tells_people_apart = len(cells) < MANY_ROWS or n_distinct > FEW_VALUES
    if words & IDENTIFIERS and not words & (QUASI_IDENTIFIERS | SENSITIVE) and tells_people_apart:
        return Column(name, "identifier", _named(name))
    if words & SENSITIVE:
        return Column(name, "sensitive", _named(name))
    if words & QUASI_IDENTIFIERS:
        return _as_quasi_identifier(table, name, _named(name))
    if n_distinct == len(cells) >= MANY_ROWS and table.kinds[name] in ("text", "codes"):
        return Column(name, "identifier", "a value of its own in every row")
    dates = "dates, " if table.kinds[name] == "dates" else ""
    return Column(name, "other", f"{dates}{n_distinct:,} distinct values")


def _named(name: str) -> str:
    return f"named {' '.join(name.split())}"


def _separated(name: str) -> str:
    """A name in lower case with its words apart: ``firstName`` is first name."""
    return re.sub(r"([a-z])([A-Z])", r"\1 \2", unicodedata.normalize("NFC", name)).lower()


def _as_quasi_identifier(table: DraftedTable, name: str, why: str) -> Column:
    from anonopt.data.tables.spellings import are_ambiguous_dates

    kind = table.kinds[name]
    cells = [str(text) for text in table.frame[name].dropna().unique()]
    if kind == "numbers":
        return Column(name, "quasi-identifier", why, *_intervals(cells))
    if kind == "dates":
        return Column(name, "quasi-identifier", why, *_dates(cells))
    if are_ambiguous_dates(cells):
        note = 'day or month first? { builder = "dates", format = "%d/%m/%Y" } or "%m/%d/%Y"'
        return Column(name, "quasi-identifier", why, '"flat"', note)
    words = set(_NO_LETTERS.split(_separated(name)))
    is_code = len(cells) > FEW_VALUES and len({len(text) for text in cells}) == 1
    if (kind == "codes" or is_code or words & _CODE_NAMES) and cells and all(
        _CODE.fullmatch(text) for text in cells
    ):  # fmt: skip
        return Column(
            name, "quasi-identifier", why, '{ builder = "text" }', "masked from the right"
        )
    note = "all values under the top; a CSV file of groups, or builder ordered, loses less"
    return Column(name, "quasi-identifier", why, '"flat"', note if len(cells) > 3 else "")


def _intervals(cells: list[str]) -> tuple[str, str]:
    numbers = [float(text) for text in cells]
    low, high = min(numbers), max(numbers)
    if len(set(numbers)) <= 3 or not math.isfinite(high - low) or high - low == 0:
        return '"flat"', ""
    width = _round_width((high - low) / N_INTERVALS)
    if all(number.is_integer() for number in numbers):
        width = max(width, 1.0)
    n_intervals = math.floor(high / width) - math.floor(low / width) + 1
    n_joined = max(math.ceil(math.log2(n_intervals)) - 1, 0)
    joined = ", ".join(["2"] * n_joined)
    fan_outs = f", fan_outs = [{joined}]" if joined else ""
    return f'{{ builder = "intervals", width = {width:.10g}{fan_outs} }}', (
        f"values {low:.10g} to {high:.10g}"
    )


def _round_width(width: float) -> float:
    """The next of 1, 2, 5, 10, ... that is at least as large."""
    scale = 10.0 ** math.floor(math.log10(width))
    return next(step * scale for step in (1, 2, 5, 10) if step * scale >= width * (1 - 1e-9))


def _dates(cells: list[str]) -> tuple[str, str]:
    from anonopt.data.tables.spellings import date_formats

    formats = date_formats(cells)
    if any(":" in text for text in cells):
        return '"flat"', "times of day: round them to days for the builder dates"
    form = f", format = {as_toml(formats[0])}" if formats != ["%Y-%m-%d"] else ""
    if len(formats) > 1:
        form = ""
    return f'{{ builder = "dates"{form} }}', "days, months, years, decades"


def as_toml(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
