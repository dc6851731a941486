"""Write social graphs in the formats they are read from."""

from __future__ import annotations

import json
import re
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from anonopt.data.output_files import same_file, write_files
from anonopt.data.tables.plain_tables import csv_bytes
from anonopt.graphs.files.networkx_conversion import to_networkx
from anonopt.graphs.social_graph import SocialGraph

_NAME = "node"

_ATTRIBUTES = {
    ".gml": re.compile(r"(?!(id|label)$)[A-Za-z][0-9A-Za-z_]*"),
    ".json": re.compile(r"(?!id$).*", re.DOTALL),
    ".csv": re.compile(rf"(?!{_NAME}$).*", re.DOTALL),
}
"""Names of attributes that do not stand for something else in a format."""

_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML has not, or, as a carriage return, does not give back."""

FORMATS = (".graphml", ".gml", ".json", ".csv")
"""Endings of the files a graph can be written to."""


def write_graph(
    graph: SocialGraph, path: str | PathLike[str], *, nodes: str | PathLike[str] | None = None
) -> None:
    """Write a graph; the ending of the file tells its format.

    Names of nodes are written as they are. Where a name tells who somebody is, replace it before
    the file is published: protection is of what the nodes say.

    Parameters
    ----------
    graph : SocialGraph
    path : path
        File ending in one of :data:`~anonopt.graphs.files.writing.FORMATS`, replaced as a whole if
        it exists.
    nodes : path, optional
        For ``.csv``, and there required: the file for the nodes and their attributes.

    Raises
    ------
    ValueError
        As for :func:`~anonopt.graphs.files.writing.graph_files`.
    """
    write_files(graph_files(graph, path, nodes=nodes))


def graph_files(
    graph: SocialGraph, path: str | PathLike[str], *, nodes: str | PathLike[str] | None = None
) -> dict[Path, bytes]:
    """Content of the files that :func:`write_graph` writes, by path.

    Parameters
    ----------
    graph, path, nodes
        As for :func:`write_graph`.

    Raises
    ------
    ValueError
        If the ending is unknown, `nodes` is missing or not wanted, or the format cannot hold the
        name of an attribute or of a node (names it), so that it would not come back.
    """
    target = Path(path)
    ending = check_format(target)
    if (ending == ".csv") != (nodes is not None):
        raise ValueError(f"{target}: expected nodes=, a second file, for .csv and only for .csv")
    _check_attributes(graph, target, ending)
    _check_nodes(graph, target, ending)
    if ending == ".graphml":
        return {target: "\n".join(_graphml_lines(graph)).encode("utf-8")}
    if ending == ".gml":
        return {target: "\n".join(_gml_lines(graph)).encode("ascii")}
    if nodes is None:
        return {target: json.dumps(_node_link(graph), indent=1).encode("utf-8")}
    if same_file(target, nodes):
        raise ValueError(f"{target}: expected two files for ties and nodes, found one")
    ends = [(graph.nodes[i], graph.nodes[j]) for i, j in graph.edges.tolist()]
    return {
        target: csv_bytes(pd.DataFrame(ends, columns=["source", "target"])),
        Path(nodes): csv_bytes(graph.frame().rename_axis(_NAME).reset_index()),
    }


def check_format(path: str | PathLike[str]) -> str:
    """Ending of a file that a graph is to be written to, one of ``FORMATS``.

    Raises
    ------
    ValueError
        If the ending is none of them.
    """
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise ValueError(f"{path}: expected a file ending in one of {', '.join(FORMATS)}")
    return ending


def _check_attributes(graph: SocialGraph, target: Path, ending: str) -> None:
    for name in graph.attributes:
        if ending in _ATTRIBUTES and not _ATTRIBUTES[ending].fullmatch(name):
            raise ValueError(
                f"{target}: expected attributes whose names {ending} can hold, found {name!r}"
            )


def _check_nodes(graph: SocialGraph, target: Path, ending: str) -> None:
    columns = [graph.values(name) for name in graph.attributes]
    known: set[str] = set()
    for node, *values in zip(graph.nodes, *columns, strict=True):
        text = str(node)
        if ending == ".json":
            if not isinstance(node, str | int | float | np.integer):
                raise ValueError(f"{target}: expected a text or number as name, found {node!r}")
            continue
        if text in known:
            raise ValueError(
                f"{target}: node {node!r}: expected names that differ as text, found {text!r} twice"
            )
        known.add(text)
        if ending == ".csv" and not text:
            raise ValueError(f"{target}: node {node!r}: expected a name, found none")
        wrong = [value for value in (text, *values) if _NO_XML.search(value)]
        if ending == ".graphml" and wrong:
            raise ValueError(
                f"{target}: node {node!r}: expected text that XML can hold, found {wrong[0]!r}"
            )


def _graphml_lines(graph: SocialGraph) -> list[str]:
    import networkx as nx

    return ['<?xml version="1.0" encoding="utf-8"?>', *nx.generate_graphml(to_networkx(graph))]


def _gml_lines(graph: SocialGraph) -> list[str]:
    import networkx as nx

    return list(nx.generate_gml(to_networkx(graph), stringizer=str))


def _node_link(graph: SocialGraph) -> dict[str, object]:
    frame = graph.frame()
    nodes = [node.item() if isinstance(node, np.generic) else node for node in graph.nodes]
    return {
        "directed": graph.directed,
        "multigraph": False,
        "graph": {},
        "nodes": [
            {"id": node, **dict(zip(frame.columns, row, strict=True))}
            for node, row in zip(nodes, frame.itertuples(index=False, name=None), strict=True)
        ],
        "edges": [{"source": nodes[i], "target": nodes[j]} for i, j in graph.edges.tolist()],
    }
