"""Where the files of the project are, for the tests that read them."""

from __future__ import annotations

import ast
import sys
from collections import deque
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]

PACKAGE_FOLDERS = {
    "anonopt": ROOT / "anonopt",
    "anonopt.operators": ROOT / "operators",
    "anonopt.problems": ROOT / "problems",
}


@cache
def library_files() -> dict[str, Path]:
    """Path of each module of the library by its dotted name, packages included."""
    found = {}
    for package, folder in PACKAGE_FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            inner = parts[:-1] if parts[-1] == "__init__" else parts
            found[".".join([package, *inner])] = path
    return found


def pyproject() -> dict[str, Any]:
    """Read pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a file, once."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """A tree, and the statements in it: a tenth of what there is to walk through."""
    waiting = deque([tree])
    while waiting:
        yield (node := waiting.popleft())
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                waiting.extend(inner)


def imported_names(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything imported, relative imports resolved."""
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) + 1 - node.level]
            origin = ".".join([*base, node.module or ""] if node.level else [node.module or ""])
            yield from ((node.lineno, f"{origin.strip('.')}.{alias.name}") for alias in node.names)


@cache
def imports_of(module: str) -> list[tuple[int, str]]:
    """Line and full dotted name of what a module of the library imports, wherever it does."""
    path = library_files()[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return list(imported_names(tree_of(path), package))
