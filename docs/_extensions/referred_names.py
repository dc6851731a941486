"""What no package lists, and docstrings of what is public refer to.

Either by its full path, or by its name where the docstring stands in the same module.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

from class_members import explained
from public_names import ROOT, PublicName, documented, kind_of, real_path

ROLE = re.compile(r":(?:py:)?(?:func|class|meth|data|attr|exc|obj):`~?([\w.]+)`")


def targets(value: Any) -> Iterator[str]:
    """Full paths that the docstrings of an object, and of members of a class, may refer to."""
    if kind_of(value) == "data":
        return
    texts = [(value.__module__, inspect.getdoc(value))]
    if inspect.isclass(value):
        for base in value.__mro__:
            members = (inspect.getdoc(vars(base)[name]) for name in explained(base))
            texts += [(base.__module__, text) for text in members]
    for module, text in texts:
        for target in ROLE.findall(text or ""):
            yield target if target.startswith(f"{ROOT}.") else f"{module}.{target}"


def found_object(path: str) -> tuple[str, Any] | None:
    """Path and value of the function, class or constant that a path leads to or into."""
    parts = path.split(".")
    for size in range(len(parts) - 1, 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        if not hasattr(module, parts[size]):
            return None
        return ".".join(parts[: size + 1]), getattr(module, parts[size])
    return None


def referred_names(names: list[PublicName]) -> list[PublicName]:
    """Functions, classes and constants that are referred to, and what these refer to."""
    known = {name.path for name in names} | {real_path(name.value) for name in names}
    packages = sorted({name.package for name in documented(names)}, key=len, reverse=True)
    waiting = [target for name in documented(names) for target in targets(name.value)]
    found: dict[str, PublicName] = {}
    while waiting:
        if (hit := found_object(waiting.pop())) is None:
            continue
        path, value = hit
        if path in known or path in found or path.rpartition(".")[2].startswith("_"):
            continue
        if inspect.ismodule(value) or real_path(value) not in (None, path):
            continue
        package = next(name for name in packages if path.startswith(f"{name}."))
        found[path] = PublicName(package, path.removeprefix(f"{package}."), value, path)
        waiting += targets(value)
    return [found[path] for path in sorted(found)]
