"""Kernels that are inlined are called by kernels alone: for Python there is no way into them."""

from __future__ import annotations

import ast
import re

from tests.repository import ROOT

IMPORTED = re.compile(r"from [\w.]*\.kernel_\w+ import (\([^)]*\)|.*)")


def functions(text: str) -> list[ast.FunctionDef]:
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def test_no_python_calls_a_kernel_that_is_inlined():
    files = {path: path.read_text("utf-8") for path in (ROOT / "anonopt").rglob("*.py")}
    kernels = {path: functions(files[path]) for path in files if path.name.startswith("kernel_")}
    inlined = {
        one.name
        for found in kernels.values()
        for one in found
        if "inlined" in map(ast.unparse, one.decorator_list)
    }
    assert len(inlined) > 30
    for path, found in kernels.items():
        for one in found:
            if not one.decorator_list:
                assert not inlined & {n.id for n in ast.walk(one) if isinstance(n, ast.Name)}, path
    for path in files.keys() - kernels.keys():
        for names in IMPORTED.findall(files[path]):
            assert not inlined & set(re.findall(r"\w+", names)), path
