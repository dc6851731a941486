"""What docs/command_line.md shows is what happens."""

from __future__ import annotations

import dataclasses
import inspect
import re
import shlex

import pytest

from anonopt.cli.configuration.config import DataSection, OutputSection, SearchSection
from anonopt.cli.configuration.hierarchies import BUILDERS
from anonopt.data import Hierarchy
from tests.repository import ROOT

PAGE = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")
COMMANDS = (
    "demo",
    "datasets",
    "problems",
    "algorithms",
    "measures",
    "methods",
    "init",
    "check",
    "solve",
    "anonymize",
    "mask",
    "compare-files",
    "report",
    "reproduce",
)
GROUPS = ("experiment", "graph")


def test_example_gives_the_table_shown(run, people, page_blocks):
    outcome = run("anonymize", people / "people.toml")
    assert outcome.code == 0
    _, protected = page_blocks("text")
    assert (people / "protected.csv").read_text(encoding="utf-8") == protected


def test_commands_shown_for_the_example_run(run, people, page_blocks, monkeypatch):
    monkeypatch.chdir(people)
    lines = "".join(page_blocks("bash")).splitlines()
    anonymize, row = [line for line in lines if line.startswith("anonopt anonymize people")]
    (front,) = [line for line in lines if line.startswith("anonopt solve people")]
    (check,) = [line for line in lines if line.startswith("anonopt check protected")]
    for line in (anonymize, check, front, f"{row} --force"):
        assert run(*shlex.split(line)[1:]).code == 0


@pytest.mark.parametrize("section", [DataSection, SearchSection, OutputSection])
def test_every_key_is_in_the_table(section):
    name = section.__name__.removesuffix("Section").lower()
    shown = set(re.findall(rf"^\| `{name}\.(\w+)`", PAGE, re.MULTILINE))
    assert shown == {key.name for key in dataclasses.fields(section)}


def test_every_builder_is_in_the_table():
    assert set(re.findall(r'^\| `\{ builder = "(\w+)"', PAGE, re.MULTILINE)) == set(BUILDERS)


def test_no_builder_of_the_library_is_forgotten():
    makers = {
        name
        for name, member in inspect.getmembers(Hierarchy, inspect.ismethod)
        if not name.startswith("_")
    }
    # A frame of levels has the content of a CSV file.
    assert {name.removeprefix("from_") for name in makers} - {"frame"} == set(BUILDERS)


@pytest.mark.parametrize("command", [*COMMANDS, "experiment", "experiment run", "experiment suite"])
def test_help_shows_an_example_of_the_command(run, command):
    outcome = run(*command.split(), "--help")
    assert outcome.code == 0
    assert re.search(rf"Example: anonopt {command}\b", outcome.out)


def test_help_lists_every_command(run):
    listed = re.findall(r"^│ (\w[\w-]*)  ", run("--help").out, re.MULTILINE)
    assert tuple(listed) == (*COMMANDS, *GROUPS)


def test_version_is_that_of_the_package(run):
    import anonopt

    assert run("--version").out == f"anonopt {anonopt.__version__}\n"
