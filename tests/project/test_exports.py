"""The public names of anonopt: written twice, equal twice, and cheap to import."""

from __future__ import annotations

import ast
import subprocess
import sys
from types import ModuleType

import pytest

import anonopt
from tests.repository import ROOT

LAZY = [anonopt, anonopt.algorithms, anonopt.data, anonopt.experiments, anonopt.sources]


def checker_view(package: ModuleType = anonopt) -> dict[str, str]:
    """Name and origin of each import that only type checkers see."""
    path = ROOT.joinpath(*package.__name__.split("."), "__init__.py")
    (block,) = [
        node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    view = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom), ast.unparse(node)
        for alias in node.names:
            assert alias.asname == alias.name, f"{alias.name} is not marked as re-exported"
            view[alias.name] = node.module
    return view


@pytest.mark.parametrize("package", LAZY, ids=lambda package: package.__name__)
def test_lazy_table_equals_the_view_of_type_checkers(package):
    assert checker_view(package) == package._PLACES


def test_all_lists_every_name_once_and_sorted():
    names = anonopt.__all__
    assert sorted(set(names)) == names
    assert set(names) == set(checker_view())


@pytest.mark.parametrize("name", anonopt.__all__)
def test_exported_name_resolves(name):
    assert getattr(anonopt, name) is not None
    assert name in dir(anonopt)


def test_misspelt_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'Microdate'"):
        anonopt.Microdate  # noqa: B018


def test_import_loads_nothing_heavy():
    code = (
        "import sys, anonopt; "
        "print(*sorted({'numpy', 'pandas', 'pymoo', 'scipy', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_command_line_starts_without_what_commands_use():
    code = (
        "import sys, anonopt.cli; "
        "print(*sorted({'pandas', 'pymoo', 'scipy', 'matplotlib', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_version_is_that_of_the_metadata():
    from tests.repository import pyproject

    assert anonopt.__version__ == pyproject()["project"]["version"]
