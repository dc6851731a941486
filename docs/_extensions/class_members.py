"""What a class shows as its own, and what it has from another public class."""

from __future__ import annotations

import inspect
from typing import Any

from public_names import ROOT


def explained(cls: type) -> list[str]:
    """Public attributes that the body of a class of the library defines and explains."""
    if cls.__module__.split(".")[0] != ROOT:
        return []
    names = []
    for name, member in vars(cls).items():
        function = getattr(member, "__func__", member)
        is_member = inspect.isroutine(function) or isinstance(member, property)
        is_member = is_member or hasattr(member, "attrname")  # cached_property
        if not name.startswith("_") and is_member and getattr(function, "__doc__", None):
            names.append(name)
    return names


def members_of(cls: type, documented: dict[Any, str]) -> tuple[list[str], dict[str, str]]:
    """Members that are shown with a class, and those that another public class shows.

    Parameters
    ----------
    cls : type
    documented : dict of type to text
        Place of each class that is documented.

    Returns
    -------
    own : list of text
        Names that the class defines, or has from classes that are no part of the reference.
    inherited : dict of text to text
        Place of the public class that shows it, by name.
    """
    own: list[str] = []
    inherited: dict[str, str] = {}
    for base in cls.__mro__:
        for name in explained(base):
            if name in own or name in inherited:
                continue
            if base is cls or base not in documented:
                own.append(name)
            else:
                inherited[name] = documented[base]
    return own, inherited
