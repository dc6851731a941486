"""Columns of categories as codes: order of categories, missing cells, errors, the way back."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import CategoricalColumns

FRAME = pd.DataFrame(
    {"size": ["L", "S", None, "L"], "zone": [10, 9, 9, 10], "name": list("wxyz")},
    index=[3, 1, 2, 0],
)


def test_numbers_are_in_order_of_value_and_text_in_order_of_text():
    columns = CategoricalColumns.of(FRAME, columns=["zone", "name"])
    assert columns.labels == (("9", "10"), ("w", "x", "y", "z"))
    assert columns.codes[:, 0].tolist() == [1, 0, 0, 1]
    assert columns.ordinal == (False, False)


def test_missing_cells_are_the_last_category():
    columns = CategoricalColumns.of(FRAME, columns=["size"])
    assert columns.labels == (("L", "S", "<missing>"),)
    assert columns.codes.ravel().tolist() == [0, 1, 2, 0]
    assert columns.has_missing == (True,)


def test_an_order_may_hold_values_that_no_row_has():
    columns = CategoricalColumns.of(FRAME, columns=["size"], ordinal={"size": ["S", "M", "L"]})
    assert columns.labels == (("S", "M", "L", "<missing>"),)
    assert columns.ordinal == (True,)


def test_order_none_is_the_natural_one():
    columns = CategoricalColumns.of(FRAME, columns=["zone"], ordinal={"zone": None})
    assert (columns.labels, columns.ordinal) == ((("9", "10"),), (True,))


def test_ordered_pandas_categories_are_ordinal():
    kind = pd.CategoricalDtype(["S", "M", "L"], ordered=True)
    columns = CategoricalColumns.of(FRAME.astype({"size": kind}), columns=["size"])
    assert columns.labels == (("S", "M", "L", "<missing>"),)
    assert columns.ordinal == (True,)


def test_declared_pandas_categories_count_without_an_order():
    kind = pd.CategoricalDtype(["z", "L", "S"])
    columns = CategoricalColumns.of(FRAME.astype({"size": kind}), columns=["size"])
    assert columns.labels == (("L", "S", "z", "<missing>"),)
    assert columns.ordinal == (False,)


def test_categories_are_those_of_both_files():
    original = pd.DataFrame({"v": ["a", "a", "b"]})
    masked = pd.DataFrame({"v": ["a", "c", "c"]})
    columns = CategoricalColumns.of(original, others=[masked])
    assert columns.labels == (("a", "b", "c"),)
    assert columns.encode(masked).ravel().tolist() == [0, 2, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": []}, "at least one column"),
        ({"columns": ["zone", "zone"]}, "column 'zone': expected once"),
        ({"columns": ["sise"]}, "column 'sise': expected one of the columns"),
        ({"columns": ["zone"], "ordinal": {"size": None}}, r"ordinal: .* found \['size'\]"),
        ({"ordinal": {"size": ["S", "M"]}}, r"column 'size': .* found 'L'"),
        ({"ordinal": {"size": ["S", "L", "S"]}}, "each value once in its order, found 'S'"),
    ],
)
def test_wrong_columns_and_orders_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        CategoricalColumns.of(FRAME, **options)


def test_a_text_in_place_of_a_list_is_refused():
    with pytest.raises(TypeError, match="found the text 'zone'"):
        CategoricalColumns.of(FRAME, columns="zone")


def test_an_empty_table_is_refused():
    with pytest.raises(ValueError, match="at least one row"):
        CategoricalColumns.of(FRAME.iloc[:0])


def test_an_unknown_value_of_another_table_names_column_value_and_rows():
    columns = CategoricalColumns.of(FRAME, columns=["zone"])
    with pytest.raises(ValueError, match=r"column 'zone': .*found 8 in 2 rows"):
        columns.encode(pd.DataFrame({"zone": [8, 9, 8]}))
    with pytest.raises(ValueError, match=r"column 'zone': .*found <missing> in 1 rows"):
        columns.encode(pd.DataFrame({"zone": [None, 9, 10]}))


def test_decode_keeps_index_types_and_other_columns():
    columns = CategoricalColumns.of(FRAME, columns=["size", "zone"])
    masked = columns.decode(columns.codes[::-1], FRAME)
    assert masked["zone"].tolist() == [10, 9, 9, 10]
    assert masked["size"].isna().tolist() == [False, True, False, False]
    assert masked.index.equals(FRAME.index)
    assert masked.dtypes.equals(FRAME.dtypes)
    assert masked["name"].equals(FRAME["name"])


def test_decode_refuses_codes_and_shapes_that_do_not_fit():
    columns = CategoricalColumns.of(FRAME, columns=["zone"])
    with pytest.raises(ValueError, match=r"column 'zone': expected codes 0..1, found 2 in row 3"):
        columns.decode(np.array([[0], [1], [1], [2]]), FRAME)
    with pytest.raises(ValueError, match=r"shape \(4, 1\), found \(3, 1\)"):
        columns.decode(np.zeros((3, 1), dtype=int), FRAME)


@given(
    rows=st.lists(
        st.tuples(st.sampled_from([1, 2, 30, None]), st.sampled_from(["a", "b", None])), min_size=1
    )
)
def test_decoding_the_codes_gives_the_table_back(rows):
    frame = pd.DataFrame(rows, columns=["number", "text"])
    columns = CategoricalColumns.of(frame)
    pd.testing.assert_frame_equal(columns.decode(columns.codes, frame), frame)


def test_copies_are_the_object_and_pickles_stay_read_only():
    columns = CategoricalColumns.of(FRAME, columns=["zone"])
    assert copy.deepcopy(columns) is columns
    twin = pickle.loads(pickle.dumps(columns))
    assert twin.fingerprint == columns.fingerprint
    assert not twin.codes.flags.writeable


def test_fingerprint_knows_orders_and_rows():
    plain = CategoricalColumns.of(FRAME, columns=["zone"])
    ordered = CategoricalColumns.of(FRAME, columns=["zone"], ordinal={"zone": None})
    shuffled = CategoricalColumns.of(FRAME.iloc[[1, 0, 2, 3]], columns=["zone"])
    assert len({plain.fingerprint, ordered.fingerprint, shuffled.fingerprint}) == 3
