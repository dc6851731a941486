"""Columns to mask, of a table or of a set that knows its own."""

from __future__ import annotations

import pandas as pd
import pytest

from anonopt.data import masked_columns, masking_set

FRAME = pd.DataFrame({"size": ["S", "L"], "zone": ["a", "b"], "note": ["x", "y"]})
SIZES = {"size": ["S", "M", "L"]}


def test_table_brings_all_its_columns():
    own = masked_columns(FRAME)
    assert own.frame is FRAME
    assert (own.name, own.columns, own.ordinal) == ("", ("size", "zone", "note"), {})
    assert own.order == dict.fromkeys(FRAME)


def test_orders_of_a_table_count_for_measures_and_methods():
    own = masked_columns(FRAME, columns=["zone", "size"], ordinal=SIZES)
    assert own.ordinal == SIZES
    assert own.order == {"zone": None, **SIZES}
    assert own.categorical.n_categories == (2, 3)
    assert own.categorical.ordinal == (False, True)


def test_set_brings_its_own():
    german = masking_set("german")
    assert masked_columns(german) is german
    assert masked_columns(german, columns=["status", "savings", "employment"]) is german
    with pytest.raises(ValueError, match="ordinal: expected none, as the set 'german' brings"):
        masked_columns(german, ordinal={})


def test_part_of_a_set_is_no_benchmark_any_more():
    part = masked_columns(masking_set("adult"), columns=["occupation", "education"])
    assert part.name == ""
    assert list(part.ordinal) == ["education"]
    assert list(part.order) == ["occupation", "education"]
    assert part.categorical.ordinal == (False, True)


@pytest.mark.parametrize("original", [FRAME, masked_columns(FRAME)])
def test_columns_are_checked(original):
    with pytest.raises(ValueError, match="'age': expected one of the columns"):
        masked_columns(original, columns=["age"])
    with pytest.raises(ValueError, match="'zone': expected once"):
        masked_columns(original, columns=["zone", "zone"])
    with pytest.raises(TypeError, match="found the text 'zone'"):
        masked_columns(original, columns="zone")


def test_table_is_a_frame():
    with pytest.raises(TypeError, match="expected a pandas DataFrame, found list"):
        masked_columns([1, 2])
