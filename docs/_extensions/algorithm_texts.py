"""What the docstrings of an algorithm say: its idea, its paper, what was decided, its options.

The docstrings are the one source; pages of the documentation show what is found here. An
algorithm's own docstring goes before that of its module, which may hold several algorithms.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from numpydoc.docscrape import NumpyDocString

import anonopt.algorithms
from anonopt.algorithms import ALGORITHMS

PARTS = ("Idea", "Paper", "Decided")
OWN_METHOD = re.compile(r":(?:meth|attr):`(\w+)`")
OF_BASE = re.compile(r"As in `(\w+)`(.*)", re.DOTALL)


@dataclass(frozen=True)
class Option:
    """An option or attribute: its names, its type, and what it means, as reStructuredText."""

    names: str
    kind: str
    text: str


def maker_of(name: str) -> Callable[..., Any]:
    """Class or function of a registered algorithm."""
    return ALGORITHMS[name].load()


def public_path(name: str) -> str:
    """Public path of the class or function, such as ``anonopt.algorithms.PBGEA``."""
    maker = maker_of(name)
    path = f"anonopt.algorithms.{maker.__name__}"
    if getattr(anonopt.algorithms, maker.__name__, None) is not maker:
        raise ValueError(f"{name}: expected a public name, found {maker.__qualname__} alone")
    return path


def part_of(name: str, part: str) -> str:
    """Text of the idea, the paper, or what was decided, as reStructuredText.

    Raises
    ------
    ValueError
        If neither the algorithm nor its module has such a paragraph.
    """
    maker = maker_of(name)
    for documented in (maker, sys.modules[maker.__module__]):
        found = paragraph(inspect.getdoc(documented) or "", part)
        if found:
            return found
    raise ValueError(f"{name}: expected a paragraph '{part}' in the docstring, found none")


def paragraph(text: str, part: str) -> str:
    """The paragraph of a docstring that begins with a word; of what was decided, with its list."""
    blocks = text.split("\n\n")
    starts = [n for n, block in enumerate(blocks) if re.match(rf"{part}\b[^:]*:", block)]
    if not starts:
        return ""
    first = starts[0]
    last = first + 1
    while part == "Decided" and last < len(blocks) and blocks[last].startswith("- "):
        last += 1
    head, _, rest = blocks[first].partition(":")
    # "Decided differently: ..." keeps its words; "Idea: ..." needs none below its heading.
    lead = _capital(rest.strip()) if head == part else f"{head}: {rest.strip()}"
    return "\n\n".join([lead, *blocks[first + 1 : last]]).strip()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def options_of(name: str) -> list[Option]:
    """Options in the order of the docstring; those "as in" a base class with its words."""
    return list(_described(maker_of(name), "Parameters"))


def attributes_of(name: str) -> list[Option]:
    """Attributes that the docstring tells of."""
    maker = maker_of(name)
    return list(_described(maker, "Attributes")) if inspect.isclass(maker) else []


def _described(maker: Callable[..., Any], section: str) -> Iterator[Option]:
    defaults = defaults_of(maker)
    for entry in NumpyDocString(inspect.getdoc(maker) or "")[section]:
        # A page is no class, so that its own members have to be named in full, or as code.
        text = OWN_METHOD.sub(r"``\1``", textwrap.dedent("\n".join(entry.desc)).strip())
        base = OF_BASE.fullmatch(text)
        if base is None:
            yield Option(entry.name, _kind(entry, defaults), text)
            continue
        wanted = entry.name.split(", ")
        known = {one.names: one for one in _described(_base(maker, base[1]), section)}
        for one in (known[each] for each in wanted):
            more = base[2].strip(" ;")
            yield Option(one.names, one.kind, f"{one.text} {_capital(more)}".strip())


def _base(maker: Any, name: str) -> Any:
    return next(base for base in maker.__mro__ if base.__name__ == name)


def _kind(entry: Any, defaults: dict[str, Any]) -> str:
    names = [one for one in entry.name.split(", ") if defaults.get(one) is not None]
    values = ", ".join(f"``{defaults[one]!r}``" for one in names)
    return f"{entry.type}, by default {values}" if values else entry.type


def defaults_of(maker: Callable[..., Any]) -> dict[str, Any]:
    """Defaults of all options, also of those that are handed on to base classes."""
    makers = [maker]
    if inspect.isclass(maker):
        makers = [base.__init__ for base in reversed(maker.__mro__) if "__init__" in vars(base)]
    return {
        option.name: option.default
        for one in makers
        for option in inspect.signature(one).parameters.values()
        if option.default is not inspect.Parameter.empty
    }
