"""The evaluator as its users meet it: frames, options, errors, and measures of their own."""

from __future__ import annotations

import importlib.util

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from anonopt import LatticeEvaluator, Microdata, load_dataset
from anonopt.evaluation.threads import in_threads
from tests.evaluation.lattice.small_tables import ZIP, eight_people, rules, small_tables
from tests.examples import examples


@pytest.fixture
def table() -> Microdata:
    return eight_people(sensitive="illness", target="cured")


def test_frames_hold_levels_then_measures_in_the_order_asked_for(table):
    evaluator = LatticeEvaluator(table)
    found = evaluator.evaluate([[2, 0], (0, 1)], ["glm", "k", "t"])
    assert found.columns.tolist() == ["zip", "sex", "glm", "k", "t"]
    assert found[["zip", "sex"]].values.tolist() == [[2, 0], [0, 1]]
    assert found["k"].tolist() == [3, 2]
    assert found["glm"].tolist() == [8.0, 8.0]
    assert found["k"].dtype == np.int64


def test_one_node_and_none(table):
    evaluator = LatticeEvaluator(table)
    assert_frame_equal(evaluator.evaluate([1, 1], ["k"]), evaluator.evaluate([[1, 1]], ["k"]))
    for accelerator in ("numpy", "auto"):
        nothing = LatticeEvaluator(table, accelerator=accelerator).evaluate([], ["k", "t"])
        assert nothing.columns.tolist() == ["zip", "sex", "k", "t"]
        assert len(nothing) == 0


def test_values_are_those_of_the_frame(table):
    evaluator = LatticeEvaluator(table, suppression=1)
    nodes = table.lattice.nodes()
    values = evaluator.values(nodes, ["k", "glm"])
    frame = evaluator.evaluate(nodes, ["k", "glm"])
    assert list(values) == ["k", "glm"]
    assert all(values[name].tolist() == frame[name].tolist() for name in values)


def test_one_distinct_tuple():
    frame = pd.DataFrame({"zip": ["a"], "s": ["x"]})
    table = Microdata(frame, quasi_identifiers=["zip"], hierarchies={"zip": ZIP}, sensitive="s")
    evaluator = LatticeEvaluator(table)
    assert evaluator.n_tuples == 1
    names = ["k", "l", "S_k", "t", "entropy_l", "unique_rows", "glm"]
    found = evaluator.evaluate_all(names)
    assert found[names].values.tolist() == [
        [1, 1, 1, 0, 1, 1, 0],
        [1, 1, 1, 0, 1, 1, 1 / 3],
        [1, 1, 1, 0, 1, 1, 1],
    ]


