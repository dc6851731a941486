"""Write social graphs in the formats they are read from."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path

from anonopt.data.csv_files import write_file
from anonopt.graphs.networkx_border import to_networkx
from anonopt.graphs.social_graph import SocialGraph

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
        File ending in one of :data:`FORMATS`, replaced as a whole if it exists.
    nodes : path, optional
        For ``.csv``, and there required: the file for the nodes and their attributes.

    Raises
    ------
    ValueError
        If the ending is unknown, or `nodes` is missing or not wanted.
    """
    target = Path(path)
    ending = check_format(target)
    if (ending == ".csv") != (nodes is not None):
        raise ValueError(f"{target}: expected nodes=, a second file, for .csv and only for .csv")
    if ending == ".graphml":
        write_file(target, "\n".join(_graphml_lines(graph)).encode("utf-8"))
    elif ending == ".gml":
        write_file(target, "\n".join(_gml_lines(graph)).encode("ascii"))
    elif ending == ".json":
        write_file(target, json.dumps(_node_link(graph), indent=1).encode("utf-8"))
    elif nodes is not None:
        import pandas as pd

        ends = [(graph.nodes[i], graph.nodes[j]) for i, j in graph.edges.tolist()]
        ties = pd.DataFrame(ends, columns=["source", "target"])
        attributes = graph.frame().rename_axis("node").reset_index()
        write_file(target, ties.to_csv(index=False, lineterminator="\n").encode("utf-8"))
        write_file(nodes, attributes.to_csv(index=False, lineterminator="\n").encode("utf-8"))


def check_format(path: str | PathLike[str]) -> str:
    """Ending of a file that a graph is to be written to, one of :data:`FORMATS`.

    Raises
    ------
    ValueError
        If the ending is none of them.
    """
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise ValueError(f"{path}: expected a file ending in one of {', '.join(FORMATS)}")
    return ending


def _graphml_lines(graph: SocialGraph) -> list[str]:
    import networkx as nx

    return ['<?xml version="1.0" encoding="utf-8"?>', *nx.generate_graphml(to_networkx(graph))]


def _gml_lines(graph: SocialGraph) -> list[str]:
    import networkx as nx

    return list(nx.generate_gml(to_networkx(graph), stringizer=str))


def _node_link(graph: SocialGraph) -> dict[str, object]:
    frame = graph.frame()
    return {
        "directed": graph.directed,
        "multigraph": False,
        "graph": {},
        "nodes": [
            {"id": node, **dict(zip(frame.columns, row, strict=True))}
            for node, row in zip(graph.nodes, frame.itertuples(index=False, name=None), strict=True)
        ],
        "edges": [
            {"source": graph.nodes[i], "target": graph.nodes[j]} for i, j in graph.edges.tolist()
        ],
    }
