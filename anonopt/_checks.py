"""Checks of what is handed in, each once, with one message: ``name: expected ..., found ...``."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Hashable, Iterable
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from anonopt._typing import RandomState


def check_integer(
    name: str, value: object, *, least: int | None = None, most: int | None = None
) -> int:
    """Whole number within bounds.

    Parameters
    ----------
    name : str
        Of the argument, for the message.
    value : object
    least, most : int, optional
        Both inclusive.

    Raises
    ------
    TypeError
        If it is no whole number, such as 2.0 or True.
    ValueError
        If it is out of its bounds.

    Examples
    --------
    >>> check_integer("k", np.int64(5), least=1)
    5
    >>> check_integer("k", 0, least=1)
    Traceback (most recent call last):
        ...
    ValueError: k: expected a whole number of at least 1, found 0
    """
    bounds = [f"at least {least}"] if least is not None else []
    bounds += [f"at most {most}"] if most is not None else []
    expected = f"a whole number{' of ' * bool(bounds)}{' and '.join(bounds)}"
    number = _as_integer(value)
    if number is None:
        raise TypeError(f"{name}: expected {expected}, found {value!r}")
    if (least is not None and number < least) or (most is not None and number > most):
        raise ValueError(f"{name}: expected {expected}, found {value!r}")
    return number


def _as_integer(value: object) -> int | None:
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # what has no index is no integer
    except TypeError:
        return None


def check_integers(
    name: str, values: npt.ArrayLike, *, dtype: type[np.integer[Any]] = np.int64
) -> Any:
    """Whole numbers, as a new array; nothing is rounded, nothing wraps around.

    Parameters
    ----------
    name : str
        Of the argument, for the message.
    values : array_like
    dtype : numpy.int64 or numpy.int32

    Returns
    -------
    array of that type and of the shape of `values`, column by column in memory

    Raises
    ------
    ValueError
        If a value is no whole number, such as 0.5 or True, or too large for the type.

    Examples
    --------
    >>> check_integers("edges", [[1.0, 2.0]])
    array([[1, 2]])
    """
    given = np.asarray(values)
    with np.errstate(invalid="ignore"):
        numbers = np.array(given, dtype=dtype, order="F")
    wrong = given[(numbers != given) | (given.dtype == np.bool_)]
    if wrong.size:
        raise ValueError(f"{name}: expected whole numbers, found {wrong[0]}")
    return numbers


def check_number(
    name: str,
    value: object,
    *,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    below: float | None = None,
) -> float:
    """Finite number within bounds.

    Parameters
    ----------
    name : str
        Of the argument, for the message.
    value : object
    least, most : float, optional
        Both inclusive.
    above, below : float, optional
        Both exclusive; not together with `least` and `most`.

    Raises
    ------
    TypeError
        If it is no number.
    ValueError
        If it is not finite, or out of its bounds.

    Examples
    --------
    >>> check_number("alpha", 1, least=0, most=1)
    1.0
    >>> check_number("alpha", 1, above=0, below=1)
    Traceback (most recent call last):
        ...
    ValueError: alpha: expected a number above 0 and below 1, found 1
    """
    if isinstance(value, bool | np.bool_ | str) or not isinstance(value, SupportsFloat):
        raise TypeError(f"{name}: expected a number, found {value!r}")
    try:
        number = float(value)
    except OverflowError:
        # A whole number of more than 308 digits.
        number = np.inf
    inside = np.isfinite(number)
    inside = inside and not (least is not None and number < least)
    inside = inside and not (most is not None and number > most)
    inside = inside and not (above is not None and number <= above)
    inside = inside and not (below is not None and number >= below)
    if not inside:
        limits = "" if least is None else f" of at least {least:g}"
        bounds = [] if above is None else [f"above {above:g}"]
        bounds += [] if below is None else [f"below {below:g}"]
        if bounds:
            limits = f" {' and '.join(bounds)}"
        if most is not None:
            limits = f" of at most {most:g}" if least is None else f" in {least:g}..{most:g}"
        raise ValueError(f"{name}: expected a number{limits}, found {value!r}")
    return number


def check_share(name: str, value: object) -> float:
    """Share or probability, in 0..1.

    Raises
    ------
    TypeError
        If it is no number.
    ValueError
        If it is out of 0..1.

    Examples
    --------
    >>> check_share("prob_mutation", 1.5)
    Traceback (most recent call last):
        ...
    ValueError: prob_mutation: expected a number in 0..1, found 1.5
    """
    return check_number(name, value, least=0, most=1)


def check_choice(name: str, value: Any, choices: Iterable[Any]) -> Any:
    """Value that is one of the choices; returns it.

    Raises
    ------
    ValueError
        If it is none of them.

    Examples
    --------
    >>> check_choice("backend", "fast", ["auto", "wide"])
    Traceback (most recent call last):
        ...
    ValueError: backend: expected one of 'auto', 'wide', found 'fast'
    """
    known = list(choices)
    if value not in known:
        raise ValueError(f"{name}: expected one of {', '.join(map(repr, known))}, found {value!r}")
    return value


def check_list(name: str, values: object, of: str) -> list[Any]:
    """Values, at least one, as a list; `of` tells what they are, for the message.

    Raises
    ------
    TypeError
        If it is one value alone, such as a text.
    ValueError
        If there is none.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name}: expected a list of {of}, found {values!r}")
    found = list(values)
    if not found:
        raise ValueError(f"{name}: expected at least one, found none")
    return found


