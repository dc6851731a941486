"""Every back end against the slow twins and against the others, on random small tables."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from anonopt import LatticeEvaluator, Microdata
from anonopt.measures import measure_names
from tests.evaluation.lattice.small_tables import (
    SmallTable,
    assert_equal_values,
    by_statistics,
    expected_values,
    more_than_64_values,
    rules,
    small_tables,
)
from tests.examples import examples
from tests.oracles.measures import MEASURES as PLAIN
from tests.oracles.measures import attribute_glm, glm

pytest.importorskip("numba", reason="the compiled kernels need the extra 'fast'")

VARIANTS = [
    (accelerator, backend, workers)
    for accelerator, backend, workers in product(
        ("numpy", "numba"), ("rollup", "direct", "wide"), (1, 2)
    )
    if backend == "rollup" or workers == 1
]

many_values = small_tables(min_rows=66, max_rows=80, sensitive=more_than_64_values)


def test_every_measure_has_a_slow_twin():
    assert set(measure_names("node")) == set(PLAIN)


@given(st.data())
@examples(12)
def test_every_back_end_gives_what_the_slow_twins_give(data):
    small = data.draw(small_tables())
    check_against_twins(small, data)


@given(st.data())
@examples(5)
def test_more_than_64_sensitive_values(data):
    small = data.draw(many_values)
    assert len(small.table.sensitive_labels) > 64
    check_against_twins(small, data)


def check_against_twins(small: SmallTable, data: st.DataObject) -> None:
    """All nodes agree among the back ends, a few of them with the twins."""
    rule = data.draw(rules(small))
    nodes = small.table.lattice.nodes()
    ranks = st.lists(st.integers(0, len(nodes) - 1), min_size=1, max_size=5, unique=True)
    chosen = nodes[data.draw(ranks)]
    names = small.measures(rule["k"])
    counted = by_statistics(names)
    expected = expected_values(small, chosen.tolist(), names, rule)

    reference = LatticeEvaluator(small.table, accelerator="numpy", backend="direct", **rule)
    everything = reference.evaluate_all(names)
    assert everything.iloc[:, : nodes.shape[1]].to_numpy().tolist() == nodes.tolist()
    some = reference.evaluate(chosen, names)
    assert_equal_values(some, expected)
    for accelerator, backend, workers in VARIANTS:
        evaluator = LatticeEvaluator(
            small.table, accelerator=accelerator, backend=backend, workers=workers, **rule
        )
        # Whole numbers and the formulas on them are the same to the bit.
        frame = evaluator.evaluate_all(counted)
        assert_frame_equal(frame, everything[frame.columns], check_exact=True)
        frame = evaluator.evaluate(chosen, counted)
        assert_frame_equal(frame, some[frame.columns], check_exact=True)
    for backend in ("rollup", "wide"):
        evaluator = LatticeEvaluator(small.table, backend=backend, workers=2, **rule)
        assert_frame_equal(evaluator.evaluate_all(names), everything, rtol=1e-12)


@given(small_tables(), st.data())
@examples(20)
def test_rows_in_small_classes(small, data):
    k = data.draw(st.integers(1, small.table.n_rows + 1))
    nodes = small.table.lattice.nodes()
    expected = [len(small.classes(node, 0, k).suppressed) for node in nodes.tolist()]
    for accelerator, backend in product(("numpy", "numba"), ("rollup", "direct", "wide")):
        evaluator = LatticeEvaluator(small.table, accelerator=accelerator, backend=backend)
        assert evaluator.small_class_rows(nodes, k).tolist() == expected


@given(small_tables(), st.data())
@examples(20)
def test_a_measure_does_not_depend_on_what_else_is_asked_for(small, data):
    rule = data.draw(rules(small))
    names = small.measures(rule["k"])
    evaluator = LatticeEvaluator(small.table, accelerator="numba", **rule)
    together = evaluator.evaluate_all(names)
    name = data.draw(st.sampled_from(names))
    alone = evaluator.evaluate_all([name])
    assert_frame_equal(alone, together[alone.columns], rtol=1e-12)


@given(small_tables(), st.data())
@examples(12)
def test_an_order_of_rows_changes_nothing(small, data):
    plain = small.plain
    order = data.draw(st.permutations(range(len(plain.rows))))
    shuffled = Microdata(
        small.table.frame.iloc[order],
        quasi_identifiers=small.table.quasi_identifiers,
        hierarchies=small.trees,
        sensitive=small.table.sensitive,
        target=small.table.target,
        population=small.population,
    )
    names = small.measures(None)
    rule = {"suppression": data.draw(st.integers(0, len(plain.rows) - 1))}
    assert_frame_equal(
        LatticeEvaluator(shuffled, **rule).evaluate_all(names),
        LatticeEvaluator(small.table, **rule).evaluate_all(names),
        rtol=1e-12,
    )


@given(small_tables(), st.data())
@examples(20)
def test_loss_by_attribute_and_its_weights(small, data):
    rule = data.draw(rules(small))
    heights = small.table.lattice.heights
    node = [data.draw(st.integers(0, height)) for height in heights]
    weights = {
        name: data.draw(st.floats(0, 10))
        for name in data.draw(st.sets(st.sampled_from(small.table.quasi_identifiers)))
    }
    classes = small.classes(node, *rule.values())
    evaluator = LatticeEvaluator(small.table, weights=weights, **rule)
    loss = evaluator.attribute_loss(node)
    parts = [attribute_glm(classes, column) for column in range(len(node))]
    assert loss.index.tolist() == list(small.table.quasi_identifiers)
    assert loss["glm"].tolist() == pytest.approx(parts, abs=1e-9)
    assert loss["glm_normalized"].tolist() == pytest.approx([p / classes.n_rows for p in parts])
    assert loss["level"].tolist() == node
    assert loss["generalization_level"].tolist() == [
        level / height if height else 0.0 for level, height in zip(node, heights, strict=True)
    ]
    by_position = {small.table.quasi_identifiers.index(name): w for name, w in weights.items()}
    weighted = evaluator.evaluate([node], ["glm"])["glm"].item()
    assert weighted == pytest.approx(glm(classes, by_position), abs=1e-9)
