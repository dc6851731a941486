"""Graphs from files and back, and what is refused on the way."""

from __future__ import annotations

import json

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given

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
from tests.graphs.random_graphs import FORMATS, graphs, written

every = pytest.mark.parametrize("ending", FORMATS)


def ends(graph: SocialGraph) -> set[frozenset[str]]:
    return {frozenset(str(graph.nodes[i]) for i in pair) for pair in graph.edges.tolist()}


@every
def test_a_graph_comes_back_as_it_was(ending, tmp_path):
    graph = generate_graph("small", seed=2)
    path, options = written(graph, tmp_path, ending)
    again = read_graph(path, **options)
    assert list(map(str, again.nodes)) == list(map(str, graph.nodes))
    assert ends(again) == ends(graph)
    assert again.frame().to_numpy().tolist() == graph.frame().to_numpy().tolist()
    assert {p.name for p in tmp_path.iterdir()} <= {path.name, f"nodes.{ending}"}


@every
def test_the_fixed_names_walk(ending, tmp_path):
    path, options = written(generate_graph("small", seed=2), tmp_path, ending)
    original = read_graph(path, **options)
    protected = protect_graph(original, k=3, seed=1)
    path, options = written(protected, tmp_path, ending)
    figures = compare_graphs(original, read_graph(path, **options))
    assert figures.equals(compare_graphs(original, protected))


@every
def test_directed_graphs_loops_and_isolated_nodes(ending, tmp_path):
    graph = SocialGraph(
        ["a", "b", "c"], [[0, 1], [1, 0], [1, 1]], topics=[[0], [1], [1]],
        topic_names=["x", "y, z; \"w\""], topic_attributes=["topic"], directed=True,
    )  # fmt: skip
    path, options = written(graph, tmp_path, ending)
    again = read_graph(path, location=None, topics=["topic"], **options)
    assert again.directed
    assert sorted(again.edges.tolist()) == sorted(graph.edges.tolist())
    assert again.values("topic") == graph.values("topic")
    assert again.nodes == graph.nodes


@given(graphs())
def test_through_networkx_and_back(graph):
    places = "location" if graph.locations is not None else None
    again = from_networkx(to_networkx(graph), location=places, topics=graph.topic_attributes)
    assert again.nodes == graph.nodes
    assert again.frame().equals(graph.frame())
    assert sorted(again.neighbors.nodes.tolist()) == sorted(graph.neighbors.nodes.tolist())
    assert again.directed == graph.directed


def person(**attributes):
    return {"location": "Paris", "topic1": "a", "topic2": "b", "topic3": "c", **attributes}


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        (person(topic2=None), "node 'Bob', attribute 'topic2': expected a value, found none"),
        (person(location=" "), "node 'Bob', attribute 'location': expected a value, found none"),
        (person(topic3=float("nan")), "node 'Bob', attribute 'topic3'"),
        (person(topic3=pd.NA), "node 'Bob', attribute 'topic3': expected a value, found none"),
        (person(topic3=["a"]), r"'Bob', attribute 'topic3': .* text or a number, found \['a'\]"),
        ({"topic1": "a"}, r"node 'Bob', attribute 'topic2': .*the node has \['topic1'\]"),
    ],
)
def test_a_missing_attribute_names_the_node(attributes, message):
    graph = nx.Graph()
    graph.add_node("Ann", **person())
    graph.add_node("Bob", **attributes)
    with pytest.raises(ValueError, match=message):
        from_networkx(graph)


def test_an_unknown_location_names_the_node():
    graph = nx.Graph()
    graph.add_node("Ann", **person(location="Atlantis"))
    hierarchy = generate_graph("small", seed=1).hierarchy
    with pytest.raises(ValueError, match=r"node 'Ann', attribute 'location': .*found 'Atlantis'"):
        from_networkx(graph, hierarchy=hierarchy)


def test_parallel_ties_are_refused():
    graph = nx.MultiGraph([("Ann", "Bob"), ("Bob", "Ann")])
    for node in graph:
        graph.nodes[node].update(person())
    with pytest.raises(ValueError, match=r"tie 'Ann' - 'Bob': expected each tie once"):
        from_networkx(graph)


