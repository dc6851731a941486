"""The public names of the library, and for each the one place that documents it."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = "anonopt"
PROGRAM = ("anonopt.cli", "anonopt.__main__")  # explained in docs/command_line.md
ORDER = (
    *("data", "sources", "measures", "evaluation", "masking", "graphs", "operators", "problems"),
    *("algorithms", "runs", "experiments", "visualization", "teaching"),
)


@dataclass(frozen=True)
class PublicName:
    """A public name of a package, and the path under which it is documented."""

    package: str
    name: str
    value: Any
    place: str

    @property
    def path(self) -> str:
        """Name with its package."""
        return f"{self.package}.{self.name}"

    @property
    def kind(self) -> str:
        """``"class"``, ``"exception"``, ``"function"``, ``"data"`` or ``"module"``."""
        return kind_of(self.value)


def kind_of(value: Any) -> str:
    """How Sphinx calls things of this kind."""
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if inspect.isroutine(value) else "data"


def real_path(value: Any) -> str | None:
    """Module and name with which a class or function was defined; None for other values."""
    if kind_of(value) in ("module", "data"):
        return None
    return f"{value.__module__}.{value.__qualname__}"


def listed_names(module: ModuleType) -> list[str]:
    """What a package or module says is public.

    That is its ``__all__``; else what the file of a package imports as the same name, and what a
    module defines.
    """
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not name.startswith("__")]
    source = Path(str(module.__file__))
    tree = ast.parse(source.read_text(encoding="utf-8"))
    if source.name == "__init__.py":
        imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
        aliases = (alias for node in imports for alias in node.names)
        return sorted({alias.name for alias in aliases if alias.asname == alias.name})
    defined = (node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
    return sorted(node.name for node in defined if not node.name.startswith("_"))


def inner_packages(module: ModuleType) -> list[str]:
    """Packages directly in a package, those that are mapped into it included."""
    found = {
        f"{module.__name__}.{inner.name}"
        for inner in pkgutil.iter_modules(module.__path__)
        if inner.ispkg and not inner.name.startswith("_")
    }
    if module.__name__ == ROOT:
        values = [getattr(module, name) for name in listed_names(module)]
        found |= {value.__name__ for value in values if hasattr(value, "__path__")}
    return sorted(found - set(PROGRAM))


def public_packages() -> dict[str, ModuleType]:
    """Every package with public names, and the modules that are public names, by path."""
    found: dict[str, ModuleType] = {}
    waiting = [ROOT]
    while waiting:
        name = waiting.pop()
        module = importlib.import_module(name)
        waiting += inner_packages(module)
        values = {f"{name}.{item}": getattr(module, item) for item in listed_names(module)}
        if values:
            found[name] = module
        for path, value in values.items():
            if inspect.ismodule(value) and not hasattr(value, "__path__") and name != ROOT:
                found[path] = value
    return dict(sorted(found.items(), key=lambda entry: position(entry[0])))


def position(package: str) -> tuple[int, str]:
    """Place of a package in lists: along the way through the library, then by name."""
    if package == ROOT:
        return -1, package
    first = package.split(".")[1]
    return ORDER.index(first) if first in ORDER else len(ORDER), package


def public_names() -> list[PublicName]:
    """Every public name of every package.

    It is documented by the outermost package below the root that lists it, by the root itself if
    no other does.
    """
    packages = public_packages()
    outermost_first = sorted(
        packages, key=lambda path: (path == ROOT, path.count("."), position(path))
    )
    places: dict[tuple[str, int], str] = {}
    for package in outermost_first:
        for item in listed_names(packages[package]):
            value = getattr(packages[package], item)
            places.setdefault((item, id(value)), f"{package}.{item}")
    return [
        PublicName(package, item, value, places[item, id(value)])
        for package, module in packages.items()
        for item in listed_names(module)
        for value in [getattr(module, item)]
    ]


def documented(names: list[PublicName]) -> Iterator[PublicName]:
    """Names that have their place here, without modules."""
    return (name for name in names if name.place == name.path and name.kind != "module")
