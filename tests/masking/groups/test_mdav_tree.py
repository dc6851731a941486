"""MDAV on a tree makes the groups of the plain algorithm, to the row, ties included."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from anonopt.masking import MDAV, Records, mdav_groups
from tests.oracles import masking as oracle

pytest.importorskip("numba", reason="the extra 'fast' is not installed")

KINDS = ("normal", "grid", "halves", "outliers", "ordinal", "nominal")
LETTERS = np.array(["a", "b", "c", "d", None], dtype=object)


def column(kind, rng, n_rows):
    if kind == "normal":
        return rng.normal(size=n_rows)
    if kind == "grid":
        return rng.integers(0, 5, n_rows)
    if kind == "halves":
        # Equal on both sides of the mean, so that centroids lie between records.
        half = rng.integers(-3, 4, (n_rows + 1) // 2)
        return np.concatenate([half, -half])[:n_rows] / 2
    if kind == "outliers":
        return np.round(rng.standard_cauchy(n_rows), 1)
    return pd.Series(rng.choice(LETTERS, n_rows), dtype=object)


def table(seed, kinds, n_rows, *, repeated):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"{kind}{j}": column(kind, rng, n_rows) for j, kind in enumerate(kinds)})
    if repeated:
        frame = frame.iloc[rng.integers(0, max(n_rows // 3, 1), n_rows)].reset_index(drop=True)
    orders = {name: list("abcd") for name in frame if name.startswith("ordinal")}
    return Records.of(frame, list(frame.columns), orders)


def both(records, k):
    return (mdav_groups(records, k, accelerator=way).tolist() for way in ("numpy", "numba"))


@given(
    seed=st.integers(0, 2**32),
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=4),
    n_rows=st.integers(2, 200),
    k=st.integers(2, 25),
    repeated=st.booleans(),
)
@example(seed=1, kinds=["halves", "halves", "halves"], n_rows=190, k=2, repeated=False)
@example(seed=2, kinds=["ordinal", "nominal", "grid"], n_rows=150, k=20, repeated=True)
def test_groups_are_those_of_the_plain_algorithm(seed, kinds, n_rows, k, repeated):
    records = table(seed, kinds, n_rows, repeated=repeated)
    plain, found = both(records, min(k, n_rows))
    assert found == plain


@given(seed=st.integers(0, 2**32), n_rows=st.integers(2, 30), k=st.integers(2, 6))
def test_groups_are_those_of_the_record_by_record_twin(seed, n_rows, k):
    records = table(seed, ["normal", "ordinal", "nominal"], n_rows, repeated=False)
    columns = [
        oracle.Column(one.kind, tuple(one.values.tolist()), one.n_ordered)
        for one in records.columns
    ]
    k = min(k, n_rows)
    groups = mdav_groups(records, k, accelerator="numba")
    expected = [sorted(group) for group in oracle.mdav(columns, k)]
    assert [np.flatnonzero(groups == g).tolist() for g in range(groups.max() + 1)] == expected


@pytest.mark.parametrize("shape", ["lattice", "mirrored", "crossed"])
def test_centroids_between_records_are_exact(shape):
    # Many records are equally far from the centroid here, but for the rounding of its sum.
    rng = np.random.default_rng(5)
    if shape == "lattice":
        x = np.array(np.meshgrid(*[np.arange(13)] * 3)).reshape(3, -1).T
    elif shape == "mirrored":
        x = np.concatenate([half := rng.integers(-9, 10, (1000, 3)), -half])
    else:
        x = np.concatenate([half := rng.integers(0, 90, (1000, 2)), half[:, ::-1]])
    frame = pd.DataFrame(x.astype(float))
    plain, found = both(Records.of(frame, list(frame.columns), None), 3)
    assert found == plain


def test_tree_is_used_for_many_records_and_tells_how_far_it_is():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame(rng.normal(size=(12_000, 3)))
    records = Records.of(frame, [0, 1, 2], None)
    mdav_groups(Records.of(frame[:50], [0, 1, 2], None), 3, accelerator="numba")
    shares: list[float] = []
    start = time.perf_counter()
    groups = mdav_groups(records, 3, on_progress=shares.append)
    # A fifth of a second on its own, the plain algorithm takes four times as long.
    assert time.perf_counter() - start < 20
    assert np.bincount(groups).min() >= 3
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.9 < shares[-1] <= 1


def test_rounds_come_back_soon_so_that_an_interruption_is_heard(monkeypatch):
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(3000, 2)))

    class HeardError(Exception):
        pass

    def interrupt(share):
        assert share < 0.5
        raise HeardError

    with pytest.raises(HeardError):
        mdav_groups(Records.of(frame, [0, 1], None), 3, accelerator="numba", on_progress=interrupt)


def test_progress_of_a_method_covers_all_of_its_columns():
    frame = pd.DataFrame(np.random.default_rng(8).normal(size=(300, 3)))
    shares: list[float] = []
    MDAV(k=2, n_variables=1).fit_transform(frame, on_progress=shares.append)
    assert shares == sorted(shares)
    assert 0.6 < shares[-1] <= 1.0
    frame.iloc[:100, 0] = np.nan
    again: list[float] = []
    MDAV(k=2).fit_transform(frame, on_progress=again.append)
    assert again == sorted(again)
    assert again
