"""Measures of local recodings: those of a node, and what plain Python makes of other ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.data.recoded_groups import RecodedGroups, recode
from anonopt.evaluation import LatticeEvaluator, RecodingEvaluator
from anonopt.local_recoding import lattice_groups
from anonopt.measures import Measure
from tests.evaluation.lattice.small_tables import (
    SmallTable,
    assert_equal_values,
    eight_people,
    rules,
    small_tables,
)
from tests.examples import examples
from tests.oracles.local_recodings import MEASURES as PLAIN
from tests.oracles.local_recodings import PlainRecoding

OF_LEVELS = ("generalization_level", "precision_loss", "height")


def lowest_levels(table: ao.Microdata, groups: RecodedGroups) -> list[set[int]]:
    """Levels of the labels of each quasi-identifier."""
    facts = RecodingEvaluator(table).tuples.facts
    pairs = enumerate(zip(groups.lows.T, groups.highs.T, strict=True))
    return [set(facts.label_levels(i, low, high).tolist()) for i, (low, high) in pairs]


@given(st.data())
@examples(20)
def test_the_measures_of_a_node_are_those_of_the_node(data):
    small = data.draw(small_tables())
    rule = data.draw(rules(small))
    node = data.draw(st.sampled_from(small.table.lattice.nodes().tolist()))
    names = small.measures(rule["k"])
    expected = LatticeEvaluator(small.table, **rule).evaluate([node], names)
    groups = lattice_groups(small.table, node)
    evaluator = RecodingEvaluator(small.table, **rule)
    recodings = [groups, evaluator.applied(groups)]
    found = evaluator.evaluate(recodings, names)
    low = [{level} for level in node] != lowest_levels(small.table, groups)
    for name in names:
        for value in found[name]:
            if low and name in OF_LEVELS:
                assert value <= expected[name][0]
            else:
                assert value == expected[name][0], name
    if recodings[1].suppressed @ groups.sizes <= rule["suppression"]:
        assert lattice_groups(small.table, node, **rule) == recodings[1]


@st.composite
def recodings(draw: st.DrawFn, small: SmallTable) -> RecodedGroups:
    """Any groups of rows, with ranges of leaves that cover them; labels overlap."""
    table = small.table
    n_groups = draw(st.integers(1, min(table.n_rows, 5)))
    numbers = draw(st.lists(st.integers(0, n_groups - 1), min_size=table.n_rows,
                            max_size=table.n_rows))  # fmt: skip
    _, group = np.unique(numbers, return_inverse=True)
    n_groups = int(group.max()) + 1
    lows = np.array([table.codes[group == one].min(axis=0) for one in range(n_groups)])
    highs = np.array([table.codes[group == one].max(axis=0) for one in range(n_groups)])
    for i, column in enumerate(table.quasi_identifiers):
        wide = np.array(draw(st.lists(st.booleans(), min_size=n_groups, max_size=n_groups)))
        lows[wide, i], highs[wide, i] = 0, table.hierarchies[column].n_leaves - 1
    flags = draw(st.lists(st.integers(0, 3), min_size=n_groups, max_size=n_groups))
    return RecodedGroups(group, lows=lows, highs=highs, suppressed=[flag == 0 for flag in flags])


def plain(small: SmallTable, groups: RecodedGroups, rule: dict) -> PlainRecoding:
    leaves = [
        [None if text == "<missing>" else text for text in small.table.hierarchies[one].labels[0]]
        for one in small.table.quasi_identifiers
    ]
    labels, flags = [], []
    for group in groups.group_of_row.tolist():
        bounds = zip(groups.lows[group].tolist(), groups.highs[group].tolist(), strict=True)
        labels.append(
            tuple(
                frozenset(texts[low : high + 1])
                for texts, (low, high) in zip(leaves, bounds, strict=True)
            )
        )
        flags.append(bool(groups.suppressed[group]))
    rest = rule["suppression"], rule["k"], rule["class_bounds"]
    return PlainRecoding(small.plain, (0,) * len(leaves), *rest, labels=labels, flags=flags)


@given(st.data())
@examples(30)
def test_overlapping_labels_are_measured_as_plain_python_does(data):
    small = data.draw(small_tables(max_rows=20))
    rule = data.draw(rules(small))
    groups = data.draw(recodings(small))
    names = small.measures(rule["k"])
    evaluator = RecodingEvaluator(small.table, **rule)
    twin = plain(small, groups, rule)
    assert_equal_values(
        evaluator.evaluate([groups], names), {name: [PLAIN[name](twin)] for name in names}
    )
    suppressed = evaluator.applied(groups)
    mask = suppressed.suppressed[groups.group_of_row]
    assert sorted(np.flatnonzero(mask).tolist()) == sorted(twin.suppressed)


@given(st.data())
@examples(12)
def test_the_file_is_as_anonymous_as_measured(data):
    small = data.draw(small_tables(max_rows=20))
    groups = data.draw(recodings(small))
    evaluator = RecodingEvaluator(small.table, k=2)
    groups = evaluator.applied(groups)
    frame, mask = recode(small.table, groups)
    if mask.all():
        return
    names = ["k", *(["l", "t"] if small.plain.sensitive else [])]
    report = ao.check(
        frame, quasi_identifiers=list(small.table.quasi_identifiers),
        sensitive=small.table.sensitive, suppressed=mask,
    )  # fmt: skip
    found = evaluator.evaluate([groups], [*names, "classes", "suppressed"]).iloc[0]
    for name in (*names, "classes", "suppressed"):
        assert report[name] == pytest.approx(found[name], abs=1e-12), name


@pytest.fixture
def people() -> ao.Microdata:
    return eight_people(sensitive="illness", target="cured")


HALVES = RecodedGroups(
    [0, 0, 0, 0, 1, 1, 2, 2], lows=[[0, 0], [2, 0], [2, 0]], highs=[[1, 1], [2, 0], [3, 1]]
)
"""All of zip ab; women of c; the rest with the label of both, which covers c as well."""


def test_losses_of_columns_and_weights(people):
    evaluator = RecodingEvaluator(people, k=2, weights={"sex": 2.0})
    losses = evaluator.attribute_loss(HALVES)
    assert losses["glm"].tolist() == [6 / 3, 6.0]
    assert losses["level"].tolist() == [6 / 8, 6 / 8]
    assert evaluator.evaluate([HALVES], ["glm"])["glm"].tolist() == [2 + 2 * 6.0]


def test_several_sensitive_columns_and_k_of_each():
    table = ao.Microdata(
        pd.DataFrame({"zip": list("aabb"), "s": list("xyxx"), "t": list("pppq")}),
        quasi_identifiers=["zip"], hierarchies={"zip": "flat"}, sensitive=["s", "t"],
    )  # fmt: skip
    groups = RecodedGroups([0, 0, 1, 1], lows=[[0], [1]], highs=[[0], [1]])
    values = RecodingEvaluator(table, k=1).values(
        [groups, groups], ["l:s", "l:t", "l", "suppressed"], k=[2, 3]
    )
    assert [one.tolist() for one in values.values()] == [[1, 0], [1, 0], [1, 0], [0, 4]]


def test_property_vectors_and_own_measures(people):
    evaluator = RecodingEvaluator(people, k=2)
    assert evaluator.property_vector(HALVES, "class_size").tolist() == [4] * 4 + [2] * 4
    top = evaluator.compare(HALVES, lattice_groups(people, people.lattice.top), "class_size")
    assert top == (0.0, 4 * 4 + 4 * 6)
    widest = Measure(
        "widest", maximize=False, unit="leaves", range="1..M",
        from_classes=lambda classes: (classes.ranges[1] - classes.ranges[0] + 1).max(),
    )  # fmt: skip
    largest = Measure(
        "largest", maximize=False, unit="rows", range="1..N",
        from_rows=lambda rows: rows.classes.sizes[rows.class_of_row].max(),
    )  # fmt: skip
    assert evaluator.evaluate([HALVES], [widest, largest]).values.tolist() == [[2, 4]]
    assert LatticeEvaluator(people).evaluate([[1, 0]], [widest])["widest"].tolist() == [2]


def test_measures_that_read_a_node_are_refused(people):
    level = Measure(
        "level", maximize=False, unit="levels", range="0..", needs_kept=False,
        from_classes=lambda classes: classes.node[0],
    )  # fmt: skip
    with pytest.raises(ValueError, match="local recoding have no node"):
        RecodingEvaluator(people).evaluate([HALVES], [level])
    with pytest.raises(ValueError, match="local recoding have no node"):
        RecodingEvaluator(people).class_table(HALVES).decode(np.arange(1))


def test_groups_of_another_table_are_refused(people):
    evaluator = RecodingEvaluator(people)
    short = RecodedGroups([0, 1], lows=[[0, 0]] * 2, highs=[[1, 1]] * 2)
    with pytest.raises(ValueError, match="expected those of 8 rows and 2 quasi-identifiers"):
        evaluator.evaluate([short], ["k"])
    wrong = RecodedGroups([0] * 8, lows=[[0, 0]], highs=[[1, 1]])
    with pytest.raises(ValueError, match="column 'zip' that does not cover row 4"):
        evaluator.row_classes(wrong)
    beyond = RecodedGroups([0] * 8, lows=[[0, 0]], highs=[[4, 1]])
    with pytest.raises(ValueError, match="labels of the 4 leaves of column 'zip'"):
        evaluator.evaluate([beyond], ["k"])
