"""What an algorithm is made of, as plain data: changed options and changed code are noticed."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from anonopt.algorithms.entry import path_of
from anonopt.problems.recipes import to_plain

DEPTH = 4
"""Parts within parts that are told: of a mating, its crossover, and the probability of that."""

_LIBRARIES = ("pymoo", "anonopt")
_NOT_PARTS = ("anonopt.data", "anonopt.evaluation", "anonopt.graphs", "anonopt.problems")
"""What belongs to the problem is told by its own fingerprint."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def plain_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as JSON holds them; what it cannot hold, as text without addresses.

    Examples
    --------
    >>> plain_options({"k": 5, "measure": len})
    {'k': 5, 'measure': '<built-in function len>'}
    """
    return {name: _plain(value) for name, value in options.items()}


def _plain(value: object) -> Any:
    try:
        return to_plain(value)
    except TypeError:
        return _ADDRESS.sub("", repr(value))


def parameters_of(part: object, depth: int = DEPTH) -> dict[str, Any]:
    """Numbers, texts and parts of an algorithm or operator, by the names of its attributes.

    Parameters
    ----------
    part : object
    depth : int
        Of parts within parts.

    Returns
    -------
    dict
        Parts have their ``class``, and those that are no part of this library or of pymoo a
        digest of their ``code``.

    Examples
    --------
    >>> from anonopt.algorithms import PBGEA
    >>> parameters_of(PBGEA(pop_size=30))["pop_size"]
    30
    """
    found = {
        name: _described(value, depth)
        for name, value in sorted(vars(part).items())
        if _is_told(value)
    }
    code = _code_of(type(part))
    return found if code is None else {"code": code} | found


def own_parts_of(problem: object) -> dict[str, Any]:
    """Code and plain attributes of a problem whose class is somebody's own; else nothing.

    Problems of the library have a fingerprint of all that decides their objectives.
    """
    code = _code_of(type(problem))
    if code is None:
        return {}
    plain = {name: value for name, value in sorted(vars(problem).items()) if _is_plain(value)}
    return {"code": code, "parameters": {name: _described(plain[name], 0) for name in plain}}


def _is_told(value: object) -> bool:
    return _is_plain(value) or isinstance(value, np.ndarray) or _is_part(value)


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, bool | int | float | str | np.generic)


def _is_part(value: object) -> bool:
    """Whether it is an operator or the like, also one of somebody's own."""
    if isinstance(value, type) or inspect.isroutine(value) or not hasattr(value, "__dict__"):
        return False
    modules = [cls.__module__ for cls in type(value).__mro__]
    if any(module.startswith(_NOT_PARTS) for module in modules):
        return False
    return any(module.split(".")[0] in _LIBRARIES for module in modules)


def _described(value: Any, depth: int) -> Any:
    if isinstance(value, np.ndarray):
        content = np.ascontiguousarray(value)
        if content.dtype.kind == "O":
            return {"array": list(content.shape)}
        digest = hashlib.sha256(content.tobytes()).hexdigest()
        return {"array": list(content.shape), "type": content.dtype.name, "sha256": digest}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list | tuple):
        return [_described(entry, depth) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if _is_plain(value):
        return value
    kind = {"class": path_of(type(value))}
    return kind | parameters_of(value, depth - 1) if depth else kind


def _code_of(cls: type) -> str | None:
    """Digest of the source of what is no part of a library; None if there is nothing of it."""
    sources = []
    for own in cls.__mro__:
        if own.__module__.split(".")[0] in (*_LIBRARIES, "builtins", "abc", "typing"):
            continue
        try:
            sources.append(inspect.getsource(own))
        except (OSError, TypeError):
            sources.append(own.__qualname__)
    return hashlib.sha256("".join(sources).encode()).hexdigest()[:16] if sources else None


def changes(old: str, new: str) -> str:
    """Tell what differs between two descriptions; empty if nothing does.

    Parameters
    ----------
    old, new : str
        JSON.

    Examples
    --------
    >>> changes('{"options": {"pop_size": 40}}', '{"options": {"pop_size": 50}}')
    'options.pop_size was 40, now 50'
    >>> changes('{"options": {"mapping": {"k": 2}}}', '{"options": {"mapping": {"k": 5}}}')
    'options.k was 2, now 5'
    """
    before, after = dict(_leaves("", json.loads(old))), dict(_leaves("", json.loads(new)))
    return "; ".join(
        f"{name} was {json.dumps(before.get(name))}, now {json.dumps(after.get(name))}"
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    )


def _leaves(name: str, value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        return [(name, value)]
    if name and set(value) == {"mapping"}:  # how options are written, and no option's name
        return _leaves(name, value["mapping"])
    return [
        leaf
        for key, inner in value.items()
        for leaf in _leaves(f"{name}.{key}" if name else key, inner)
    ]
