"""Inlined and private kernels are called by kernels alone: for Python there is no way into them."""

from __future__ import annotations

import ast
import re

from tests.repository import ROOT

IMPORTED = re.compile(r"from [\w.]*\.kernel_\w+ import (\([^)]*\)|.*)")
WORD = re.compile(r"\w+")


def functions(text: str) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def is_closed(one: ast.FunctionDef) -> bool:
    decorators = [*map(ast.unparse, one.decorator_list)]
    return "inlined" in decorators or (one.name.startswith("_") and decorators != [])


def test_no_python_calls_a_kernel_that_is_inlined_or_private():
    files = {path: path.read_text("utf-8") for path in (ROOT / "anonopt").rglob("*.py")}
    kernels = {path: functions(files[path]) for path in files if path.name.startswith("kernel_")}
    closed = {one.name for found in kernels.values() for one in found if is_closed(one)}
    assert len(closed) > 60
    for path, found in kernels.items():
        tree = ast.parse(files[path])
        own = {one.name for one in found if is_closed(one)}
        own |= {
            name for names in IMPORTED.findall(files[path]) for name in WORD.findall(names)
        } & closed
        for one in tree.body:
            # What stands outside of functions could hand a kernel on to Python.
            if isinstance(one, ast.ImportFrom) or getattr(one, "decorator_list", []):
                continue
            assert not own & {n.id for n in ast.walk(one) if isinstance(n, ast.Name)}, path
    for path in files.keys() - kernels.keys():
        for names in IMPORTED.findall(files[path]):
            assert not closed & set(WORD.findall(names)), path
