"""The lattice of Adult: the tables of Dewri 2010, back ends, and the slow twins.

The walk without numba is held to the compiled one on five of the columns; on every node of the
whole lattice by ``python -m tests.evaluation.lattice.test_adult``.
"""

from __future__ import annotations

import csv
import gzip
import sys
from importlib import resources

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from anonopt import LatticeEvaluator, Microdata, load_dataset
from anonopt.measures import measure_names
from tests.evaluation.lattice.small_tables import assert_equal_values, by_statistics
from tests.oracles.classes import PlainClasses, PlainTable
from tests.oracles.measures import MEASURES as PLAIN
from tests.oracles.measures import NEED_HIERARCHY, NEED_K, NEED_POPULATION, NEED_TARGET

ETA = 301


@pytest.fixture(scope="module")
def plain_adult(adult) -> PlainTable:
    """Adult read with the csv module alone."""
    files = resources.files("anonopt.data.files")
    with (
        resources.as_file(files / "adult_train.csv.gz") as path,
        gzip.open(path, "rt", encoding="utf-8", newline="") as lines,
    ):
        records = [record for record in csv.DictReader(lines) if "?" not in record.values()]
    paths = []
    for column in adult.quasi_identifiers:
        text = (files / "hierarchies" / "adult_dewri" / f"{column}.csv").read_text(encoding="utf-8")
        paths.append({labels[0]: labels for labels in list(csv.reader(text.splitlines()))[1:]})
    # One object a text, not one a cell: comparing them is then quick.
    for record in records:
        record.update((name, sys.intern(value)) for name, value in record.items())
    rows = [tuple(record[name] for name in adult.quasi_identifiers) for record in records]
    return PlainTable(
        rows, paths, [r["occupation"] for r in records], [r["income"] for r in records]
    )


def test_the_lattice_and_budget_of_the_paper(adult, adult_target):
    """Dewri 2010, Table 1(a) and Section 7."""
    assert adult.n_rows == 30162
    assert adult.lattice.heights == (6, 3, 3, 3, 1, 1, 4, 1)
    assert adult.lattice.size == 17920
    assert adult_target.lattice.size == 8960
    assert len(adult.sensitive_labels) == 14
    assert LatticeEvaluator(adult, suppression=0.01).rule.budget == ETA


COUNTED = [name for name in by_statistics(measure_names("node")) if name not in NEED_TARGET]


def compare_accelerators(table: Microdata) -> int:
    """The same bits on every node; returns the number of nodes."""
    names = [name for name in COUNTED if name not in NEED_K]
    compiled = LatticeEvaluator(table, suppression=0.01, accelerator="numba", workers=2)
    plain = LatticeEvaluator(table, suppression=0.01, accelerator="numpy")
    found = compiled.evaluate_all(names)
    nodes = table.lattice.nodes()
    assert found.iloc[:, : nodes.shape[1]].to_numpy().tolist() == nodes.tolist()
    assert_frame_equal(plain.evaluate_all(names), found, check_exact=True)
    return len(nodes)


def test_both_accelerators_give_the_same_bits_on_every_node(adult):
    pytest.importorskip("numba")
    names = ["age", "workclass", "education", "race", "native-country"]
    table = load_dataset("adult", quasi_identifiers=names)
    assert compare_accelerators(table) == table.lattice.size


FIXED = {"suppression": 0.01, "k": 5}


@pytest.fixture(scope="module")
def walked(adult) -> pd.DataFrame:
    """What the walk finds of each node."""
    pytest.importorskip("numba")
    return LatticeEvaluator(adult, accelerator="numba", **FIXED).evaluate_all(COUNTED)


@pytest.mark.parametrize(
    ("accelerator", "backend", "step"),
    [("numpy", "direct", 90), ("numba", "direct", 8), ("numba", "wide", 60)],
)
def test_single_nodes_are_what_the_walk_finds(adult, walked, accelerator, backend, step):
    single = LatticeEvaluator(adult, accelerator=accelerator, backend=backend, **FIXED)
    found = single.evaluate(adult.lattice.nodes()[::step], COUNTED)
    expected = walked[::step].reset_index(drop=True)
    assert_frame_equal(found, expected, check_exact=True)


def test_both_accelerators_count_labels_alike_on_every_node():
    pytest.importorskip("numba")
    names = ["age", "workclass", "education", "native-country"]
    table = load_dataset("adult", quasi_identifiers=names, target="income")
    compiled, plain = (
        LatticeEvaluator(table, suppression=0.01, accelerator=accelerator)
        for accelerator in ("numba", "numpy")
    )
    assert_frame_equal(
        compiled.evaluate_all(["cm", "k"]), plain.evaluate_all(["cm", "k"]), check_exact=True
    )


def test_random_nodes_against_the_slow_twins(adult, plain_adult):
    """A few of them: the back ends are compared with each other on all."""
    rng = np.random.default_rng(2010)
    nodes = adult.lattice.nodes()[rng.choice(adult.lattice.size, 4, replace=False)]
    absent = NEED_TARGET | NEED_K | NEED_HIERARCHY | NEED_POPULATION
    names = [name for name in measure_names("node") if name not in absent]
    expected = {name: [] for name in names}
    for node in nodes.tolist():
        classes = PlainClasses(plain_adult, node, ETA)
        for name in names:
            expected[name].append(PLAIN[name](classes))
    found = LatticeEvaluator(adult, suppression=0.01).evaluate(nodes, names)
    assert_equal_values(found, expected)


def test_the_classification_metric_against_the_slow_twin(adult_target, plain_adult):
    """The salary class stays in the rows, at its top level: that parts no class."""
    rng = np.random.default_rng(7)
    nodes = adult_target.lattice.nodes()[rng.choice(adult_target.lattice.size, 4, replace=False)]
    classes = [PlainClasses(plain_adult, [*node, 1], ETA) for node in nodes.tolist()]
    found = LatticeEvaluator(adult_target, suppression=0.01).evaluate(nodes, ["cm", "suppressed"])
    assert found["cm"].tolist() == [PLAIN["cm"](one) for one in classes]
    assert found["suppressed"].tolist() == [len(one.suppressed) for one in classes]


def test_point_31_class_bounds_on_random_nodes_row_by_row(adult, plain_adult):
    """All nodes are looked at by the benchmark of class bounds."""
    rng = np.random.default_rng(31)
    nodes = adult.lattice.nodes()[rng.choice(adult.lattice.size, 4, replace=False)]
    names = ["suppressed", "glm", "k", "l", "classes", "feasible"]
    bounds = {"l": 3}
    twins = [PlainClasses(plain_adult, node, ETA, 5, bounds) for node in nodes.tolist()]
    expected = {name: [PLAIN[name](twin) for twin in twins] for name in names}
    evaluator = LatticeEvaluator(adult, k=5, suppression=0.01, class_bounds=bounds)
    assert_equal_values(evaluator.evaluate(nodes, names), expected)


if __name__ == "__main__":
    print(f"{compare_accelerators(load_dataset('adult'))} nodes are equal")
