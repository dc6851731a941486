"""Clusters that are looked up are those that a search of all free nodes finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.graphs import NodeDistances, cluster_by_visits, clustering, social_network
from anonopt.graphs.profile_index import ProfileIndex
from tests.examples import examples
from tests.graphs.random_graphs import graphs, profiles, tree
from tests.oracles.graphs import clusters

pytest.importorskip("numba")


def looked_up(graph, k, visits):
    n_full = graph.n_nodes // k - (graph.n_nodes % k > 0)
    return ProfileIndex(graph).clusters(np.array(visits, dtype=np.int64), k, n_full)


@examples(10)
@given(graphs(), st.data())
def test_the_clusters_of_the_slow_twin(graph, data):
    k = data.draw(st.integers(1, graph.n_nodes))
    visits = data.draw(st.permutations(range(graph.n_nodes)))
    known = tree()
    expected = clusters(profiles(graph), k, visits, known.parent_of, known.level_of)
    labels = looked_up(graph, k, visits)
    found = [set(np.flatnonzero(labels == label).tolist()) for label in range(len(expected))]
    assert found == [set(members) for members in expected]


@pytest.mark.parametrize("k", [1, 2, 3, 17, 700])
def test_the_clusters_of_a_search(k):
    graph = social_network(700, 900, seed=4, homophily=0.2)
    visits = np.random.default_rng(k).permutation(700)
    expected = cluster_by_visits(NodeDistances(graph), k, visits)
    assert looked_up(graph, k, visits).tolist() == expected.tolist()


def test_large_graphs_are_looked_up(monkeypatch):
    graph = social_network(60, 80, seed=1)
    visits = np.arange(60)
    expected = cluster_by_visits(NodeDistances(graph), 3, visits)
    assert not clustering.uses_index(NodeDistances(graph))
    monkeypatch.setattr(clustering, "MOST_SEARCHED", 59)
    assert clustering.uses_index(NodeDistances(graph))
    assert not clustering.uses_index(NodeDistances(graph, matrix=True))
    assert cluster_by_visits(NodeDistances(graph), 3, visits).tolist() == expected.tolist()
    monkeypatch.setattr(clustering, "has_numba", lambda: False)
    assert not clustering.uses_index(NodeDistances(graph))
