"""Information loss: the figures of the thesis, the slow formulas, the edges of the range."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.graphs import (
    SocialGraph,
    aamil,
    adjacency_loss,
    cdil,
    compare_graphs,
    dbil,
    distance_loss,
    distribution_loss,
    packaged_locations,
    protect_graph,
)
from tests.graphs.random_graphs import graphs, profiles, tree
from tests.oracles import graphs as slow

TREE = tree()
PLACES = packaged_locations()
TOPICS = ("Technology", "Politics", "Sports", "Religion", "Culture", "Weather")


def users(places: list[str], topics: list[list[str]]) -> SocialGraph:
    """The three users of Figure 6.5: user 2 in the United States, tied to both others."""
    return SocialGraph(
        ["User 1", "User 2", "User 3"],
        [[1, 0], [1, 2]],
        topics=[[TOPICS.index(topic) for topic in row] for row in topics],
        topic_names=TOPICS,
        locations=[PLACES.code(place) for place in places],
        hierarchy=PLACES,
    )


ORIGINAL = users(
    ["Washington DC", "United States", "New York City"],
    [
        ["Technology", "Politics", "Culture"],
        ["Technology", "Sports", "Religion"],
        ["Politics", "Technology", "Weather"],
    ],
)
MASKED = protect_graph(ORIGINAL, 3, seed=1)


def test_figure_6_5():
    row = ("United States", ("Technology", "Politics", "Sports"))
    assert profiles(MASKED) == [row] * 3


def test_figure_6_6():
    # The printed second matrix has original rows and masked columns, which gives the printed
    # 0.5; Eq. 6.4 has masked rows, which makes all four links lead from the USA to the USA: 1.
    assert adjacency_loss(ORIGINAL, MASKED, "location") == pytest.approx(50)
    as_printed = adjacency_loss(ORIGINAL, MASKED, "location", as_printed=True)
    assert as_printed == pytest.approx(100)
    before = {("US", "DC"): 1, ("US", "NYC"): 1, ("DC", "US"): 1, ("NYC", "US"): 1}
    after = {("US", "US"): 2, ("DC", "US"): 1, ("NYC", "US"): 1}
    assert slow.matrix_loss(before, after) == pytest.approx(0.5)


def test_figure_6_7():
    assert distribution_loss(ORIGINAL, MASKED, "topic1") == pytest.approx(100 / 3)


def test_figure_6_8():
    losses = [distance_loss_of_user_2(name) for name in ORIGINAL.attributes]
    assert losses == [0, 0, 1, 1]
    assert np.mean(losses) == 0.5


def distance_loss_of_user_2(attribute: str) -> float:
    before, after = ORIGINAL.values(attribute)[1], MASKED.values(attribute)[1]
    return PLACES.distance(before, after) if attribute == "location" else float(before != after)


@given(graphs(), st.data(), st.integers(0, 3))
def test_losses_equal_the_slow_ones(graph, data, seed):
    masked = protect_graph(graph, data.draw(st.integers(1, graph.n_nodes)), seed=seed)
    edges = graph.edges.tolist()
    mixed, plain, shares, distances = [], [], [], []  # in percent
    for name in graph.attributes:
        before, after = graph.values(name), masked.values(name)
        first = slow.links(before, before, edges, directed=graph.directed)
        for rows, losses in ((before, mixed), (after, plain)):
            second = slow.links(rows, after, edges, directed=graph.directed)
            losses.append(100 * slow.matrix_loss(first, second))
        shares.append(100 * slow.distribution_loss(before, after))
        if name == "location":
            parts = [
                slow.location_distance(a, b, TREE.parent_of, TREE.level_of)
                for a, b in zip(before, after, strict=True)
            ]
        else:
            parts = [a != b for a, b in zip(before, after, strict=True)]
        distances.append(float(100 * sum(parts) / len(parts)))
        assert adjacency_loss(graph, masked, name) == pytest.approx(mixed[-1])
        assert distribution_loss(graph, masked, name) == pytest.approx(shares[-1])
        assert distance_loss(graph, masked, name) == pytest.approx(distances[-1])
    assert aamil(graph, masked) == pytest.approx(np.mean(mixed))
    assert aamil(graph, masked, as_printed=True) == pytest.approx(np.mean(plain))
    assert cdil(graph, masked) == pytest.approx(np.mean(shares))
    assert dbil(graph, masked) == pytest.approx(np.mean(distances))
    figures = compare_graphs(graph, masked)
    assert figures["IL"] == pytest.approx(figures[["AAMIL", "CDIL", "DBIL"]].mean())
    assert figures[["AAMIL", "CDIL", "DBIL"]].between(0, 100).all()


@given(graphs())
def test_the_same_graph_has_lost_nothing(graph):
    assert (compare_graphs(graph, graph)[["AAMIL", "CDIL", "DBIL", "IL"]] == 0).all()


def test_ties_that_were_added_count():
    graph = SocialGraph("ab", [[0, 1]], topics=[[0], [1]], topic_names="xy")
    alone = graph.with_edges([])
    assert aamil(alone, alone) == 0
    assert aamil(alone, graph) == 100
    assert aamil(graph, alone) == 50
    looped = graph.with_edges([[0, 1], [0, 0]])
    assert aamil(graph, looped) == pytest.approx(25)


def test_unknown_attributes_are_refused():
    with pytest.raises(ValueError, match=r"expected one of \['location', .*found 'age'"):
        adjacency_loss(ORIGINAL, MASKED, "age")
