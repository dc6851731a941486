"""Loss measures on inputs small enough to check by hand."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from anonopt import Hierarchy, LatticeEvaluator, Microdata
from anonopt.measures import glm_measure

A = Hierarchy([list("abcd"), ["L", "L", "R", "R"], ["*"] * 4])
B = Hierarchy([["x", "y"], ["*", "*"]])


@pytest.fixture
def worked_example() -> Microdata:
    """Rows (a,x), (a,x), (b,x), (c,y), (d,y), (d,x); four and two leaves, label by A's half."""
    frame = pd.DataFrame({"A": list("aabcdd"), "B": list("xxxyyx"), "label": list("pqppqq")})
    return Microdata(
        frame, quasi_identifiers=["A", "B"], hierarchies={"A": A, "B": B}, target="label"
    )


def at(table: Microdata, node: list[int], *names: str, **options: Any) -> list[float]:
    evaluator = LatticeEvaluator(table, **options)
    return evaluator.evaluate([node], names)[list(names)].iloc[0].tolist()


def test_the_worked_example(worked_example):
    """Node (1, 0), k = 2: classes (L,x) of 3 rows, (R,y) of 2, (R,x) of 1 is suppressed.

    glm of A: 5 rows of 1/3 and one of 1; of B: one of 1.
    """
    rule = {"k": 2, "suppression": 1}
    found = at(worked_example, [1, 0], "suppressed", "classes", "glm", "glm_normalized", **rule)
    assert found == [1, 2, pytest.approx(5 / 3 + 2), pytest.approx((5 / 3 + 2) / 12)]
    assert at(worked_example, [1, 0], "discernibility", **rule) == [9 + 4 + 6 * 1]
    assert at(worked_example, [1, 0], "average_class_size", **rule) == [1.25]
    assert at(worked_example, [1, 0], "cm", "cm_normalized", **rule) == [1 + 1 + 1, 0.5]
    assert at(worked_example, [1, 0], "height", "generalization_level", **rule) == [1, 0.25]
    loss = LatticeEvaluator(worked_example, **rule).attribute_loss([1, 0])
    assert loss["glm"].tolist() == pytest.approx([5 / 3 + 1, 1.0])
    assert loss["glm_normalized"].tolist() == pytest.approx([0.444444, 0.166667], abs=1e-6)
    assert loss["glm_normalized"].mean() == pytest.approx(0.305556, abs=1e-6)


def test_precision_loss_of_the_worked_example(worked_example):
    """There A has height 1, so that its level 1 is all of it."""
    halves = Hierarchy([["L", "R"], ["*", "*"]])
    frame = worked_example.frame.assign(A=list("LLLRRR"))
    table = Microdata(frame, quasi_identifiers=["A", "B"], hierarchies={"A": halves, "B": B})
    rule = {"k": 2, "suppression": 1}
    assert at(table, [0, 0], "precision_loss", **rule) == [pytest.approx(1 / 6)]
    assert at(worked_example, [2, 0], "suppressed", "k", **rule) == [0, 2]
    found = at(worked_example, [1, 0], "precision_loss", **rule)
    assert found == [pytest.approx(((5 * 0.5 + 1) / 6 + (5 * 0 + 1) / 6) / 2)]


def test_non_uniform_entropy_of_the_worked_example(worked_example):
    """A: {a,a,b} and {c,d,d} merge, 3 H(2/3) bits each; then the lonely (R, x) costs nothing."""
    merged = -(2 * math.log2(2 / 3) + math.log2(1 / 3))
    assert at(worked_example, [1, 0], "nonuniform_entropy") == [pytest.approx(2 * merged)]
    found = at(worked_example, [1, 0], "nonuniform_entropy", k=2, suppression=1)
    assert found == [pytest.approx(2 * merged)]
    top = -(2 * math.log2(2 / 6) * 2 + 2 * math.log2(1 / 6))
    assert at(worked_example, [2, 0], "nonuniform_entropy") == [pytest.approx(top)]


def test_suppressed_rows_of_the_non_uniform_entropy():
    """Rows a, b, c, c and k = 2: a and b become one value, of which each is a half."""
    frame = pd.DataFrame({"A": list("abcc")})
    table = Microdata(frame, quasi_identifiers=["A"], hierarchies={"A": A})
    assert at(table, [0], "nonuniform_entropy", k=2, suppression=2) == [pytest.approx(2.0)]
    assert at(table, [0], "nonuniform_entropy") == [0.0]


