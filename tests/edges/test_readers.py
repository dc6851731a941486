"""Graphs and saved runs that somebody else made: an answer, or an error that says what is wrong."""

import io
import json
import tracemalloc
import zipfile

import numpy as np
import pytest

import anonopt as ao
from anonopt.graphs import read_graph
from tests.contracts.toy_problems import ToyLattice

DEEP = 100_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("graph.json", '{"nodes": ' + "[" * DEEP),
        ("graph.json", '{"a":' * DEEP + "1" + "}" * DEEP),
        ("graph.gml", "graph [ " * DEEP),
        ("graph.gml", "graph [ node [ id " + "9" * 5000 + " ] ]"),
        ("graph.graphml", "<?xml version='1.0' encoding='x-none'?><graphml/>"),
        ("graph.graphml", "<graphml>" + "<graph>" * 5000),
        (
            "graph.graphml",
            "<graphml><graph edgedefault='undirected'><node id='a'>"
            "<data key='unknown'>1</data></node></graph></graphml>",
        ),
    ],
)
def test_point_21_graphs_nested_deeply_or_of_unknown_encoding(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"{name}: expected (GraphML|GML|JSON node-link), found"):
        read_graph(path)


def test_point_21_entities_that_stand_for_gigabytes_are_refused_in_little_memory(tmp_path):
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    path = tmp_path / "laughs.graphml"
    path.write_text(
        f'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY e0 "{"x" * 1000}">{entities}]>'
        "<graphml><graph edgedefault='undirected'><node id='&e9;'/></graph></graphml>"
    )
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"laughs\.graphml: expected GraphML, found"):
            read_graph(path)
        assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    finally:
        tracemalloc.stop()


@pytest.fixture
def parts(tmp_path):
    """Members of the file of a run."""
    path = tmp_path / "whole.npz"
    result = ao.solve(ToyLattice(), ao.algorithms.PBGEA(), budget=20, seed=1)
    ao.save_run(result, path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_parts(path, parts, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)


def as_npy(values):
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=False)
    return buffer.getvalue()


WRONG = (None, True, -1, 0.5, "seven", [], {"mapping": {}}, [1, "a"], 10**30)
RIGHT = {"seed": (10**30,), "termination": WRONG, "message": (None, "seven"), "digested": (True,),
         "budget": (None, 10**30), "test_budget": (None, 10**30), "fingerprint": ("seven",),
         "portable_fingerprint": ("seven",), "n_generations": (10**30,), "n_evaluations": (10**30,),
         "versions": ({"mapping": {}},)}  # fmt: skip


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_point_28_values_of_wrong_types_are_named(tmp_path, parts, value):
    whole = json.loads(np.load(io.BytesIO(parts["description.npy"])).tobytes())
    path = tmp_path / "run.npz"
    for name in whole["run"]["mapping"]:
        held = json.loads(json.dumps(whole))
        held["run"]["mapping"][name] = value
        text = np.frombuffer(json.dumps(held).encode(), dtype=np.uint8)
        write_parts(path, {**parts, "description.npy": as_npy(text)})
        if any(value is right or value == right for right in RIGHT.get(name, ())):
            continue
        with pytest.raises(ValueError, match=rf"run\.npz: .*{name}"):
            ao.resume_run(path, problem=ToyLattice(), algorithm=ao.algorithms.PBGEA())


@pytest.mark.parametrize("name", ["genomes", "seconds", "measured_F", "measured_G"])
@pytest.mark.parametrize("dtype", ["U3", "M8[s]", "c16", "V4"])
def test_point_28_arrays_of_wrong_types_are_named(tmp_path, parts, name, dtype):
    path = tmp_path / "run.npz"
    write_parts(path, {**parts, f"{name}.npy": as_npy(np.zeros((20, 2), dtype=dtype))})
    with pytest.raises(ValueError, match=rf"run\.npz: .*{name}.*expected numbers, found"):
        ao.resume_run(path, problem=ToyLattice())


def test_point_28_file_that_would_expand_is_refused_in_little_memory(tmp_path, parts):
    path = tmp_path / "run.npz"
    zeros = as_npy(np.zeros((1000, 1))) + bytes(300 * 2**20)
    write_parts(path, {**parts, "genomes.npy": zeros}, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 2**20
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"run\.npz: .*compressed"):
            ao.resume_run(path, problem=ToyLattice())
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


def test_point_28_header_that_claims_terabytes_is_refused(tmp_path, parts):
    path = tmp_path / "run.npz"
    plain = as_npy(np.zeros((20, 2)))
    claimed = plain.replace(b"(20, 2), }" + b" " * 12, b"(99999999999999, 2), }")
    assert claimed != plain
    write_parts(path, {**parts, "genomes.npy": claimed})
    with pytest.raises(ValueError, match=r"run\.npz: .*bytes of shape"):
        ao.resume_run(path, problem=ToyLattice())
