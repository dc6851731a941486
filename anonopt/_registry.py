"""Families of named things: algorithms, measures, problems, operators, masking methods, data sets.

A family is listed once. Users put their own into it by :func:`register`, or packages by an entry
point of the group ``anonopt.<family>``; lists, command line, saved runs and contract tests then
know it.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from anonopt._checks import check_choice, unknown

Entry = TypeVar("Entry")

NAME = re.compile(r"[A-Za-z_][\w.-]*")
"""What a registered name must look like, to be typed on a command line."""

FAMILIES = {
    "algorithms": "anonopt.algorithms.registry:ALGORITHMS",
    "measures": "anonopt.measures.registry:MEASURES",
    "problems": "anonopt.problems.catalogue:PROBLEMS",
    "operators": "anonopt.operators.registry:OPERATORS",
    "masking": "anonopt.masking.registry:METHODS",
    "datasets": "anonopt.data.datasets.loading:DATASETS",
}
"""Each family, and where its registry is."""


class Registry(Mapping[str, Entry], Generic[Entry]):
    """Name to entry: what the library brings, what entry points bring, what users register.

    Parameters
    ----------
    family : str
        One of :data:`FAMILIES`; packages bring theirs by entry points ``anonopt.<family>``.
    kind : str
        One of them, for messages, such as ``"algorithm"``.
    entries : mapping of str to entry
        What the library brings, in the order of the documentation.
    make : function of (name, thing, **facts)
        Returns the entry of what is registered; raises TypeError if it is nothing of the family.

    Examples
    --------
    >>> sizes = Registry("sizes", "size", {"small": 1}, make=lambda name, thing: int(thing))
    >>> sizes.register("large", 100)
    >>> list(sizes), sizes["large"]
    (['small', 'large'], 100)
    >>> sizes.find("smal")
    Traceback (most recent call last):
        ...
    ValueError: unknown size 'smal'; did you mean small?
    """

    def __init__(
        self,
        family: str,
        kind: str,
        entries: Mapping[str, Entry],
        *,
        make: Callable[..., Entry],
    ) -> None:
        self.family, self.kind = family, kind
        self._entries = dict(entries)
        self._make = make
        self._registered: set[str] = set()
        self._is_complete = False

    def register(self, name: str, thing: Any, **facts: Any) -> None:
        """Add one's own; see :func:`register`."""
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise ValueError(f"name: expected letters, digits, '-', '.' and '_', found {name!r}")
        if name in self._entries:
            raise ValueError(f"name: expected a new {self.kind}, found {name!r}, which is there")
        self._entries[name] = self._make(name, thing, **facts)
        self._registered.add(name)

    def is_installed(self, name: str) -> bool:
        """Whether every process of this installation knows the name, unlike one registered here."""
        return name in self and name not in self._registered

    def find(self, name: str) -> Entry:
        """Entry of a name.

        Raises
        ------
        ValueError
            If there is none (tells the nearest names).
        """
        try:
            return self[name]
        except KeyError:
            raise ValueError(unknown(self.kind, name, self)) from None

    def __getitem__(self, name: str) -> Entry:
        if name not in self._entries:
            self._complete()
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        self._complete()
        return iter(self._entries)

    def __len__(self) -> int:
        self._complete()
        return len(self._entries)

    def _complete(self) -> None:
        """Load what installed packages bring; once, and only when it is looked for."""
        if self._is_complete:
            return
        self._is_complete = True
        for point in entry_points(group=f"anonopt.{self.family}"):
            self._add(point)

    def _add(self, point: EntryPoint) -> None:
        # One broken package must not take the library with it; it is named.
        try:
            self.register(point.name, point.load())
            self._registered.discard(point.name)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            warnings.warn(
                f"{self.kind} {point.name!r} of {point.value!r} is left out: {error}",
                RuntimeWarning,
                stacklevel=2,
            )


def register(family: str, name: str, thing: Any, **facts: Any) -> None:
    """Put one's own into a family of the library.

    Parameters
    ----------
    family : str
        ``"algorithms"``, ``"measures"``, ``"problems"``, ``"operators"``, ``"masking"`` or
        ``"datasets"``.
    name : str
        A new one.
    thing : object
        An algorithm class; a `Measure`; a function that makes a problem; an operator class; a
        masking method class; a `Dataset`. Or an entry of the family's registry, which says all
        facts itself.
    **facts
        Further attributes of the entry, such as ``summary``, ``paper``, and for algorithms
        ``spaces``: kinds of genomes, such as ``"levels"`` or ``["levels", "cells"]``, as
        ``anonopt problems`` lists them; without it, an algorithm takes every space.

    Raises
    ------
    ValueError
        If there is no such family, or the name is taken.
    TypeError
        If the thing is nothing of the family, or a fact is unknown.

    Notes
    -----
    Packages do without this call by an entry point of the group ``anonopt.<family>``, whose name
    is the name and whose object is the thing or its entry.

    Examples
    --------
    >>> import anonopt as ao
    >>> largest = ao.measures.Measure(
    ...     "largest_class", maximize=True, unit="rows", range="1..N",
    ...     from_classes=lambda classes: classes.sizes.max(),
    ... )
    >>> ao.register("measures", "largest_class", largest)
    >>> ao.list_measures(of="node").loc["largest_class", "direction"]
    'max'
    """
    check_choice("family", family, FAMILIES)
    registry: Registry[Any] = loaded(FAMILIES[family])
    registry.register(name, thing, **facts)


def loaded(place: str) -> Any:
    """What is at a place, ``module:attribute``, loaded when it is asked for.

    Examples
    --------
    >>> loaded("anonopt.measures.registry:MEASURES")["glm"].direction
    'min'
    """
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)


def engine(module: str, what: str) -> Any:
    """An engine of the extra ``scale``.

    Parameters
    ----------
    module : str
    what : str
        What needs it, for the message.

    Raises
    ------
    ModuleNotFoundError
        If it is not installed; says how to install it.

    Examples
    --------
    >>> engine("no_such_engine", "this")
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: this needs the extra 'scale': pip install 'anonopt[scale]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise ModuleNotFoundError(
            f"{what} needs the extra 'scale': pip install 'anonopt[scale]'", name=error.name
        ) from error
