"""Mondrian and the global median: what regions and their labels must be."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import GlobalMedian, Mondrian, Records
from anonopt.masking.groups.regions import mondrian_regions
from tests.oracles import masking as oracle

ORDER = ["a", "b", "c", "d", "e"]


@st.composite
def tables(draw):
    """Frame of an ordinal column with missing cells and one of numbers, and a k that fits."""
    n_rows = draw(st.integers(1, 40))
    frame = pd.DataFrame(
        {
            "grade": draw(
                st.lists(st.sampled_from([*ORDER, None]), min_size=n_rows, max_size=n_rows)
            ),
            "x": draw(st.lists(st.integers(0, 9), min_size=n_rows, max_size=n_rows)),
        }
    ).astype({"grade": object})
    return frame, draw(st.integers(1, min(n_rows, 6)))


def regions_of(frame: pd.DataFrame, k: int) -> list[np.ndarray]:
    records = Records.of(frame, ["grade", "x"], {"grade": ORDER})
    labels = mondrian_regions(records, k)
    return [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]


@given(tables())
def test_regions_hold_k_rows_and_cannot_be_cut(table):
    frame, k = table
    codes = frame["grade"].map({value: code for code, value in enumerate(ORDER)}).fillna(len(ORDER))
    for rows in regions_of(frame, k):
        assert len(rows) >= k
        for column in (codes, frame["x"]):
            assert not oracle.allowable_cut(column.iloc[rows].tolist(), k)


@given(tables())
def test_equal_records_share_a_region(table):
    frame, k = table
    regions = regions_of(frame, k)
    home = {row: number for number, rows in enumerate(regions) for row in rows}
    for _, rows in (
        frame.reset_index(drop=True).groupby(["grade", "x"], dropna=False).groups.items()
    ):
        assert len({home[row] for row in rows}) == 1


@given(tables())
def test_labels_are_the_ends_of_the_region(table):
    frame, k = table
    masked = Mondrian(k=k, ordinal={"grade": ORDER}).fit_transform(frame)
    for rows in regions_of(frame, k):
        for name in frame:
            cells = frame[name].iloc[rows]
            ends = sorted(cells.dropna())
            (label,) = masked[name].iloc[rows].unique()
            if not ends:
                assert label is None
                continue
            expected = str(ends[0]) if ends[0] == ends[-1] else f"[{ends[0]}, {ends[-1]}]"
            assert label == expected + (" or <missing>" if cells.isna().any() else "")


@given(tables())
def test_global_median_is_the_middle_of_the_ends(table):
    frame, k = table
    masked = GlobalMedian(k=k, ordinal={"grade": ORDER}).fit_transform(frame)
    for rows in regions_of(frame, k):
        for name, domain in (("grade", ORDER), ("x", sorted(frame["x"].unique()))):
            cells = frame[name].iloc[rows]
            (found,) = masked[name].iloc[rows].unique()
            if 2 * cells.isna().sum() > len(cells):
                assert found is None
                continue
            ends = [domain.index(cell) for cell in cells.dropna()]
            assert found == domain[(min(ends) + max(ends)) // 2]


def test_widest_column_is_cut_first_at_the_value_that_halves_best():
    frame = pd.DataFrame({"x": [0, 0, 0, 9, 9, 9, 9], "y": [0.0, 4, 0, 0, 4, 0, 0]})
    # Both ranges are whole; x stands first, and 3 of 7 is as near to a half as it gets. Then
    # three rows hold no two groups of two, and of four only y could be cut, which it cannot.
    masked = Mondrian(k=2).fit_transform(frame)
    assert masked["x"].tolist() == ["0"] * 3 + ["9"] * 4
    assert masked["y"].tolist() == ["[0, 4]"] * 7


def test_cut_away_from_the_median_is_found():
    # At the median, 1, one row would be left above it.
    frame = pd.DataFrame({"x": [0, 0, 1, 1, 1, 1, 2]})
    assert Mondrian(k=2).fit_transform(frame)["x"].tolist() == ["0"] * 2 + ["[1, 2]"] * 5


def test_middle_category_need_not_occur():
    frame = pd.DataFrame({"size": ["S", "L", "L"]})
    masked = GlobalMedian(k=3, ordinal={"size": ["S", "M", "L"]}).fit_transform(frame)
    assert masked["size"].tolist() == ["M"] * 3


def test_whole_numbers_stay_whole():
    masked = GlobalMedian(k=3).fit_transform(pd.DataFrame({"x": [1, 2, 4, 9]}))
    assert masked["x"].dtype == np.int64
    assert masked["x"].tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize("method", [Mondrian, GlobalMedian])
def test_nominal_column_and_too_large_k_are_refused(method):
    frame = pd.DataFrame({"zone": ["a", "b"]})
    with pytest.raises(ValueError, match=r"column 'zone': .*\(ordinal=\{'zone': \[lowest"):
        method(k=1).fit_transform(frame)
    with pytest.raises(ValueError, match="k: expected a whole number of at least 1 and at most 2"):
        method(k=3, ordinal={"zone": None}).fit_transform(frame)
