"""docs/reproduction.md holds every number of every item, as the command writes it."""

from __future__ import annotations

import re

import pytest

from anonopt.experiments import list_papers
from anonopt.experiments.items.verdicts import AGREES, DIFFERS, NOT_COMPARABLE, SAME
from anonopt.experiments.papers import PAPERS
from tests.repository import ROOT

VERDICTS = {SAME, AGREES, DIFFERS, NOT_COMPARABLE}


def page() -> str:
    return (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")


def rows_of(paper: str) -> dict[str, list[list[str]]]:
    """Cells of each item's table, by its heading."""
    (section,) = re.findall(rf"^## {paper}\n(.*?)(?=^## |\Z)", page(), re.MULTILINE | re.DOTALL)
    return {
        heading: [
            [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in table.strip().splitlines()[2:]
        ]
        for heading, table in re.findall(
            r"^### (.*?)\n\n(.*?)\n(?=\n|\Z)", section, re.MULTILINE | re.DOTALL
        )
    }


@pytest.mark.parametrize("name", list_papers())
def test_page_has_every_number_of_the_paper(name):
    rows = rows_of(name)
    items = PAPERS[name].items
    assert list(rows) == [f"{item.name}: {item.title}" for item in items]
    for item, table in zip(items, rows.values(), strict=True):
        expected = [[printed.label, printed.value or ""] for printed in item.printed]
        assert [cells[:2] for cells in table] == expected, item.name


@pytest.mark.parametrize("name", list_papers())
def test_every_number_of_the_page_has_a_verdict_and_a_reason_where_one_is_called_for(name):
    for heading, table in rows_of(name).items():
        for label, _, _, _, verdict, why in table:
            assert verdict in VERDICTS, (heading, label)
            assert why or verdict in (SAME, AGREES), (heading, label)


@pytest.mark.parametrize("name", list_papers())
def test_reasons_of_the_page_are_those_of_the_items(name):
    for item, table in zip(PAPERS[name].items, rows_of(name).values(), strict=True):
        for printed, cells in zip(item.printed, table, strict=True):
            assert cells[5] in ("", printed.why) or cells[5].startswith("not measured: ")


def test_page_is_of_all_seeds():
    (command,) = re.findall(r"Written on \d{4}-\d\d-\d\d by `(.*?)`", page())
    assert command == "anonopt reproduce all"


@pytest.mark.parametrize(
    "path", sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")]), ids=lambda path: path.name
)
def test_pages_speak_of_reproduced_figures_only_where_the_command_does(path):
    # What comes back stands in docs/reproduction.md, with its verdict, and nowhere else.
    if path.name != "reproduction.md":
        assert re.findall(r"\breproduced\b", path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "path", sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")]), ids=lambda path: path.name
)
def test_items_that_pages_show_exist(path):
    from anonopt.experiments.reproduction import get_item, get_paper

    shown = re.findall(r"anonopt reproduce (\w+) ([\w.-]+)", path.read_text(encoding="utf-8"))
    for paper, item in shown:
        if not item.startswith("-"):
            get_item(get_paper(paper), item)
