"""The pages on measures explain every measure, with a formula and an example that is held."""

from __future__ import annotations

import importlib
import re
import sys

import pytest

import anonopt as ao
from anonopt.measures.measure import KINDS
from tests.repository import ROOT

pytest.importorskip("sphinx", reason="the site needs the extra `docs`")

FOLDER = ROOT / "docs" / "measures"
EXTENSIONS = str(ROOT / "docs" / "_extensions")


@pytest.fixture(scope="module")
def measures():
    sys.path.insert(0, EXTENSIONS)
    try:
        yield importlib.import_module("anonopt_measures")
    finally:
        sys.path.remove(EXTENSIONS)


@pytest.fixture(scope="module")
def explained(measures):
    return measures.explained(FOLDER)


def sections(page: str) -> dict[str, str]:
    """Text below each heading that is a name, up to the next heading."""
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    parts = re.split(r"^(#+ .*)$", text, flags=re.MULTILINE)[1:]
    return {
        heading.strip("#` "): body
        for heading, body in zip(parts[::2], parts[1::2], strict=True)
        if "`" in heading
    }


@pytest.mark.parametrize("kind", [*KINDS, "suppressed cells"])
def test_every_measure_is_explained_for_every_kind_it_is_of(measures, explained, kind):
    pages = [page for page, kinds in measures.PAGES.items() if kind in kinds]
    names = {name for page in pages for name in explained[page]}
    assert set(ao.list_measures(of=kind).index) <= names


def test_nothing_is_explained_that_does_not_exist_or_twice(measures, explained):
    for page, kinds in measures.PAGES.items():
        assert len(explained[page]) == len(set(explained[page]))
        known = (
            {name for kind in kinds for name in ao.list_measures(of=kind).index}
            if kinds
            else set(ao.experiments.list_indicators().index)
        )
        assert set(explained[page]) <= known
    assert set(explained["fronts"]) == set(ao.experiments.list_indicators().index)
    assert not set(explained["privacy"]) & set(explained["loss"])


@pytest.mark.parametrize(
    "page",
    ["privacy", "loss", "files", "matrices", "graphs", "suppressed_cells", "fronts"],
)
def test_each_has_a_formula_and_an_example_that_is_held(explained, page):
    texts = sections(page)
    assert list(texts) == explained[page]
    for name, text in texts.items():
        assert "$$" in text, name
        examples = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
        assert re.search(rf"^assert .*\b{name}\b", examples, re.MULTILINE | re.DOTALL), name


def test_facts_come_from_the_registry(measures):
    text = measures.with_facts("## `glm`\n\nSaid.\n", "loss")
    glm = ao.get_measure("glm", of="node")
    for part in ("less is better", f"`{glm.range}`", f"unit: {glm.unit}", glm.paper, "Said."):
        assert part in text
    assert "more is better" in measures.facts("hypervolume", "fronts")
    with pytest.raises(ValueError, match="expected a measure of node"):
        measures.facts("DBIL", "loss")


def test_index_has_a_line_for_each(measures, explained):
    text = measures.with_table("", FOLDER)
    assert text.count("\n| [`") == sum(map(len, explained.values()))
    assert "\\|ln(q/p)\\|" in text
