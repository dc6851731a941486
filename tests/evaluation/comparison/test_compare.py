"""A masked file beside its original: what is compared, what is refused, and every option."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.measures.categorical.information_loss import matrix_entropy_loss
from tests.evaluation.categorical.small_files import small_files
from tests.examples import examples
from tests.oracles import masked_files as twins

NAMES = [
    "DBIL",
    "CTBIL",
    "EBIL",
    "IL",
    "ID",
    "DBRL",
    "PRL",
    "RSRL",
    "DR",
    "score_max",
    "score_mean",
]


@given(small_files(), st.sampled_from([0.5, 10, 34, 100]))
@examples(30)
def test_figures_are_those_of_the_slow_twins(files, p):
    found = ao.compare(files.frame, files.masked_frame, p=p)
    before, after = files.records(files.original.codes), files.records(files.codes)
    assert list(found.index) == NAMES
    for name, twin in twins.MEASURES.items():
        assert found[name] == pytest.approx(twin(before, after, files.columns), abs=1e-9)
    assert found["RSRL"] == pytest.approx(twins.rsrl(before, after, files.columns, p))
    assert found["score_max"] == max(found["IL"], found["DR"])
    assert found["score_mean"] == (found["IL"] + found["DR"]) / 2


def test_rank_swapped_records_are_always_candidates():
    frame = pd.DataFrame({"x": range(1, 101)})
    swapped = frame["x"].to_numpy().reshape(-1, 2)[:, ::-1].ravel()
    found = ao.compare(frame, pd.DataFrame({"x": swapped}), ordinal={"x": None}, p=1)
    # Each inner record can come from three ranks, the two at the ends from two.
    assert found["RSRL"] == pytest.approx(98 / 3 + 2 / 2)


def test_levels_that_changed_are_categories_of_both_files():
    original, masked = pd.DataFrame({"x": list("aab")}), pd.DataFrame({"x": list("acc")})
    found = ao.compare(original, masked)
    # Tables 2, 1, 0 and 1, 0, 2: the difference is 4 of 6.
    assert found["CTBIL"] == pytest.approx(100 * 4 / 6)
    # A cell of three moves by 4 / 3 records: 133 % to the letter of Eq. 2.11.
    by_cell = ao.compare(original, masked, per_cell=True)
    assert by_cell["CTBIL"] == pytest.approx(100 * 4 / 3)
    assert by_cell["IL"] == pytest.approx(by_cell[["DBIL", "CTBIL", "EBIL"]].mean())


def test_a_difference_a_cell_grows_with_the_rows():
    original = pd.DataFrame({"x": list("aab"), "y": list("ppp")})
    moved = original.assign(x=list("bba"), y=list("qqq"))
    once = ao.compare(original, moved, per_cell=True)
    twice = ao.compare(
        pd.concat([original] * 2, ignore_index=True),
        pd.concat([moved] * 2, ignore_index=True),
        per_cell=True,
    )
    assert twice["CTBIL"] == pytest.approx(2 * once["CTBIL"])
    assert twice["EBIL"] == pytest.approx(once["EBIL"])


def test_missing_cells_are_a_category():
    original = pd.DataFrame({"x": ["a", None, "b", "a"]})
    assert ao.compare(original, original)[["IL", "ID"]].tolist() == [0, 100]
    filled = original.fillna("a")
    assert ao.compare(original, filled)["DBIL"] == ao.compare(filled, original)["DBIL"] == 25


def test_only_named_columns_count_and_index_may_be_anything():
    index = ["r", "q", "q"]
    original = pd.DataFrame({"x": list("aab"), "n": [1.5, 2, 3], "y": list("pqq")}, index=index)
    masked = original.assign(n=0.0, y=list("ppp"))[["y", "x"]]
    assert ao.compare(original, masked, columns=["x"])["IL"] == 0
    assert ao.compare(original, masked, columns=["x", "y"])["DBIL"] == pytest.approx(100 * 2 / 6)


def test_entropy_from_matrices():
    original = pd.DataFrame({"x": list("aabb"), "y": list("pqpq")})
    masked = original.assign(x=list("abbb"))
    matrix = MarkovMatrix.of([[0.7, 0.3], [0.4, 0.6]], labels=["a", "b"])
    plain = ao.compare(original, masked)
    found = ao.compare(original, masked, matrices={"x": matrix})
    of_x = matrix_entropy_loss(matrix.probabilities, np.array([2.0, 2]), np.array([1, 3]))
    assert found["EBIL"] == pytest.approx(of_x / 2)
    assert found["IL"] == pytest.approx((found["EBIL"] + plain["DBIL"] + plain["CTBIL"]) / 3)
    assert found[["ID", "DBRL", "PRL", "DR"]].equals(plain[["ID", "DBRL", "PRL", "DR"]])
    alone = ao.compare(original[["x"]], masked[["x"]], matrices={"x": np.full((2, 2), 0.5)})
    assert alone["EBIL"] == pytest.approx(100)
    same = {"x": np.eye(2), "y": np.eye(2)}
    assert ao.compare(original, original, matrices=same)["EBIL"] == 0


def test_relation_to_an_untouched_column():
    frame = pd.DataFrame({"x": list("aabb"), "y": list("aabb"), "z": list("ppqq")})
    masked = frame.assign(x=list("aaab"))
    found = ao.compare(frame, masked, untouched="z")
    assert list(found.index) == [*NAMES, "bivariate_difference", "chi_square_difference"]
    # x: one of four records moved, the statistic falls from 4 to 4 / 3; y stays.
    assert found["bivariate_difference"] == pytest.approx(25 / 2)
    assert found["chi_square_difference"] == pytest.approx(100 * (2 / 3) / 2)
    assert found["DBIL"] == ao.compare(frame, masked, columns=["x", "y"])["DBIL"]


def test_continuous_columns_have_their_own_figures():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": [2.0, 4, 1, 3]})
    found = ao.compare(frame, frame + 0.5)
    assert "PIL" in found.index and "CTBIL" not in found.index
    as_categories = ao.compare(frame, frame, ordinal={"x": None, "y": None})
    assert list(as_categories.index) == NAMES


MIXED = pd.DataFrame({"x": list("ab"), "n": [1, 2], "b": [True, False]})


@pytest.mark.parametrize(
    ("masked", "options", "message"),
    [
        (MIXED, {}, r"continuous \['n'\] and categories \['x', 'b'\]"),
        (MIXED.iloc[:1], {}, "2 original and 1 masked"),
        (MIXED.iloc[::-1], {}, "row 0 labelled 0 and 1"),
        (MIXED[["x"]], {}, r"masked file lacks \['n', 'b'\]"),
        (MIXED.assign(z=1), {}, r"original file lacks \['z'\]"),
        (MIXED, {"columns": ["x", "w"]}, "'w'"),
        (MIXED[["x"]], {"columns": ["b"]}, "'b'"),
        (MIXED, {"columns": ["x"], "ordinal": {"b": None}}, r"ordinal.*\['b'\]"),
        (MIXED, {"columns": ["x"], "p": 0}, "percent above 0"),
        (MIXED, {"columns": ["x"], "matrices": {"b": np.eye(2)}}, r"matrices.*\['b'\]"),
        (MIXED, {"columns": ["x"], "matrices": {"x": np.eye(3)}}, "matrix of 'x'"),
        (MIXED, {"columns": ["n"], "untouched": "x"}, "continuous columns"),
        (MIXED, {"columns": ["n"], "dimension": 3}, "continuous columns"),
        (MIXED, {"columns": ["n"], "per_cell": True}, "continuous columns"),
        (MIXED, {"columns": ["n"], "p": 0}, "percent above 0"),
        (MIXED, {"columns": ["n"], "ordinal": {"b": None}}, r"ordinal.*\['b'\]"),
        (
            MIXED.assign(b=[False, False]),
            {"columns": ["x"], "untouched": "b"},
            "untouched.*'b'.*True and False in row 0",
        ),
    ],
)
def test_what_differs_is_named(masked, options, message):
    with pytest.raises(ValueError, match=message):
        ao.compare(MIXED, masked, **options)


def test_unknown_window_gives_no_figure():
    frame = pd.DataFrame({"x": list("ab")})
    assert math.isnan(ao.compare(frame, frame)["RSRL"])


@pytest.mark.parametrize("option", ["per_cell", "one_to_one"])
def test_a_text_is_no_flag(option):
    files = pd.DataFrame({"a": list("xy")}), pd.DataFrame({"a": list("yx")})
    with pytest.raises(TypeError, match=f"{option}: expected True or False, found 'no'"):
        ao.compare(*files, **{option: "no"})
