"""Similarity of partitions: the pairwise twins, symmetry, and what has no pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anonopt.measures.categorical.partition_agreement import (
    PairCounts,
    clustering_loss,
    jaccard_index,
    rand_index,
    wallace_index,
)
from tests.oracles import partitions as twins

INDICES = {rand_index: twins.rand, jaccard_index: twins.jaccard, wallace_index: twins.wallace}

labels = st.integers(0, 4)
two_partitions = st.lists(st.tuples(labels, labels), min_size=1, max_size=20).map(
    lambda pairs: tuple(zip(*pairs, strict=True))
)


@given(two_partitions)
def test_counts_are_those_of_all_pairs(partitions):
    counts = PairCounts.of(*partitions)
    found = (counts.both, counts.first, counts.second, counts.neither)
    assert found == twins.pair_counts(*partitions)


@pytest.mark.parametrize("index", INDICES)
@given(two_partitions)
def test_indices_are_those_of_all_pairs(index, partitions):
    r, s, t, _ = twins.pair_counts(*partitions)
    assume(r + s > 0 and r + t > 0)
    assert index(*partitions) == pytest.approx(INDICES[index](*partitions))


@pytest.mark.parametrize("index", INDICES)
@given(two_partitions, st.permutations(range(5)))
def test_indices_are_symmetric_and_blind_to_the_names_of_clusters(index, partitions, names):
    a, b = partitions
    assert index(a, b) == index(b, a) == index([names[label] for label in a], b)
    assert index(a, a) == 1
    assert 0 <= index(a, b) <= 1


def test_partitions_of_single_records_have_no_pairs():
    singles, one = [0, 1, 2], [7, 7, 7]
    for index in INDICES:
        assert index(singles, ["x", "y", "z"]) == 1
        assert index(one, [0, 0, 0]) == 1
        assert index(singles, one) == 0
        assert index([0], [5]) == 1
    assert clustering_loss(singles, one) == 100
    assert clustering_loss(singles, singles) == clustering_loss(one, one) == 0


def test_many_records_need_no_table_of_pairs():
    n = 200_000
    labels = np.arange(n) % 7
    assert clustering_loss(labels, labels) == 0
    together = PairCounts.of(labels, np.zeros(n, dtype=int))
    assert together.both + together.first + together.second + together.neither == n * (n - 1) // 2


@pytest.mark.parametrize(("a", "b"), [([0, 1], [0]), ([], []), ([[0]], [[0]])])
def test_wrong_labels_are_refused(a, b):
    with pytest.raises(ValueError, match="two partitions of the same records"):
        rand_index(a, b)
