"""Tables of so many quasi-identifiers that packed keys or the lattice outgrow 64 bits."""

from __future__ import annotations

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

from anonopt import LatticeEvaluator, Microdata, check
from tests.evaluation.lattice.small_tables import (
    SmallTable,
    assert_equal_values,
    by_statistics,
    expected_values,
    tables_of,
)

COLLIDING = (18, 44, 67, 44, 7, 37, 9, 55, 16, 16)
"""In base 100 this is 2**64, so that a key that wraps takes it for (0, ..., 0)."""


def flat(n_values: int) -> list[list[str]]:
    return [[str(value) for value in range(n_values)], ["*"] * n_values]


@pytest.fixture(scope="module")
def colliding_keys() -> SmallTable:
    rows = [tuple(str(i) for _ in COLLIDING) for i in range(100)]
    rows.append(tuple(str(code) for code in COLLIDING))
    sensitive = [row % 3 for row in range(101)]
    return tables_of(rows, [flat(100)] * 10, sensitive=sensitive, target=sensitive)


def test_packed_keys_do_not_wrap(colliding_keys):
    assert sum(code * 100**i for i, code in enumerate(reversed(COLLIDING))) == 2**64
    table = colliding_keys.table
    for accelerator in ("numpy", "auto"):
        found = LatticeEvaluator(table, accelerator=accelerator).evaluate(
            [[0] * 10], ["classes", "k"]
        )
        assert found[["classes", "k"]].values.tolist() == [[101, 1]]
    report = check(table.frame, quasi_identifiers=table.quasi_identifiers)
    assert (report["classes"], report["k"]) == (101, 1)


def test_every_measure_without_packed_keys(colliding_keys):
    """All of the lattice, in which the lonely row meets others only near the top."""
    names = colliding_keys.measures(2)
    rule = {"suppression": 30, "k": 2}
    evaluator = LatticeEvaluator(colliding_keys.table, **rule)
    found = evaluator.evaluate_all(names)
    nodes = colliding_keys.table.lattice.nodes()
    assert len(found) == 1024
    chosen = np.random.default_rng(0).choice(1024, 8, replace=False)
    expected = expected_values(colliding_keys, nodes[chosen].tolist(), names, rule)
    assert_equal_values(found.iloc[chosen], expected)


def test_roll_up_is_refused_where_keys_do_not_fit(colliding_keys):
    with pytest.raises(ValueError, match=r"10 quasi-identifiers need more than 62 bits.*wide"):
        LatticeEvaluator(colliding_keys.table, backend="rollup")


def weak_hashes(maps):
    """Hashes of so few bits that different values and tuples get the same one all the time."""
    return tuple(levels.astype(np.int64) % 3 for levels in maps)


@pytest.mark.parametrize("accelerator", ["numpy", "auto"])
def test_hashes_that_collide_are_noticed(colliding_keys, monkeypatch, accelerator):
    table = colliding_keys.table
    names = colliding_keys.measures(None)
    exact = LatticeEvaluator(table, suppression=3, backend="direct", accelerator=accelerator)
    monkeypatch.setattr("anonopt.evaluation.lattice.nodes.value_hashes", weak_hashes)
    wide = LatticeEvaluator(table, suppression=3, backend="wide", accelerator=accelerator)
    nodes = table.lattice.nodes()[::31]
    found = wide.values(nodes, ["classes"])["classes"]
    assert (found != exact.values(nodes, ["classes"])["classes"]).any()

    counted = by_statistics(names)
    everything = exact.evaluate(nodes, counted)
    assert_frame_equal(wide.evaluate(nodes, counted), everything, check_exact=True)
    assert_frame_equal(wide.evaluate(nodes, names), exact.evaluate(nodes, names), rtol=1e-12)
    node = [0] * 10
    assert wide.class_table(node).sizes.tolist() == [1] * 101
    assert len(set(wide.row_classes(node).class_of_row.tolist())) == 101
    assert_frame_equal(wide.attribute_loss(node), exact.attribute_loss(node))


def corners(n_values: list[int]) -> SmallTable:
    """Rows at the ends of every domain, where keys are smallest and largest."""
    rng = np.random.default_rng(len(n_values))
    rows = [tuple(str(rng.choice([0, 1, n - 2, n - 1])) for n in n_values) for _ in range(60)]
    rows += [tuple("0" for _ in n_values), tuple(str(n - 1) for n in n_values)]
    sensitive = [row % 5 for row in range(len(rows))]
    return tables_of(rows, [flat(n) for n in n_values], sensitive=sensitive)


@pytest.mark.parametrize(
    ("bits", "rolls_up"), [((13, 13, 12, 12, 12), True), ((13, 13, 13, 12, 12), False)]
)
def test_the_last_bit_that_a_key_may_use(bits, rolls_up):
    small = corners([2**width for width in bits])
    names = small.measures(None)
    rule = {"suppression": 9, "k": None}
    reference = LatticeEvaluator(small.table, accelerator="numpy", backend="direct", suppression=9)
    everything = reference.evaluate_all(names)
    expected = expected_values(small, small.table.lattice.nodes().tolist(), names, rule)
    assert_equal_values(everything, expected)
    assert (reference.tuples.layout is not None) == rolls_up
    for accelerator in ("numpy", "auto"):
        evaluator = LatticeEvaluator(small.table, suppression=9, accelerator=accelerator)
        found = evaluator.evaluate_all(by_statistics(names))
        assert_frame_equal(found, everything[found.columns], check_exact=True)


