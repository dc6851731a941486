"""What is said about a constant: the string below the line that defines it, wherever that is."""

from __future__ import annotations

import ast
import importlib.util
import inspect
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

SHORT = 70  # characters of a value that is shown


def tree_of(module: str) -> ast.Module:
    """Parse the file of a module."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))


def origin(module: str, name: str) -> str:
    """Module that defines a name which another one imports."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return origin(node.module, alias.name)
    return module


def text_of(module: str, name: str) -> str:
    """Docstring of a constant; empty if it has none."""
    body = tree_of(origin(module, name)).body
    for node, below in pairwise(body):
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        if name not in [target.id for target in targets if isinstance(target, ast.Name)]:
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            return inspect.cleandoc(str(below.value.value))
    return ""


def value_of(value: Any) -> str | None:
    """How a value is written, if that is short and says something."""
    written = repr(value)
    return written if len(written) <= SHORT and " at 0x" not in written else None


def names_in(value: Any) -> list[str]:
    """Names that a table holds, for those who look for one; empty for anything else."""
    return [str(name) for name in value] if isinstance(value, Mapping) else []
