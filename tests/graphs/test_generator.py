"""Generated graphs resemble the published ones; the real one is as networkx has it."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from anonopt.graphs import (
    PUBLISHED,
    SocialGraph,
    generate_graph,
    graph_statistics,
    karate_club,
    social_network,
    to_networkx,
)
from tests.graphs.random_graphs import graphs


@pytest.mark.parametrize("size", PUBLISHED)
def test_shape_is_near_the_published_one(size):
    found, published = graph_statistics(generate_graph(size, seed=1)), PUBLISHED[size]
    assert (found["nodes"], found["edges"]) == (published["nodes"], published["edges"])
    assert int(found["average_degree"]) == published["average_degree"]
    assert found["average_path"] == pytest.approx(published["average_path"], rel=0.15)
    assert found["diameter"] == pytest.approx(published["diameter"], abs=3)
    assert found["components"] == 1


@pytest.mark.parametrize("size", PUBLISHED)
def test_neighbours_resemble_each_other(size):
    graph = generate_graph(size, seed=1)
    source, target = graph.edges.T
    for name in graph.attributes:
        codes = graph.codes(name)
        tied = (codes[source] == codes[target]).mean()
        shuffled = np.random.default_rng(1).permutation(codes)
        assert tied > 1.5 * (shuffled[source] == shuffled[target]).mean()


def test_without_homophily_they_do_not():
    graph = social_network(2000, 6000, seed=1, homophily=0)
    source, target = graph.edges.T
    codes = graph.codes("topic1")
    chance = (np.bincount(codes) / graph.n_nodes) ** 2
    assert (codes[source] == codes[target]).mean() == pytest.approx(chance.sum(), abs=0.03)


@pytest.mark.usefixtures("entropy_guard")
def test_the_seed_decides():
    first, again, other = (generate_graph("small", seed=seed) for seed in (1, 1, 2))
    assert first.fingerprint == again.fingerprint != other.fingerprint


def test_topics_of_a_node_differ_and_all_nodes_have_a_city():
    graph = generate_graph("large", seed=3)
    assert all(len(set(row)) == 3 for row in graph.topics.tolist())
    assert (graph.hierarchy.levels[graph.locations] <= 1).all()


@pytest.mark.parametrize(("n_nodes", "n_edges"), [(0, 0), (5, 3), (5, 11)])
def test_impossible_numbers_of_ties_are_refused(n_nodes, n_edges):
    with pytest.raises(ValueError, match=f"found {n_nodes} nodes and {n_edges} ties"):
        social_network(n_nodes, n_edges, seed=1)


@pytest.mark.parametrize("n_edges", [4, 10])
def test_least_and_most_ties(n_edges):
    assert social_network(5, n_edges, seed=1).n_edges == n_edges


def test_other_sizes_and_shares_are_refused():
    with pytest.raises(ValueError, match="one of 'small', 'large', found 'medium'"):
        generate_graph("medium", seed=1)
    with pytest.raises(ValueError, match=r"found 1\.5"):
        generate_graph("small", seed=1, homophily=1.5)


@given(graphs(least=0))
def test_statistics_equal_those_of_networkx(graph):
    found = graph_statistics(graph)
    twin = nx.Graph(to_networkx(graph))
    twin.remove_edges_from(list(nx.selfloop_edges(twin)))
    lengths = [
        hops
        for source, reached in nx.all_pairs_shortest_path_length(twin)
        for target, hops in reached.items()
        if target != source
    ]
    assert found["diameter"] == max(lengths, default=0)
    assert found["average_path"] == pytest.approx(np.mean(lengths) if lengths else 0)
    assert found["components"] == nx.number_connected_components(twin)
    clustering = nx.average_clustering(twin) if graph.n_nodes else 0
    assert found["clustering"] == pytest.approx(clustering)


def test_the_karate_club_has_nothing_made_up():
    graph, original = karate_club(), nx.karate_club_graph()
    assert graph.attributes == ("club",)
    assert graph.values("club") == [original.nodes[node]["club"] for node in original]
    assert {tuple(edge) for edge in graph.edges.tolist()} == set(original.edges)


def test_figures_of_a_hub_take_memory_by_the_block(monkeypatch):
    import tracemalloc

    n = 3_000
    star = SocialGraph(
        range(n), [[0, i] for i in range(1, n)], topics=np.zeros((n, 1)), topic_names="x"
    )
    monkeypatch.setattr("anonopt.graphs.measures.statistics._BLOCK", 64)
    tracemalloc.start()
    found = graph_statistics(star)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found["clustering"] == 0
    assert found["diameter"] == 2
    assert peak < n**2


@pytest.mark.parametrize("block", [1, 7, 512])
def test_blocks_do_not_matter(block, monkeypatch):
    expected = graph_statistics(karate_club())
    monkeypatch.setattr("anonopt.graphs.measures.statistics._BLOCK", block)
    assert graph_statistics(karate_club()).to_dict() == pytest.approx(expected.to_dict())
