"""Algorithm 13: what the nodes of a cluster say together, and what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.graphs import SocialGraph, compare_graphs, protect_graph, substitute_values
from anonopt.graphs.generator import generate_graph
from tests.graphs.random_graphs import graphs, profiles, tree
from tests.oracles import graphs as slow

TREE = tree()


@given(graphs(), st.data(), st.integers(0, 3))
def test_every_node_equals_k_minus_1_others_and_ties_are_untouched(graph, data, seed):
    k = data.draw(st.integers(1, graph.n_nodes))
    protected = protect_graph(graph, k, seed=seed)
    assert protected.frame().value_counts().min() >= k
    np.testing.assert_array_equal(protected.edges, graph.edges)
    assert protected.nodes == graph.nodes
    assert protected.directed == graph.directed


@given(graphs(), st.data())
def test_aggregated_values_equal_the_slow_ones(graph, data):
    n_clusters = data.draw(st.integers(1, graph.n_nodes))
    extra = st.lists(
        st.integers(0, n_clusters - 1),
        min_size=graph.n_nodes - n_clusters,
        max_size=graph.n_nodes - n_clusters,
    )
    labels = np.array(data.draw(st.permutations([*range(n_clusters), *data.draw(extra)])))
    found = profiles(substitute_values(graph, labels))
    rows = profiles(graph)
    for label in range(n_clusters):
        inside = [i for i in range(graph.n_nodes) if labels[i] == label]
        topics = slow.borda([rows[i][1] for i in inside])
        place = None
        if graph.locations is not None:
            place = slow.common_ancestor([rows[i][0] for i in inside], TREE.parent_of)
        assert [found[i] for i in inside] == [(place, tuple(topics))] * len(inside)


def test_votes_of_figure_6_3():
    # Three users; technology, politics and sports win, as in the figure.
    graph = SocialGraph(
        "abc",
        [],
        topics=[[0, 1, 2], [1, 0, 3], [0, 2, 4]],
        topic_names=["Technology", "Politics", "Sports", "Religion", "Weather"],
    )
    protected = protect_graph(graph, 3, seed=1)
    assert profiles(protected) == [(None, ("Technology", "Politics", "Sports"))] * 3


def test_ties_of_points_go_to_the_first_appearance():
    graph = SocialGraph("ab", [], topics=[[2, 0, 1], [0, 2, 3]], topic_names=["A", "B", "C", "D"])
    # C and A have 5 points each, B and D 1 each.
    assert profiles(protect_graph(graph, 2, seed=1))[0][1] == ("C", "A", "B")


def test_too_few_topics_are_not_made_more():
    graph = SocialGraph("ab", [], topics=[[0, 0, 1], [0, 1, 1]], topic_names=["A", "B"])
    assert profiles(protect_graph(graph, 2, seed=1))[0][1] == ("A", "B", "B")


@pytest.mark.usefixtures("entropy_guard")
def test_the_seed_decides():
    graph = generate_graph("small", seed=1)
    first, again, other = (protect_graph(graph, 3, seed=seed).frame() for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)


def test_a_graph_without_nodes():
    empty = SocialGraph([], [], topics=[], topic_names=[])
    assert protect_graph(empty, 3, seed=1).n_nodes == 0
    assert (compare_graphs(empty, empty) == 0).all()


def test_one_node():
    graph = SocialGraph(["only"], [[0, 0]], topics=[[0, 1, 2]], topic_names="abc")
    assert protect_graph(graph, 1, seed=1).frame().equals(graph.frame())
    with pytest.raises(ValueError, match="at least 1 and at most 1, found 2"):
        protect_graph(graph, 2, seed=1)


def test_a_constant_attribute_stays():
    graph = generate_graph("small", seed=1)
    paris = graph.hierarchy.code("Paris")
    same = graph.with_attributes(locations=[paris] * graph.n_nodes, topics=graph.topics)
    protected = protect_graph(same, 5, seed=1)
    assert set(protected.values("location")) == {"Paris"}
    figures = compare_graphs(same, protected)
    assert figures["DR_location"] == 100
    assert figures["DBIL"] > 0
