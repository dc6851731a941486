"""The listings show every entry of the registries."""

from __future__ import annotations

import re

import pytest

from anonopt.algorithms import ALGORITHMS, list_algorithms
from anonopt.data.datasets.loading import DATASETS
from anonopt.masking import METHODS
from anonopt.measures import MEASURES, measure_names
from anonopt.problems import PROBLEMS, get_problem

REGISTRIES = {
    "datasets": DATASETS,
    "problems": PROBLEMS,
    "algorithms": ALGORITHMS,
    "measures": MEASURES,
    "methods": METHODS,
}


def names_of(registry) -> set[str]:
    return {re.sub(r"^(cargo|freight)-\d+", r"\1-<q>", name) for name in registry}


def first_words(lines: list[str]) -> set[str]:
    return {line.split()[0] for line in lines if line.split()}


@pytest.mark.parametrize("command", REGISTRIES)
def test_json_lists_the_registry_in_its_order(run, command):
    outcome = run(command, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    assert [entry["name"] for entry in outcome.json] == list(REGISTRIES[command])


@pytest.mark.parametrize("command", REGISTRIES)
def test_table_names_every_entry(run, command):
    outcome = run(command)
    assert outcome.code == 0
    assert names_of(REGISTRIES[command]) <= first_words(outcome.out.splitlines())


def test_problems_of_one_family_are_one_row(run):
    lines = run("problems").out.splitlines()
    listed = {entry["name"] for entry in run("problems", "--json").json}
    assert any("q = 5..50, 64, 97" in line for line in lines)
    for family in ("cargo", "freight"):
        assert sum(f"{family}-" in line for line in lines) == 2
        sizes = (*range(5, 51), 64, 97)
        assert {f"{family}-{q}{kind}" for q in sizes for kind in ("", "-k-glm")} <= listed


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("command", REGISTRIES)
def test_tables_fit_and_names_are_whole(run, monkeypatch, command, width):
    monkeypatch.setenv("COLUMNS", str(width))
    lines = run(command).out.splitlines()
    assert max(map(len, lines)) <= width
    if width >= 80:
        assert names_of(REGISTRIES[command]) <= first_words(lines)


def test_measures_of_one_kind_of_thing(run):
    names = [entry["name"] for entry in run("measures", "--of", "graph", "--json").json]
    assert names == measure_names("graph")
    wrong = run("measures", "--of", "table")
    assert wrong.code == 2
    assert "--of: expected one of 'node', 'file', " in wrong.err


def test_json_of_algorithms_tells_capabilities_as_booleans(run):
    entries = {entry["name"]: entry for entry in run("algorithms", "--json").json}
    for name, entry in ALGORITHMS.items():
        assert entries[name]["exact"] is entry.exact
        assert entries[name]["single_objective"] is entry.single_objective


def test_algorithms_of_a_problem_come_with_the_reason_of_the_others(run):
    outcome = run("algorithms", "--problem", "german-k-glm", "--json")
    listed = list_algorithms(get_problem("german-k-glm"))
    assert [entry["name"] for entry in outcome.json] == list(listed.index)
    for entry in outcome.json:
        assert entry["fits"] is not bool(entry["reason"])
        assert entry["reason"] == listed.loc[entry["name"], "reason"]
    shown = run("algorithms", "--problem", "german-k-glm").out
    assert "expected a space of trees" in shown
    assert run("algorithms", "--problem", "german-k").err.startswith("Error: unknown problem")


def test_json_of_datasets_parts_the_roles(run):
    entries = {entry["name"]: entry for entry in run("datasets", "--json").json}
    for name, dataset in DATASETS.items():
        assert entries[name]["quasi_identifiers"] == list(dataset.quasi_identifiers)
        assert entries[name]["sensitive"] == dataset.sensitive
        assert entries[name]["masked"] == list(dataset.masked.columns if dataset.masked else ())
