"""The two suppression rules and the budget, on class sizes alone and on whole tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import Hierarchy, LatticeEvaluator, Microdata, check
from anonopt.data.suppression import resolve_budget, reverse_threshold
from anonopt.measures import SuppressionRule
from tests.oracles.classes import reverse_rule

sizes = st.lists(st.integers(1, 30), min_size=1, max_size=20)


def of_classes(*sizes: int) -> Microdata:
    """A table whose rows form classes of the given sizes."""
    frame = pd.DataFrame({"q": np.repeat(np.arange(len(sizes)), sizes)})
    return Microdata(frame, quasi_identifiers=["q"], hierarchies={"q": "flat"})


def measured(table: Microdata, node: list[int], names: list[str], **rule) -> list[float]:
    return LatticeEvaluator(table, **rule).evaluate([node], names)[names].iloc[0].tolist()


@given(sizes, st.data())
def test_reverse_threshold_tries_one_size_after_the_other(sizes, data):
    budget = data.draw(st.integers(0, sum(sizes) - 1))
    found = reverse_threshold(np.array(sizes), budget)
    assert found == reverse_rule(sizes, budget)
    assert SuppressionRule(budget).threshold(np.array(sizes)) == found
    assert found in sizes


@given(sizes, st.data())
def test_what_is_suppressed_fits_the_budget_and_no_more_would(sizes, data):
    budget = data.draw(st.integers(0, sum(sizes) - 1))
    k = reverse_threshold(np.array(sizes), budget)
    assert sum(size for size in sizes if size < k) <= budget
    assert sum(size for size in sizes if size <= k) > budget


@pytest.mark.parametrize("budget", [-1, 6, 7])
def test_the_reverse_rule_keeps_a_row(budget):
    with pytest.raises(ValueError, match=f"budget: .* at least 0 and at most 5, found {budget}"):
        reverse_threshold(np.array([1, 2, 3]), budget)


@given(sizes, st.integers(1, 40))
def test_the_fixed_rule_has_its_k_whatever_the_sizes(sizes, k):
    assert SuppressionRule(0, k).threshold(np.array(sizes)) == k


@pytest.mark.parametrize("k", [0, -1, 1.0, True, "3"])
def test_k_is_an_integer_of_at_least_one(k):
    error = ValueError if type(k) is int else TypeError
    with pytest.raises(error, match=f"k: expected a whole number of at least 1, found {k!r}"):
        SuppressionRule(0, k)


@pytest.mark.parametrize(
    ("suppression", "n_rows", "budget"),
    [
        (0.01, 30162, 301),
        (0, 10, 0),
        (9, 10, 9),
        (0.999, 10, 9),
        (0.29, 100, 29),
        (0.07, 100, 7),
        (np.int64(3), 10, 3),
        (np.float64(0.25), 10, 2),
        (1e-9, 10, 0),
    ],
)
def test_a_share_is_rounded_down(suppression, n_rows, budget):
    """Dewri 2010, Section 7: 1 % of Adult is 301 rows. 0.29 * 100 is 28.999... in binary."""
    assert resolve_budget(suppression, n_rows) == budget


def test_counting_suppressed_rows():
    """Rows are counted, not classes: of sizes 4, 1 and 2, k = 3 takes three rows of seven."""
    table = of_classes(4, 1, 2)
    names = ["suppressed", "classes", "k", "feasible"]
    assert measured(table, [0], names, k=3, suppression=0.4) == [3, 1, 4, 0]
    assert measured(table, [0], names, k=3, suppression=0.43) == [3, 1, 4, 1]
    assert measured(table, [0], names, k=3, suppression=3) == [3, 1, 4, 1]
    assert measured(table, [0], names, k=3, suppression=2) == [3, 1, 4, 0]


def test_k_that_is_just_met():
    table = of_classes(3, 3)
    assert measured(table, [0], ["feasible", "k", "suppressed"], k=3) == [1, 3, 0]
    assert measured(table, [0], ["feasible", "k", "suppressed"], k=4) == [0, 0, 6]
    assert measured(table, [1], ["feasible", "k", "suppressed"], k=4) == [1, 6, 0]


def test_k_above_what_can_be_had():
    """No node holds seven rows of six; the top comes as close as any with its class of six."""
    table = of_classes(2, 2, 1, 1)
    evaluator = LatticeEvaluator(table, k=7)
    names = ["feasible", "suppressed", "k"]
    assert evaluator.evaluate_all(names)[names].values.tolist() == [[0, 6, 0], [0, 6, 0]]
    assert LatticeEvaluator(table).evaluate_all(["k"])["k"].tolist() == [1, 6]


def test_nothing_kept_is_the_worst_of_every_privacy_measure():
    frame = pd.DataFrame({"q": list("aab"), "s": list("xyx")})
    flat = {"q": "flat"}
    table = Microdata(frame, quasi_identifiers=["q"], hierarchies=flat, sensitive="s")
    worst = {
        "k": 0,
        "l": 0,
        "S_k_kept": 0,
        "S_l_kept": 0,
        "entropy_l": 0,
        "recursive_cl": np.inf,
        "t": 1,
        "t_ordered": 1,
        "highest_risk": 1,
        "average_risk": 1,
        "unique_rows": 1,
        "classes": 0,
        "suppressed": 3,
        "glm": 3,
        "precision_loss": 1,
        "discernibility": 9,
    }
    assert measured(table, [0], list(worst), k=4) == list(worst.values())


def test_suppressed_rows_that_are_declared_are_in_no_class():
    """(<50,F)x2, (<50,M)x2 and one row of stars."""
    frame = pd.DataFrame({"age": ["<50"] * 4 + ["*"], "sex": ["F", "F", "M", "M", "*"]})
    for declared in ("*", [False] * 4 + [True]):
        report = check(frame, quasi_identifiers=["age", "sex"], suppressed=declared)
        expected = {
            "anonymous": True, "k": 2, "rows": 4, "classes": 2, "suppressed": 1,
            "mean_size": 2.0, "highest_risk": 0.5, "violating_rows": 0,
        }  # fmt: skip
        assert report[list(expected)].to_dict() == expected
    undeclared = check(frame, quasi_identifiers=["age", "sex"])
    assert (undeclared["k"], undeclared["suppressed"], undeclared["classes"]) == (1, 0, 3)


def test_full_generalization_is_not_suppression():
    frame = pd.DataFrame({"age": [21, 35, 60], "sex": ["F", "M", "M"]})
    table = Microdata(
        frame, quasi_identifiers=["age", "sex"], hierarchies={"age": "flat", "sex": "flat"}
    )
    names = ["suppressed", "k", "classes"]
    assert measured(table, [1, 1], names) == [0, 3, 1]
    assert measured(table, [1, 1], names, k=3) == [0, 3, 1]
    protected, mask = table.apply([1, 1], return_mask=True)
    assert (protected[["age", "sex"]] == "*").all(axis=None)
    assert not mask.any()
    assert check(protected, quasi_identifiers=["age", "sex"])["k"] == 3


def test_two_ways_to_suppress_the_same_table():
    """Sizes 1, 1, 2, 3 with two rows to spare: the reverse rule stops at k = 2."""
    table = of_classes(1, 1, 2, 3)
    names = ["k", "suppressed", "classes", "S_k", "S_k_kept", "highest_risk", "average_risk"]
    assert measured(table, [0], names, suppression=2) == [2, 2, 2, 15, 13, 0.5, 0.4]
    assert measured(table, [0], names, suppression=1) == [1, 0, 4, 15, 15, 1.0, 4 / 7]
    assert measured(table, [0], names, k=3, suppression=2) == [3, 4, 1, 15, 9, 1 / 3, 1 / 3]


def test_what_apply_suppresses_is_what_is_measured():
    values = list("aabbbcd")
    tree = Hierarchy([list("abcd"), ["ab", "ab", "cd", "cd"], ["*"] * 4])
    table = Microdata(pd.DataFrame({"q": values}), quasi_identifiers=["q"], hierarchies={"q": tree})
    for level in range(3):
        for budget in range(7):
            k, suppressed = measured(table, [level], ["k", "suppressed"], suppression=budget)
            protected, mask = table.apply([level], suppression=budget, return_mask=True)
            assert mask.sum() == suppressed
            report = check(protected, quasi_identifiers=["q"], suppressed=mask)
            assert report["k"] == k
