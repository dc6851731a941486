"""anonopt anonymize: the best node, the file, its check, and every way it can end."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anonopt.data import Hierarchy, read_table
from anonopt.measures.lattice.check import check
from tests.oracles.protection import generalize, suppressed_for_k

COLUMNS = ["age", "zip", "education", "joined"]


def hierarchies(frame: pd.DataFrame) -> list[Hierarchy]:
    return [
        Hierarchy.intervals(frame["age"], width=10, fan_outs=[2]),
        Hierarchy.text(frame["zip"]),
        Hierarchy.ordered(["school", "bachelor", "master", "doctor"], fan_outs=[2]),
        Hierarchy.dates(frame["joined"], levels=["day", "month", "year"]),
    ]


def least_loss(frame: pd.DataFrame, k: int, budget: int, l: int) -> float:  # noqa: E741
    """Smallest glm of all nodes, row by row; infinite if no node is feasible."""
    trees = [tree.to_frame() for tree in hierarchies(frame)]
    paths = [{row[0]: row for row in tree.itertuples(index=False, name=None)} for tree in trees]
    rows = list(frame[COLUMNS].itertuples(index=False, name=None))
    best = np.inf
    for node in itertools.product(*(range(tree.shape[1]) for tree in trees)):
        labels = generalize(rows, paths, node)
        mask = suppressed_for_k(labels, k)
        kept: dict[tuple[str, ...], set[str]] = {}
        for row, out, illness in zip(labels, mask, frame["illness"], strict=True):
            if not out:
                kept.setdefault(row, set()).add(illness)
        if sum(mask) > budget or any(len(found) < l for found in kept.values()):
            continue
        loss = 0.0
        for row, out in zip(labels, mask, strict=True):
            for label, tree, level in zip(row, trees, node, strict=True):
                leaves = (tree[f"level{level}"] == label).sum()
                loss += 1.0 if out else (leaves - 1) / (len(tree) - 1)
        best = min(best, loss)
    return best


@pytest.mark.parametrize(
    ("k", "budget", "l"), [(1, 0, 1), (2, 0, 1), (2, 3, 2), (3, 1, 2), (4, 8, 3), (9, 0, 3)]
)
def test_node_is_the_best_of_all(run, people, edited, k, budget, l):  # noqa: E741
    config = edited(("k = 3", f"k = {k}"), ("l = 2", f"l = {l}"), ("= 1  ", f"= {budget}  "))
    found = run("anonymize", config, "--json").json
    expected = least_loss(read_table(people / "people.csv"), k, budget, l)
    assert found["figures"]["glm"] == pytest.approx(expected)
    assert found["proven"] is True


def test_report_agrees_with_the_file(run, people):
    found = run("anonymize", people / "people.toml", "--json").json
    protected = read_table(people / "protected.csv")
    report = check(
        protected, quasi_identifiers=COLUMNS, sensitive="illness", k=3, l=2, suppressed="*"
    )
    assert found["check"] == report.to_dict()
    assert found["check"]["anonymous"] is True
    assert found["figures"]["suppressed"] == found["check"]["suppressed"] == 1
    loss = pd.DataFrame(found["attribute_loss"]).set_index("quasi_identifier")
    assert loss["level"].to_dict() == found["node"]
    assert loss["glm"].sum() == pytest.approx(found["figures"]["glm"])


def test_identifiers_are_dropped_and_other_cells_kept(run, people, edited):
    # Cells that are hard to write: separators, quotes, line ends, text that looks missing.
    hard = ["a,b", 'say "x"', "two\nlines", "car\rriage", "NA", "", "é", " space ", "-0"]
    frame = read_table(people / "people.csv").assign(remark=hard)
    frame.to_csv(people / "people.csv", index=False, quoting=csv.QUOTE_ALL)
    config = edited(('sensitive = "illness"', 'sensitive = "illness"\nkeep = ["remark"]'))
    assert run("anonymize", config).code == 0
    protected = pd.read_csv(
        people / "protected.csv", dtype=str, keep_default_na=False, lineterminator="\n"
    )
    assert list(protected.columns) == [*COLUMNS, "illness", "remark"]
    assert protected["remark"].tolist() == hard
    assert protected["illness"].tolist() == frame["illness"].tolist()


@pytest.mark.parametrize("algorithm", ["pbgea", "random", "ga"])
def test_algorithm_can_be_chosen(run, edited, algorithm):
    config = edited(("k = 3", f'k = 3\nalgorithm = "{algorithm}"\nbudget = 60\nseed = 2'))
    outcome = run("anonymize", config, "--json")
    assert outcome.code == 0
    assert outcome.json["algorithm"] == algorithm
    # A budget below the 288 nodes of the lattice proves nothing, whatever the algorithm.
    assert outcome.json["proven"] is False


@pytest.mark.parametrize("algorithm", ["exhaustive", "random"])
def test_search_of_all_nodes_is_a_proof(run, edited, algorithm):
    config = edited(("k = 3", f'k = 3\nalgorithm = "{algorithm}"\nbudget = 288'))
    assert run("anonymize", config, "--json").json["proven"] is True


def test_large_lattice_is_searched_and_said_so(run, edited):
    outcome = run("anonymize", edited(("k = 3", "k = 3\nbudget = 200")))
    assert outcome.code == 0
    assert "288 nodes, of which at most 200 may all be tried; ga with seed 1" in outcome.out
    assert "a better node may exist" in outcome.out


def test_nothing_feasible_shows_the_best_there_is(run, people, edited):
    outcome = run("anonymize", edited(("l = 2", "l = 4")), "--json")
    assert outcome.code == 1
    assert outcome.json["success"] is False
    assert outcome.json["output"] is outcome.json["check"] is None
    assert outcome.json["figures"]["l"] == 3
    assert outcome.json["node"] == {"age": 3, "zip": 5, "education": 2, "joined": 3}
    assert "l is 3, asked for >= 4" in outcome.json["message"]
    assert not (people / "protected.csv").exists()
    assert "Nearest node, not applied" in run("anonymize", people / "people.toml").out


def test_failed_search_writes_nothing(run, people, edited):
    config = edited(("k = 3", 'k = 3\nalgorithm = "random"\nbudget = 1'))
    outcome = run("anonymize", config, "--json")
    assert outcome.code == 1
    assert "no feasible solution among 1 evaluated" in outcome.json["message"]
    assert not (people / "protected.csv").exists()


def test_paths_are_relative_to_the_configuration(run, people, monkeypatch):
    (people / "elsewhere").mkdir()
    monkeypatch.chdir(people / "elsewhere")
    assert run("anonymize", Path("..") / "people.toml").code == 0
    assert (people / "protected.csv").is_file()


def test_existing_output_needs_force(run, people):
    output = people / "protected.csv"
    output.write_text("precious", encoding="utf-8")
    outcome = run("anonymize", people / "people.toml")
    assert (outcome.code, outcome.out) == (2, "")
    assert "--force" in outcome.err
    assert output.read_text(encoding="utf-8") == "precious"
    assert run("anonymize", people / "people.toml", "--force").code == 0
    assert output.read_text(encoding="utf-8") != "precious"


@pytest.mark.parametrize("name", ["people.csv", "people.toml", "./people.csv"])
def test_input_is_never_overwritten(run, people, edited, name):
    before = (people / "people.csv").read_bytes()
    outcome = run("anonymize", edited(('"protected.csv"', f'"{name}"')), "--force")
    assert outcome.code == 2
    assert "expected a new file, found the input" in outcome.err
    assert (people / "people.csv").read_bytes() == before


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_interrupted_write_leaves_the_old_file(run, people, monkeypatch, failure):
    output = people / "protected.csv"
    output.write_text("precious", encoding="utf-8")

    def fail(self, target):
        raise failure

    monkeypatch.setattr(Path, "replace", fail)
    assert run("anonymize", people / "people.toml", "--force").code != 0
    assert output.read_text(encoding="utf-8") == "precious"
    assert sorted(path.name for path in people.iterdir()) == [
        "people.csv",
        "people.toml",
        "protected.csv",
    ]


BOUNDED = """
[data]
file = "worked.csv"
quasi_identifiers = ["q"]
sensitive = "s"
[hierarchies]
q = "flat"
[search]
k = 2
suppression = 4
[search.class_bounds]
l = 2
t = 0.9
[output]
file = "out.csv"
"""


@pytest.fixture
def worked(tmp_path):
    (tmp_path / "worked.csv").write_text("q,s\na,x\na,y\nb,x\nb,x\nb,x\nc,z\n")

    def config(old: str = "", new: str = "") -> Path:
        path = tmp_path / "bounded.toml"
        path.write_text(BOUNDED.replace(old, new))
        return path

    return config


def test_point_31_classes_that_miss_a_bound_are_suppressed(run, worked):
    found = run("anonymize", worked(), "--json").json
    assert found["figures"]["glm"] == 4
    assert found["node"] == {"q": 0}
    assert found["check"]["anonymous"]
    assert (found["check"]["l"], found["check"]["suppressed"]) == (2, 4)
    written = (worked().parent / "out.csv").read_text()
    assert written == "q,s\na,x\na,y\n*,x\n*,x\n*,x\n*,z\n"
    text = run("anonymize", worked(), "--force").out
    assert "anonymous as asked: k >= 2, l >= 2, t <= 0.9" in text


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("l = 2", "ll = 2", 2, "class_bounds: unknown measure 'll'; did you mean l?"),
        ("l = 2", 'l = "2"', 2, "search.class_bounds: expected a table of numbers"),
        ("l = 2", "glm = 2", 2, "class_bounds: expected measures of single classes"),
        ('sensitive = "s"', "", 2, "measure 'l' needs a sensitive column"),
        ("l = 2", "l = 9", 1, "none is feasible"),
    ],
)
def test_point_31_bounds_that_do_not_fit_or_that_nothing_meets(
    run, worked, old, new, code, message
):
    done = run("anonymize", worked(old, new))
    assert done.code == code
    assert message in done.out + done.err
    assert not (worked().parent / "out.csv").exists()
