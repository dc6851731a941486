"""Global recoding, top and bottom coding: which categories become one, and its name."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import BottomCoding, GlobalRecoding, TopCoding
from anonopt.masking.recoding import neighbors_until, rarest_until
from tests.oracles import recoding as oracle

TEN = pd.DataFrame({"x": range(1, 11)})


def coded(method, cells, **options):
    frame = pd.DataFrame({"x": pd.Series(cells, dtype=object)})
    return method(**options).fit_transform(frame)["x"].tolist()


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        (BottomCoding(p=2, code=99), [99, 99, 3, 4, 5, 6, 7, 8, 9, 10]),
        (TopCoding(p=3, code=99), [1, 2, 3, 4, 5, 6, 7, 99, 99, 99]),
        (BottomCoding(p=2), [2, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (TopCoding(p=3), [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]),
    ],
)
def test_ends_of_ten_numbers(method, expected):
    masked = method.fit_transform(TEN)
    assert masked["x"].tolist() == expected
    assert masked["x"].dtype == TEN["x"].dtype


@pytest.mark.parametrize(
    ("method", "expected"), [(TopCoding, ["a", "c", "c"]), (BottomCoding, ["c", "c", "b"])]
)
def test_ends_follow_the_order_that_is_given(method, expected):
    # "d" is declared and does not occur, so it is none of the two.
    order = {"x": ["a", "c", "b", "d"]}
    assert coded(method, ["a", "c", "b"], p=2, ordinal=order) == expected


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=40), st.data())
def test_global_recoding_merges_the_rarest(cells, data):
    counts = Counter(cells)
    p = data.draw(st.integers(1, len(counts)))
    masked = coded(GlobalRecoding, cells, p=p)
    merged = sorted(counts, key=lambda value: (counts[value], value))[:p]
    expected = [merged[-1] if cell in merged else cell for cell in cells]
    assert masked == expected
    assert len(set(masked)) == len(counts) - p + 1


@pytest.mark.parametrize("method", [GlobalRecoding, TopCoding, BottomCoding])
class TestAll:
    def test_one_category_changes_nothing(self, method):
        pd.testing.assert_frame_equal(method(p=1).fit_transform(TEN), TEN)

    def test_all_categories_become_one(self, method):
        assert method(p=10).fit_transform(TEN)["x"].nunique() == 1

    def test_missing_cells_stay_and_do_not_count(self, method):
        cells = ["a", None, "b", "b", None]
        masked = coded(method, cells, p=2, ordinal={"x": None})
        assert [cell is None for cell in masked] == [cell is None for cell in cells]
        assert len(set(masked) - {None}) == 1
        with pytest.raises(ValueError, match="at most 2, the categories that occur in column 'x'"):
            coded(method, cells, p=3, ordinal={"x": None})

    def test_code_joins_the_categories_of_a_categorical_where_the_merged_stood(self, method):
        cells = pd.Categorical(["S", "M", "L", "L", "S"], ["S", "M", "L"], ordered=True)
        masked = method(p=1, code="other").fit_transform(pd.DataFrame({"x": cells}))["x"]
        assert masked.cat.ordered
        replaced = {"GlobalRecoding": "M", "TopCoding": "L", "BottomCoding": "S"}[method.__name__]
        at = ["S", "M", "L"].index(replaced)
        assert masked.tolist() == ["other" if cell == replaced else cell for cell in cells]
        ordered = ["S", "M", "L"]
        ordered.insert(at, "other")
        assert masked.cat.categories.tolist() == ordered

    def test_code_of_another_type_widens_the_column(self, method):
        masked = method(p=2, code=0.5).fit_transform(TEN)["x"]
        assert (masked == 0.5).sum() == 2
        assert masked.dtype == np.float64

    @pytest.mark.parametrize("p", [0, 11])
    def test_number_out_of_range_is_refused(self, method, p):
        with pytest.raises(ValueError, match=r"p: expected a(t most| whole number of at least 1)"):
            method(p=p).fit_transform(TEN)


@pytest.mark.parametrize("method", [TopCoding, BottomCoding])
def test_nominal_column_is_refused(method):
    with pytest.raises(ValueError, match=r"column 'x': expected values in an order for \w+Coding"):
        coded(method, ["a", "b"], p=1)


@given(st.lists(st.integers(1, 9), max_size=12), st.integers(1, 20))
def test_merging_until_k_is_that_of_the_twin(counts, k):
    k = min(k, sum(counts))
    assert rarest_until(np.array(sorted(counts), dtype=np.int64), k) == oracle.rarest_until(
        counts, k
    )
    found = neighbors_until(np.array(counts, dtype=np.int64), k).tolist()
    assert found == oracle.neighbors_until(counts, k)


@given(st.lists(st.sampled_from([*"abcdef", None]), min_size=1, max_size=40), st.data())
def test_every_category_has_k_after_merging(cells, data):
    n_present = sum(cell is not None for cell in cells)
    k = data.draw(st.integers(1, max(n_present, 1)))
    for options in ({}, {"ordinal": {"x": None}}, {"code": "other"}):
        masked = coded(GlobalRecoding, cells, k=k, **options)
        assert [cell is None for cell in masked] == [cell is None for cell in cells]
        assert all(count >= k for cell, count in Counter(masked).items() if cell is not None)
        # Equal cells stay equal, and categories in an order are merged with neighbors alone.
        pairs = dict(zip(cells, masked, strict=True))
        assert [pairs[cell] for cell in cells] == masked
        if "ordinal" in options:
            names = [pairs[cell] for cell in sorted({cell for cell in cells if cell})]
            assert len(set(names)) == 1 + sum(a != b for a, b in pairwise(names)) or not names


def test_categories_that_have_k_stay():
    cells = ["a", "a", "b", "b", "b"]
    assert coded(GlobalRecoding, cells, k=2, code="other") == cells


def test_merged_neighbors_are_called_by_the_most_frequent():
    frame = pd.DataFrame({"age": [30, 31, 31, 60, 61, 61]})
    masked = GlobalRecoding(k=3).fit_transform(frame)["age"]
    assert masked.tolist() == [31, 31, 31, 61, 61, 61]
    assert masked.dtype == frame["age"].dtype


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 3}, "k: expected at most 2, the cells of column 'x' that are not missing, found 3"),
        ({"k": 5}, "k: expected a whole number of at least 1 and at most 4, found 5"),
        ({"k": 2, "p": 2}, "p: expected p or k, found p and k"),
        ({}, "p: expected p or k, found none"),
    ],
)
def test_merging_that_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        coded(GlobalRecoding, ["a", "b", None, None], **options)


@pytest.mark.parametrize(
    ("method", "cells", "value", "order", "expected"),
    [
        (TopCoding, [20, 85, 90, 84], 85, {}, [20, "85+", "85+", 84]),
        (TopCoding, [20, 85, 90, 84], 84.5, {}, [20, "84.5+", "84.5+", 84]),
        (TopCoding, [20, 85], 86, {}, [20, 85]),
        (BottomCoding, [17, 18, 19], 18, {}, ["up to 18", "up to 18", 19]),
        (TopCoding, ["S", "XL", "M"], "M", {"x": ["S", "M", "L", "XL"]}, ["S", "M+", "M+"]),
        (TopCoding, ["S", "XL", "M"], "L", {"x": ["S", "M", "L", "XL"]}, ["S", "L+", "M"]),
        (BottomCoding, ["b", "a", "d"], "c", {"x": None}, ["up to c", "up to c", "d"]),
        (TopCoding, [1, 2], "2", {}, [1, "2+"]),
        (TopCoding, ["9", "20", "85", "100"], "86", {"x": None}, ["9", "20", "85", "86+"]),
        (TopCoding, ["9", "20", "85", "100"], 86, {"x": None}, ["9", "20", "85", "86+"]),
        (
            TopCoding,
            pd.to_datetime(["2020-01-03", "2020-01-09"]),
            "2020-01-05",
            {"x": None},
            [pd.Timestamp("2020-01-03"), "2020-01-05+"],
        ),
    ],
)
def test_coding_from_a_value_on(method, cells, value, order, expected):
    frame = pd.DataFrame({"x": cells})
    assert method(value=value, ordinal=order).fit_transform(frame)["x"].tolist() == expected


def test_code_names_what_is_coded_by_value():
    assert TopCoding(value=9, code=99).fit_transform(TEN)["x"].tolist() == [*range(1, 9), 99, 99]


@pytest.mark.parametrize(
    ("cells", "value", "order"),
    [
        ([1, 2], "two", {}),
        ([1, 2], float("nan"), {}),
        ([1, 2], True, {}),
        (pd.Categorical([1, 3], ordered=True), 2, {}),
        (["S", "M"], "XL", {"x": ["S", "M"]}),
        (["S", "M"], 3, {"x": None}),
    ],
)
def test_value_without_a_place_in_the_order_is_refused(cells, value, order):
    with pytest.raises(
        ValueError, match=r"(value: expected a|column 'x': expected values of types) .*, found"
    ):
        TopCoding(value=value, ordinal=order).fit_transform(pd.DataFrame({"x": cells}))
