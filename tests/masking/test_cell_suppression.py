"""Cell suppression: every result checked by plain pandas, and what is promised of odd tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonopt as ao
from anonopt.evaluation.accelerator import has_numba
from anonopt.masking import CellSuppression, CodedCells
from anonopt.masking.cells import patterns
from anonopt.masking.cells.value_search import (
    greedy_by_value,
    importance_by_value,
    row_bound,
)
from tests.examples import examples
from tests.oracles.suppressed_cells import matches

READINGS = ["value", "wildcard"]
SEARCHES = ["greedy", "importance"]

both = pytest.mark.parametrize("matching", READINGS)
each = pytest.mark.parametrize("search", SEARCHES)


def holds(masked: pd.DataFrame, k: int, matching: str) -> bool:
    """Whether each row has k matches, by plain pandas."""
    if matching == "value":
        return masked.groupby(list(masked), dropna=False).size().min() >= k
    cells = masked.astype(object).where(masked.notna(), None).to_numpy().tolist()
    return min(matches(cells, matching="wildcard")) >= k


def only_suppressed(frame: pd.DataFrame, masked: pd.DataFrame, matching: str) -> bool:
    """Whether each cell is as it was or suppressed."""
    gone = masked.isna() if matching == "wildcard" else masked.astype(object) == "*"
    same = (masked.astype(object) == frame.astype(object)) | (masked.isna() & frame.isna())
    return bool((same | gone).all(axis=None))


tables = st.integers(1, 4).flatmap(
    lambda n_columns: st.lists(
        st.lists(
            st.sampled_from(["a", "b", "c", "*", None]), min_size=n_columns, max_size=n_columns
        ),
        min_size=1,
        max_size=14,
    )
)


@examples(12)
@given(tables, st.data())
@each
@both
def test_every_row_has_k_matches(matching, search, table, data):
    frame = pd.DataFrame(table, dtype=object)
    k = data.draw(st.integers(1, len(table)))
    masked = CellSuppression(k, matching=matching, search=search).fit_transform(frame)
    assert holds(masked, k, matching)
    assert only_suppressed(frame, masked, matching)


@each
@both
def test_a_table_that_has_k_matches_stays(matching, search):
    frame = pd.DataFrame({"x": [1, 1, 2, 2], "y": [0.5, 0.5, np.nan, np.nan]})
    masked = CellSuppression(2, matching=matching, search=search).fit_transform(frame)
    pd.testing.assert_frame_equal(masked, frame)


@each
@both
def test_one_row_and_all_rows_distinct(matching, search):
    one = pd.DataFrame({"x": [1], "y": ["a"]})
    method = CellSuppression(1, matching=matching, search=search)
    pd.testing.assert_frame_equal(method.fit_transform(one), one)
    distinct = pd.DataFrame({"x": range(7), "y": range(7, 14), "constant": 3})
    masked = method.set_params(k=7).fit_transform(distinct)
    assert holds(masked, 7, matching)
    # What all rows share is never suppressed.
    assert masked["constant"].tolist() == [3] * 7


@both
def test_k_beyond_the_rows_is_refused(matching):
    with pytest.raises(ValueError, match="k: expected a whole number of at least 1 and at most 2"):
        CellSuppression(3, matching=matching).fit_transform(pd.DataFrame({"x": [1, 1]}))


@pytest.mark.parametrize("weight", [0, -1, float("nan")])
def test_weights_are_above_0(weight):
    frame = pd.DataFrame({"x": [1, 1]})
    with pytest.raises(ValueError, match="weights: column 'x': expected a number above 0"):
        CellSuppression(2, weights={"x": weight}).fit_transform(frame)


def test_weights_of_other_columns_are_refused():
    with pytest.raises(ValueError, match=r"weights: expected columns among \['x'\], found \['z'\]"):
        CellSuppression(2, weights={"z": 1}).fit_transform(pd.DataFrame({"x": [1, 1]}))


@pytest.mark.parametrize("parameter", ["matching", "search"])
def test_unknown_choices_are_refused(parameter):
    with pytest.raises(ValueError, match=f"{parameter}: expected one of"):
        CellSuppression(1, **{parameter: "none"}).fit_transform(pd.DataFrame({"x": [1]}))


# Importance by wildcard is left out: a round goes on with rows that have got their matches in it.
@pytest.mark.parametrize(
    ("search", "matching"),
    [("importance", "value"), *((one, way) for one in ("greedy", "exact") for way in READINGS)],
)
def test_columns_of_more_weight_are_kept(matching, search):
    frame = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2]})
    for kept, lost in (("a", "b"), ("b", "a")):
        method = CellSuppression(2, weights={kept: 5}, matching=matching, search=search)
        masked = method.fit_transform(frame)
        pd.testing.assert_series_equal(masked[kept], frame[kept])
        assert not masked[lost].equals(frame[lost])


@each
@both
def test_many_columns(matching, search):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame((rng.random((60, 35)) < 0.1).astype(int))
    masked = CellSuppression(4, matching=matching, search=search).fit_transform(frame)
    assert holds(masked, 4, matching)


@pytest.mark.parametrize("n_columns", [5, 12])
def test_tables_too_large_for_every_set_of_columns(n_columns, monkeypatch):
    frame = pd.DataFrame(np.random.default_rng(6).integers(0, 3, (50, n_columns)))
    monkeypatch.setattr(patterns, "MOST_ENTRIES", 1000)
    cells = CodedCells.of(frame)
    found = patterns.Patterns.of(cells, 3)
    assert len(found.sets) == 1000 // len(cells.codes)
    assert row_bound(cells, 3, found) is None
    assert holds(CellSuppression(3).fit_transform(frame), 3, "value")


def test_missing_is_a_value_of_its_own_by_value():
    frame = pd.DataFrame({"x": ["a", "a", None, None], "y": ["p", "p", "q", None]})
    masked = CellSuppression(2).fit_transform(frame)
    assert masked["x"].isna().tolist() == [False, False, True, True]
    assert masked["y"].tolist() == ["p", "p", "*", "*"]


def test_missing_matches_everything_by_wildcard():
    frame = pd.DataFrame({"x": ["a", "b", None]})
    masked = CellSuppression(2, matching="wildcard").fit_transform(frame)
    pd.testing.assert_frame_equal(masked, frame)


def test_suppressed_numbers_do_not_become_floats():
    frame = pd.DataFrame({"x": [2**60 + 1, 2**60 + 3, 2**60 + 3], "y": [True, False, False]})
    masked = CellSuppression(2, matching="wildcard").fit_transform(frame)
    assert holds(masked, 2, "wildcard")
    assert masked["x"].dropna().isin([2**60 + 1, 2**60 + 3]).all()
    assert str(masked.dtypes["x"]) in ("int64", "Int64")


def test_after_a_recoding_it_confirms_by_check():
    table = ao.load_dataset("german")
    frame = table.apply((2, 0, 0, 0, 0, 0), suppression=0.0)
    columns = list(table.quasi_identifiers)
    masked = CellSuppression(3, columns=columns).fit_transform(frame)
    assert ao.check(masked, quasi_identifiers=columns, k=3)["anonymous"]
    others = frame.columns.difference(columns)
    pd.testing.assert_frame_equal(masked[others], frame[others])


@pytest.mark.skipif(not has_numba(), reason="the extra 'fast' is not installed")
@pytest.mark.parametrize("search", [greedy_by_value, importance_by_value])
def test_both_paths_suppress_the_same_cells(search):
    rng = np.random.default_rng(4)
    for _ in range(6):
        cells = CodedCells.of(
            pd.DataFrame(rng.integers(0, 5, (60, 4)) // rng.integers(1, 3, 4)),
            weights={0: 1.7, 2: 0.3},
        )
        found = [search(cells, 3, accelerator=path) for path in ("numpy", "numba")]
        assert np.array_equal(*found)
