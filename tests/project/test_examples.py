"""The examples of the gallery: short, in order, offline, of public names, and at their place.

They are run, and their times are checked, when the site is built (`docs/_extensions`).
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from pathlib import Path

import pytest

from tests.repository import ROOT

EXAMPLES = ROOT / "examples"
FILES = sorted(EXAMPLES.glob("*/*.py"))
EXTENSION = ROOT / "docs" / "_extensions" / "anonopt_gallery.py"
MAX_LINES = 59
OUTSIDE = {"urllib", "requests", "http", "socket", "subprocess", "ftplib"}


def taught() -> dict[str, list[str]]:
    """Names of the files of each folder in their order, as the extension of the site lists them."""
    (order,) = [
        node.value
        for node in ast.parse(EXTENSION.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ORDER"
    ]
    return {
        folder: [f"plot_{name}.py" for name in names.split()]
        for folder, names in ast.literal_eval(order).items()
    }


def names_of(path: Path) -> dict[str, str]:
    """Public path of each name of the library that an example uses, and where it is said."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aliases, found = {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            aliases |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}": ast.unparse(node) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            first, *rest = ast.unparse(node).split(".")
            if aliases.get(first) == "anonopt" and all(part.isidentifier() for part in rest):
                found[".".join(["anonopt", *rest])] = ast.unparse(node)
    return {name: where for name, where in found.items() if name.split(".")[0] == "anonopt"}


def resolved(name: str) -> object:
    """What a dotted path leads to, through packages and attributes."""
    first, *rest = name.split(".")
    value: object = importlib.import_module(first)
    for i, part in enumerate(rest):
        try:
            value = getattr(value, part)
        except AttributeError:
            value = importlib.import_module(".".join([first, *rest[: i + 1]]))
    return value


def test_each_folder_has_a_header_and_each_example_a_place_in_the_order():
    there = {
        folder.name: {path.name for path in folder.glob("*.py")}
        for folder in EXAMPLES.iterdir()
        if folder.is_dir() and folder.name != "__pycache__"
    }
    assert there == {folder: set(names) for folder, names in taught().items()}
    for folder in (EXAMPLES, *(EXAMPLES / name for name in there)):
        title, line, *rest = (folder / "GALLERY_HEADER.rst").read_text("utf-8").splitlines()
        assert len(title) == len(line), title
        assert any(rest)
    assert sum(map(len, there.values())) >= 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
class TestExample:
    def test_is_short_and_says_what_it_teaches(self, path):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= MAX_LINES
        title, line, _, *rest = ast.get_docstring(ast.parse(text)).splitlines()
        assert line == "=" * len(title)
        assert any(rest)
        assert "\n# %%\n" in text
        assert "**Next**" in text, "expected what to try next"
        assert ".png" in text or ".gif" in text, "expected a picture that is written"

    def test_uses_public_names_that_exist(self, path):
        names = names_of(path)
        assert names
        for name, where in names.items():
            assert not re.search(r"\._", name), where
            resolved(name)

    def test_neither_fetches_nor_starts_anything(self, path):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        modules = {
            (getattr(node, "module", None) or alias.name).split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        assert not modules & OUTSIDE
        assert "http" not in text
        assert modules <= {*sys.stdlib_module_names, "anonopt", "numpy", "pandas", "matplotlib",
                           "networkx", "pymoo", "deap", "optuna", "dask"}  # fmt: skip

    def test_leads_to_examples_that_exist(self, path):
        wanted = re.findall(r"sphx_glr_gallery_(\w+?)_(plot_\w+\.py)", path.read_text("utf-8"))
        for folder, name in wanted:
            known = [place for place in taught() if f"{folder}_{name}".startswith(f"{place}_")]
            assert any(
                f"{folder}_{name}".removeprefix(f"{place}_") in taught()[place] for place in known
            ), name
