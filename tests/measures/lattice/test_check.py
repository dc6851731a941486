"""`check`: how anonymous a table is as it stands."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import LatticeEvaluator, Microdata, check
from tests.oracles import statistics

FIGURES = ["k", "highest_risk", "average_risk", "unique_rows", "l", "entropy_l", "recursive_cl"]

tables = st.lists(
    st.tuples(
        st.sampled_from(["x", "y", None]),
        st.sampled_from([1.5, 2.0, None]),
        st.sampled_from([3, 20, 100, None]),
    ),
    min_size=1,
    max_size=25,
)


def make_frame(rows: list[tuple]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["zip", "size", "illness"])


def test_asking_only():
    frame = pd.DataFrame({"zip": list("xxxxyyyy"), "illness": list("pppqppqq")})
    report = check(frame, quasi_identifiers=["zip"], sensitive="illness")
    assert report["anonymous"] is True
    assert (report["k"], report["l"], report["t"]) == (4, 2, 0.125)
    assert report["entropy_l"] == pytest.approx(1.754765, abs=5e-7)
    assert report["recursive_cl"] == 3.0
    assert (report["rows"], report["classes"], report["mean_size"]) == (8, 2, 4.0)
    assert (report["average_risk"], report["unique_rows"]) == (0.25, 0.0)


def test_without_a_sensitive_column_its_figures_are_left_out():
    report = check(pd.DataFrame({"zip": list("xy")}), quasi_identifiers=["zip"])
    assert report["anonymous"] is False
    assert report["violating_rows"] == 2
    assert not {"l", "entropy_l", "recursive_cl", "t"} & set(report.index)


@pytest.mark.parametrize(("l", "violating"), [(1, 0), (2, 3), (3, 5)])
def test_violators_of_diversity(l, violating):  # noqa: E741
    """A class of 3 rows with one value, one of 2 rows with two."""
    frame = pd.DataFrame({"zip": list("xxxyy"), "illness": list("aaaab")})
    report = check(frame, quasi_identifiers=["zip"], sensitive="illness", l=l)
    assert report["violating_rows"] == violating
    assert report["anonymous"] == (violating == 0)


@pytest.mark.parametrize(("k", "violating"), [(1, 0), (2, 0), (3, 2), (4, 5)])
def test_violators_of_anonymity(k, violating):
    report = check(pd.DataFrame({"zip": list("xxxyy")}), quasi_identifiers=["zip"], k=k)
    assert (report["violating_rows"], report["anonymous"]) == (violating, violating == 0)


def test_violators_of_closeness():
    """Class x is 0.3 away from the table, class y 0.2: a bound of exactly 0.3 is met."""
    frame = pd.DataFrame({"zip": list("xxyyy"), "illness": list("abaaa")})
    distance = {"x": 0.3, "y": 0.2}
    for t, violating in ((0.3, 0), (0.29, 2), (0.19, 5)):
        report = check(frame, quasi_identifiers=["zip"], sensitive="illness", t=t)
        assert report["violating_rows"] == violating
        assert report["t"] == pytest.approx(distance["x"])


def test_a_row_violates_once_whatever_it_misses():
    frame = pd.DataFrame({"zip": list("xyyy"), "illness": list("aabc")})
    report = check(frame, quasi_identifiers=["zip"], sensitive="illness", k=2, l=2, t=0.1)
    assert report["violating_rows"] == 4


def test_rows_declared_suppressed_are_in_no_class():
    """They still are part of the table with whose distribution t compares."""
    frame = pd.DataFrame({"zip": ["x", "x", "y", "*"], "illness": list("abbb")})
    everything = check(frame, quasi_identifiers=["zip"], sensitive="illness")
    assert (everything["k"], everything["suppressed"], everything["rows"]) == (1, 0, 4)
    kept = check(frame, quasi_identifiers=["zip"], sensitive="illness", suppressed="*")
    by_mask = check(
        frame,
        quasi_identifiers=["zip"],
        sensitive="illness",
        suppressed=pd.Series([False, False, False, True], index=list("abcd")),
    )
    assert kept.to_dict() == by_mask.to_dict()
    assert (kept["k"], kept["suppressed"], kept["rows"]) == (1, 1, 3)
    assert kept["t"] == pytest.approx(0.25)


def test_a_star_in_some_columns_is_not_a_suppressed_row():
    frame = pd.DataFrame({"zip": ["*", "*"], "age": ["*", "20"]})
    report = check(frame, quasi_identifiers=["zip", "age"], suppressed="*")
    assert (report["suppressed"], report["classes"]) == (1, 1)


def test_values_that_are_no_text_are_no_stars():
    frame = pd.DataFrame({"key": [b"\xff", b"\xff", None]}, dtype=object)
    report = check(frame, quasi_identifiers=["key"], suppressed="*")
    assert (report["suppressed"], report["classes"]) == (0, 2)


def test_missing_cells_of_every_kind_are_one_value():
    frame = pd.DataFrame({"zip": [None, np.nan, pd.NA, pd.NaT, "x", "x"]}, dtype=object)
    report = check(frame, quasi_identifiers=["zip"])
    assert (report["classes"], report["k"]) == (2, 2)


@given(tables)
def test_agrees_with_the_evaluator_and_the_slow_twins(rows):
    frame = make_frame(rows)
    names = ["zip", "size"]
    report = check(frame, quasi_identifiers=names, sensitive="illness")
    ordered = check(frame, quasi_identifiers=names, sensitive="illness", ordered=True)
    table = Microdata(
        frame,
        quasi_identifiers=names,
        hierarchies=dict.fromkeys(names, "flat"),
        sensitive="illness",
    )
    found = LatticeEvaluator(table).evaluate([[0, 0]], [*FIGURES, "t", "t_ordered", "classes"])
    assert report[FIGURES].tolist() == pytest.approx(found[FIGURES].iloc[0].tolist())
    assert report["classes"] == found["classes"].item()
    assert report["t"] == pytest.approx(found["t"].item(), abs=1e-12)
    assert ordered["t"] == pytest.approx(found["t_ordered"].item(), abs=1e-12)
    groups: dict[tuple, list] = {}
    for *key, value in rows:
        groups.setdefault(tuple(key), []).append(value)
    everything = statistics.shares([row[2] for row in rows])
    assert report["k"] == min(map(len, groups.values()))
    assert report["l"] == min(statistics.n_distinct(group) for group in groups.values())
    assert ordered["t"] == pytest.approx(
        max(statistics.ordered_distance(group, everything) for group in groups.values())
    )


@given(tables, st.data())
def test_a_protected_table_has_the_figures_of_its_node(rows, data):
    """What the evaluator says of a node is what can be read off the table that comes out."""
    table = Microdata(
        make_frame(rows),
        quasi_identifiers=["zip", "size"],
        hierarchies={"zip": "flat", "size": "flat"},
        sensitive="illness",
    )
    node = [data.draw(st.integers(0, height)) for height in table.lattice.heights]
    budget = data.draw(st.integers(0, len(rows) - 1))
    protected, mask = table.apply(node, suppression=budget, return_mask=True)
    evaluator = LatticeEvaluator(table, suppression=budget)
    found = evaluator.evaluate([node], [*FIGURES, "t", "classes", "suppressed"])
    report = check(
        protected, quasi_identifiers=["zip", "size"], sensitive="illness", suppressed=mask
    )
    for name in found.columns[2:]:
        assert report[name] == pytest.approx(found[name].item(), abs=1e-12), name


def test_order_of_text_that_holds_numbers_is_that_of_the_evaluator():
    for values in (["9", "10", "9", "9", "10", "2"], [9, 10, 9, 9, 10, 2]):
        frame = pd.DataFrame({"zip": list("xxyyzz"), "s": values})
        report = check(frame, quasi_identifiers=["zip"], sensitive="s", ordered=True)
        assert report["t"] == pytest.approx(0.25)


def test_columns_of_any_type():
    frame = pd.DataFrame(
        {
            1: pd.to_datetime(["2020-01-01", "2020-01-01", None]),
            ("a", "b"): pd.Categorical(["u", "u", "v"]),
            "flag": [True, True, False],
        }
    )
    report = check(frame, quasi_identifiers=[1, ("a", "b")], sensitive="flag")
    assert (report["k"], report["l"], report["classes"]) == (1, 1, 2)


class TestErrors:
    frame = pd.DataFrame({"zip": list("xxy"), "illness": list("aba")})

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"quasi_identifiers": []}, "expected at least one column, found none"),
            ({"quasi_identifiers": ["zip", "zip"]}, "column 'zip': expected once"),
            ({"quasi_identifiers": ["age"]}, "column 'age': expected one of the columns"),
            ({"sensitive": "age"}, "column 'age': expected one of the columns"),
            ({"l": 2}, "sensitive: expected a column where l is asked for"),
            ({"t": 0.2}, "sensitive: expected a column where t is asked for"),
            ({"suppressed": "-"}, r"expected a mask or '\*', found '-'"),
            ({"suppressed": [True]}, "bool mask of 3 rows, found shape"),
            ({"suppressed": [0, 0, 1]}, "bool mask of 3 rows, found shape .* of int64"),
            ({"suppressed": [True] * 3}, "suppressed: expected .*, found all 3 rows suppressed"),
        ],
    )
    def test_options(self, options, message):
        with pytest.raises(ValueError, match=message):
            check(self.frame, **{"quasi_identifiers": ["zip"], **options})

    def test_one_text_is_no_list_of_columns(self):
        with pytest.raises(TypeError, match="expected a list of columns, found the text 'zip'"):
            check(self.frame, quasi_identifiers="zip")

    def test_an_empty_table(self):
        with pytest.raises(ValueError, match="expected at least one row, found an empty table"):
            check(self.frame.iloc[:0], quasi_identifiers=["zip"])


def test_infinite_and_undefined_figures_do_not_appear_as_not_a_number():
    frame = pd.DataFrame({"zip": ["x"], "illness": ["a"]})
    report = check(frame, quasi_identifiers=["zip"], sensitive="illness", k=1)
    assert report["recursive_cl"] == math.inf
    assert not report.drop("anonymous").astype(float).isna().any()
