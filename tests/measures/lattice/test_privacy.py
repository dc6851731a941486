"""Privacy measures on inputs small enough to check by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import LatticeEvaluator, Microdata, check
from anonopt.measures.lattice.privacy import class_distances, recursive_c
from tests.oracles import statistics


def make_table(sensitive: list[Any], **columns: list[Any]) -> Microdata:
    frame = pd.DataFrame(columns)
    frame["illness"] = sensitive
    return Microdata(
        frame,
        quasi_identifiers=list(columns),
        hierarchies=dict.fromkeys(columns, "flat"),
        sensitive="illness",
    )


def at_bottom(table: Microdata, *names: str, **rule: Any) -> list[float]:
    node = table.lattice.bottom
    return LatticeEvaluator(table, **rule).evaluate([node], names)[list(names)].iloc[0].tolist()


def test_entropy_does_not_depend_on_the_base_of_the_logarithm():
    """Class x: p,p,p,q has 0.811278 bits = 0.562335 nats; class y: p,p,q,q has 1 bit."""
    table = make_table(list("pppqppqq"), zip=list("xxxxyyyy"))
    (found,) = at_bottom(table, "entropy_l")
    assert found == pytest.approx(1.754765, abs=5e-7)
    assert found == pytest.approx(2**0.8112781244591328, abs=1e-9)
    assert found == pytest.approx(math.exp(0.5623351446188083), abs=1e-9)
    assert found >= 1.75
    assert not found >= 1.76
    one_class = make_table(list("ppqq"), zip=list("yyyy"))
    assert at_bottom(one_class, "entropy_l") == [pytest.approx(2.0, abs=1e-12)]


@pytest.mark.parametrize("n_values", [2, 3, 7, 14])
def test_equal_shares_have_the_entropy_of_their_number(n_values):
    table = make_table(list(range(n_values)) * 3, zip=["x"] * (3 * n_values))
    assert at_bottom(table, "entropy_l") == [pytest.approx(n_values, abs=1e-9)]
    assert at_bottom(table, "l") == [n_values]


@pytest.mark.parametrize(("l", "c"), [(1, 5 / 9), (2, 1.25), (3, 2.5), (4, 5.0), (5, math.inf)])
def test_recursive_diversity(l, c):  # noqa: E741
    """Counts 5, 2, 1, 1: l = 2 needs 5 < 4c, l = 3 needs 5 < 2c."""
    table = make_table(list("aaaaabbcd"), zip=["x"] * 9)
    classes = LatticeEvaluator(table).class_table([0])
    assert recursive_c(classes, l=l) == pytest.approx(c)
    if l == 2:
        assert at_bottom(table, "recursive_cl") == [pytest.approx(c)]


def test_the_worst_class_counts():
    table = make_table(list("aabaaaab"), zip=list("xxxyyyyy"))
    assert at_bottom(table, "recursive_cl") == [4.0]
    assert at_bottom(table, "entropy_l")[0] == pytest.approx(
        statistics.effective_number(list("aaaab"))
    )


def test_a_constant_sensitive_attribute():
    table = make_table(["p"] * 5, zip=list("xxxyy"))
    assert at_bottom(table, "l", "l_all", "entropy_l", "t", "t_ordered") == [1, 1, 1.0, 0.0, 0.0]
    assert at_bottom(table, "recursive_cl") == [math.inf]
    report = check(table.frame, quasi_identifiers=["zip"], sensitive="illness", l=1, t=0.0)
    assert (report["anonymous"], report["l"], report["entropy_l"], report["t"]) == (True, 1, 1, 0)


def test_a_missing_sensitive_value_is_a_value():
    table = make_table([1, 1, 1, None, None], name=["Foo"] * 3 + ["Bar"] * 2)
    classes = LatticeEvaluator(table).class_table([0])
    assert sorted(classes.distinct_sensitive().tolist()) == [1, 1]
    mixed = make_table([1, None, None, None], name=["Foo"] * 2 + ["Bar"] * 2)
    counts = LatticeEvaluator(mixed).class_table([0]).distinct_sensitive()
    assert sorted(counts.tolist()) == [1, 2]
    assert at_bottom(mixed, "l", "S_l") == [1, 1 + 1 + 4]


def test_missing_quasi_identifiers_are_a_value_of_their_own():
    table = make_table(
        [1, 1, 0, 1, 0, 0, 1],
        sex=list("FFFMMFF"),
        shoe=[None, None, None, "t", "t", "n", "n"],
        size=list("oooooMm".lower()),
    )
    assert at_bottom(table, "k", "l", "classes") == [2, 2, 3]
    classes = LatticeEvaluator(table).class_table([0, 0, 0])
    assert sorted(classes.sizes.tolist()) == [2, 2, 3]
    assert classes.distinct_sensitive().tolist() == [2, 2, 2]


def test_closeness_by_hand():
    """Class x has 1, 2, class y has 9, 10: TV 0.5, ordered (0.25 + 0.5 + 0.25) / 3."""
    table = make_table([1, 2, 9, 10], zip=list("xxyy"))
    assert at_bottom(table, "t", "t_ordered") == [pytest.approx(0.5), pytest.approx(1 / 3)]


def test_closeness_of_the_textbook():
    """Li et al. 2007, Section 5: salaries 3..11, classes {3,4,5} and {6,8,11}."""
    salaries = list(range(3, 12))
    table = make_table(salaries, zip=["1", "1", "1", "2", "3", "2", "3", "3", "2"])
    classes = LatticeEvaluator(table).class_table([0])
    distances = class_distances(classes, ordered=True)
    assert sorted(distances.tolist())[0] == pytest.approx(0.166667, abs=1e-6)
    assert max(distances) == pytest.approx(0.375)
    assert at_bottom(table, "t_ordered") == [pytest.approx(0.375)]


def test_order_is_that_of_numbers_and_of_ordered_categories():
    """As text, 10 would stand before 9."""
    for values in ([9, 10, 9, 9, 10, 2], ["9", "10", "9", "9", "10", "2"]):
        table = make_table(values, zip=list("xxyyzz"))
        assert at_bottom(table, "t_ordered") == [pytest.approx(0.25)]
    grades = pd.Categorical(
        ["mid", "high", "mid", "mid", "high", "low"], ["low", "mid", "high"], ordered=True
    )
    assert at_bottom(make_table(grades, zip=list("xxyyzz")), "t_ordered") == [pytest.approx(0.25)]


def test_closeness_looks_at_the_whole_table_but_at_kept_classes_only():
    """The class z is suppressed; its value still is a fourth of the table."""
    table = make_table(["a", "b", "a", "c"], zip=list("xxyz"))
    (t,) = at_bottom(table, "t", suppression=2)
    assert t == pytest.approx((abs(0.5 - 0.5) + abs(0.5 - 0.25) + 0.25) / 2)
    assert at_bottom(table, "t") == [pytest.approx(0.75)]


def test_distinct_values_over_kept_and_over_all_classes():
    table = make_table(list("ababb"), zip=list("xxyyz"))
    assert at_bottom(table, "l", "l_all", suppression=1) == [2, 1]
    assert at_bottom(table, "l", "l_all") == [1, 1]


def test_sums_of_the_spread_index_are_over_all_rows():
    """Dewri 2010, Section 4: nothing is suppressed, since vectors must have one length."""
    table = make_table(list("aabab"), zip=list("xxxyz"))
    for rule in ({}, {"suppression": 2}, {"k": 3, "suppression": 2}):
        assert at_bottom(table, "S_k", "S_l", **rule) == [9 + 1 + 1, 4 + 1 + 1 + 1]
    assert at_bottom(table, "S_k_kept", "S_l_kept", suppression=2) == [9, 5]


def test_risks():
    table = make_table(list("aaaaaa"), zip=list("xxxyyz"))
    assert at_bottom(table, "highest_risk", "average_risk", "unique_rows") == [1.0, 0.5, 1 / 6]
    assert at_bottom(table, "highest_risk", "average_risk", "unique_rows", suppression=1) == [
        0.5,
        0.4,
        0.0,
    ]


def test_one_row_and_a_constant_column():
    table = make_table(["a"], zip=["x"], job=["y"])
    assert at_bottom(table, "k", "l", "S_k", "t", "unique_rows") == [1, 1, 1, 0, 1]
    same = make_table(list("abab"), zip=["x"] * 4, job=list("ttff"))
    found = LatticeEvaluator(same).evaluate_all(["k", "l"])
    assert found[["k", "l"]].values.tolist() == [[2, 2], [4, 2], [2, 2], [4, 2]]


@pytest.mark.parametrize("index", [[7, 3, 9, 1], list("dbca"), [0, 0, 0, 0]])
def test_labels_of_rows_do_not_matter(index):
    frame = pd.DataFrame(
        {"zip": list("xxyy"), "illness": list("abaa"), "label": list("nynn")}, index=index
    )
    table = Microdata(
        frame,
        quasi_identifiers=["zip"],
        hierarchies={"zip": "flat"},
        sensitive="illness",
        target="label",
    )
    names = ["k", "l", "S_l", "t", "cm", "glm"]
    assert at_bottom(table, *names) == [2, 1, 6, 0.25, 1, 0.0]
    vector = LatticeEvaluator(table).property_vector([0], "sensitive_count")
    assert vector.tolist() == [1, 1, 2, 2]
    assert check(frame, quasi_identifiers=["zip"], sensitive="illness")["l"] == 1


@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 4)), min_size=1, max_size=30),
    st.integers(1, 6),
)
def test_recursive_diversity_for_any_l(rows, l):  # noqa: E741
    """The table is (c, l)-diverse for every c above the measure, and for none below."""
    table = make_table([value for _, value in rows], zip=[group for group, _ in rows])
    found = recursive_c(LatticeEvaluator(table).class_table([0]), l=l)
    groups: dict[str, list[int]] = {}
    for group, value in rows:
        groups.setdefault(group, []).append(value)
    assert found == pytest.approx(max(statistics.recursive_c(g, l) for g in groups.values()))


def test_distances_need_the_distribution_of_the_table():
    classes = LatticeEvaluator(make_table(list("ab"), zip=list("xx"))).class_table([0])
    assert class_distances(classes).tolist() == [0.0]
    unknown = replace(classes, facts=replace(classes.facts, sensitive_totals=None))
    with pytest.raises(ValueError, match=r"distribution of the sensitive column .* is not known"):
        class_distances(unknown)
