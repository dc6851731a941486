"""Algorithm 14: distances, clusters and their order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.graphs import (
    NodeDistances,
    cluster_by_visits,
    cluster_nodes,
    generate_graph,
    karate_club,
    social_network,
)
from tests.graphs.random_graphs import graphs, profiles, tree
from tests.oracles import graphs as slow

TREE = tree()


def members(labels: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]


@given(graphs())
def test_distances_equal_the_slow_ones(graph):
    distances, rows = NodeDistances(graph), profiles(graph)
    for i in range(graph.n_nodes):
        expected = [
            distances.scale * slow.node_distance(rows[i], row, TREE.parent_of, TREE.level_of)
            for row in rows
        ]
        assert distances.row(i).tolist() == expected


@given(graphs(), st.data())
def test_matrix_and_restricted_rows_are_the_same_distances(graph, data):
    plain, matrix = NodeDistances(graph), NodeDistances(graph, matrix=True)
    some = np.array(data.draw(st.lists(st.integers(0, graph.n_nodes - 1))), dtype=np.int64)
    for i in range(graph.n_nodes):
        np.testing.assert_array_equal(matrix.row(i), plain.row(i))
        for distances in (plain, matrix):
            np.testing.assert_array_equal(distances.restricted(some).row(i), plain.row(i)[some])


@given(graphs(), st.data())
def test_clusters_equal_the_slow_ones(graph, data):
    k = data.draw(st.integers(1, graph.n_nodes))
    nodes = st.integers(0, graph.n_nodes - 1)
    visits = data.draw(st.lists(nodes, max_size=graph.n_nodes))
    expected = slow.clusters(profiles(graph), k, visits, TREE.parent_of, TREE.level_of)
    for distances in (NodeDistances(graph), NodeDistances(graph, matrix=True)):
        found = members(cluster_by_visits(distances, k, visits))
        assert found == [sorted(cluster) for cluster in expected]


@given(graphs(), st.data(), st.integers(0, 5))
def test_sizes_are_those_of_the_algorithm(graph, data, seed):
    k = data.draw(st.integers(1, graph.n_nodes))
    sizes = np.bincount(cluster_nodes(graph, k, random_state=seed))
    rest = graph.n_nodes % k
    assert (sizes[:-1] == k).all()
    assert sizes[-1] == (k + rest if rest else k)


def test_each_draw_is_uniform_among_the_nodes_that_are_left():
    # Five nodes that all say the same, k = 2: the first cluster is the drawn node and the first
    # other one, so node 4 is in it when it is drawn, one time in five.
    graph = social_network(5, 4, seed=1).with_attributes(locations=[0] * 5, topics=[[0, 1, 2]] * 5)
    drawn = [cluster_nodes(graph, 2, random_state=seed)[4] == 0 for seed in range(1500)]
    assert abs(np.mean(drawn) - 0.2) < 0.04


@pytest.mark.usefixtures("entropy_guard")
def test_the_seed_decides():
    graph = social_network(60, 80, seed=1)
    first, again, other = (cluster_nodes(graph, 3, random_state=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    generator = np.random.default_rng(1)
    np.testing.assert_array_equal(cluster_nodes(graph, 3, random_state=generator), first)


def test_all_pairs_of_a_large_graph_are_refused():
    graph = social_network(5_001, 5_000, seed=1)
    with pytest.raises(ValueError, match="at most 5000 nodes, found 5001"):
        NodeDistances(graph, matrix=True)


@pytest.mark.parametrize("k", [0, -1, 2.0, True, "3"])
def test_k_is_a_whole_number_of_at_least_1(k):
    error = ValueError if type(k) is int else TypeError
    with pytest.raises(error, match="k: expected a whole number of at least 1"):
        cluster_nodes(social_network(5, 4, seed=1), k, random_state=1)


def test_k_above_the_number_of_nodes_is_refused():
    with pytest.raises(ValueError, match="at least 1 and at most 5, found 6"):
        cluster_nodes(social_network(5, 4, seed=1), 6, random_state=1)


@pytest.mark.parametrize(
    ("k", "visits", "message"),
    [
        (0, [0], "k: expected a whole number of at least 1 and at most 34, found 0"),
        (35, [0], "k: expected a whole number of at least 1 and at most 34, found 35"),
        (2, [0, -1], "visits: expected nodes in 0..33, found -1"),
        (2, [34], "visits: expected nodes in 0..33, found 34"),
        (2, [0.5], "visits: expected whole numbers, found 0.5"),
    ],
)
def test_visits_are_to_nodes(k, visits, message):
    with pytest.raises(ValueError, match=message):
        cluster_by_visits(NodeDistances(karate_club()), k, visits)


def test_without_a_seed_nothing_is_drawn():
    with pytest.raises(ValueError, match="random_state: expected a seed or a numpy Generator"):
        cluster_nodes(karate_club(), 2, random_state=None)


def test_rows_of_locations_that_are_kept_are_few(monkeypatch):
    graph = generate_graph("small", seed=1)
    expected = cluster_nodes(graph, 2, random_state=1)
    monkeypatch.setattr("anonopt.graphs.measures.distances.MAX_MATRIX_NODES", 40)
    distances = NodeDistances(graph)
    assert (cluster_nodes(graph, 2, random_state=1, distances=distances) == expected).all()
    kept = distances._location_rows
    assert sum(row.nbytes for row in kept.values()) <= 40**2 + graph.hierarchy.n_values
