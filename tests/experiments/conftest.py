"""The papers of the library, and one for tests; the file of a small experiment."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from anonopt.experiments.papers import PAPERS
from tests.experiments.papers_of_tests import CALLS_VARIABLE, OWN
from tests.experiments.stores_of_tests import experiment


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the paper `own` known, and give the file that counts its measurements."""
    monkeypatch.setitem(PAPERS, OWN.name, OWN)
    path = tmp_path / "calls"
    path.touch()
    monkeypatch.setenv(CALLS_VARIABLE, str(path))
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """File of an experiment that was run; not to be changed."""
    path = tmp_path_factory.mktemp("whole") / "whole.sqlite"
    experiment().run(path, workers=0)
    return path


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Path:
    """A copy of that file."""
    return Path(shutil.copy(whole, tmp_path / "copied.sqlite"))
