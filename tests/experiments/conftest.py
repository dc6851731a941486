"""The papers of the library, and one for tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from anonopt.experiments.papers import PAPERS
from tests.experiments.papers_of_tests import CALLS_VARIABLE, OWN


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the paper `own` known, and give the file that counts its measurements."""
    monkeypatch.setitem(PAPERS, OWN.name, OWN)
    path = tmp_path / "calls"
    path.touch()
    monkeypatch.setenv(CALLS_VARIABLE, str(path))
    return path
