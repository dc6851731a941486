"""Ties that hide degrees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.graphs import (
    SocialGraph,
    anonymize_degrees,
    anonymous_degrees,
    degree_sequence,
    edge_loss,
    generate_graph,
    missing_ties,
    protect_graph,
)
from tests.oracles import graphs as slow


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.data())
def test_degrees_are_raised_at_least_cost(degrees, data):
    k = data.draw(st.integers(1, len(degrees)))
    raised = anonymous_degrees(np.array(degrees), k)
    assert (raised >= degrees).all()
    assert np.unique(raised, return_counts=True)[1].min() >= k
    assert raised.sum() - sum(degrees) == slow.cheapest_degrees(degrees, k)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.data())
def test_groups_are_the_same_without_numba(degrees, data):
    k = data.draw(st.integers(1, len(degrees)))
    found = anonymous_degrees(np.array(degrees), k)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(degree_sequence, "has_numba", lambda: False)
        assert anonymous_degrees(np.array(degrees), k).tolist() == found.tolist()


@st.composite
def plain_graphs(draw):
    n = draw(st.integers(1, 9))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return SocialGraph(range(n), edges, topics=[[0]] * n, topic_names="x")


@given(plain_graphs(), st.data(), st.integers(0, 3))
def test_every_degree_is_shared_and_no_tie_is_lost(graph, data, seed):
    k = data.draw(st.integers(1, graph.n_nodes))
    hidden = anonymize_degrees(graph, k, random_state=seed)
    assert np.unique(hidden.degrees(), return_counts=True)[1].min() >= k
    np.testing.assert_array_equal(hidden.edges[: graph.n_edges], graph.edges)
    if graph.n_edges:
        assert edge_loss(graph, hidden) == 100 * (hidden.n_edges - graph.n_edges) / graph.n_edges


def test_of_the_thesis_size_together_with_the_attributes():
    graph = generate_graph("small", seed=1)
    hidden = protect_graph(graph, 3, seed=1, degree_k=5)
    assert np.unique(hidden.degrees(), return_counts=True)[1].min() >= 5
    assert hidden.frame().value_counts().min() >= 3
    assert 0 < edge_loss(graph, hidden) < 10
    assert hidden.frame().equals(protect_graph(graph, 3, seed=1).frame())


@pytest.mark.usefixtures("entropy_guard")
def test_the_seed_decides():
    graph = generate_graph("small", seed=1)
    first, again, other = (
        anonymize_degrees(graph, 10, random_state=seed).edges for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert first.tolist() != other.tolist()


def test_loss_of_ties():
    graph = SocialGraph("abc", [[0, 1], [1, 2]], topics=[[0]] * 3, topic_names="x")
    assert edge_loss(graph, graph.with_edges([[1, 0], [2, 1]])) == 0
    assert edge_loss(graph, graph.with_edges([[0, 1], [0, 2]])) == 100
    alone = graph.with_edges([])
    assert edge_loss(alone, alone) == 0
    assert edge_loss(alone, graph) == float("inf")
    with pytest.raises(ValueError, match="same nodes"):
        edge_loss(graph, generate_graph("small", seed=1))


def test_directed_graphs_and_loops_are_refused():
    graph = SocialGraph("ab", [[0, 1]], topics=[[0]] * 2, topic_names="x", directed=True)
    with pytest.raises(ValueError, match="undirected graph, found a directed one"):
        anonymize_degrees(graph, 2, random_state=1)
    loop = SocialGraph("ab", [[1, 1]], topics=[[0]] * 2, topic_names="x")
    with pytest.raises(ValueError, match="found one at node 'b'"):
        anonymize_degrees(loop, 2, random_state=1)


def test_a_graph_without_nodes():
    assert (
        anonymize_degrees(SocialGraph([], [], topics=[], topic_names=""), 2, random_state=1).n_nodes
        == 0
    )


@settings(max_examples=25)
@given(plain_graphs(), st.data(), st.integers(0, 10**6), st.booleans())
def test_ties_are_those_of_looking_at_all_degrees_again(graph, data, seed, is_compiled):
    k = data.draw(st.integers(1, graph.n_nodes))
    ours, theirs = (np.random.default_rng(seed) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        if not is_compiled:
            for module in (degree_sequence, missing_ties):
                patch.setattr(module, "has_numba", lambda: False)
        hidden = anonymize_degrees(graph, k, random_state=ours)
    expected = slow.tied_until_degrees_are_shared(
        graph.n_nodes, graph.edges.tolist(), theirs, lambda wanted: anonymous_degrees(wanted, k)
    )
    assert hidden.edges[graph.n_edges :].tolist() == expected
    assert ours.random() == theirs.random()


def test_a_hub_is_hidden_in_few_trials(monkeypatch):
    raises = []

    def counted(self, times, rng):
        raises.append(times)
        raise_lowest(self, times, rng)

    raise_lowest = degree_sequence.DegreeSequence.raise_lowest
    monkeypatch.setattr(degree_sequence.DegreeSequence, "raise_lowest", counted)
    star = SocialGraph(
        range(200), [[0, i] for i in range(1, 200)], topics=[[0]] * 200, topic_names="x"
    )
    hidden = anonymize_degrees(star, 3, random_state=1)
    assert np.unique(hidden.degrees(), return_counts=True)[1].min() >= 3
    assert len(raises) < 100
    expected = slow.tied_until_degrees_are_shared(
        200,
        star.edges.tolist(),
        np.random.default_rng(1),
        lambda wanted: anonymous_degrees(wanted, 3),
    )
    assert hidden.edges[199:].tolist() == expected


@pytest.mark.parametrize(("k", "message"), [(0, "at most 3, found 0"), (4, "at most 3, found 4")])
def test_degrees_are_shared_by_some_of_them(k, message):
    with pytest.raises(ValueError, match=message):
        anonymous_degrees(np.array([1, 2, 3]), k)
