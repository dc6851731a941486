"""What a graph of arrays checks."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.graphs import SocialGraph, packaged_locations


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
    assert graph.neighbours.ties.tolist() == [3, 3]


def test_neighbours_of_every_node():
    graph = make(edges=[[2, 0], [1, 1]])
    assert graph.neighbours.starts.tolist() == [0, 1, 2, 3]
    assert graph.neighbours.nodes.tolist() == [2, 1, 0]
    assert graph.degrees().tolist() == [1, 2, 1]


def test_arrays_cannot_be_written():
    graph = make()
    for array in (graph.edges, graph.topics):
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