def check_distinct(name: str, values: Iterable[Hashable], *, hint: str = "") -> None:
    """Refuse a value that is there twice.

    Parameters
    ----------
    name : str
        Of the argument, for the message.
    values : iterable of hashable
    hint : str
        Behind the message: what to do about it.

    Raises
    ------
    ValueError
        If there is one; the first that comes again is named.

    Examples
    --------
    >>> check_distinct("seeds", [3, 1, 3])
    Traceback (most recent call last):
        ...
    ValueError: seeds: expected each once, found 3 twice
    """
    seen = set()
    for value in values:
        if value in seen:
            raise ValueError(f"{name}: expected each once, found {value!r} twice{hint}")
        seen.add(value)


def check_flag(name: str, value: object) -> bool:
    """True or false; returns it. A text such as "no" would else be taken for true.

    Raises
    ------
    TypeError
        If it is neither.

    Examples
    --------
    >>> check_flag("counts_once", "no")
    Traceback (most recent call last):
        ...
    TypeError: counts_once: expected True or False, found 'no'
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: expected True or False, found {value!r}")
    return bool(value)


def as_generator(
    random_state: RandomState, name: str = "random_state", *, fresh: bool = False
) -> np.random.Generator:
    """Source of randomness of what draws.

    Parameters
    ----------
    random_state : int or numpy Generator
        A seed, or a generator, which is used as it is and moves on.
    name : str
        Of the argument, for the message.
    fresh : bool
        Whether None is a new generator that no seed decides, for what protects by chance.

    Raises
    ------
    ValueError
        If it is a negative seed, or None and not `fresh`: without a seed no result could be had
        again.
    TypeError
        If it is anything else.

    Examples
    --------
    >>> bool(as_generator(1).integers(100) == as_generator(1).integers(100))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None and fresh:
        return np.random.default_rng()
    if random_state is None:
        raise ValueError(f"{name}: expected a seed or a numpy Generator, found None")
    return np.random.default_rng(check_integer(name, random_state, least=0))


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """Message on a name that was looked up in vain, with the nearest ones.

    Examples
    --------
    >>> unknown("measure", "gml", ["k", "glm"])
    "unknown measure 'gml'; did you mean glm?"
    """
    return f"unknown {kind} {name!r}; {suggestion(str(name), known)}"


def suggestion(name: str, known: Iterable[str]) -> str:
    """Tell the nearest names, or all of them if none is near.

    Examples
    --------
    >>> suggestion("gml", ["k", "glm"])
    'did you mean glm?'
    >>> suggestion("zzz", ["k", "glm"])
    'known ones: glm, k'
    """
    names = sorted(known)
    return near_names(name, names) or f"known ones: {', '.join(names)}"


def near_names(name: object, known: Iterable[object]) -> str:
    """Question whether one of the nearest names was meant, in whatever case; empty if none is near.

    Examples
    --------
    >>> near_names("Agee", ["age", "zip"]), near_names("x", ["age"])
    ('did you mean age?', '')
    """
    names: dict[str, str] = {}
    for text in map(str, known):
        names.setdefault(text.lower(), text)
    near = difflib.get_close_matches(str(name).lower(), names, n=3)
    return f"did you mean {' or '.join(names[text] for text in near)}?" if near else ""
