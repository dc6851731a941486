"""Write social graphs in the formats they are read from."""

from __future__ import annotations

import json
import re
from os import PathLike
from pathlib import Path

import numpy as np

from anonopt._registry import engine
from anonopt.data.output_files import same_file, write_files
from anonopt.graphs.files.networkx_conversion import to_networkx
from anonopt.graphs.files.table_reading import TABLES
from anonopt.graphs.files.table_writing import NAME, table_files
from anonopt.graphs.social_graph import SocialGraph

_ATTRIBUTES = {
    ".gml": re.compile(r"(?!(id|label)$)[A-Za-z][0-9A-Za-z_]*"),
    ".json": re.compile(r"(?!id$).*", re.DOTALL),
    ".csv": re.compile(rf"(?!{NAME}$).*", re.DOTALL),
    ".parquet": re.compile(rf"(?!{NAME}$).*", re.DOTALL),
}
"""Names of attributes that do not stand for something else in a format."""

_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML has not, or, as a carriage return, does not give back."""

FORMATS = (".graphml", ".gml", ".json", *TABLES)
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
        For ``.csv`` and ``.parquet``, and there required: the file for the nodes and their
        attributes, of either ending. Names in Parquet are whole numbers if all are, else text.

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
    ModuleNotFoundError
        If pyarrow is needed, for Parquet, and not installed.
    """
    target = Path(path)
    ending = check_format(target)
    if (ending in TABLES) != (nodes is not None):
        kinds = " and ".join(TABLES)
        raise ValueError(f"{target}: expected nodes=, a second file, for {kinds} and only for them")
    if nodes is not None and Path(nodes).suffix.lower() not in TABLES:
        raise ValueError(f"{nodes}: expected a file for nodes ending in {' or '.join(TABLES)}")
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
    return table_files(graph, target, Path(nodes))


def check_format(path: str | PathLike[str]) -> str:
    """Ending of a file that a graph is to be written to, one of ``FORMATS``.

    Raises
    ------
    ValueError
        If the ending is none of them.
    ModuleNotFoundError
        If pyarrow is needed, for Parquet, and not installed.
    """
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise ValueError(f"{path}: expected a file ending in one of {', '.join(FORMATS)}")
    if ending == ".parquet":
        engine("pyarrow.parquet", "writing Parquet")
    return ending


def _check_attributes(graph: SocialGraph, target: Path, ending: str) -> None:
    for name in graph.attributes:
        if ending in _ATTRIBUTES and not _ATTRIBUTES[ending].fullmatch(name):
            raise ValueError(
                f"{target}: expected attributes whose names {ending} can hold, found {name!r}"
            )


def _check_nodes(graph: SocialGraph, target: Path, ending: str) -> None:
    if ending == ".json":
        for node in graph.nodes:
            if not isinstance(node, str | int | float | np.integer):
                raise ValueError(f"{target}: expected a text or number as name, found {node!r}")
        return
    known: set[str] = set()
    for node in graph.nodes:
        text = str(node)
        if text in known:
            raise ValueError(
                f"{target}: node {node!r}: expected names that differ as text, found {text!r} twice"
            )
        known.add(text)
        if ending in TABLES and not text:
            raise ValueError(f"{target}: node {node!r}: expected a name, found none")
    if ending == ".graphml":
        _check_xml(graph, target)


def _check_xml(graph: SocialGraph, target: Path) -> None:
    columns = [graph.values(name) for name in graph.attributes]
    for node, *values in zip(graph.nodes, *columns, strict=True):
        wrong = [value for value in (str(node), *values) if _NO_XML.search(value)]
        if wrong:
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
