"""Graphs from two files are brought into one order and one coding before they are compared."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.graphs import (
    SocialGraph,
    aamil,
    aligned,
    cdil,
    compare_graphs,
    dbil,
    disclosure_risk,
    from_networkx,
    generate_graph,
    location_table,
    protect_graph,
    to_networkx,
)

GRAPH = generate_graph("small", seed=1)
PROTECTED = protect_graph(GRAPH, 3, seed=1)


def test_order_of_nodes_and_codes_do_not_matter():
    import networkx as nx

    shuffled = nx.Graph()
    backwards = to_networkx(PROTECTED)
    shuffled.add_nodes_from(reversed(list(backwards.nodes(data=True))))
    shuffled.add_edges_from(backwards.edges)
    again = from_networkx(shuffled)
    assert again.nodes != PROTECTED.nodes
    assert again.topic_names != PROTECTED.topic_names
    expected = compare_graphs(GRAPH, PROTECTED)
    np.testing.assert_allclose(compare_graphs(GRAPH, again), expected)
    np.testing.assert_allclose(compare_graphs(from_networkx(to_networkx(GRAPH)), again), expected)


def test_names_of_the_figures():
    assert list(compare_graphs(GRAPH, PROTECTED).index) == [
        "AAMIL", "CDIL", "DBIL", "IL",
        "DR_location", "DR_topic1", "DR_topic2", "DR_topic3", "DR_topics", "DR",
    ]  # fmt: skip


def test_other_nodes_attributes_or_kinds_are_refused():
    small = SocialGraph("ab", [], topics=[[0], [0]], topic_names="x")
    renamed = SocialGraph("ac", [], topics=[[0], [0]], topic_names="x")
    more = SocialGraph("abc", [], topics=[[0]] * 3, topic_names="x")
    with pytest.raises(ValueError, match="expected the node 'b', found none"):
        aligned(small, renamed)
    with pytest.raises(ValueError, match="expected no node 'c', found one"):
        aligned(small, more)
    with pytest.raises(ValueError, match=r"expected attributes \['topic1'\], found"):
        aligned(small, SocialGraph("ab", [], topics=[[0, 0]] * 2, topic_names="x"))
    directed = SocialGraph("ab", [], topics=[[0], [0]], topic_names="x", directed=True)
    with pytest.raises(ValueError, match="one of each"):
        compare_graphs(small, directed)


def test_a_location_that_the_original_hierarchy_lacks_is_named(tmp_path):
    path = tmp_path / "moon.csv"
    path.write_text("locality,world\nCrater,Moon\n", encoding="utf-8")
    moon = SocialGraph(
        GRAPH.nodes, GRAPH.edges, topics=GRAPH.topics, topic_names=GRAPH.topic_names,
        locations=[0] * GRAPH.n_nodes, hierarchy=location_table(path),
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"node 0, attribute 'location': .*found 'Crater'"):
        compare_graphs(GRAPH, moon)


@pytest.mark.parametrize("measure", [aamil, cdil, dbil, disclosure_risk])
def test_measures_refuse_graphs_of_other_codes(measure):
    names = PROTECTED.topic_names[::-1]
    recoded = SocialGraph(
        GRAPH.nodes, GRAPH.edges, topics=len(names) - 1 - PROTECTED.topics, topic_names=names,
        locations=PROTECTED.locations, hierarchy=PROTECTED.hierarchy,
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"topic_names: .*anonopt.graphs.aligned"):
        measure(GRAPH, recoded)
    assert measure(*aligned(GRAPH, recoded)) == pytest.approx(measure(GRAPH, PROTECTED))
    fewer = SocialGraph("ab", [], topics=[[0]] * 2, topic_names="x")
    with pytest.raises(ValueError, match="nodes: expected the same"):
        measure(GRAPH, fewer)
