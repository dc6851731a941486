"""What a graph of arrays checks."""

from __future__ import annotations

import copy
import hashlib
import json
from pickle import dumps, loads

import numpy as np
import pytest

from anonopt.graphs import LocationHierarchy, SocialGraph, packaged_locations, social_graph


def make(**changes):
    options = {
        "nodes": ["a", "b", "c"],
        "edges": [[0, 1]],
        "topics": [[0], [1], [0]],
        "topic_names": ["x", "y"],
        **changes,
    }
    return SocialGraph(options.pop("nodes"), options.pop("edges"), **options)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": ["a", "b", "a"]}, "node 'a': expected each node once"),
        ({"edges": [[0, 3]]}, r"positions in 0..2, found \[0, 3\]"),
        ({"edges": [[0, 1], [1, 0]]}, "'a' - 'b': expected each tie once"),
        ({"topics": [[0], [2], [0]]}, "node 'b', attribute 'topic1': .* 0..1, found 2"),
        ({"topics": [[0], [1]]}, r"topics: expected shape \(3, 1\), found \(2, 1\)"),
        ({"topics": np.empty((3, 0))}, "expected 1 to 30 topics"),
        ({"topics": np.zeros((3, 31))}, "expected 1 to 30 topics"),
        ({"locations": [0, 0, 0]}, "together with their hierarchy"),
        ({"locations": [0, 0], "hierarchy": packaged_locations()}, "expected 3, found 2"),
        ({"edges": [[0, 0.5]]}, "edges: expected whole numbers, found 0.5"),
        ({"edges": [0, 1]}, r"edges: expected shape \(n_edges, 2\), found \(2,\)"),
        ({"edges": [[0, 1, 2], [1, 2, 0]]}, r"edges: .* found \(2, 3\)"),
        ({"topics": [[0], [0.7], [0]]}, "topics: expected whole numbers, found 0.7"),
        ({"topics": [[0], [2**32], [0]]}, "topics: expected whole numbers, found 4294967296"),
        ({"topic_names": ["x", "x"]}, "topic_names: expected each once"),
        ({"locations": [[0, 0, 0]], "hierarchy": packaged_locations()}, "found 1 x 3"),
        ({"topic_attributes": ["t", "u"]}, r"expected shape \(3, 2\)"),
        (
            {
                "topic_attributes": ["location"],
                "locations": [0] * 3,
                "hierarchy": packaged_locations(),
            },
            "different names",
        ),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        make(**changes)


def test_both_directions_are_two_ties_of_a_directed_graph():
    graph = make(edges=[[0, 1], [1, 0]], directed=True)
    assert graph.neighbors.ties.tolist() == [3, 3]


def test_neighbours_of_every_node():
    graph = make(edges=[[2, 0], [1, 1]])
    assert graph.neighbors.starts.tolist() == [0, 1, 2, 3]
    assert graph.neighbors.nodes.tolist() == [2, 1, 0]
    assert graph.degrees().tolist() == [1, 2, 1]


@pytest.mark.parametrize("copied", [lambda x: x, copy.deepcopy, lambda x: loads(dumps(x))])
def test_arrays_cannot_be_written(copied):
    graph = copied(make(locations=[1, 2, 3], hierarchy=packaged_locations()))
    for array in (graph.edges, graph.topics, graph.locations, graph.hierarchy.parents):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_fingerprint_depends_on_all_of_it():
    prints = {
        make().fingerprint,
        make(edges=[[0, 2]]).fingerprint,
        make(topics=[[0], [1], [1]]).fingerprint,
        make(nodes=["a", "b", "d"]).fingerprint,
        make(directed=True).fingerprint,
    }
    assert len(prints) == 5


@pytest.mark.parametrize("size", [1, 2, 100])
def test_fingerprint_is_that_of_the_whole_text(monkeypatch, size):
    monkeypatch.setattr(social_graph, "BLOCK_PAIRS", size)
    graph = make(edges=[[0, 1], [1, 2], [2, 0]])
    content = [
        list(graph.nodes), graph.attributes, [graph.values("topic1")], graph.edges.tolist(),
        False, None,
    ]  # fmt: skip
    expected = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    assert graph.fingerprint == expected
    assert len(make(edges=[]).fingerprint) == 64


def test_fingerprint_depends_on_the_tree_of_locations():
    world = ("World", "world")
    trees = [
        LocationHierarchy([[("a", "locality"), ("b", kind), world]])
        for kind in ("country", "continent")
    ]
    prints = {make(locations=[0, 1, 2], hierarchy=tree).fingerprint for tree in trees}
    assert len(prints) == 2


def test_the_attribute_of_locations_may_have_another_name():
    graph = make(
        topic_attributes=["location"],
        locations=[1, 1, 2],
        hierarchy=packaged_locations(),
        location_attribute="city",
    )
    assert graph.attributes == ("city", "location")
    assert graph.values("location") == ["x", "y", "x"]
    assert graph.codes("city").tolist() == [1, 1, 2]
    assert graph.with_edges([]).attributes == graph.attributes
