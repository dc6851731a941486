"""Packages whose names are loaded when they are first used (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def load_late(
    package: str, files: Mapping[str, str]
) -> tuple[dict[str, str], Callable[[str], Any], Callable[[], list[str]]]:
    """Where each public name of a package is, its ``__getattr__`` and its ``__dir__``.

    Parameters
    ----------
    package : str
        ``__name__`` of the package.
    files : mapping of str to str
        Names that each of its modules holds, separated by blanks, by its path within the package;
        under ``""`` the modules that are themselves public names.

    Returns
    -------
    places : dict of str to str
        Module of each name.
    load : callable
        ``__getattr__`` of the package: finds a name, and keeps it. A name that is not there is
        an AttributeError.
    listed : callable
        ``__dir__`` of the package, with the names that are not loaded yet.

    Examples
    --------
    >>> places, load, _ = load_late("anonopt", {"": "data", "data": "Lattice Microdata"})
    >>> places
    {'data': 'anonopt', 'Lattice': 'anonopt.data', 'Microdata': 'anonopt.data'}
    >>> load("Microdata").__name__
    'Microdata'
    """
    present = vars(sys.modules[package])
    places = {
        name: f"{package}.{file}" if file else package
        for file, names in files.items()
        for name in names.split()
    }

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if places[name] == package:
            return import_module(f"{package}.{name}")
        present[name] = getattr(import_module(places[name]), name)
        return present[name]

    def listed() -> list[str]:
        return sorted({*present, *places})

    return places, load, listed
