"""What no package lists, and docstrings of what is public refer to by its full path."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

from class_members import explained
from public_names import PublicName, documented, kind_of, real_path

ROLE = re.compile(r":(?:py:)?(?:func|class|meth|data|attr|exc|obj):`~?(anonopt\.[\w.]+)`")


def docstrings(value: Any) -> Iterator[str]:
    """Docstring of an object, and those of the members that a class defines or inherits."""
    if kind_of(value) != "data":
        yield inspect.getdoc(value) or ""
    if inspect.isclass(value):
        for base in value.__mro__:
            yield from (inspect.getdoc(vars(base)[name]) or "" for name in explained(base))


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
    waiting = [text for name in documented(names) for text in docstrings(name.value)]
    found: dict[str, PublicName] = {}
    while waiting:
        for target in ROLE.findall(waiting.pop()):
            if (hit := found_object(target)) is None or hit[0] in {*known, *found}:
                continue
            path, value = hit
            if inspect.ismodule(value) or real_path(value) not in (None, path):
                continue
            package = next(name for name in packages if path.startswith(f"{name}."))
            found[path] = PublicName(package, path.removeprefix(f"{package}."), value, path)
            waiting += docstrings(value)
    return [found[path] for path in sorted(found)]
