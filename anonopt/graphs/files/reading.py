"""Read social graphs from files: GraphML, GML, JSON node-link, or tables of ties and nodes."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from anonopt.graphs.attributes.topics import TopicClassifier
from anonopt.graphs.files.assembling import assembled
from anonopt.graphs.files.networkx_conversion import from_networkx
from anonopt.graphs.files.node_attributes import HierarchySource
from anonopt.graphs.files.table_reading import TABLES, NodeTable, read_ties
from anonopt.graphs.social_graph import LOCATION, TOPICS, SocialGraph


def read_graph(
    path: str | PathLike[str],
    *,
    nodes: str | PathLike[str] | None = None,
    directed: bool = False,
    hierarchy: HierarchySource | None = None,
    location: str | None = LOCATION,
    topics: Sequence[str] = TOPICS,
    texts: str | None = None,
    classifier: TopicClassifier | None = None,
) -> SocialGraph:
    """Read a social graph; the ending of the file tells its format.

    Parameters
    ----------
    path : path
        ``.graphml``, ``.gml`` or ``.json`` (node-link, ties under ``edges`` or ``links``), which
        say themselves whether they are directed; or ``.csv`` or ``.parquet``, whose first two
        columns are the ends of ties, for graphs of any size.
    nodes : path, optional
        For a table of ties alone: the file of the nodes, ``.csv`` or ``.parquet``, whose first
        column is the name and whose others are attributes. Nodes without ties are in this file
        only. Names in Parquet are text or whole numbers, in both files the same.
    directed : bool
        For a table of ties alone: whether the first column is where a tie comes from.
    hierarchy, location, topics, texts, classifier
        As for :func:`~anonopt.graphs.from_networkx`.

    Returns
    -------
    SocialGraph
        Other attributes of nodes, and all of ties, are left behind: they are not protected.

    Raises
    ------
    ValueError
        If the ending is unknown, the file is not of its format, a tie has an end that is no
        node, a node lacks an attribute, or its location is unknown; names file, node and
        attribute.
    FileNotFoundError
        If there is no such file.
    ModuleNotFoundError
        If the gazetteer, or pyarrow for Parquet, is needed and not installed.
    """
    source = Path(path)
    ending = source.suffix.lower()
    known = (*TABLES, *_READERS)
    if ending not in known:
        raise ValueError(
            f"{source}: expected a file ending in {', '.join(known)}, found {ending!r}"
        )
    said: dict[str, Any] = {
        "hierarchy": hierarchy,
        "location": location,
        "topics": topics,
        "texts": texts,
        "classifier": classifier,
    }
    if ending in _READERS:
        if nodes is not None or directed:
            raise ValueError(
                f"{source}: expected nodes= and directed= for {' and '.join(TABLES)} only, as "
                f"{ending} holds both"
            )
        return from_networkx(_READERS[ending](source), **said)
    if nodes is None:
        raise ValueError(f"{source}: expected nodes=, the file of the nodes, found none")
    if Path(nodes).suffix.lower() not in TABLES:
        raise ValueError(f"{nodes}: expected nodes in a file ending in {' or '.join(TABLES)}")
    table = NodeTable(Path(nodes))
    edges = read_ties(source, table.names, directed=directed)
    return assembled(table.names, edges, table, directed=directed, **said)


_PARSER_ERRORS = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""What parsers raise, besides errors of their own, on files that are not of their format."""


def _read_graphml(path: Path) -> Any:
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        _check_graphml(path)
        with warnings.catch_warnings():
            # All values are taken as text, so that a key without a type means no other thing.
            warnings.filterwarnings("ignore", message="No key type", category=UserWarning)
            graph = nx.read_graphml(path)
    except (ParseError, nx.NetworkXError, *_PARSER_ERRORS) as error:
        raise ValueError(f"{path}: expected GraphML, found {_in_words(error)}") from error
    for data in graph.nodes.values():
        for name, value in graph.graph.get("node_default", {}).items():
            data.setdefault(name, value)
    return graph


def _check_graphml(path: Path) -> None:
    """Refuse what networkx passes over: graphs, nodes and values given twice, unknown keys."""
    from xml.etree import ElementTree

    known: set[str | None] = set()
    declared: set[str | None] = set()
    n_graphs = 0
    for element in ElementTree.parse(path).iter():
        kind = element.tag.rpartition("}")[2]
        n_graphs += kind == "graph"
        if kind == "key":
            declared.add(element.get("id"))
        if kind != "node":
            continue
        node = element.get("id")
        if node in known:
            raise ValueError(f"node {node!r} twice")
        known.add(node)
        keys = [part.get("key") for part in element if part.tag.rpartition("}")[2] == "data"]
        if len(set(keys)) < len(keys):
            raise ValueError(f"node {node!r}, a value of one key twice")
        if undeclared := [key for key in keys if key not in declared]:
            raise ValueError(f"node {node!r}, a value of the undeclared key {undeclared[0]!r}")
    if n_graphs > 1:
        raise ValueError(f"{n_graphs} graphs in one file")


def _read_gml(path: Path) -> Any:
    import networkx as nx

    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected GML, found {error}") from error
    # The labels are names where every node has one of its own.
    for label in ("label", "id"):
        try:
            return nx.parse_gml(text, label=label)
        except (nx.NetworkXError, *_PARSER_ERRORS) as error:
            if label == "id":
                raise ValueError(f"{path}: expected GML, found {_in_words(error)}") from error
    raise ValueError(f"{path}: expected GML")


def _read_json(path: Path) -> Any:
    try:
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
        entries = content["nodes"]
        if "edges" in content and "links" in content:
            raise ValueError("ties under both edges and links")
        ties = content["edges"] if "edges" in content else content["links"]
        directed = content.get("directed", False)
        if not isinstance(directed, bool):
            raise ValueError(f"directed: {directed!r}")
        graph = _graph(directed=directed)
        for entry in entries:
            if entry["id"] in graph:
                raise ValueError(f"node {entry['id']!r} twice")
            graph.add_node(entry["id"])
            graph.nodes[entry["id"]].update({k: v for k, v in entry.items() if k != "id"})
        known = set(graph)
        for tie in ties:
            _add_tie(graph, known, tie["source"], tie["target"])
    except _PARSER_ERRORS as error:
        raise ValueError(f"{path}: expected JSON node-link, found {_in_words(error)}") from error
    return graph


def _in_words(error: Exception) -> str:
    return "values nested too deeply" if isinstance(error, RecursionError) else str(error)


def _graph(*, directed: bool) -> Any:
    import networkx as nx

    # Ties that are there twice are kept, to be refused by the names of their ends.
    return nx.MultiDiGraph() if directed else nx.MultiGraph()


def _add_tie(graph: Any, known: set[Any], source: Any, target: Any) -> None:
    for end in (source, target):
        if end not in known:
            raise ValueError(
                f"tie {source!r} - {target!r}: expected ends among the nodes, found {end!r}"
            )
    graph.add_edge(source, target)


_READERS: dict[str, Callable[[Path], Any]] = {
    ".graphml": _read_graphml,
    ".gml": _read_gml,
    ".json": _read_json,
}
