"""Graphs of two tables: Parquet and large CSV give what small CSV files give."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.graphs import SocialGraph, generate_graph, protect_graph, read_graph, write_graph
from anonopt.graphs.files import plain_csv
from anonopt.graphs.files.plain_csv import PlainCsv

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def in_blocks(monkeypatch):
    monkeypatch.setattr(plain_csv, "LEAST_BYTES", 1)
    monkeypatch.setattr(plain_csv, "BLOCK_BYTES", 40)


@pytest.fixture
def files(tmp_path):
    return tmp_path / "ties.parquet", tmp_path / "nodes.parquet"


def same(one, other):
    return one.fingerprint == other.fingerprint and one.topic_names == other.topic_names


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_all_tables_give_the_graph_that_one_by_one_would(ending, tmp_path, in_blocks, monkeypatch):
    graph = generate_graph("small", seed=2)
    ties, nodes = tmp_path / f"ties.{ending}", tmp_path / f"nodes.{ending}"
    write_graph(graph, ties, nodes=nodes)
    found = read_graph(ties, nodes=nodes)
    text = tmp_path / "ties.csv", tmp_path / "nodes.csv"
    write_graph(graph, text[0], nodes=text[1])
    monkeypatch.setattr(plain_csv, "LEAST_BYTES", 1 << 30)
    assert PlainCsv.find(text[0]) is None
    assert same(found, read_graph(text[0], nodes=text[1]))
    assert found.nodes[:2] == ((0, 1) if ending == "parquet" else ("0", "1"))


def test_names_of_both_kinds_and_directions_in_parquet(files):
    graph = SocialGraph(
        ["b", "a", "Zo\u00eb"], [[1, 0], [0, 1], [2, 2]], topics=[[0], [1], [0]],
        topic_names=["x", "y"], directed=True,
    )  # fmt: skip
    write_graph(graph, files[0], nodes=files[1])
    options = {"location": None, "topics": ["topic1"]}
    again = read_graph(files[0], nodes=files[1], directed=True, **options)
    assert (again.nodes, again.frame().equals(graph.frame())) == (graph.nodes, True)
    assert again.edges.tolist() == [[0, 1], [1, 0], [2, 2]]
    assert read_graph(files[0], nodes=files[1], directed=True, **options).directed


def test_a_protected_file_holds_no_value_that_is_gone(files):
    graph = generate_graph("small", seed=1)
    write_graph(protect_graph(graph, k=300, seed=1), *files[:1], nodes=files[1])
    gone = set(graph.values("location")) - {"World"}
    content = files[1].read_bytes()
    assert not [name for name in gone if name.encode() in content]


def written(path, **columns):
    pq.write_table(pa.table(columns), path)


def test_kinds_of_columns(files):
    written(files[0], a=pa.array([7, 9], pa.int16()), b=pa.array([9, 9], pa.uint32()))
    values = pa.array([" x ", "y", *map(str, range(126))])
    cells = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), values)
    written(files[1], id=[9, 7], topic1=cells, topic2=[1, 2], topic3=[0.5, True + 0.5])
    graph = read_graph(files[0], nodes=files[1], location=None)
    assert graph.nodes == (9, 7)
    assert graph.edges.tolist() == [[0, 1], [0, 0]]
    assert graph.frame().to_numpy().tolist() == [["x", "1", "0.5"], ["y", "2", "1.5"]]


def test_no_nodes_and_no_ties(files):
    written(files[0], a=pa.array([], pa.int64()), b=pa.array([], pa.int64()))
    written(files[1], id=pa.array([], pa.int64()), topic1=pa.array([], pa.string()))
    options = {"location": None, "topics": ["topic1"]}
    assert read_graph(files[0], nodes=files[1], **options).n_nodes == 0
    written(files[1], id=[4], topic1=["x"])
    assert read_graph(files[0], nodes=files[1], **options).nodes == (4,)


TIES = {"a": [1, 2], "b": [2, 3]}
NODES = {"id": [1, 2, 3], "topic1": ["x", "y", "x"]}


@pytest.mark.parametrize(
    ("ties", "nodes", "message"),
    [
        ({"b": [2, 4]}, {}, "ties.parquet: tie 2 - 4: expected ends among the nodes, found 4"),
        ({"b": [2, None]}, {}, "column 'b': expected an end of a tie, found none in row 1"),
        ({"b": ["2", "3"]}, {}, "column 'b': expected whole numbers, as the names of nodes are"),
        ({"b": [0.5, 1.5]}, {}, "expected names that are text or whole numbers, found double"),
        ({"a": [1, 2], "b": [2, 1]}, {}, "tie 1 - 2: expected each tie once"),
        ({}, {"id": [1, 2, 2]}, "nodes.parquet: expected a name for each node, each once, found 2"),
        ({}, {"id": [1, None, 2]}, "expected a name for each node, each once, found None"),
        ({}, {"topic1": ["x", None, "y"]}, "node 2, attribute 'topic1': expected a value"),
        ({}, {"topic1": [["x"], [], []]}, r"expected a text or a number, found \['x'\]"),
        ({}, {"topic1": pa.nulls(3)}, "node 1, attribute 'topic1': expected a value"),
    ],
)
def test_faults_of_parquet_are_named(ties, nodes, message, files):
    written(files[0], **{**TIES, **ties})
    written(files[1], **{**NODES, **nodes})
    with pytest.raises(ValueError, match=message):
        read_graph(files[0], nodes=files[1], location=None, topics=["topic1"])


def test_what_is_no_parquet_is_refused(files, monkeypatch):
    written(files[1], **NODES)
    options = {"nodes": files[1], "location": None, "topics": ["topic2"]}
    with pytest.raises(FileNotFoundError, match=r"ties.parquet: expected a Parquet file"):
        read_graph(files[0], **options)
    files[0].write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"ties.parquet: expected Parquet, found"):
        read_graph(files[0], **options)
    written(files[0], a=[1])
    with pytest.raises(ValueError, match="expected two columns of ends of ties, found 1"):
        read_graph(files[0], **options)
    written(files[0], **TIES)
    with pytest.raises(ValueError, match=r"attribute 'topic2': .* the node has \['topic1'\]"):
        read_graph(files[0], **options)
    with pytest.raises(ValueError, match=r"expected nodes in a file ending in .csv or .parquet"):
        read_graph(files[0], nodes="nodes.json")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[scale\]'"):
        read_graph(files[0], **options)
    with pytest.raises(ModuleNotFoundError, match=r"extra 'scale'"):
        write_graph(generate_graph("small", seed=1), files[0], nodes=files[1])


@pytest.mark.parametrize(
    "line", ["7,8", "7,08", "7,+8", "7, 8", '7,"8"', "7,8,9", "7", "", "7,NA", "7,", "a,b", "7,9\r"]
)
def test_blocks_give_the_graph_or_the_error_of_the_whole_file(line, tmp_path, monkeypatch):
    ties, nodes = tmp_path / "ties.csv", tmp_path / "nodes.csv"
    nodes.write_text("node,topic\n" + "".join(f"{i},t{i % 2}\n" for i in range(10)))
    ties.write_text("from,to\n" + "".join(f"{i},{i + 1}\n" for i in range(6)) + line)

    def result():
        try:
            return read_graph(ties, nodes=nodes, location=None, topics=["topic"]).fingerprint
        except ValueError as error:
            return str(error)

    expected = result()
    monkeypatch.setattr(plain_csv, "LEAST_BYTES", 1)
    monkeypatch.setattr(plain_csv, "BLOCK_BYTES", 11)
    assert PlainCsv.find(ties) is not None
    assert result() == expected


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["", "1", "é", "-3", "x y", "NA", "1.5", " z"]), min_size=2))
def test_plain_cells_are_those_of_the_strict_reader(cells):
    import tempfile
    from pathlib import Path

    from anonopt.data.tables.table_files import read_table
    from anonopt.graphs.files.table_reading import _csv_frame

    rows = list(zip(cells[::2], cells[1::2], strict=False))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "nodes.csv"
        path.write_text("a,b\n" + "".join(f"{x},{y}\n" for x, y in rows), encoding="utf-8")
        patch.setattr(plain_csv, "LEAST_BYTES", 1)
        patch.setattr(plain_csv, "BLOCK_BYTES", 7)
        found = _csv_frame(path)
        expected = read_table(path)
    assert found.columns.tolist() == expected.columns.tolist()
    assert found.to_numpy().tolist() == expected.to_numpy().tolist()


def test_ties_between_numbers_and_other_columns(tmp_path, in_blocks):
    ties, nodes = tmp_path / "ties.csv", tmp_path / "nodes.csv"
    nodes.write_text("node,topic\n7,x\n-3,y\n12,x\n")
    options = {"nodes": nodes, "location": None, "topics": ["topic"]}
    ties.write_text("from,to\n-3,7\n12,-3\n")
    expected = [[0, 1], [1, 2]]
    assert read_graph(ties, **options).edges.tolist() == expected
    ties.write_text("from;to;weight\n-3;7;0.5\n12;-3;1\n")
    assert read_graph(ties, **options).edges.tolist() == expected
    assert np.array_equal(read_graph(ties, **options).degrees(), [1, 2, 1])
    ties.write_text("7,12\n12,-3\n")
    with pytest.raises(ValueError, match="expected a line of names of columns, found the tie"):
        read_graph(ties, **options)
