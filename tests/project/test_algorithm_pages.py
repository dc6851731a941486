"""Every algorithm has a page, and what the site shows of it follows from the code."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from types import ModuleType
from typing import Any

import pytest

import anonopt as ao
from anonopt.algorithms import ALGORITHMS
from tests.repository import ROOT

EXTENSIONS = ROOT / "docs" / "_extensions"
PAGES = ROOT / "docs" / "algorithms"
HEADINGS = [
    "Idea", "Pseudocode", "Example", "When to use it, and when not", "Costs", "Options", "Paper",
    "Decided",
]  # fmt: skip
SHOWN = ("facts", "idea", "figure", "options", "paper", "decided")

pytest.importorskip("numpydoc", reason="numpydoc is not installed (extra docs)")

every_algorithm = pytest.mark.parametrize("name", ALGORITHMS)


def extension(name: str) -> ModuleType:
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, EXTENSIONS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture(scope="module")
def texts() -> ModuleType:
    return extension("algorithm_texts")


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    return extension("capability_tables")


def sections(name: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", (PAGES / f"{name}.md").read_text("utf-8"), flags=re.MULTILINE)
    return {heading: text.strip() for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


def test_pages_are_those_of_the_registry():
    assert {page.stem for page in PAGES.glob("*.md")} - {"index"} == set(ALGORITHMS)
    listed = re.search(r":::\{toctree\}\n.*?\n\n(.*?):::", _text("index"), re.DOTALL)
    assert listed is not None
    assert sorted(listed[1].split()) == sorted(ALGORITHMS)


def _text(name: str) -> str:
    return (PAGES / f"{name}.md").read_text("utf-8")


@every_algorithm
def test_page_has_all_sections_in_order(name):
    found = sections(name)
    assert list(found) == HEADINGS
    assert len(re.findall(r"^ *\d+\. ", found["Pseudocode"], re.MULTILINE)) >= 2
    for heading in ("When to use it, and when not", "Costs"):
        assert len(found[heading].split()) > 10, heading
    advice = found["When to use it, and when not"]
    assert re.match(r"Use it", advice) and re.search(r"\b[Dd]o(es)? not|takes no\b", advice)
    assert "```python" in found["Example"]


@every_algorithm
def test_figures_that_are_cited_stand_in_the_results_of_the_suite(name):
    advice = sections(name)["When to use it, and when not"]
    suite = (ROOT / "docs" / "suite.md").read_text("utf-8")
    assert [one for one in re.findall(r"\b\d\.\d{4}\b", advice) if one not in suite] == []
    ranks = re.findall(rf"^\| {name} \| \d+ \| (\d+\.\d\d) \|", suite, re.MULTILINE)
    for cited in re.findall(r"mean rank (?:is |of )?\(?\[?(\d+\.\d+)", advice):
        digits = len(cited.partition(".")[2])
        assert any(abs(float(rank) - float(cited)) <= 0.51 * 10**-digits for rank in ranks), cited


@every_algorithm
def test_page_shows_what_the_code_says_of_this_algorithm(name):
    shown = re.findall(r"^:::\{algorithm-(\w+)\} ([\w-]+)$", _text(name), re.MULTILINE)
    assert sorted(shown) == sorted((part, name) for part in SHOWN)
    (alt,) = re.findall(r"^:alt: (.+)$", _text(name), re.MULTILINE)
    assert len(alt.split()) > 8


@every_algorithm
def test_docstrings_have_idea_paper_and_what_was_decided(name, texts):
    idea, paper, decided = (texts.part_of(name, part) for part in texts.PARTS)
    assert len(idea.split()) >= 10
    assert idea[0].isupper() and idea.endswith(".")
    assert re.search(r"[12]\d{3}|^None", paper)
    assert len(decided.split()) >= 10
    assert not {idea, paper} & {decided}


@every_algorithm
def test_options_are_those_of_the_signature(name, texts):
    maker = texts.maker_of(name)
    options = texts.options_of(name)
    told = {one.strip() for option in options for one in option.names.split(",")}
    known = set(texts.defaults_of(maker))
    own = set(inspect.signature(maker).parameters) - {"problem", "args", "options"}
    assert own <= told
    assert told - {"problem", "**options"} <= known | set(inspect.signature(maker).parameters)
    assert not any("As in `" in option.text for option in options)
    assert ao.algorithms.__name__ in texts.public_path(name)


def test_options_say_their_defaults_and_are_told_in_the_words_of_the_base_class(texts):
    options = {option.names: option for option in texts.options_of("ola")}
    assert options["limit"].kind == "int, by default ``10000000``"
    assert options["test_budget"].text.startswith("Most nodes that may be tested, at least 1.")
    assert options["trace"].kind == "bool, by default ``False``"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title.\n\nIdea: one\ntwo.\n\nPaper: none.", "One\ntwo."),
        ("Title.\n\nThe idea: is not here.", ""),
        ("Idea: first.\n\n- no part of it", "First."),
    ],
)
def test_paragraph_of_a_docstring(text, expected, texts):
    assert texts.paragraph(text, "Idea") == expected


def test_what_was_decided_comes_with_its_list_and_ends_with_it(texts):
    text = "Decided where the paper is silent:\n\n- this;\n- that.\n\nLeft out: more.\n\n- not this"
    assert texts.paragraph(text, "Decided") == (
        "Decided where the paper is silent: \n\n- this;\n- that."
    )


def test_algorithm_without_an_idea_is_an_error(texts):
    class Mute(ao.algorithms.RandomSearch):
        """Says nothing."""

    Mute.__module__ = "tests.repository"
    ao.register("algorithms", "mute", Mute)
    with pytest.raises(ValueError, match="mute: expected a paragraph 'Idea' in the docstring"):
        texts.part_of("mute", "Idea")


def takes(tables: Any, name: str, kind: str) -> set[int]:
    """Numbers of objectives that the matrix says an algorithm takes."""
    cell = tables.fitting().loc[name, kind]
    return set() if cell == tables.NO else {int(one.strip(" +")) for one in cell.split(",")}


@every_algorithm
def test_matrix_says_what_runs_and_what_is_refused(name, tables):
    for kind in ("fixed k", "reverse rule + constraint"):
        for several in (False, True):
            problem = tables.problem_of(kind, several)
            if problem.n_obj in takes(tables, name, kind):
                algorithm = ao.get_algorithm(name, problem)
                assert ao.solve(problem, algorithm, budget=3, seed=1).n_unique >= 1
            else:
                with pytest.raises(ValueError, match=f"^{name}: expected "):
                    ao.get_algorithm(name, problem)


def test_matrix_holds_what_the_papers_say(tables):
    fitting = tables.fitting()
    assert list(fitting.index) == list(ALGORITHMS)
    assert (fitting.loc["pbgea"] == "1, 2+").all()
    assert fitting.loc["ola"].to_dict() == {
        kind.label: "1" if kind.label == "fixed k" else tables.NO for kind in tables.KINDS
    }
    assert fitting.columns[fitting.loc["pramgp"] != tables.NO].tolist() == ["equations"]
    assert fitting.columns[fitting.loc["pramea"] != tables.NO].tolist() == ["matrices"]


def test_reasons_tell_of_every_refusal(tables):
    reasons = tables.reasons()
    refused = {(name, kind) for name, kind, _, reason in tables.refusals().to_numpy() if reason}
    told = {
        (name, kind)
        for _, names, kinds in reasons.reset_index().to_numpy()
        for name in names.split(", ")
        for kind in (one.label for one in tables.KINDS)
        if kind in kinds
    }
    assert refused <= told
    assert all(reason.startswith("expected ") for reason in reasons.index)


def test_properties_come_from_the_code(tables, monkeypatch):
    # Whether a run can be resumed is tried by the contracts for every algorithm, and here for two.
    tried = []
    real = tables.is_resumable
    monkeypatch.setattr(
        tables,
        "is_resumable",
        lambda name: tried.append(name) or name not in ("kgen", "ola") or real(name),
    )
    table = tables.properties()
    assert tried == list(ALGORITHMS)
    assert (table["resumable"] == tables.YES).all()
    yes = table == tables.YES
    assert yes.index[yes["exact"]].tolist() == [
        "exhaustive", "branch-and-bound", "epsilon-constraint", "ola", "incognito",
        "exact-recoding",
    ]  # fmt: skip
    assert yes["proof"]["samarati"] and not yes["proof"]["datafly"]
    assert yes["deterministic"]["datafly"] and not yes["deterministic"]["kgen"]
    assert (yes["trace"] == table["budget"].str.contains("tests")).all()
    for name in table.index[yes["trace"]]:
        problem = tables.first_fitting(name)
        traced = ao.get_algorithm(name, problem, test_budget=3, trace=True)
        result = ao.solve(problem, traced, budget=50, seed=1)
        assert len(result.algorithm.trace().columns) == problem.n_var + 4
        assert result.n_tests <= 3


def test_other_tables_are_the_registries(tables):
    assert list(tables.operators().index) == list(ao.list_operators().index)
    assert tables.operators().loc["CellCrossover", ["cells", "levels"]].tolist() == ["yes", "–"]
    assert set(tables.methods().index) == set(ao.list_methods().index)
    assert set(tables.datasets().index) == set(ao.list_datasets().index)
    shown = tables.problems().index
    assert "adult-k-glm" in shown and "freight-5 to freight-97" in shown
    names = ao.list_problems().index
    number = re.compile(r"-\d+(?=$|-k-glm$)")
    families = {number.sub("", name) for name in names}
    assert {number.sub("", name.split(" to ")[0]) for name in shown} == families


def test_pages_show_tables_that_exist(tables):
    shown = [
        name
        for page in ROOT.glob("docs/**/*.md")
        for name in re.findall(r"^:::\{capability-table\} (\S+)$", page.read_text("utf-8"), re.M)
    ]
    assert sorted(shown) == sorted(tables.TABLES)
