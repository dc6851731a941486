"""Pre-clustering: each cluster masked alone, with the orders of the whole table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.data import masking_set
from anonopt.masking import (
    MDAV,
    GlobalMedian,
    GlobalRecoding,
    Mondrian,
    PreClustered,
    RankSwapping,
    Records,
    c_median,
)
from anonopt.masking.groups.clustering import merge_small

GERMAN = masking_set("german")
COLUMNS = list(GERMAN.columns)


def clusters_of(k: int, n_clusters: int, seed: int) -> list[np.ndarray]:
    records = Records.of(GERMAN.frame, COLUMNS, GERMAN.order)
    labels = merge_small(c_median(records, n_clusters, np.random.default_rng(seed)).labels, k)
    return [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]


@pytest.mark.parametrize("method", [MDAV, GlobalMedian, Mondrian])
def test_each_cluster_is_masked_alone(method):
    inner = method(k=5, columns=COLUMNS, ordinal=GERMAN.order)
    masked = PreClustered(inner, n_clusters=8, random_state=3).fit_transform(GERMAN.frame)
    orders = Records.of(GERMAN.frame, COLUMNS, GERMAN.order).orders()
    inner.set_params(ordinal=orders)
    clusters = clusters_of(5, 8, 3)
    assert len(clusters) > 3
    for rows in clusters:
        alone = inner.fit_transform(GERMAN.frame.iloc[rows])
        pd.testing.assert_frame_equal(masked.iloc[rows], alone)


def test_file_stays_k_anonymous():
    inner = MDAV(k=7, columns=COLUMNS, ordinal=GERMAN.order)
    masked = PreClustered(inner, n_clusters=60, random_state=0).fit_transform(GERMAN.frame)
    assert masked.groupby(COLUMNS).size().min() >= 7


def test_one_cluster_is_the_method_itself():
    inner = MDAV(k=4, columns=COLUMNS, ordinal=GERMAN.order)
    masked = PreClustered(inner, n_clusters=1, random_state=0).fit_transform(GERMAN.frame)
    pd.testing.assert_frame_equal(masked, inner.fit_transform(GERMAN.frame))


def test_orders_are_those_of_the_whole_table():
    # Each cluster alone knows two sizes, whose middle is the lower one.
    frame = pd.DataFrame({"size": [1, 1, 3, 3, 7, 7, 9, 9, 8, 2], "zone": list("aaaabbbbba")})
    inner = GlobalMedian(k=4, columns=["size"], ordinal={"size": None})
    masked = PreClustered(inner, n_clusters=2, random_state=0).fit_transform(frame)
    assert set(masked["size"]) == {2, 8}


def test_columns_of_the_wrapper_come_first():
    inner = MDAV(k=2, columns=["status"])
    wrapped = PreClustered(
        inner, n_clusters=3, columns=["savings"], ordinal={"savings": None}, random_state=0
    )
    masked = wrapped.fit_transform(GERMAN.frame)
    pd.testing.assert_series_equal(masked["status"], GERMAN.frame["status"])


def test_method_that_draws_draws_differently_in_each_cluster():
    frame = pd.DataFrame({"x": np.concatenate([np.arange(50), np.arange(50) + 1000])})
    wrapped = PreClustered(RankSwapping(p=20, random_state=1), n_clusters=2, random_state=0)
    masked = wrapped.fit_transform(frame)["x"].to_numpy()
    low, high = masked[:50], masked[50:] - 1000
    assert sorted(low) == sorted(high) == list(range(50))
    assert (low != high).any()
    again = wrapped.fit_transform(frame)["x"].to_numpy()
    np.testing.assert_array_equal(masked, again)


def test_categorical_types_survive():
    frame = pd.DataFrame({"zone": pd.Categorical(list("aabbbccd"))}, index=range(8, 0, -1))
    masked = PreClustered(GlobalRecoding(p=1), n_clusters=2, random_state=0).fit_transform(frame)
    pd.testing.assert_frame_equal(masked, frame)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 0}, "n_clusters: expected a whole number of at least 1, found 0"),
        ({"n_starts": 0}, "n_starts: expected a whole number of at least 1, found 0"),
        ({"method__k": 1001}, "k: expected a whole number of at least 1 and at most 1000"),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    inner = MDAV(k=3, columns=COLUMNS, ordinal=GERMAN.order)
    wrapped = PreClustered(inner, n_clusters=2, random_state=0).set_params(**options)
    with pytest.raises(ValueError, match=message):
        wrapped.fit_transform(GERMAN.frame)


def test_only_masking_methods_can_be_wrapped():
    with pytest.raises(TypeError, match="method: expected a masking method, found 'mdav'"):
        PreClustered("mdav", n_clusters=2, random_state=0).fit_transform(GERMAN.frame)


def test_a_method_without_k_masks_clusters_of_one_row():
    frame = pd.DataFrame({"x": [1.0, 50.0, 99.0]})
    # Each row is a cluster of its own, in which there is nothing to swap with.
    for rows in (frame, frame[:1]):
        method = PreClustered(
            RankSwapping(p=100, random_state=0), n_clusters=len(rows), random_state=1
        )
        pd.testing.assert_frame_equal(method.fit_transform(rows), rows)
