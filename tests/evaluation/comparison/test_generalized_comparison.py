"""Generalized files beside their originals: containment, glm per cell, expected tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.data.columns.covered_values import CoveredValues, runs_of
from anonopt.evaluation.comparison.generalized_columns import GeneralizedColumn
from anonopt.evaluation.comparison.generalized_comparison import compare_generalized
from anonopt.measures.lattice.check import check
from tests.examples import examples
from tests.oracles import generalized_files as twins
from tests.oracles.masked_files import Column

FIGURES = ["DBIL", "CTBIL", "EBIL", "ID", "DBRL", "PRL"]


@st.composite
def covered_files(draw):
    """Originals as codes, masked cells as sets of codes, and the columns."""
    n_rows = draw(st.integers(1, 9))
    columns, original, masked = [], [], []
    for _ in range(draw(st.integers(1, 3))):
        n, has_missing = draw(st.integers(1, 5)), draw(st.booleans())
        n_values = n + has_missing
        code = st.integers(0, n_values - 1)
        cell = st.frozensets(code, min_size=1)
        values = tuple(range(n)) + (None,) * has_missing
        columns.append(Column(values, draw(st.booleans())))
        original.append(draw(st.lists(code, min_size=n_rows, max_size=n_rows)))
        masked.append(draw(st.lists(cell, min_size=n_rows, max_size=n_rows)))
    return columns, original, masked


def as_column(column, original, cells):
    runs = [runs_of(cell) for cell in cells]
    labels = list(dict.fromkeys(runs))
    return GeneralizedColumn(
        name="x",
        original=np.array(original, dtype=np.int64),
        n_values=len(column.categories),
        n_ordered=len(column.ordered) if column.is_ordinal else 0,
        runs=tuple(labels),
        masked=np.array([labels.index(run) for run in runs], dtype=np.int64),
        is_top=np.zeros(len(cells), dtype=bool),
    )


def assert_twins(files):
    columns, original, masked = files
    found = compare_generalized(
        [as_column(*part) for part in zip(columns, original, masked, strict=True)]
    )
    records = [
        [column.categories[code] for column, code in zip(columns, row, strict=True)]
        for row in zip(*original, strict=True)
    ]
    cells = [
        [
            frozenset(column.categories[code] for code in cell)
            for column, cell in zip(columns, row, strict=True)
        ]
        for row in zip(*masked, strict=True)
    ]
    for name in FIGURES:
        if name == "PRL" and not twins.is_clear(twins.pattern_weights(records, cells)):
            # Agreement that tells nothing: rounding alone decides which pattern is likelier.
            continue
        twin = twins.MEASURES[name](records, cells, columns)
        assert getattr(found, name) == pytest.approx(twin, abs=1e-9), name


@given(covered_files())
@examples(40)
def test_figures_are_those_of_the_slow_twins(files):
    assert_twins(files)


@given(covered_files())
@settings(max_examples=20)
def test_records_that_are_compared_in_parts(files):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("anonopt.evaluation.comparison.covered_records.BLOCK", 3)
        patch.setattr("anonopt.evaluation.comparison.covered_records.FEW_VALUES", 0)
        assert_twins(files)


@given(
    st.lists(st.integers(-30, 30), min_size=1, max_size=12),
    st.integers(-35, 35),
    st.integers(0, 40),
    st.sampled_from(["[{},{})", "({}, {}]", "[{}; {}]", "]{},{}[", "{}-{}", "{} to {}"]),
)
def test_intervals_cover_what_lies_between_their_ends(numbers, low, width, form):
    values = sorted(set(numbers))
    high = low + width
    opens = {"[{},{})": (True, False), "({}, {}]": (False, True), "]{},{}[": (False, False)}
    low_in, high_in = opens.get(form, (True, True))
    wanted = [
        code
        for code, value in enumerate(values)
        if (low < value or (low_in and low == value))
        and (value < high or (high_in and value == high))
    ]
    (found,) = CoveredValues([str(value) for value in values]).read([form.format(low, high)])
    assert found == runs_of(wanted)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9), st.integers(-11, 11))
def test_codes_of_an_end(numbers, end):
    values = sorted(set(numbers))
    reader = CoveredValues([str(value) for value in values])
    tests = {
        f"<{end}": lambda v: v < end,
        f"<={end}": lambda v: v <= end,
        f"> {end}": lambda v: v > end,
        f">={end}": lambda v: v >= end,
        f"{end}+": lambda v: v >= end,
        f"{end} or more": lambda v: v >= end,
        f"up to {end}": lambda v: v <= end,
        f"under {end}": lambda v: v < end,
        f"over {end}": lambda v: v > end,
        f"[{end},)": lambda v: v >= end,
        f"(-inf, {end})": lambda v: v < end,
    }
    for label, inside in tests.items():
        wanted = runs_of(code for code, value in enumerate(values) if inside(value))
        assert reader.read([label]) == [wanted], label


@pytest.mark.parametrize(
    ("texts", "options", "label", "covered"),
    [
        (["a", "b", "c"], {}, "{a, c}", [0, 2]),
        (["a", "b, c", "d"], {}, "{b, c, d}", [1, 2]),
        (["a", "b"], {}, "{a, never seen}", [0]),
        (["a", "b"], {}, "{'a', 'b'}", [0, 1]),
        (["a", "b", "c"], {}, "a, b", [0, 1]),
        (["S", "M", "L"], {"is_ordinal": True}, "[S, M]", [0, 1]),
        (
            ["S", "M", "L"],
            {"is_ordinal": True, "has_missing": True},
            "[M, L] or <missing>",
            [1, 2, 3],
        ),
        (["S", "M"], {"has_missing": True}, "<missing>", [2]),
        (["S", "M"], {"has_missing": True}, "*", [0, 1, 2]),
        (["81667", "81675", "9"], {}, "8166*", [0]),
        (["81667", "81675", "9"], {}, "81***", [0, 1]),
        (["81667", "81675", "9"], {}, "****9", [2]),
        (["2014-09-03", "2014-10-01", "2021-01-01"], {}, "2014-09", [0]),
        (["2014-09-03", "2014-10-01", "2021-01-01"], {}, "2014", [0, 1]),
        (["2014-09-03", "2014-10-01", "2021-01-01"], {}, "2010-2019", [0, 1]),
        (["2014-09-03", "2014-10-01", "2021-01-01"], {}, "[2014-10-01, 2021-01-01]", [1, 2]),
        (["0.1", "0.3", "0.30000000000000004"], {}, "[0.1,0.3]", [0, 1]),
        (["10000000000000000", "10000000000000001"], {}, "<=10000000000000000", [0]),
    ],
)
def test_labels(texts, options, label, covered):
    (found,) = CoveredValues(texts, **options).read([label])
    assert found == runs_of(covered)


@pytest.mark.parametrize("label", ["young", "[b, a]", "20-", "[1, 2", "{1, 2", "[20, x)", "x+"])
def test_labels_that_cannot_be_read(label):
    assert CoveredValues(["1", "2", "30"]).read([label]) == [None]
    assert CoveredValues(["p", "q"]).read([label]) == [None]


class TestHierarchies:
    frame = pd.DataFrame({"zone": list("ABCDA"), "age": [21, 24, 38, 39, 70]})
    zone = ao.Hierarchy.from_tree({"*": {"North": ["A", "B"], "South": ["C", "D", "E"]}})
    age = ao.Hierarchy.intervals(range(20, 80), width=10, fan_outs=[2])

    def table(self):
        hierarchies = {"zone": self.zone, "age": self.age}
        return ao.Microdata(self.frame, quasi_identifiers=["zone", "age"], hierarchies=hierarchies)

    def test_loss_and_linkage_of_every_node_are_those_of_the_table(self):
        table = self.table()
        loss = ao.LatticeEvaluator(table).evaluate_all(measures=["glm_normalized"])
        for row in loss.itertuples():
            node = [row.zone, row.age]
            protected = table.apply(node)
            found = ao.compare(self.frame, protected, hierarchies=table.hierarchies)
            assert found["DBIL"] == pytest.approx(100 * row.glm_normalized)
            risk = check(protected, quasi_identifiers=["zone", "age"])["average_risk"]
            assert found["DBRL"] == pytest.approx(100 * risk)

    def test_suppressed_rows_cost_all_and_are_linked_to_every_original(self):
        table = self.table()
        protected, mask = table.apply([1, 1], k=2, suppression=1, return_mask=True)
        assert mask.sum() == 1
        found = ao.compare(self.frame, protected, hierarchies=table.hierarchies)
        loss = ao.LatticeEvaluator(table, k=2, suppression=1)
        glm = loss.evaluate([[1, 1]], measures=["glm_normalized"])["glm_normalized"][0]
        assert found["DBIL"] == pytest.approx(100 * glm)
        classes = check(protected, quasi_identifiers=["zone", "age"], suppressed="*")["classes"]
        assert found["DBRL"] == pytest.approx(100 * (classes + 1 / 5) / 5)

    def test_folder_and_paths(self, tmp_path):
        self.zone.to_csv(tmp_path / "zone.csv")
        protected = self.table().apply([1, 1])
        wanted = ao.compare(self.frame, protected, hierarchies={"zone": self.zone})
        assert wanted.equals(ao.compare(self.frame, protected, hierarchies=tmp_path))
        given = {"zone": tmp_path / "zone.csv"}
        assert wanted.equals(ao.compare(self.frame, protected, hierarchies=given))

    def test_label_of_two_levels(self):
        tree = ao.Hierarchy([list("ABC"), ["A", "A", "C"], ["*"] * 3])
        frame = pd.DataFrame({"x": list("ABC")})
        both = pd.DataFrame({"x": ["A", "B", "*"]})
        assert ao.compare(frame, both, hierarchies={"x": tree})["DBIL"] == pytest.approx(100 / 3)
        first = pd.DataFrame({"x": ["A", "A", "C"]})
        # The lowest level that has all labels is meant: A and C are values there.
        assert ao.compare(frame, first, hierarchies={"x": tree})["DBIL"] == pytest.approx(100 / 3)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"hierarchies": {"w": "flat"}}, r"compared.*\['w'\]"),
            ({"hierarchies": 3}, "dictionary or a folder"),
            ({"hierarchies": {"zone": zone}, "p": 5}, "expected none of them where labels are"),
            ({"hierarchies": {"zone": zone}, "dimension": 3}, "dimension.*at most 2"),
        ],
    )
    def test_faults(self, options, message):
        with pytest.raises((TypeError, ValueError), match=message):
            ao.compare(self.frame, self.frame, **options)


def test_level_zero_is_the_original_as_categories():
    frame = pd.DataFrame({"x": list("abca"), "n": [3, 1, 2, 2]})
    hierarchies = {"x": "flat", "n": "flat"}
    table = ao.Microdata(frame, quasi_identifiers=["x", "n"], hierarchies=hierarchies)
    found = ao.compare(frame, table.apply([0, 0]), hierarchies=table.hierarchies)
    assert found.equals(ao.compare(frame, frame, ordinal={"n": None}))


def test_masked_files_have_the_same_figures_either_way():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.choice(list("abcd"), 40), "n": rng.integers(0, 9, 40)})
    masked = ao.masking.RankSwapping(20, columns=["n"], random_state=1).fit_transform(frame)
    plain = ao.compare(frame, masked, ordinal={"n": None})
    found = ao.compare(frame, masked, hierarchies={"x": "flat"})
    pd.testing.assert_series_equal(found, plain)


def test_labels_of_library_methods():
    frame = pd.DataFrame({"age": [20, 30, 40, 50, 91, 95], "size": list("SSMMLL")})
    order = {"size": ["S", "M", "L"]}
    mondrian = ao.masking.Mondrian(k=3, ordinal=order).fit_transform(frame)
    found = ao.compare(frame, mondrian, ordinal=order)
    assert found["DBRL"] == pytest.approx(100 * 2 / 6)
    for method in (
        ao.masking.TopCoding(value=91, columns=["age"]),
        ao.masking.BottomCoding(value=30, columns=["age"]),
    ):
        coded = method.fit_transform(frame)
        assert ao.compare(frame, coded, columns=["age"])["DBIL"] == pytest.approx(100 * 2 / 6 / 5)
    top = ao.masking.TopCoding(p=2, code="91+", columns=["age"]).fit_transform(frame)
    # Two of six cells cover two of six ages.
    assert ao.compare(frame, top, columns=["age"])["DBIL"] == pytest.approx(100 * 2 / 6 / 5)


MIXED = pd.DataFrame({"age": [21, 24, 38, 39], "job": list("aabc")})


@pytest.mark.parametrize(
    ("masked", "message"),
    [
        ({"age": ["[20, 30)", "[20, 30)", "old", "old"]}, r"'age'.*interval.*found 'old'"),
        ({"age": ["20-29", "20-29", "[90, 99]", "*"]}, r"'age'.*'\[90, 99\]', which covers none"),
        ({"job": ["*", "x", "b", "c"]}, "'job'.*hierarchies={'job'.*found 'x'"),
        ({"job": ["[c, b]", "*", "b", "c"]}, r"'job'.*ordinal={'job'.*found '\[c, b\]'"),
    ],
)
def test_labels_that_are_not_understood_are_named(masked, message):
    with pytest.raises(ValueError, match=message):
        ao.compare(MIXED, MIXED.astype({"age": object}).assign(**masked))


def test_merged_categories_need_a_hierarchy():
    frame = pd.DataFrame({"zone": list("aaaabbcd")})
    masked = ao.masking.GlobalRecoding(p=3, code="other").fit_transform(frame)
    with pytest.raises(ValueError, match=r"'zone'.*hierarchies.*found 'other'"):
        ao.compare(frame, masked)
    tree = ao.Hierarchy.from_tree({"*": {"a": None, "other": ["b", "c", "d"]}})
    found = ao.compare(frame, masked, hierarchies={"zone": tree})
    assert found["DBIL"] == pytest.approx(100 * 4 * (2 / 3) / 8)
    assert found["DBRL"] == pytest.approx(100 * 2 / 8)


def test_new_numbers_and_dates_are_values_of_the_domain():
    frame = pd.DataFrame({"age": [20, 30, 40]})
    found = ao.compare(frame, pd.DataFrame({"age": [25, "30-40", "*"]}))
    # Four values: 25 is one step of three away, the labels cover two and four of them.
    assert found["DBIL"] == pytest.approx(100 * (1 / 3 + 1 / 3 + 1) / 3)


@st.composite
def tables(draw):
    """Small tables of numbers, text and missing cells, with a node and rows to suppress."""
    n_rows = draw(st.integers(2, 14))
    text = ["a", "b", "c", "d"]
    groups = draw(st.lists(st.sampled_from("pq"), min_size=4, max_size=4))
    zone = ao.Hierarchy([text, [f"group {group}" for group in groups], ["*"] * 4])
    age = ao.Hierarchy.intervals(range(10, 30), width=draw(st.integers(2, 7)), fan_outs=[2])
    cells = st.sampled_from([*text, None] if draw(st.booleans()) else text)
    frame = pd.DataFrame(
        {
            "age": draw(st.lists(st.integers(10, 29), min_size=n_rows, max_size=n_rows)),
            "zone": draw(st.lists(cells, min_size=n_rows, max_size=n_rows)),
        }
    )
    table = ao.Microdata(
        frame, quasi_identifiers=["age", "zone"], hierarchies={"age": age, "zone": zone}
    )
    node = [draw(st.integers(0, height)) for height in table.lattice.heights]
    return table, node, draw(st.integers(0, n_rows - 1))


@given(tables())
@examples(40)
def test_every_node_has_the_loss_of_the_lattice_and_the_risk_of_its_classes(drawn):
    table, node, budget = drawn
    protected, mask = table.apply(node, suppression=budget, return_mask=True)
    found = ao.compare(table.frame, protected, hierarchies=table.hierarchies)
    evaluator = ao.LatticeEvaluator(table, suppression=budget)
    loss = evaluator.evaluate([node], measures=["glm_normalized"])["glm_normalized"][0]
    assert found["DBIL"] == pytest.approx(100 * loss)
    n = table.n_rows
    kept = protected[~mask]
    classes = len(kept.drop_duplicates())
    assert found["DBRL"] == pytest.approx(100 * (classes + mask.sum() / n) / n)
    if not mask.any():
        risk = check(protected, quasi_identifiers=["age", "zone"])["average_risk"]
        assert found["DBRL"] == pytest.approx(100 * risk)
    assert all(0 <= found[name] <= 100 + 1e-9 for name in FIGURES)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
@settings(max_examples=30)
def test_linkage_of_mondrian_is_the_average_risk(seed, k):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": rng.integers(0, 9, 30), "y": rng.normal(size=30).round(1)})
    masked = ao.masking.Mondrian(k=k).fit_transform(frame)
    risk = check(masked, quasi_identifiers=["x", "y"])["average_risk"]
    found = ao.compare(frame, masked)
    if "CTBIL" in found.index:
        assert found["DBRL"] == pytest.approx(100 * risk)