class TestErrors:
    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (["gml"], "unknown measure 'gml'; did you mean glm"),
            (["k", "S_k", "k"], "'k' is given twice"),
            ([], "expected a list of at least one"),
            ("k", "expected a list of at least one, found 'k'"),
            (["feasible"], "'feasible' needs the fixed-k rule: give k="),
        ],
    )
    def test_measures(self, table, names, message):
        evaluator = LatticeEvaluator(table)
        for evaluate in (evaluator.evaluate_all, lambda names: evaluator.evaluate([[0, 0]], names)):
            with pytest.raises(ValueError, match=message):
                evaluate(names)

    @pytest.mark.parametrize(
        "name", ["l", "l_all", "S_l", "S_l_kept", "entropy_l", "recursive_cl", "t", "t_ordered"]
    )
    def test_no_sensitive_column(self, name):
        evaluator = LatticeEvaluator(eight_people(target="cured"))
        message = f"'{name}' needs a sensitive column: give sensitive= to Microdata"
        with pytest.raises(ValueError, match=message):
            evaluator.measure(name)
        with pytest.raises(ValueError, match=message):
            evaluator.evaluate([[0, 0]], ["k", name])

    @pytest.mark.parametrize("name", ["cm", "cm_normalized"])
    def test_no_target_column(self, name):
        evaluator = LatticeEvaluator(eight_people(sensitive="illness"))
        with pytest.raises(ValueError, match=f"'{name}' needs a target column: give target="):
            evaluator.evaluate([[0, 0]], [name])

    def test_class_tables_without_roles(self):
        classes = LatticeEvaluator(eight_people()).class_table([0, 0])
        with pytest.raises(ValueError, match="no sensitive column"):
            classes.sensitive_counts()
        with pytest.raises(ValueError, match="no sensitive column"):
            classes.distinct_sensitive()
        with pytest.raises(ValueError, match="no target column"):
            classes.target_counts()
        with pytest.raises(ValueError, match="no sensitive column"):
            LatticeEvaluator(eight_people()).property_vector([0, 0], "sensitive_count")

    @pytest.mark.parametrize(
        ("node", "message"),
        [
            ([3, 0], "column 'zip': expected a level in 0..2, found 3"),
            ([0, -1], "column 'sex': expected a level in 0..1, found -1"),
            ([0, 0.5], "column 'sex': expected a level in 0..1, found 0.5"),
            ([0], "expected vectors of 2 levels"),
        ],
    )
    def test_nodes_outside_the_lattice(self, table, node, message):
        evaluator = LatticeEvaluator(table)
        calls = [
            lambda: evaluator.evaluate([node], ["k"]),
            lambda: evaluator.class_table(node),
            lambda: evaluator.row_classes(node),
            lambda: evaluator.property_vector(node, "class_size"),
            lambda: evaluator.attribute_loss(node),
        ]
        for call in calls:
            with pytest.raises(ValueError, match=message):
                call()

    @pytest.mark.parametrize("nodes", [[[0, 0], [1, 1]], []], ids=["two", "none"])
    def test_several_nodes_where_one_is_asked_for(self, table, nodes):
        evaluator = LatticeEvaluator(table)
        for ask in (evaluator.class_table, evaluator.row_classes, evaluator.attribute_loss):
            with pytest.raises(ValueError, match=f"one vector of levels, found {len(nodes)}"):
                ask(nodes)

    @pytest.mark.parametrize(
        ("weights", "message"),
        [
            ({"age": 1.0}, "'age' is not a quasi-identifier"),
            ({"zip": -1.0}, "'zip': expected a number of at least 0, found -1.0"),
            ({"zip": float("nan")}, "'zip': expected a number of at least 0, found nan"),
            ({"zip": float("inf")}, "'zip': expected a number of at least 0, found inf"),
            ({"zip": "1"}, "'zip': expected a number, found '1'"),
        ],
    )
    def test_weights(self, table, weights, message):
        with pytest.raises((TypeError, ValueError), match=message):
            LatticeEvaluator(table, weights=weights)

    @pytest.mark.parametrize(
        ("suppression", "error", "message"),
        [
            (8, ValueError, "budget of 0 to 7 rows for a table of 8 rows, found 8"),
            (1.0, ValueError, "found 8"),
            (-1, ValueError, "found -1"),
            (-0.1, ValueError, "share in 0..1"),
            (1.5, ValueError, "share in 0..1 .*found 1.5"),
            (float("nan"), ValueError, "found nan"),
            (True, TypeError, "found True"),
            ("1 %", TypeError, "found '1 %'"),
        ],
    )
    def test_budgets(self, table, suppression, error, message):
        with pytest.raises(error, match=message):
            LatticeEvaluator(table, suppression=suppression)

    @pytest.mark.parametrize("k", [0, -3, 2.5, True, "2"])
    def test_k(self, table, k):
        error = ValueError if type(k) is int else TypeError
        with pytest.raises(error, match="k: expected a whole number of at least 1, found"):
            LatticeEvaluator(table, k=k)

    @pytest.mark.parametrize(
        ("option", "value"),
        [
            ("backend", "gpu"),
            ("accelerator", "cython"),
            ("workers", 0),
            ("workers", 1.5),
            ("workers", True),
        ],
    )
    def test_options(self, table, option, value):
        error = TypeError if option == "workers" and value != 0 else ValueError
        with pytest.raises(error, match=f"{option}: expected .*found {value!r}"):
            LatticeEvaluator(table, **{option: value})

    def test_numba_that_is_not_installed(self, table, monkeypatch):
        find = importlib.util.find_spec
        absent = lambda name, *rest: None if name == "numba" else find(name, *rest)  # noqa: E731
        monkeypatch.setattr(importlib.util, "find_spec", absent)
        with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[fast\]'"):
            LatticeEvaluator(table, accelerator="numba")
        found = LatticeEvaluator(table).evaluate_all(["k", "glm"])
        monkeypatch.undo()
        assert_frame_equal(found, LatticeEvaluator(table).evaluate_all(["k", "glm"]))

    def test_unknown_property(self, table):
        message = "property: expected one of 'class_size', 'sensitive_count', found 'size'"
        with pytest.raises(ValueError, match=message):
            LatticeEvaluator(table).property_vector([0, 0], "size")

    @pytest.mark.parametrize("vector", [1.0, [1.0, 2.0], np.zeros((8, 2))])
    def test_property_of_another_shape(self, table, vector):
        with pytest.raises(ValueError, match="one number for each of 8 rows, found shape"):
            LatticeEvaluator(table).property_vector([0, 0], lambda rows: vector)


