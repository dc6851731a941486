"""Disclosure risk: stars that are found again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.graphs import (
    SocialGraph,
    compare_graphs,
    disclosure_risk,
    generate_graph,
    matched_nodes,
    protect_graph,
)
from tests.graphs.random_graphs import graphs, profiles
from tests.oracles import graphs as slow


@given(graphs(most=8), st.data(), st.integers(0, 3), st.booleans())
def test_matches_equal_the_slow_ones(graph, data, seed, with_root):
    masked = protect_graph(graph, data.draw(st.integers(1, graph.n_nodes)), seed=seed)
    edges = graph.edges.tolist()
    known = {name: [name] for name in graph.attributes}
    known |= {"all": list(graph.attributes)}
    for names in known.values():
        before, after = (
            list(zip(*(g.values(name) for name in names), strict=True)) for g in (graph, masked)
        )
        expected = slow.matched(before, after, edges, directed=graph.directed, with_root=with_root)
        found = matched_nodes(graph, masked, names, with_root=with_root)
        assert found.tolist() == expected


@given(graphs(), st.data(), st.integers(0, 3))
def test_knowing_more_finds_no_more(graph, data, seed):
    masked = protect_graph(graph, data.draw(st.integers(1, graph.n_nodes)), seed=seed)
    risks = compare_graphs(graph, masked).filter(like="DR")
    assert risks.between(0, 100).all()
    assert risks["DR"] <= risks.min() + 1e-12
    assert disclosure_risk(graph, masked, with_root=True) <= risks["DR"]


@given(graphs())
def test_an_unprotected_graph_gives_everybody_away(graph):
    assert disclosure_risk(graph, graph, with_root=True) == 100


def test_a_star_by_hand():
    # b is tied to a and c, which say x and y; nobody in the masked graph has such neighbours.
    graph = SocialGraph("abcd", [[0, 1], [1, 2]], topics=[[0], [1], [1], [0]], topic_names="xy")
    masked = graph.with_attributes(topics=[[0], [0], [1], [1]])
    # a's neighbour says y: masked a's says x, but nobody with one neighbour has one that says
    # y; b's say x and y: b's still do; c's says y: none; d has no neighbours, nor has masked d.
    assert matched_nodes(graph, masked).tolist() == [False, True, False, True]
    # d says x, masked d says y: no longer the same star with its root. b said y and says x.
    assert matched_nodes(graph, masked, with_root=True).tolist() == [False, False, False, False]


def test_neighbours_of_a_star_stand_in_no_order():
    # a is tied to b, who says x, and to c, who says y; masked, b says y and c says x.
    graph = SocialGraph("abc", [[0, 1], [0, 2]], topics=[[0], [0], [1]], topic_names="xy")
    masked = graph.with_attributes(topics=[[0], [1], [0]])
    assert matched_nodes(graph, masked).tolist() == [True, True, True]


@given(graphs(most=6), st.data())
def test_matches_equal_the_slow_ones_however_values_change(graph, data):
    topics = data.draw(st.permutations(graph.topics.tolist()))
    masked = graph.with_attributes(topics=topics, locations=graph.locations)
    before, after = (list(map(tuple, g.topics.tolist())) for g in (graph, masked))
    expected = slow.matched(before, after, graph.edges.tolist(), directed=graph.directed)
    assert matched_nodes(graph, masked, graph.topic_attributes).tolist() == expected


def test_direction_of_ties_is_part_of_a_star():
    there = SocialGraph("ab", [[0, 1]], topics=[[0], [0]], topic_names="x", directed=True)
    both = there.with_edges([[0, 1], [1, 0]])
    assert matched_nodes(there, there).tolist() == [True, True]
    assert matched_nodes(both, there).tolist() == [False, False]


def test_two_neighbours_are_not_one_tied_twice():
    # a follows b and is followed by c, or follows and is followed by b alone: other stars.
    two = SocialGraph("abc", [[0, 1], [2, 0]], topics=[[0]] * 3, topic_names="x", directed=True)
    one = two.with_edges([[0, 1], [1, 0]])
    assert not matched_nodes(two, one)[0]


def test_values_of_the_node_itself_count_when_asked_for():
    # Everybody's neighbour says x; masked, b says x too, as a and c do.
    graph = SocialGraph("abc", [[0, 2], [1, 2]], topics=[[0], [1], [0]], topic_names="xy")
    masked = graph.with_attributes(topics=[[0], [0], [0]])
    assert disclosure_risk(graph, masked) == pytest.approx(200 / 3)
    assert disclosure_risk(graph, masked, with_root=True) == pytest.approx(100 / 3)


def test_a_graph_without_nodes_has_no_risk():
    graph = SocialGraph([], [], topics=np.empty((0, 1), dtype=int), topic_names="x")
    assert matched_nodes(graph, graph).shape == (0,)
    assert disclosure_risk(graph, graph) == 0


def test_an_attacker_who_knows_nothing_is_refused():
    graph = generate_graph("small", seed=1)
    with pytest.raises(ValueError, match="at least one, found none"):
        matched_nodes(graph, graph, [])


def test_many_profiles_have_exact_keys():
    # 2**16 * 2**16 combinations of two attributes: a packed key must not lose any.
    n = 300
    rng = np.random.default_rng(1)
    names = [str(i) for i in range(1 << 16)]
    graph = SocialGraph(
        range(n),
        [[i, i + 1] for i in range(n - 1)],
        topics=rng.integers(0, 1 << 16, (n, 6)),
        topic_names=names,
    )
    assert disclosure_risk(graph, graph) == 100
    other = graph.with_attributes(topics=(graph.topics + 1) % (1 << 16))
    assert disclosure_risk(graph, other) == 0
    assert profiles(graph) != profiles(other)
