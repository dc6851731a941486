"""What formats of graphs cannot hold, and what must not be passed over when they are read."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from anonopt.graphs import (
    SocialGraph,
    compare_graphs,
    from_networkx,
    generate_graph,
    protect_graph,
    read_graph,
    to_networkx,
    write_graph,
)
from tests.graphs.random_graphs import FORMATS, written

every = pytest.mark.parametrize("ending", FORMATS)


@every
def test_line_ends_in_texts_come_back_or_are_refused(ending, tmp_path):
    graph = SocialGraph("ab", [[0, 1]], topics=[[0], [0]], topic_names=["x\ry"])
    if ending == "graphml":
        with pytest.raises(ValueError, match=r"node 'a': expected text that XML can hold"):
            written(graph, tmp_path, ending)
        assert not list(tmp_path.iterdir())
        return
    path, options = written(graph, tmp_path, ending)
    again = read_graph(path, location=None, topics=["topic1"], **options)
    assert again.values("topic1") == ["x\ry"] * 2


@pytest.mark.parametrize(
    ("ending", "nodes", "attribute", "message"),
    [
        ("graphml", [1, "1"], "t", "node '1': expected names that differ as text"),
        ("gml", [1, "1"], "t", "node '1': expected names that differ as text"),
        ("csv", [1, "1"], "t", "node '1': expected names that differ as text"),
        ("csv", ["a", ""], "t", "node '': expected a name, found none"),
        ("json", ["a", (1, 2)], "t", r"as name, found \(1, 2\)"),
        ("json", ["a", "b"], "id", ".json can hold, found 'id'"),
        ("gml", ["a", "b"], "label", ".gml can hold, found 'label'"),
        ("gml", ["a", "b"], "Topic 1", ".gml can hold, found 'Topic 1'"),
        ("csv", ["a", "b"], "node", ".csv can hold, found 'node'"),
        ("graphml", ["a", "\x01"], "t", "text that XML can hold"),
    ],
)
def test_what_would_not_come_back_is_not_written(ending, nodes, attribute, message, tmp_path):
    graph = SocialGraph(
        nodes, [[0, 1]], topics=[[0], [1]], topic_names=["x", "y"], topic_attributes=[attribute]
    )
    with pytest.raises(ValueError, match=message):
        written(graph, tmp_path, ending)
    assert not list(tmp_path.iterdir())


def test_ties_and_nodes_need_two_files(tmp_path):
    graph = SocialGraph("ab", [[0, 1]], topics=[[0], [0]], topic_names=["x"])
    with pytest.raises(ValueError, match="expected two files for ties and nodes, found one"):
        write_graph(graph, tmp_path / "g.csv", nodes=tmp_path / "." / "g.csv")


def test_numbers_of_numpy_are_names_in_json(tmp_path):
    graph = SocialGraph(np.arange(2), [[0, 1]], topics=[[0], [0]], topic_names=["x"])
    path, _ = written(graph, tmp_path, "json")
    assert read_graph(path, location=None, topics=["topic1"]).nodes == (0, 1)


@every
def test_numbers_and_their_texts_are_the_same_nodes(ending, tmp_path):
    graph = generate_graph("small", seed=2)
    path, options = written(protect_graph(graph, 3, seed=1), tmp_path, ending)
    expected = compare_graphs(graph, protect_graph(graph, 3, seed=1))
    assert compare_graphs(graph, read_graph(path, **options)).equals(expected)
    mixed, other = (
        SocialGraph(nodes, [], topics=[[0], [1]], topic_names="xy") for nodes in ([1, "1"], [1, 2])
    )
    assert compare_graphs(mixed, mixed)["DBIL"] == 0
    with pytest.raises(ValueError, match="expected the node '1', found none"):
        compare_graphs(mixed, other)


@pytest.mark.parametrize("ending", ["gml", "json"])
def test_byte_order_marks_and_letters_of_utf_8(ending, tmp_path):
    path = tmp_path / f"g.{ending}"
    content = {
        "gml": 'graph [ node [ id 0 label "Zo\u00eb" t "x" ] ]',
        "json": '{"nodes": [{"id": "Zo\u00eb", "t": "x"}], "edges": []}',
    }
    path.write_bytes(b"\xef\xbb\xbf" + content[ending].encode("utf-8"))
    assert read_graph(path, location=None, topics=["t"]).nodes == ("Zo\u00eb",)


GRAPHML = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="t" for="node" '
    'attr.name="t" attr.type="string"><default>q</default></key>{}</graphml>'
)
GRAPH = '<graph edgedefault="undirected">{}</graph>'
ANN = '<node id="Ann"><data key="t">x</data></node>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GRAPH.format(ANN + ANN), "node 'Ann' twice"),
        (GRAPH.format(ANN) + GRAPH.format(""), "2 graphs in one file"),
        (GRAPH.format(f'<node id="Bob">{GRAPH.format(ANN)}</node>'), "2 graphs in one file"),
        (GRAPH.format(ANN.replace("</node>", '<data key="t">y</data></node>')), "one key twice"),
    ],
)
def test_what_graphml_gives_twice_is_refused(content, message, tmp_path):
    path = tmp_path / "g.graphml"
    path.write_text(GRAPHML.format(content), encoding="utf-8")
    with pytest.raises(ValueError, match=f"g.graphml: expected GraphML, found .*{message}"):
        read_graph(path, location=None, topics=["t"])


def test_defaults_of_graphml_are_values(tmp_path):
    path = tmp_path / "g.graphml"
    path.write_text(GRAPHML.format(GRAPH.format(ANN + '<node id="Bob"/>')), encoding="utf-8")
    assert read_graph(path, location=None, topics=["t"]).values("t") == ["x", "q"]


def test_attributes_may_be_called_as_arguments_of_networkx(tmp_path):
    path = tmp_path / "g.json"
    path.write_text('{"nodes": [{"id": 1, "self": "x"}], "edges": []}', encoding="utf-8")
    graph = read_graph(path, location=None, topics=["self"])
    assert to_networkx(graph).nodes[1] == {"self": "x"}


def test_the_attribute_of_locations_keeps_its_name(tmp_path):
    graph = nx.Graph()
    graph.add_node("Ann", city="Paris", location="home")
    read = from_networkx(graph, location="city", topics=["location"])
    path, _ = written(read, tmp_path, "gml")
    again = read_graph(path, location="city", topics=["location"])
    assert again.frame().to_dict("records") == [{"city": "Paris", "location": "home"}]
    assert compare_graphs(read, again)["DBIL"] == 0
    with pytest.raises(ValueError, match=r"node 'Ann', attribute 'location': .*found 'home'"):
        from_networkx(graph, topics=["city"], hierarchy=generate_graph("small", seed=1).hierarchy)


def test_topics_are_a_sequence():
    with pytest.raises(TypeError, match="topics: expected a sequence of names"):
        from_networkx(nx.Graph(), topics="topic1")
