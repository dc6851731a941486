"""c-median clustering: starts, totals, merging of small clusters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import Records, c_median, c_median_from
from anonopt.masking.groups import clustered_points
from anonopt.masking.groups.clustered_points import ClusteredPoints
from anonopt.masking.groups.clustering import merge_small
from tests.examples import examples
from tests.oracles import masking as oracle


def records_of(seed: int, n_rows: int) -> Records:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n_rows),
            "grade": rng.choice(list("abc"), n_rows),
            "zone": rng.choice(list("pqrs"), n_rows),
        }
    )
    return Records.of(frame, list(frame.columns), {"grade": ["a", "b", "c"]})


def twins(records: Records) -> list[oracle.Column]:
    return [
        oracle.Column(column.kind, tuple(column.values.tolist()), column.n_ordered)
        for column in records.columns
    ]


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 6))
def test_total_is_not_improved_by_moving_the_centroids(seed, n_rows, n_clusters):
    records = records_of(seed, n_rows)
    found = c_median(records, n_clusters, np.random.default_rng(seed), n_starts=3)
    moved = oracle.c_median_total(twins(records), found.labels.tolist())
    assert moved == pytest.approx(found.total)
    assert found.labels.max() < n_clusters


@given(st.integers(0, 2**32))
def test_more_starts_are_never_worse_and_a_start_can_be_repeated(seed):
    records = records_of(seed, 30)
    one, many = (
        c_median(records, 4, np.random.default_rng(seed), n_starts=n_starts) for n_starts in (1, 10)
    )
    assert many.total <= one.total
    again = c_median_from(records, many.start)
    np.testing.assert_array_equal(again.labels, many.labels)


def test_clear_clusters_are_found():
    x = np.concatenate([np.arange(5), np.arange(5) + 100, np.arange(5) + 200.0])
    records = Records.of(pd.DataFrame({"x": x}), ["x"], None)
    labels = c_median(records, 3, np.random.default_rng(0)).labels
    assert [len(set(labels[start : start + 5])) for start in (0, 5, 10)] == [1, 1, 1]
    assert len(set(labels)) == 3


def test_start_takes_what_is_most_dissimilar_to_all_before():
    records = Records.of(pd.DataFrame({"x": [0.0, 10, 4, 9]}), ["x"], None)

    class FirstRow:
        def integers(self, high):
            return 0

    (start,) = c_median(records, 3, FirstRow(), n_starts=1).start
    assert start.tolist() == [0, 10, 4]


def test_no_more_clusters_than_distinct_records():
    records = Records.of(pd.DataFrame({"zone": list("aabb")}), ["zone"], None)
    found = c_median(records, 4, np.random.default_rng(0))
    assert len(found.start[0]) == 2
    assert found.total == 0


@given(st.lists(st.integers(0, 7), min_size=1, max_size=30), st.integers(1, 9))
def test_small_clusters_are_merged_and_none_is_parted(labels, k):
    merged = merge_small(np.array(labels), k)
    sizes = np.bincount(merged)
    assert sizes.min() >= min(k, len(labels))
    for label in set(labels):
        assert len(set(merged[np.array(labels) == label])) == 1
    # Merging stops as soon as it may.
    if min(np.bincount(labels)[np.unique(labels)]) >= k:
        assert len(sizes) == len(set(labels))


def test_two_smallest_are_merged_first():
    labels = np.repeat([0, 1, 2, 3], [6, 1, 3, 2])
    assert np.bincount(merge_small(labels, 2)).tolist() == [6, 3, 3]
    assert np.bincount(merge_small(labels, 4)).tolist() == [6, 6]


def columns_of(kinds: str, n_rows: int, rng: np.random.Generator) -> pd.DataFrame:
    """Numbers, whole ones, numbers with gaps, grades, zones, one value: each with ties."""
    made = {
        "x": lambda: rng.normal(size=n_rows),
        "i": lambda: rng.integers(0, 9, n_rows) / 7,
        "g": lambda: np.where(rng.random(n_rows) < 0.5, np.nan, rng.normal(size=n_rows).round(1)),
        "o": lambda: rng.choice(["a", "b", "c", "d", None], n_rows),
        "z": lambda: rng.choice(["p", "q", "r", None], n_rows),
        "c": lambda: np.full(n_rows, 0.1),
    }
    return pd.DataFrame({kind: made[kind]() for kind in kinds})


@examples(30)
@given(
    st.integers(0, 2**32),
    st.integers(1, 60),
    st.integers(1, 20),
    st.sampled_from(["x", "xi", "ix", "gi", "xgz", "oz", "o", "ozxi", "c", "cg", "i"]),
)
def test_clusters_are_the_same_without_numba(seed, n_rows, n_clusters, kinds):
    frame = columns_of(kinds, n_rows, np.random.default_rng(seed))
    records = Records.of(frame, list(frame.columns), {"o": None} if "o" in kinds else None)
    found = []
    for many in (0, n_rows):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clustered_points, "MANY", many)
            found.append(c_median(records, n_clusters, np.random.default_rng(seed), n_starts=2))
    assert found[0].labels.tolist() == found[1].labels.tolist()
    assert found[0].total == found[1].total
    for one, other in zip(found[0].centroids, found[1].centroids, strict=True):
        np.testing.assert_array_equal(one, other)


@examples(30)
@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 9))
def test_bounds_leave_each_record_with_the_first_of_the_nearest_centroids(seed, n_rows, n_clusters):
    rng = np.random.default_rng(seed)
    points = ClusteredPoints(Records.of(columns_of("ixg", n_rows, rng), list("ixg"), None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clustered_points, "MANY", 0)
        assigned, plainly = points._assignment(), clustered_points._Assignment(points._axes)
    centroids = points.dissimilar(n_clusters, 0)
    for step in (0.3, 0.01, 0.0, 1e-9, 3.0):
        # Centroids may be anywhere, and come and go.
        centroids = tuple(
            values
            + step * rng.choice([-1.0, 0.0, 1.0, np.nan], len(values), p=[0.2, 0.6, 0.1, 0.1])
            for values in centroids
        )
        for one, other in zip(assigned(centroids), plainly(centroids), strict=True):
            np.testing.assert_array_equal(one, other)


def test_starts_from_equal_records_are_made_once(monkeypatch):
    starts = []
    found = ClusteredPoints.cluster
    monkeypatch.setattr(
        ClusteredPoints, "cluster", lambda self, start: starts.append(start) or found(self, start)
    )
    records = Records.of(pd.DataFrame({"x": [1.0, 2, 2, 2]}), ["x"], None)
    c_median(records, 2, np.random.default_rng(0), n_starts=50)
    assert len(starts) == 2
