"""Masking of numbers of which some are missing: they stay missing, and tell no record apart."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.masking import (
    MDAV,
    AdditiveNoise,
    BottomCoding,
    GlobalMedian,
    GlobalRecoding,
    Mondrian,
    OptimalMicroaggregation,
    PreClustered,
    RankSwapping,
    TopCoding,
    c_median,
    continuous_starting_population,
)
from anonopt.masking.groups.missing_patterns import missing_patterns
from anonopt.masking.groups.records import Records

JOINT = {"mdav": MDAV, "mondrian": Mondrian, "global-median": GlobalMedian}

joint = pytest.mark.parametrize("name", JOINT)
few = settings(max_examples=40)


@st.composite
def tables_with_gaps(draw):
    """Frame of numbers with missing cells and of an ordinal column, and a k that fits."""
    n_rows = draw(st.integers(1, 40))
    cells = st.one_of(st.none(), st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
    columns = {
        name: pd.Series(draw(st.lists(cells, min_size=n_rows, max_size=n_rows)), dtype="Float64")
        for name in draw(st.sampled_from(["x", "xy", "xyz"]))
    }
    frame = pd.DataFrame(columns)
    if draw(st.booleans()):
        grades = st.lists(st.sampled_from(["a", "b", None]), min_size=n_rows, max_size=n_rows)
        frame["grade"] = pd.Series(draw(grades), dtype=object)
    return frame, draw(st.integers(1, min(n_rows, 4)))


def shown(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    """Records with None for a missing cell."""
    return [
        tuple(None if pd.isna(cell) else cell for cell in row)
        for row in frame.astype(object).itertuples(index=False)
    ]


def orders_of(frame: pd.DataFrame) -> dict[str, list[str]]:
    return {"grade": ["a", "b"]} if "grade" in frame else {}


@joint
@few
@given(table=tables_with_gaps())
def test_point_32_every_combination_has_k_rows_missing_being_a_value(name, table):
    frame, k = table
    numbers = [column for column in frame if column != "grade"]
    method = JOINT[name](k, ordinal=orders_of(frame), allow_rare_missing=False)
    patterns = Counter(map(tuple, frame[numbers].isna().to_numpy().tolist()))
    if "grade" not in frame:
        patterns.pop((True,) * len(numbers), None)
    if patterns and min(patterns.values()) < k:
        with pytest.raises(ValueError, match=rf"k: expected at least {k} rows with each pattern"):
            method.fit_transform(frame)
        return
    masked = method.fit_transform(frame)
    assert masked[numbers].isna().equals(frame[numbers].isna())
    counts = Counter(shown(masked))
    counts.pop((None,) * frame.shape[1] if "grade" not in frame else (), None)
    assert not counts or min(counts.values()) >= k


@joint
@few
@given(table=tables_with_gaps())
def test_point_32_rare_patterns_show_what_k_rows_show(name, table):
    frame, k = table
    numbers = [column for column in frame if column != "grade"]
    try:
        masked = JOINT[name](k, ordinal=orders_of(frame)).fit_transform(frame)
    except ValueError as error:
        assert "that have at least the columns" in str(error)
        return
    assert masked[numbers].isna().equals(frame[numbers].isna())
    records = shown(masked)
    for record in records:
        if any(cell is not None for cell in record):
            alike = sum(
                all(
                    mine is None or mine == other
                    for mine, other in zip(record, others, strict=True)
                )
                for others in records
            )
            assert alike >= k


@pytest.mark.parametrize("name", ["mdav", "mondrian"])
@few
@given(table=tables_with_gaps())
def test_point_32_each_pattern_is_masked_as_a_table_of_its_own(name, table):
    frame, k = table
    try:
        masked = JOINT[name](k, ordinal=orders_of(frame), allow_rare_missing=False).fit_transform(
            frame
        )
    except ValueError:
        return
    records = Records.of(frame, list(frame), orders_of(frame))
    for rows, columns in missing_patterns(records):
        names = [column.name for column in columns]
        part = frame[names].iloc[rows]
        order = {key: values for key, values in orders_of(frame).items() if key in names}
        alone = JOINT[name](k, ordinal=order).fit_transform(part)
        assert shown(alone) == shown(masked[names].iloc[rows])


@few
@given(st.lists(st.one_of(st.none(), st.integers(0, 30)), min_size=1, max_size=40), st.data())
def test_point_32_one_column_is_masked_as_its_numbers_alone(cells, data):
    frame = pd.DataFrame({"x": pd.Series(cells, dtype="Int64")})
    present = frame.dropna()
    if present.empty:
        return
    k = data.draw(st.integers(1, len(present)))
    methods = [
        MDAV(k=k),
        MDAV(k=k, n_variables=1),
        OptimalMicroaggregation(k=k),
        Mondrian(k=k),
        GlobalMedian(k=k),
        GlobalRecoding(k=k),
        TopCoding(p=1, code="top"),
        BottomCoding(value=3),
    ]
    for method in methods:
        masked = method.fit_transform(frame)["x"]
        assert masked.isna().equals(frame["x"].isna())
        alone = method.fit_transform(present)["x"]
        assert masked.dropna().tolist() == alone.tolist()


def test_point_32_the_error_names_rows_and_columns():
    frame = pd.DataFrame({"x": [1.0, 2, None, 4], "y": [1.0, 2, 3, 4]})
    with pytest.raises(ValueError, match=r"1 \(rows 2, .*\) that lack \['x'\] and have \['y'\]"):
        MDAV(k=2, allow_rare_missing=False).fit_transform(frame)
    masked = MDAV(k=2).fit_transform(frame)
    assert masked["x"].isna().tolist() == [False, False, True, False]
    # Row 2 is as far from row 1 as from row 3, and joins the group of the lower: all four.
    assert masked["y"].nunique() == 1


@few
@given(tables_with_gaps(), st.floats(1, 100), st.integers(0, 9))
def test_point_32_rank_swapping_swaps_numbers_that_are_there(table, p, seed):
    frame = table[0]
    method = RankSwapping(p=p, ordinal=orders_of(frame), random_state=seed)
    masked = method.fit_transform(frame)
    for name in frame:
        assert masked[name].isna().equals(frame[name].isna())
        assert sorted(masked[name].dropna()) == sorted(frame[name].dropna())
        present = frame[[name]].dropna()
        if name != "grade" and len(present):
            lowest, highest = (
                present[name].rank(method=end).astype(float) for end in ("min", "max")
            )
            window = max(int(p * len(present) / 100), 1)
            moved = masked[name].dropna()
            own = {
                value: (low, high)
                for value, low, high in zip(present[name], lowest, highest, strict=True)
            }
            for value, low, high in zip(moved, lowest, highest, strict=True):
                new_low, new_high = own[value]
                assert new_low - high <= window
                assert low - new_high <= window


@few
@given(tables_with_gaps(), st.integers(0, 9))
def test_point_32_noise_leaves_gaps(table, seed):
    frame = table[0].drop(columns="grade", errors="ignore")
    masked = AdditiveNoise(share=0.5, random_state=seed).fit_transform(frame)
    assert masked.isna().equals(frame.isna())


@few
@given(tables_with_gaps(), st.integers(1, 4), st.integers(0, 9))
def test_point_32_clusters_keep_gaps(table, n_clusters, seed):
    frame, k = table
    numbers = [column for column in frame if column != "grade"]
    inner = MDAV(k=k, ordinal=orders_of(frame), allow_rare_missing=False)
    method = PreClustered(inner, n_clusters=n_clusters, random_state=seed)
    try:
        masked = method.fit_transform(frame)
    except ValueError as error:
        assert "rows with each pattern" in str(error)
        return
    assert masked[numbers].isna().equals(frame[numbers].isna())
    counts = Counter(record for record in shown(masked) if set(record) != {None})
    assert not counts or min(counts.values()) >= k


def test_point_32_missing_is_a_whole_range_away_in_clusters():
    frame = pd.DataFrame({"x": [0.0, 1, None, None, 10]})
    records = Records.of(frame, ["x"], None)
    labels = c_median(records, 3, np.random.default_rng(0)).labels
    assert labels[0] == labels[1]
    assert labels[2] == labels[3]
    assert len(set(labels)) == 3


def test_point_32_starting_files_keep_gaps():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60), "y": rng.integers(0, 9, 60).astype(float)})
    frame.loc[::9, "x"] = np.nan
    frame.loc[5, "y"] = np.nan
    for file in continuous_starting_population(frame, n_files=6, random_state=1):
        assert file.frame.isna().equals(frame.isna()), file.label
