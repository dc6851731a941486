"""How a problem or an algorithm was made: a name and options, as plain data.

A saved run holds recipes, not objects: what is loaded from a file can only choose among names
that this library knows, with options their makers check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Recipe:
    """What an object was made of.

    Attributes
    ----------
    name : str
        Name of what made it.
    options : mapping of str to object
        Options it was called with, those left at their defaults not included.
    """

    name: str
    options: Mapping[str, Any]


def to_plain(value: Any) -> Any:
    """Turn an option into what JSON can hold: numbers, text, lists, dictionaries of them.

    Tuples and arrays are marked, so that :func:`from_plain` brings back the same.

    Raises
    ------
    TypeError
        If it is, or holds, anything else.

    Examples
    --------
    >>> to_plain(("n_gen", np.int64(5)))
    {'tuple': ['n_gen', 5]}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return value.item()
    if isinstance(value, list):
        return [to_plain(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [to_plain(item) for item in value]}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return {"array": value.tolist(), "dtype": value.dtype.name}
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {"mapping": {key: to_plain(item) for key, item in value.items()}}
    raise TypeError(f"expected numbers, text, or lists and dictionaries of them, found {value!r}")


def from_plain(plain: Any) -> Any:
    """Bring back what :func:`to_plain` was given.

    Raises
    ------
    ValueError
        If it is not of that form.

    Examples
    --------
    >>> from_plain({"tuple": ["n_gen", 5]})
    ('n_gen', 5)
    """
    if isinstance(plain, list):
        return [from_plain(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    match plain:
        case {"tuple": list(items)}:
            return tuple(from_plain(item) for item in items)
        case {
            "array": items,
            "dtype": ("bool" | "int64" | "float64" | "int32" | "float32") as dtype,
        }:
            return np.array(items, dtype=dtype)
        case {"mapping": dict(items)}:
            return {key: from_plain(item) for key, item in items.items()}
    raise ValueError(f"expected a tuple, an array or a mapping, found {plain!r}")