def test_ties_of_json_may_be_called_links(tmp_path):
    path = tmp_path / "graph.json"
    content = {
        "nodes": [{"id": 1, **person()}, {"id": 2, **person()}],
        "links": [{"source": 1, "target": 2}],
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    assert read_graph(path).n_edges == 1


def test_topics_from_texts(tmp_path):
    path = tmp_path / "graph.json"
    texts = ["The team won the match", "The goalkeeper saved the match", "Parliament votes"]
    nodes = [
        {"id": 1, "location": "Paris", "texts": texts},
        {"id": 2, "location": "Lyon", "texts": "\n".join(texts[:2])},
    ]
    path.write_text(json.dumps({"nodes": nodes, "edges": []}), encoding="utf-8")
    found = read_graph(path, texts="texts").frame()
    assert found.loc[1, ["topic1", "topic2"]].tolist() == ["Sports", "Politics"]
    assert found.loc[2, ["topic1", "topic2", "topic3"]].tolist() == ["Sports", "Other", "Other"]

    class Always:
        def topics(self, text: str) -> list[str]:
            return ["Weather"]

    assert read_graph(path, texts="texts", classifier=Always()).values("topic1") == ["Weather"] * 2


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("g.graphml", "<graphml", "g.graphml: expected GraphML"),
        ("g.graphml", "<other/>", "g.graphml: expected GraphML"),
        ("g.gml", "graph [ node", "g.gml: expected GML"),
        ("g.json", "[1", "g.json: expected JSON node-link"),
        ("g.json", "{}", "g.json: expected JSON node-link, found 'nodes'"),
        ("g.json", "[]", "g.json: expected JSON node-link"),
        ("g.json", '{"nodes": [{"id": 1}, {"id": 1}], "edges": []}', "node 1 twice"),
        (
            "g.json",
            '{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}',
            "tie 1 - 2: expected ends among the nodes, found 2",
        ),
        ("g.json", '{"nodes": [], "edges": [], "links": []}', "both edges and links"),
        ("g.json", '{"nodes": [], "edges": [], "directed": "false"}', "directed: 'false'"),
        ("g.txt", "", r"ending in .csv, .parquet, .graphml, .gml, .json, found '.txt'"),
        ("g.csv", "source,target\n", "expected nodes=, the file of the nodes"),
    ],
)
def test_what_is_no_graph_is_refused(name, content, message, tmp_path):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_graph(path)


def test_faults_of_csv_files(tmp_path):
    ties, nodes = tmp_path / "ties.csv", tmp_path / "nodes.csv"
    nodes.write_text("node,topic\na,x\nb,y\n", encoding="utf-8")

    def read(text: str) -> SocialGraph:
        ties.write_text(text, encoding="utf-8")
        return read_graph(ties, nodes=nodes, location=None, topics=["topic"])

    assert read("from,to,weight\na,b,3\n").n_edges == 1
    with pytest.raises(ValueError, match="tie 'a' - 'z': expected ends among the nodes, found 'z'"):
        read("from,to\na,z\n")
    with pytest.raises(ValueError, match="expected two columns"):
        read("from\na\n")
    with pytest.raises(ValueError, match="tie 'a' - 'b': expected each tie once"):
        read("from,to\na,b\na,b\n")
    with pytest.raises(ValueError, match=r"line of names of columns, found the tie \['a', 'b'\]"):
        read("a,b\n")
    nodes.write_text("node,topic,topic\na,x,y\n", encoding="utf-8")
    with pytest.raises(ValueError, match="expected each column once, found 'topic' twice"):
        read("from,to\n")
    nodes.write_text("node,topic\na,x\na,y\n", encoding="utf-8")
    with pytest.raises(ValueError, match="each once, found 'a'"):
        read("from,to\n")


def test_options_of_csv_are_for_csv(tmp_path):
    path, _ = written(generate_graph("small", seed=1), tmp_path, "json")
    with pytest.raises(ValueError, match=r"nodes= and directed= for .csv and .parquet only"):
        read_graph(path, directed=True)
    with pytest.raises(ValueError, match=r"only for them"):
        write_graph(generate_graph("small", seed=1), tmp_path / "g.gml", nodes=tmp_path / "n.csv")
    with pytest.raises(ValueError, match="ending in one of"):
        write_graph(generate_graph("small", seed=1), tmp_path / "g.xls")


def test_a_missing_file():
    with pytest.raises(FileNotFoundError):
        read_graph("absent.json")