def test_leaves_are_those_of_the_hierarchy_not_those_seen():
    """Of b's half only b occurs, and d not at all; still 2 of 4 leaves and 1/3."""
    frame = pd.DataFrame({"A": list("bcc")})
    table = Microdata(frame, quasi_identifiers=["A"], hierarchies={"A": A})
    assert at(table, [1], "glm", "glm_normalized") == [pytest.approx(1.0), pytest.approx(1 / 3)]
    assert at(table, [0], "glm") == [0.0]
    assert at(table, [2], "glm") == [3.0]


def test_a_leaf_given_twice_counts_once():
    frame = pd.DataFrame({"A": list("abc")})
    twice = Hierarchy([["A", "A", "B", "C"], ["L", "L", "L", "R"], ["*"] * 4])
    table = Microdata(
        frame.apply(lambda c: c.str.upper()), quasi_identifiers=["A"], hierarchies={"A": twice}
    )
    assert at(table, [1], "glm") == [pytest.approx(0.5 + 0.5 + 0)]


def test_one_leaf_costs_nothing_but_when_suppressed():
    frame = pd.DataFrame({"A": list("aab"), "C": ["z"] * 3})
    for levels in ([["z"]], [["z"], ["*"]]):
        table = Microdata(
            frame, quasi_identifiers=["A", "C"], hierarchies={"A": A, "C": Hierarchy(levels)}
        )
        top = table.lattice.heights[1]
        assert at(table, [0, top], "glm", "suppressed") == [0.0, 0]
        assert at(table, [0, top], "glm", "suppressed", suppression=1) == [2.0, 1]
        expected = 0.5 if top else 0.0
        assert at(table, [0, top], "generalization_level") == [expected]
        # Without a level to raise, a column can still be lost to suppression.
        kept = (2 * 2 * expected + 2) / 6
        assert at(table, [0, top], "precision_loss", suppression=1) == [pytest.approx(kept)]


def test_weights(worked_example):
    rule = {"k": 2, "suppression": 1}
    parts = LatticeEvaluator(worked_example, **rule).attribute_loss([1, 0])["glm"]
    assert at(worked_example, [1, 0], "glm", weights={"A": 3.0}, **rule) == [
        pytest.approx(3 * parts["A"] + parts["B"])
    ]
    assert at(worked_example, [1, 0], "glm", weights={"A": 0, "B": 0.5}, **rule) == [
        pytest.approx(0.5 * parts["B"])
    ]
    evaluator = LatticeEvaluator(worked_example, **rule)
    own = evaluator.evaluate([[1, 0]], [glm_measure({"B": 2})])["glm"].item()
    assert own == pytest.approx(parts["A"] + 2 * parts["B"])
    assert at(worked_example, [1, 0], "glm_normalized", weights={"A": 3.0}, **rule) == at(
        worked_example, [1, 0], "glm_normalized", **rule
    )


def test_weights_of_columns_that_are_not_there(worked_example):
    evaluator = LatticeEvaluator(worked_example)
    with pytest.raises(ValueError, match="weights: expected one of A, B, found 'C'"):
        evaluator.evaluate([[0, 0]], [glm_measure({"C": 2})])


@pytest.mark.parametrize("weight", [-0.5, float("nan"), float("inf"), "2", None])
def test_weights_that_are_not_numbers_of_at_least_zero(weight):
    message = f"weight of 'A': expected a number( of at least 0)?, found {weight!r}"
    with pytest.raises((TypeError, ValueError), match=message):
        glm_measure({"A": weight})


def test_the_top_costs_every_cell(worked_example):
    assert at(worked_example, [2, 1], "glm", "glm_normalized", "precision_loss") == [12.0, 1.0, 1.0]
    assert at(worked_example, [0, 0], "glm", "precision_loss", "discernibility") == [0.0, 0.0, 8]


def test_classification_counts_labels_within_classes():
    frame = pd.DataFrame({"A": list("aaabbd"), "label": ["p", "p", "q", "q", "p", None]})
    table = Microdata(frame, quasi_identifiers=["A"], hierarchies={"A": A}, target="label")
    assert at(table, [0], "cm") == [1 + 1 + 0]
    assert at(table, [0], "cm", suppression=1) == [1 + 1 + 1]
    assert at(table, [1], "cm") == [2 + 0]
    assert at(table, [2], "cm", "cm_normalized") == [3, 0.5]


def test_mean_class_size_under_the_reverse_rule_divides_by_its_k(worked_example):
    """With one row to spare k is 2, as in the worked example."""
    assert at(worked_example, [1, 0], "average_class_size", "k", suppression=1) == [1.25, 2]
    assert at(worked_example, [1, 0], "average_class_size", "k") == [2.0, 1]


def test_mean_class_size_of_one_class_is_all_rows_by_k(worked_example):
    assert at(worked_example, [2, 1], "average_class_size", "classes", k=2) == [3.0, 1]
    assert at(worked_example, [2, 1], "average_class_size", "k") == [1.0, 6]
