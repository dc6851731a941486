"""The examples in the docstrings run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

from tests.repository import library_files, pyproject

ROOTS = ("anonopt", "anonopt.operators", "anonopt.problems")


def found_modules() -> list[str]:
    """Modules that an installed anonopt offers, the mapped packages included."""
    names = set(ROOTS)
    for root in ROOTS:
        package = importlib.import_module(root)
        names.update(m.name for m in pkgutil.walk_packages(package.__path__, f"{root}."))
    return sorted(names)


MODULES = found_modules()


def optional_imports() -> set[str]:
    extras = pyproject()["project"]["optional-dependencies"]
    return {r.split(">")[0].split("[")[0] for e, rs in extras.items() if e != "dev" for r in rs}


def test_installed_modules_are_those_of_the_checkout():
    assert set(MODULES) == set(library_files())


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    # pandas cuts frames to the width of the terminal that happens to run the tests.
    monkeypatch.setenv("COLUMNS", "100")
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name not in optional_imports():
            raise
        pytest.skip(f"{name} needs {missing.name}, which an extra brings")
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert outcome.failed == 0, f"{outcome.failed} of {outcome.attempted} examples of {name}"
