"""Probabilities, weights and shared credit of record linkage."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.measures.categorical import record_linkage
from anonopt.measures.categorical.record_linkage import (
    agreement_shares,
    linkage,
    match_probabilities,
    pattern_ranks,
)
from tests.oracles import masked_files as twins

cells = st.integers(0, 2)


@st.composite
def two_files(draw: st.DrawFn):
    n_columns, n_rows = draw(st.integers(1, 3)), draw(st.integers(1, 10))
    record = st.lists(cells, min_size=n_columns, max_size=n_columns)
    file = st.lists(record, min_size=n_rows, max_size=n_rows)
    return draw(file), draw(file)


def pattern_counts(original, masked):
    n_columns = len(original[0])
    counts = np.zeros(1 << n_columns, dtype=np.int64)
    for a, b in product(original, masked):
        counts[sum(1 << j for j in range(n_columns) if a[j] == b[j])] += 1
    return counts


@given(two_files())
@settings(max_examples=50)
def test_probabilities_are_those_of_the_twin(files):
    counts = pattern_counts(*files)
    m, u = twins.probabilities(*files)
    found = agreement_shares(counts, len(u))
    np.testing.assert_allclose(found, u, rtol=1e-12)
    np.testing.assert_allclose(match_probabilities(counts, found, len(files[0])), m, rtol=1e-9)


@given(two_files())
@settings(max_examples=50)
def test_arrays_and_plain_floats_follow_the_same_rounds(files):
    counts = pattern_counts(*files)
    n_rows = len(files[0])
    u = agreement_shares(counts, len(files[0][0]))
    plain = match_probabilities(counts, u, n_rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_linkage, "FEW_PATTERNS", 0)
        np.testing.assert_allclose(match_probabilities(counts, u, n_rows), plain, rtol=1e-12)


def test_estimation_stops_at_the_first_small_change(monkeypatch):
    counts = np.array([9000, 450, 450, 100])
    u = agreement_shares(counts, 2)
    rounds = []
    for limit in range(1, 90):
        monkeypatch.setattr(record_linkage, "ROUNDS", limit)
        rounds.append(match_probabilities(counts, u, 100))
    changes = [abs(b - a).max() for a, b in pairwise(rounds)]
    first = next(i for i, change in enumerate(changes) if change < 1e-6)
    assert first > 2
    # From that round on the result stays as it is; the round itself still changed it.
    assert 0 < changes[first]
    assert changes[first + 1 :] == [0] * len(changes[first + 1 :])


def test_probabilities_stay_away_from_0_and_1():
    everything_agrees = np.array([0, 9])
    u = agreement_shares(everything_agrees, 1)
    m = match_probabilities(everything_agrees, u, 3)
    assert u == m == [1 - 1e-9]


@given(st.lists(st.tuples(*[st.floats(0.01, 0.99)] * 2), min_size=1, max_size=5))
def test_ranks_sort_the_weights(shares):
    m, u = np.array(shares).T
    ranks = pattern_ranks(m, u)
    weights = [
        sum(
            np.log(m[j] / u[j]) if pattern >> j & 1 else np.log((1 - m[j]) / (1 - u[j]))
            for j in range(len(m))
        )
        for pattern in range(len(ranks))
    ]
    for a, b in product(range(len(ranks)), repeat=2):
        if weights[a] - weights[b] > 1e-7:
            assert ranks[a] > ranks[b]
    assert sorted(set(ranks.tolist())) == list(range(ranks.max() + 1))


def test_columns_of_the_same_probabilities_tie():
    m, u = np.array([0.9, 0.3, 0.9]), np.array([0.1, 0.7, 0.1])
    ranks = pattern_ranks(m, u)
    assert ranks[0b001] == ranks[0b100] and ranks[0b011] == ranks[0b110]
    assert ranks.argmax() == 0b101


def test_credit_of_nothing_linked_is_0():
    assert linkage(np.array([0, 0]), np.array([3, 0]), 4) == 0
    assert linkage(np.array([2, 1]), np.array([2, 1]), 3) == pytest.approx(200 / 3)