@given(small_tables(max_rows=20), st.data())
@examples(30)
def test_class_tables_and_rows_against_the_slow_twins(small, data):
    rule = data.draw(rules(small))
    node = [data.draw(st.integers(0, height)) for height in small.table.lattice.heights]
    plain = small.classes(node, *rule.values())
    evaluator = LatticeEvaluator(small.table, **rule)
    rows = evaluator.row_classes(node)
    classes = rows.classes
    assert sorted(classes.sizes.tolist()) == sorted(len(members) for members in plain.all)
    assert classes.threshold == plain.threshold
    assert classes.n_suppressed == len(plain.suppressed)
    trees = [small.table.hierarchies[name] for name in small.table.quasi_identifiers]
    labels = [
        tuple(
            tree.labels[level][code] for tree, level, code in zip(trees, node, codes, strict=True)
        )
        for codes in classes.codes.tolist()
    ]
    for found in (classes, evaluator.class_table(node)):
        assert found.sizes.tolist() == [len(plain.members[label]) for label in labels]
    assert [labels[found] for found in rows.class_of_row] == plain.values
    if small.plain.sensitive is not None:
        counts = classes.sensitive_counts()
        assert counts.sum(axis=1).tolist() == classes.sizes.tolist()
        for label, row in zip(labels, counts.tolist(), strict=True):
            values = [small.plain.sensitive[member] for member in plain.members[label]]
            assert sorted(n for n in row if n) == sorted(map(values.count, set(values)))


def test_comparing_two_nodes(table):
    """`compare` gives the index both ways round (Dewri 2010, Definition 2)."""
    evaluator = LatticeEvaluator(table)
    first, second = [0, 1], [2, 0]
    left, right = (evaluator.property_vector(node, "class_size") for node in (first, second))
    assert evaluator.compare(first, second, "class_size") == (
        np.maximum(left - right, 0).sum(),
        np.maximum(right - left, 0).sum(),
    )
    rank = evaluator.compare(first, second, "class_size", index=lambda a, b: (a > b).mean())
    assert rank == ((left > right).mean(), (right > left).mean())


@pytest.mark.parametrize("backend", ["rollup", "direct", "wide"])
@pytest.mark.parametrize("workers", [1, 2])
def test_progress_ends_at_the_size_of_the_lattice(backend, workers):
    table = load_dataset("german")
    evaluator = LatticeEvaluator(table, backend=backend, workers=workers)
    seen: list[int] = []
    evaluator.evaluate_all(["k"], on_progress=seen.append)
    assert max(seen) == table.lattice.size
    assert len(set(seen)) == len(seen)


def test_threads_measure_a_population_to_the_same_bits():
    table = load_dataset("german")
    nodes = table.lattice.nodes()[::20]
    names = ["k", "suppressed", "l", "glm"]
    one, two = (LatticeEvaluator(table, suppression=0.01, workers=w) for w in (1, 2))
    assert_frame_equal(one.evaluate(nodes, names), two.evaluate(nodes, names))
    for n in range(6):
        first, second = one.values(nodes[:n], names), two.values(nodes[:n], names)
        assert {name: first[name].tolist() for name in names} == {
            name: second[name].tolist() for name in names
        }


def test_an_error_in_a_thread_ends_the_work():
    done = []

    def work(task):
        if task == 3:
            raise RuntimeError("three")
        done.append(task)

    with pytest.raises(RuntimeError, match="three"):
        in_threads(iter(range(10_000)), work, workers=2)
    assert len(done) < 10_000
