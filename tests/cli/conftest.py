"""The command line in this process, and the example of its page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anonopt.cli import app
from tests.repository import ROOT

PAGE = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command; nothing but exit codes may leave it."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*words: object) -> Outcome:
        result = CliRunner().invoke(app, [str(word) for word in words])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def page_blocks() -> Callable[[str], list[str]]:
    """Give the fenced blocks of the page in a language."""

    def find(language: str) -> list[str]:
        return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

    return find


@pytest.fixture
def people(tmp_path: Path, page_blocks: Callable[[str], list[str]]) -> Path:
    """Folder with the example table of the page and its configuration, people.toml."""
    table, _ = page_blocks("text")
    config, _ = page_blocks("toml")
    (tmp_path / "people.csv").write_text(table, encoding="utf-8")
    (tmp_path / "people.toml").write_text(config, encoding="utf-8")
    return tmp_path


@pytest.fixture
def edited(people: Path) -> Callable[..., Path]:
    """Write a variant of the configuration: pairs of old and new text."""

    def edit(*pairs: tuple[str, str]) -> Path:
        path = people / "people.toml"
        text = path.read_text(encoding="utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, f"{old!r} is not in the example once"
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        return path

    return edit
