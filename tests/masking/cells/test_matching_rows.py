"""Matches of rows against their definition, pair by pair, by both readings and both paths."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.evaluation.accelerator import has_numba
from anonopt.masking import matching_rows
from tests.examples import examples
from tests.oracles.suppressed_cells import matches

PATHS = ["numpy", *["numba"] * has_numba()]

rows = st.integers(1, 4).flatmap(
    lambda n_columns: st.lists(
        st.lists(st.sampled_from(["a", "b", None]), min_size=n_columns, max_size=n_columns),
        min_size=1,
        max_size=12,
    )
)


@examples(20)
@given(rows)
@pytest.mark.parametrize("matching", ["wildcard", "value"])
@pytest.mark.parametrize("path", PATHS)
def test_matches_are_those_of_the_definition(path, matching, table):
    frame = pd.DataFrame(table, dtype=object)
    found = matching_rows(frame, matching=matching, accelerator=path)
    assert found.tolist() == matches(table, matching=matching)


def test_every_way_to_be_missing_is_a_wildcard():
    frame = pd.DataFrame(
        {
            "text": ["x", "<missing>", None],
            "number": [1.0, 2.0, np.nan],
            "nullable": pd.array([1, 1, None], dtype="Int64"),
        }
    )
    assert matching_rows(frame).tolist() == [2, 2, 3]


def test_a_star_is_a_value_by_wildcard_too():
    frame = pd.DataFrame({"zone": ["*", "N", "N"]})
    assert matching_rows(frame).tolist() == [1, 2, 2]


def test_sdcmicro_counts_a_row_for_all_that_agree_where_both_show_values():
    # Rows with a missing key count for the complete rows that they could be, and these for them.
    keys = [("1", "2", "5"), ("1", "2", "1"), ("1", "2", None), (None, "2", "1")]
    frame = pd.DataFrame(keys, columns=["Key1", "Key2", "Key3"])
    assert matching_rows(frame).tolist() == [2, 3, 4, 3]


def test_more_columns_than_bits_of_a_number():
    rng = np.random.default_rng(2)
    cells = rng.choice(["a", "b", None], (40, 70), p=[0.6, 0.1, 0.3])
    frame = pd.DataFrame(cells)
    expected = matches(cells.tolist(), matching="wildcard")
    assert matching_rows(frame, accelerator="numpy").tolist() == expected
    assert matching_rows(frame).tolist() == expected


def test_unknown_reading_is_refused():
    with pytest.raises(ValueError, match="matching: expected one of 'wildcard', 'value'"):
        matching_rows(pd.DataFrame({"x": [1]}), matching="any")
