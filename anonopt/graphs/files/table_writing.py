"""Graphs as two tables, one of ties and one of nodes, in CSV or Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import ObjectArray
from anonopt.data.tables.plain_tables import csv_bytes
from anonopt.graphs.files.parquet_tables import parquet_bytes
from anonopt.graphs.social_graph import SocialGraph

NAME = "node"
"""Column of the names of nodes."""

_ENDS = ("source", "target")
_BLOCK = 1 << 20


def table_files(graph: SocialGraph, ties: Path, nodes: Path) -> dict[Path, bytes]:
    """Content of the files of ties and of nodes, by path; the endings tell the formats.

    Parameters
    ----------
    graph : SocialGraph
    ties, nodes : Path
        Ending in ``.csv`` or ``.parquet``.

    Raises
    ------
    ModuleNotFoundError
        If pyarrow is needed, for Parquet, and not installed.
    """
    is_parquet = [path.suffix.lower() == ".parquet" for path in (ties, nodes)]
    return {
        ties: _parquet_ties(graph) if is_parquet[0] else _csv_ties(graph),
        nodes: _parquet_nodes(graph)
        if is_parquet[1]
        else csv_bytes(graph.frame().rename_axis(NAME).reset_index()),
    }


def _names(graph: SocialGraph) -> Any:
    """Names as whole numbers if all are, else as text."""
    if all(type(node) is int or isinstance(node, np.integer) for node in graph.nodes):
        return np.array(graph.nodes, dtype=np.int64)
    return _objects([str(node) for node in graph.nodes])


def _parquet_ties(graph: SocialGraph) -> bytes:
    names = _names(graph)
    # Values, never a dictionary: that would hold values which occur no more.
    return parquet_bytes({end: names[graph.edges[:, place]] for place, end in enumerate(_ENDS)})


def _parquet_nodes(graph: SocialGraph) -> bytes:
    said = {name: _objects(graph.names(name))[graph.codes(name)] for name in graph.attributes}
    return parquet_bytes({NAME: _names(graph), **said})


def _csv_ties(graph: SocialGraph) -> bytes:
    texts = _plain_texts(graph)
    if texts is None:
        names = _objects(graph.nodes)
        ends = {end: names[graph.edges[:, place]] for place, end in enumerate(_ENDS)}
        return csv_bytes(pd.DataFrame(ends))
    parts = [",".join(_ENDS) + "\n"]
    for start in range(0, graph.n_edges, _BLOCK):
        block = graph.edges[start : start + _BLOCK]
        cells = np.full((len(block), 4), ",", dtype=object)
        cells[:, 0], cells[:, 2], cells[:, 3] = texts[block[:, 0]], texts[block[:, 1]], "\n"
        parts.append("".join(cells.ravel().tolist()))
    return "".join(parts).encode("utf-8")


def _plain_texts(graph: SocialGraph) -> ObjectArray | None:
    """Names as text, where they are numbers, or text that needs no quotes."""
    if not all(type(node) in (int, str) for node in graph.nodes):
        return None
    texts = [str(node) for node in graph.nodes]
    together = "".join(texts)
    return None if any(sign in together for sign in ',"\r\n') else _objects(texts)


def _objects(values: Sequence[object]) -> ObjectArray:
    return np.fromiter(values, dtype=object, count=len(values))
