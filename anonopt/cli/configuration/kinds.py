"""What keys of configuration files may be, and values of them: each kind in words and as a test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from anonopt._checks import check_integer, check_number, check_share, unknown


class Kind(NamedTuple):
    """What a value may be: in words, and as a test."""

    wanted: str
    accepts: Callable[[Any], bool]


def _passes(check: Callable[..., object], value: object, **bounds: int) -> bool:
    try:
        check("", value, **bounds)
    except (TypeError, ValueError):
        return False
    return True


def _is_count(value: object, least: int) -> bool:
    return _passes(check_integer, value, least=least)


def _list_of(accepts: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(accepts, value))


TEXT = Kind("a text", lambda value: isinstance(value, str) and bool(value))
TEXTS = Kind("a list of texts", _list_of(lambda entry: isinstance(entry, str)))
TEXT_OR_TEXTS = Kind(
    "a text or a list of texts",
    lambda value: TEXT.accepts(value) or (bool(value) and TEXTS.accepts(value)),
)
COUNT = Kind("a whole number of at least 1", lambda value: _is_count(value, 1))
SEED = Kind("a whole number of at least 0", lambda value: _is_count(value, 0))
NUMBER = Kind("a number", lambda value: _passes(check_number, value))
POSITIVE = Kind("a number above 0", lambda value: _passes(check_number, value, above=0))
METHODS = ("lattice", "local")
METHOD = Kind(" or ".join(map(repr, METHODS)), lambda value: value in METHODS)
ENGINES = ("duckdb", "arrow", "dask")
ENGINE = Kind(", ".join(map(repr, ENGINES)), lambda value: value in ENGINES)
SHARE = Kind("a number in 0..1", lambda value: _passes(check_share, value))
ROWS_OR_SHARE = Kind(
    "a share of the rows such as 0.01 or a number of rows such as 300",
    lambda value: _is_count(value, 0) or (isinstance(value, float) and 0 <= value <= 1),
)
LEVELS = Kind("a list of whole numbers of at least 0", _list_of(lambda entry: _is_count(entry, 0)))
COUNTS = Kind("a list of whole numbers of at least 2", _list_of(lambda entry: _is_count(entry, 2)))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
LIST = Kind(
    "a list of values",
    lambda value: _list_of(lambda entry: not isinstance(entry, list | dict))(value) and bool(value),
)
BOUNDS = Kind(
    "a table of numbers",
    lambda value: (
        isinstance(value, dict) and bool(value) and all(map(NUMBER.accepts, value.values()))
    ),
)
KEPT = Kind(
    'a list of columns, or "all"',
    lambda value: value == "all" or _list_of(lambda entry: isinstance(entry, str))(value),
)
FORMATS = Kind(
    "a table of formats of dates by column",
    lambda value: isinstance(value, dict) and all(map(TEXT_OR_TEXTS.accepts, value.values())),
)
TABLE = Kind("a table", lambda value: isinstance(value, dict) and bool(value))


def check_keys(where: str, table: Mapping[str, object], known: Iterable[str]) -> None:
    """Refuse keys that are not known.

    Raises
    ------
    ValueError
        If there is one; names it and the nearest known key.
    """
    names = list(known)
    for key in table:
        if key not in names:
            raise ValueError(unknown(f"key of [{where}]" if where else "key", key, names))


def check_value(where: str, value: object, kind: Kind) -> None:
    """Refuse a value of another kind.

    Raises
    ------
    ValueError
        If the value is of another kind; names the key, what is expected and what was found.
    """
    if not kind.accepts(value):
        raise ValueError(f"{where}: expected {kind.wanted}, found {value!r}")
