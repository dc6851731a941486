"""What all masking methods share: parameters, kinds of columns, types, refusals."""

from __future__ import annotations

import copy
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from anonopt._checks import as_generator
from anonopt.masking import (
    MDAV,
    GlobalRecoding,
    PreClustered,
    RankSwapping,
    Records,
    mdav_groups,
)
from anonopt.masking.groups.records import column_kind
from anonopt.masking.groups.regions import mondrian_regions


def test_parameters_are_kept_as_given():
    columns, ordinal = ["x"], {"x": None}
    method = MDAV(5, columns=columns, ordinal=ordinal)
    assert method.columns is columns
    assert method.ordinal is ordinal
    assert method.get_params() == {
        "k": 5,
        "columns": columns,
        "ordinal": ordinal,
        "allow_rare_missing": True,
        "n_variables": None,
    }


def test_parameters_of_an_inner_method():
    method = PreClustered(MDAV(k=3), n_clusters=4)
    assert method.get_params()["method__k"] == 3
    assert "method__k" not in method.get_params(deep=False)
    assert method.set_params(method__k=6, n_clusters=2) is method
    assert (method.method.k, method.n_clusters) == (6, 2)


def test_unknown_parameter_is_refused():
    with pytest.raises(ValueError, match=r"MDAV: expected parameters among .*'k'.*found \['kk'\]"):
        MDAV(k=3).set_params(kk=4)


def test_shown_with_the_parameters_that_are_not_the_default():
    method = PreClustered(MDAV(k=3, columns=["x"]), n_clusters=4, random_state=0)
    assert repr(method) == (
        "PreClustered(method=MDAV(k=3, columns=['x']), n_clusters=4, random_state=0)"
    )


def test_scikit_learn_clones_methods():
    base = pytest.importorskip("sklearn.base")
    method = PreClustered(RankSwapping(p=3, random_state=1), n_clusters=4, random_state=0)
    clone = base.clone(method)
    assert clone is not method
    assert clone.method is not method.method
    assert repr(clone) == repr(method)


@pytest.mark.parametrize(
    ("cells", "ordinal", "kind"),
    [
        ([1, 2], None, "continuous"),
        ([1.5, None], None, "continuous"),
        (pd.array([1, None], dtype="Int64"), None, "continuous"),
        ([1, 2], {"x": None}, "ordinal"),
        (["a", "b"], {"x": ["b", "a"]}, "ordinal"),
        (pd.Categorical([1, 2], ordered=True), None, "ordinal"),
        (pd.Categorical([1, 2]), None, "nominal"),
        (["a", "b"], None, "nominal"),
        ([True, False], None, "nominal"),
        (np.array([1, 2], dtype=object), None, "nominal"),
        (np.array([1, 2**60], dtype=object), None, "continuous"),
        (np.array([Decimal(1), None], dtype=object), None, "continuous"),
        (np.array([Decimal(1), 2], dtype=object), None, "nominal"),
        (np.array([None, None], dtype=object), None, "nominal"),
    ],
)
def test_kind_of_a_column(cells, ordinal, kind):
    assert column_kind(pd.Series(cells, name="x"), ordinal) == kind


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int64", "float64"),
        ("float32", "float32"),
        ("float64", "float64"),
        ("Int64", "Float64"),
        ("Float64", "Float64"),
    ],
)
def test_type_of_means(before, after):
    frame = pd.DataFrame({"x": pd.array([1, 2, 4], dtype=before)})
    masked = MDAV(k=3).fit_transform(frame)["x"]
    assert masked.dtype == after
    assert masked.iloc[0] == pytest.approx(7 / 3)


@pytest.mark.parametrize("dtype", ["object", "category", "string"])
def test_types_of_categories_stay(dtype):
    frame = pd.DataFrame({"zone": pd.Series(["a", "b", "b", None], dtype=dtype)})
    masked = MDAV(k=2).fit_transform(frame)["zone"]
    assert masked.dtype == frame["zone"].dtype


@pytest.mark.parametrize("cell", [None, np.nan, pd.NA])
def test_missing_cell_of_a_continuous_column_stays(cell):
    frame = pd.DataFrame({"x": pd.array([1.0, cell, 3, cell], dtype="Float64")})
    assert MDAV(k=2).fit_transform(frame)["x"].fillna(0).tolist() == [2, 0, 2, 0]


@pytest.mark.parametrize("group", [mdav_groups, mondrian_regions])
def test_records_with_gaps_are_grouped_by_pattern_only(group):
    records = Records.of(pd.DataFrame({"x": [1.0, None]}), ["x"], None)
    with pytest.raises(ValueError, match=r"column 'x': .*found 1 \(rows 1, counted from 0\)"):
        group(records, 1)


def test_infinite_number_is_refused():
    with pytest.raises(ValueError, match=r"column 'x': expected finite numbers, found 1 \(rows 1,"):
        MDAV(k=2).fit_transform(pd.DataFrame({"x": [1.0, np.inf]}))


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (MDAV(k=1, columns=["y"]), "column 'y': expected one of"),
        (MDAV(k=1, columns=[]), "expected at least one column"),
        (MDAV(k=1, columns=["x", "x"]), "column 'x': expected once"),
        (MDAV(k=1, columns=["x"], ordinal={"z": None}), r"ordinal: .*found \['z'\]"),
        (MDAV(k=1, ordinal={"x": ["b"], "z": None}), "column 'x': expected values among"),
    ],
)
def test_wrong_columns_are_refused(method, message):
    with pytest.raises(ValueError, match=message):
        method.fit_transform(pd.DataFrame({"x": ["a", "b"], "z": [1, 2]}))


def test_columns_as_one_text_are_refused():
    with pytest.raises(TypeError, match="expected a list of columns, found the text 'x'"):
        MDAV(k=1, columns="x").fit_transform(pd.DataFrame({"x": ["a"]}))


def test_empty_table_is_refused():
    with pytest.raises(ValueError, match="at least one row, found an empty table"):
        GlobalRecoding(p=1).fit_transform(pd.DataFrame({"x": []}))


def test_generator_is_used_as_it_is():
    rng = np.random.default_rng(0)
    assert as_generator(rng) is rng
    frame = pd.DataFrame({"x": range(100)})
    method = RankSwapping(p=10, random_state=copy.deepcopy(rng))
    first, second = method.fit_transform(frame), method.fit_transform(frame)
    assert not first.equals(second)


@pytest.mark.parametrize(
    ("state", "error"),
    [(None, ValueError), (-1, ValueError), (True, TypeError), (1.0, TypeError)],
)
def test_what_is_no_source_of_randomness_is_refused(state, error):
    with pytest.raises(error, match="random_state: expected a"):
        as_generator(state)
