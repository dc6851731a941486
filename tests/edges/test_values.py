"""Equal values are equal however they are typed, through everything that takes a column."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.data.column_values import ColumnValues
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.data.equal_values import equal_keys
from anonopt.data.labels import encode_labels
from anonopt.evaluation.comparison.compared_files import untouched_columns
from anonopt.masking import METHODS
from anonopt.problems import MaskingProblem
from tests.contracts.test_masking_methods import NUMBERS_ONLY, PARAMETERS
from tests.edges.spellings import FAMILIES, LARGE, PAIRS, column

families = pytest.mark.parametrize("family", FAMILIES)
REFUSED = {
    # No guess: truth values beside 0 and 1, days beside instants, periods and nanoseconds.
    "truth values": {"int64", "text of numbers"},
    "days": {"UTC", "Tokyo", "text of UTC", "period", "duration", "int64"},
    # Rounded to floats, or too large for short ones.
    "large numbers": {"float64"},
}


def may_be_refused(family, one, other):
    """Whether two types are of different kinds, as they are in `REFUSED`."""
    refused = REFUSED.get(family, set())
    return one != other and (one in refused or other in refused)


def compared(original, masked, **options):
    return ao.compare(original.to_frame(), masked.to_frame(), **options)


def of_pairs(family):
    """All pairs of types of a family."""
    return [(one, other) for name, one, other in PAIRS if name == family]


def star_of_pairs(family):
    """Pairs of which one is the first type of a family."""
    first = next(iter(FAMILIES[family]))
    return [pair for pair in of_pairs(family) if first in pair]


def check_pair(family, one, other, measure):
    """`measure` of a pair is that of the first alone, or refused, and only where it has to be."""
    first = column(family, one)
    try:
        found = measure(first, column(family, other))
    except (ValueError, TypeError) as error:
        assert "'c'" in str(error)
        assert may_be_refused(family, one, other), f"{one}, {other}: {error}"
        return
    assert found == measure(first, first), f"{one} and {other}"


def test_there_are_pairs_enough():
    assert len(PAIRS) >= 100


@pytest.mark.parametrize(
    ("family", "missing"), [*((family, False) for family in FAMILIES), ("halves", True)]
)
def test_compare_is_that_of_the_file_with_itself(family, missing):
    columns = {kind: column(family, kind, missing=missing) for kind in FAMILIES[family]}
    own = {kind: compared(values, values) for kind, values in columns.items()}
    for one, other in of_pairs(family):
        try:
            found = compared(columns[one], columns[other])
        except ValueError as error:
            assert "'c'" in str(error)
            assert may_be_refused(family, one, other), f"{one}, {other}: {error}"
            continue
        wanted = own[one]
        if not wanted.index.equals(found.index):
            # Text, or objects, beside numbers: both are numbers.
            assert not pd.api.types.is_numeric_dtype(columns[one])
            wanted = own[other]
        pd.testing.assert_series_equal(wanted, found, check_exact=True)


@families
def test_compare_in_an_order_and_untouched_columns(family):
    def measure(first, second):
        order = compared(first, second, ordinal={"c": None})
        untouched = untouched_columns(first.to_frame(), second.to_frame(), "c")
        return str(order.tolist()), untouched.codes.tolist()

    for one, other in star_of_pairs(family):
        check_pair(family, one, other, measure)


@families
def test_hierarchies_and_tables(family):
    def measure(first, second):
        tree = ao.Hierarchy.ordered(encode_labels(first)[1])
        frame = second.to_frame().assign(s=second)
        table = ao.Microdata(frame, quasi_identifiers=["c"], hierarchies={"c": tree}, sensitive="s")
        figures = ao.check(frame, quasi_identifiers=["c"], sensitive="s")
        return table.codes.tolist(), len(table.sensitive_labels), str(figures.tolist())

    for one, other in star_of_pairs(family):
        check_pair(family, one, other, measure)


@families
def test_problems_take_files_of_other_types(family):
    def measure(first, second):
        return problem.columns.encode(second.to_frame()).tolist()

    for kind in FAMILIES[family]:
        problem = MaskingProblem(column(family, kind).to_frame(), ordinal={"c": None})
        for other in FAMILIES[family]:
            check_pair(family, kind, other, measure)


@families
@pytest.mark.parametrize("name", [name for name in METHODS if name not in NUMBERS_ONLY])
def test_masking_methods_mask_equal_columns_alike(family, name):
    wanted = column(family, next(iter(FAMILIES[family])))
    order = list(pd.unique(wanted.sort_values().astype(object)))
    results = {}
    for kind in FAMILIES[family]:
        if kind in REFUSED.get(family, ()):
            continue
        method = METHODS[name](**PARAMETERS[name], columns=["c"], ordinal={"c": order})
        method = method if "k" not in PARAMETERS[name] else method.set_params(k=2)
        if name == "pre-clustered":
            method.set_params(method__k=2, n_clusters=2)
        masked = method.fit_transform(column(family, kind).to_frame())["c"]
        results[kind] = ColumnValues.of(masked)
    first = next(iter(results))
    labels = encode_labels(wanted)[1]
    for kind, values in results.items():
        if name == "mondrian" and encode_labels(column(family, kind))[1] != labels:
            # Intervals are written with the texts of their ends.
            continue
        keys, others = equal_keys("c", results[first], values)
        assert [keys[i] for i in results[first].codes] == [others[i] for i in values.codes], kind


@pytest.mark.parametrize("name", METHODS)
def test_masking_methods_mask_numbers_of_all_types_alike(name):
    numeric = ["float64", "Float64", "Decimal", "arrow double"]
    if name not in NUMBERS_ONLY:
        # Noise on whole numbers is whole.
        numeric += ["int64", "Int64", "arrow int"]
    results = {}
    for kind in numeric:
        parameters = dict(PARAMETERS[name])
        masked = METHODS[name](**parameters).fit_transform(
            pd.concat([column("whole numbers", kind).to_frame()] * 2, ignore_index=True)
        )
        texts = masked["c"].astype(object).map(str)
        # What is suppressed, or covers several numbers, is none.
        numbers = pd.to_numeric(texts, errors="coerce")
        results[kind] = texts if name == "mondrian" else numbers
    for kind in numeric:
        if name == "mondrian":
            assert results[kind].tolist() == results["float64"].tolist(), kind
        else:
            np.testing.assert_allclose(results[kind], results["float64"], rtol=1e-12, err_msg=kind)


# Small inputs with the right answer.


def test_point_01_numbers_written_as_text():
    frame = pd.DataFrame({"age": [21, 34, 55, 68]})
    for masked in (frame.astype(str), frame.astype(float).astype(str), frame.astype(float)):
        found = ao.compare(frame, masked)
        assert found[["DBIL", "DBRL", "DR"]].tolist() == [0, 100, 100]
        pd.testing.assert_series_equal(found, ao.compare(frame, frame))


def test_point_01_a_generalized_file_at_level_0():
    table = ao.load_dataset("german")
    masked = table.apply([0] * len(table.quasi_identifiers))
    assert ao.compare(table.frame, masked, columns=["age"])["DBIL"] == 0


def test_point_01_missing_numbers_written_in_two_ways():
    one, other = (
        pd.DataFrame({"age": cells})
        for cells in (["20", None, "30", "40"], ["20.0", None, "30.0", "40.0"])
    )
    for options in ({}, {"ordinal": {"age": None}}):
        assert ao.compare(one, other, **options)["DBIL"] == 0


def test_point_02_whole_numbers_beyond_floats():
    base = 10**16
    for dtype in ("int64", "uint64", "Int64", object):
        one, other = (
            pd.DataFrame({"x": pd.Series([base + i, base + 1 - i], dtype=dtype)}) for i in (0, 1)
        )
        assert ao.compare(one, other)[["DBIL", "DBRL"]].tolist() == [100, 0]
        assert ao.compare(one, one)[["DBIL", "DBRL"]].tolist() == [0, 100]
    with pytest.raises(ValueError, match=r"column 'x'.*need not be rounded"):
        ao.compare(*[pd.DataFrame({"x": [1, base + 1]})] * 2)
    with pytest.raises(ValueError, match=r"column 'x'.*int64.*float"):
        ao.compare(one.astype("int64"), one.astype("int64").astype(float))


@pytest.mark.parametrize("kind", [k for k in FAMILIES["large numbers"] if k != "float64"])
def test_point_02_hierarchies_of_whole_numbers_beyond_floats(kind):
    tree = ao.Hierarchy.intervals(LARGE, width=2)
    codes = tree.encode(column("large numbers", kind), "c")
    assert [int(tree.labels[0][code]) for code in codes] == LARGE


def test_point_03_leading_zeros_are_codes():
    codes = ["007", "7", "008", "8", "009", "9"]
    frame = pd.DataFrame({"code": codes})
    masked = METHODS["rank-swapping"](p=40, ordinal={"code": None}, random_state=1)
    assert sorted(masked.fit_transform(frame)["code"]) == sorted(codes)
    assert encode_labels(frame["code"])[1] == ("007", "7", "008", "8", "009", "9")
    assert ao.compare(frame, frame)["DBRL"] == 100
    for other in ([7, 7, 8, 8, 9, 9], [7.0, 7.5, 8.0, 8.5, 9.0, 9.5]):
        with pytest.raises(ValueError, match=r"column 'code'.*codes, '007'"):
            ao.compare(frame, pd.DataFrame({"code": other}))


def test_labels_of_matrices_are_equal_however_they_are_written():
    labels = [1.0, 2.0]
    written = pd.DataFrame([[0.5, 0.5], [0.1, 0.9]], index=["1.0", "2.0"], columns=labels)
    assert MarkovMatrix.of(written, labels=[1, 2]).labels == ("1", "2")
    frame = pd.DataFrame({"c": [1, 2, 1, 2]})
    ao.masking.PRAM(written, random_state=1).fit_transform(frame)
    with pytest.raises(ValueError, match="expected the categories"):
        MarkovMatrix.of(written, labels=[2, 1])


def test_orders_are_given_in_any_type():
    frame = pd.DataFrame({"c": ["1", "2", "3"]})
    for order in ([3, 1, 2], [3.0, 1.0, 2.0], ["3", "1", "2"], [Decimal(3), Decimal(1), 2]):
        columns = ao.data.CategoricalColumns.of(frame, ordinal={"c": order})
        assert columns.codes[:, 0].tolist() == [1, 2, 0]
        assert columns.labels == (("3", "1", "2"),)
    with pytest.raises(ValueError, match="column 'c': expected each value once in its order"):
        ao.data.CategoricalColumns.of(frame, ordinal={"c": [1, 2, 3, "3.0"]})


def test_the_label_of_missing_cells_is_a_missing_cell():
    frame = pd.DataFrame({"c": [1.0, None, 2.0, 2.0]})
    table = ao.Microdata(frame, quasi_identifiers=["c"], hierarchies={"c": "flat"})
    assert ao.compare(frame, table.apply([0]))["DBIL"] == 0
    labels = pd.DataFrame({"c": ["a", "<missing>", "b"]})
    masked = METHODS["pram"]("identity", random_state=1).fit_transform(labels)
    assert masked["c"].tolist() == ["a", "<missing>", "b"]


def test_days_with_a_time_zone_are_instants():
    days = pd.Series(pd.to_datetime(["2014-09-03", "2014-10-03"]), name="c")
    tree = ao.Hierarchy.dates(days, levels=["day", "month"])
    assert tree.encode(pd.Series([datetime.date(2014, 10, 3)]), "c").tolist() == [1]
    with pytest.raises(ValueError, match=r"column 'c'"):
        tree.encode(days.dt.tz_localize("UTC"), "c")


@pytest.mark.parametrize("cell", [None, float("nan"), pd.NA, "<missing>"])
def test_missing_cells_of_sensitive_columns_and_populations(cell):
    frame = pd.DataFrame({"q": list("abab"), "s": ["x", "y", cell, "x"]}, dtype=object)
    trees = {
        name: ao.Hierarchy([list(leaves), ["*"] * 2]) for name, leaves in (("q", "ab"), ("s", "xy"))
    }
    people = pd.concat([frame[["q"]], pd.DataFrame({"q": [cell]}, dtype=object)])
    table = ao.Microdata(
        frame, quasi_identifiers=["q"], hierarchies=trees, sensitive="s", population=people
    )
    assert table.sensitive_labels == ("x", "y", "<missing>")
    assert table.population_codes.ravel().tolist() == [0, 1, 0, 1, 2]
    report = ao.check(frame, quasi_identifiers=["q"], sensitive="s", hierarchies={"s": trees["s"]})
    # Both classes hold two of the three values; halves beside 2/4, 1/4 and 1/4.
    assert report["t_hierarchical"] == 0.25