@pytest.fixture(scope="module")
def seventy_columns() -> SmallTable:
    rng = np.random.default_rng(70)
    rows = [tuple(row) for row in rng.choice(["0", "1"], p=[0.97, 0.03], size=(60, 70)).tolist()]
    return tables_of(rows, [flat(2)] * 70, sensitive=[row % 4 for row in range(60)])


def test_single_nodes_of_seventy_binary_columns(seventy_columns):
    table = seventy_columns.table
    assert table.lattice.size == 1180591620717411303424
    rng = np.random.default_rng(1)
    nodes = [[0] * 70, [1] * 70, *rng.integers(0, 2, (4, 70)).tolist()]
    names = seventy_columns.measures(None)
    found = LatticeEvaluator(table, suppression=20).evaluate(nodes, names)
    expected = expected_values(seventy_columns, nodes, names, {"suppression": 20, "k": None})
    assert_equal_values(found, expected)
    assert found["k"].iloc[1] == 60


def test_all_nodes_of_seventy_binary_columns_are_refused(seventy_columns):
    with pytest.raises(ValueError, match="1180591620717411303424"):
        LatticeEvaluator(seventy_columns.table).evaluate_all(["k"])


def test_the_order_of_columns_changes_nothing(colliding_keys):
    table = colliding_keys.table
    backwards = Microdata(
        table.frame,
        quasi_identifiers=table.quasi_identifiers[::-1],
        hierarchies=table.hierarchies,
        sensitive=table.sensitive,
        target=table.target,
    )
    names = ["k", "classes", "l", "S_l", "cm", "glm", "suppressed"]
    found = LatticeEvaluator(backwards, suppression=3).evaluate_all(names)
    expected = LatticeEvaluator(table, suppression=3).evaluate_all(names)
    ordered = found.sort_values(list(table.quasi_identifiers), ignore_index=True)
    assert_frame_equal(ordered[expected.columns], expected, rtol=1e-12)


def test_few_rows_and_many_nodes():
    """10 rows, 11 columns of 3 levels: 177147 nodes, every one in seconds."""
    rng = np.random.default_rng(11)
    levels = [list("abcd"), ["ab", "ab", "cd", "cd"], ["*"] * 4]
    rows = [tuple(row) for row in rng.choice(list("abcd"), (10, 11)).tolist()]
    small = tables_of(rows, [levels] * 11)
    evaluator = LatticeEvaluator(small.table, k=4, suppression=2)
    names = ["feasible", "suppressed", "glm", "classes"]
    found = evaluator.evaluate_all(names)
    assert len(found) == 177147
    chosen = rng.choice(177147, 40, replace=False)
    nodes = found.iloc[chosen, :11].to_numpy().tolist()
    expected = expected_values(small, nodes, names, {"suppression": 2, "k": 4})
    assert_equal_values(found.iloc[chosen], expected)


@pytest.fixture(scope="module")
def rows_and_doubles() -> SmallTable:
    """Rows of 14 columns that few columns tell apart, some of them twice."""
    rng = np.random.default_rng(14)
    rows = [tuple(row) for row in rng.integers(0, 6, (300, 14)).astype(str).tolist()]
    rows += [rows[i] for i in rng.integers(0, 300, 60)]
    halves = [[str(v) for v in range(6)], [str(v // 3) + "+" for v in range(6)], ["*"] * 6]
    sensitive = rng.integers(0, 4, len(rows)).tolist()
    return tables_of(rows, [halves] * 14, sensitive=sensitive, target=sensitive)


@pytest.mark.parametrize("rule", [{"suppression": 40}, {"suppression": 40, "k": 2}, {"k": 5}])
def test_columns_after_those_that_tell_most_rows_apart(rows_and_doubles, rule):
    """From nodes where a few columns tell all, by some, to nodes where they tell nothing."""
    table = rows_and_doubles.table
    rng = np.random.default_rng(1)
    chances = rng.random((60, 1))
    nodes = (rng.random((60, 14)) < chances).astype(np.int64) + (rng.random((60, 14)) < chances)
    names = by_statistics(rows_and_doubles.measures(rule.get("k")))
    plain, fast = (
        LatticeEvaluator(table, accelerator=accelerator, backend="wide", **rule)
        for accelerator in ("numpy", "auto")
    )
    assert_frame_equal(fast.evaluate(nodes, names), plain.evaluate(nodes, names), check_exact=True)
    for k in (1, 2, 5):
        expected = plain.small_class_rows(nodes, k).tolist()
        assert fast.small_class_rows(nodes, k).tolist() == expected
