"""The examples in the docstrings run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

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


MODULES = library_files()
WITH_EXAMPLES = [name for name in MODULES if ">>>" in MODULES[name].read_text("utf-8")]
"""Looking for examples where there are none takes longer than running a few."""


def optional_imports() -> set[str]:
    extras = pyproject()["project"]["optional-dependencies"]
    return {r.split(">")[0].split("[")[0] for e, rs in extras.items() if e != "dev" for r in rs}


def test_installed_modules_are_those_of_the_checkout():
    assert set(found_modules()) == set(MODULES)


def test_others_are_imported():
    missing = {name for name in set(MODULES) - set(WITH_EXAMPLES) if imported(name) is None}
    if missing:
        pytest.skip(f"extras are not installed that {sorted(missing)} need")


def imported(name: str) -> ModuleType | None:
    """A module, or None if it needs what an extra brings that is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name not in optional_imports():
            raise
        return None


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    # pandas cuts frames to the width of the terminal that happens to run the tests.
    monkeypatch.setenv("COLUMNS", "100")
    module = imported(name)
    if module is None:
        pytest.skip(f"{name} needs what an extra brings")
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert outcome.failed == 0, f"{outcome.failed} of {outcome.attempted} examples of {name}"
