"""Read social graphs from files: GraphML, GML, JSON node-link, or CSV files of ties and nodes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt.data.csv_files import read_table
from anonopt.graphs.networkx_border import HierarchySource, from_networkx
from anonopt.graphs.social_graph import LOCATION, TOPICS, SocialGraph
from anonopt.graphs.topics import TopicClassifier

if TYPE_CHECKING:
    import networkx


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
        say themselves whether they are directed; or ``.csv``, whose first two columns are the
        ends of ties.
    nodes : path, optional
        For ``.csv`` alone: the file of the nodes, whose first column is the name and whose others
        are attributes. Nodes without ties are in this file only.
    directed : bool
        For ``.csv`` alone: whether the first column is where a tie comes from.
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
        If the gazetteer is needed and not installed.
    """
    source = Path(path)
    ending = source.suffix.lower()
    if ending == ".csv":
        if nodes is None:
            raise ValueError(f"{source}: expected nodes=, the CSV file of the nodes; found none")
        graph = _read_csv(source, Path(nodes), directed=directed)
    elif ending in _READERS:
        if nodes is not None or directed:
            raise ValueError(
                f"{source}: expected nodes= and directed= for .csv only, as {ending} holds both"
            )
        graph = _READERS[ending](source)
    else:
        raise ValueError(
            f"{source}: expected a file ending in .csv, {', '.join(_READERS)}; found {ending!r}"
        )
    return from_networkx(
        graph,
        hierarchy=hierarchy,
        location=location,
        topics=topics,
        texts=texts,
        classifier=classifier,
    )


def _read_graphml(path: Path) -> Any:
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        return nx.read_graphml(path)
    except (ParseError, nx.NetworkXError, KeyError) as error:
        raise ValueError(f"{path}: expected GraphML, found {error}") from error


def _read_gml(path: Path) -> Any:
    import networkx as nx

    # The labels are names where every node has one of its own.
    for label in ("label", "id"):
        try:
            return nx.read_gml(path, label=label)
        except (nx.NetworkXError, UnicodeDecodeError) as error:
            if label == "id":
                raise ValueError(f"{path}: expected GML, found {error}") from error
    raise ValueError(f"{path}: expected GML")


def _read_json(path: Path) -> Any:
    import networkx as nx

    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        entries = content["nodes"]
        ties = content["edges"] if "edges" in content else content["links"]
        graph = nx.MultiDiGraph() if content.get("directed", False) else nx.MultiGraph()
        for entry in entries:
            if entry["id"] in graph:
                raise ValueError(f"node {entry['id']!r} twice")
            graph.add_node(entry["id"], **{k: v for k, v in entry.items() if k != "id"})
        known = set(graph)
        for tie in ties:
            _add_tie(graph, known, tie["source"], tie["target"], path)
    except (KeyError, TypeError, AttributeError, UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"{path}: expected JSON node-link, found {error}") from error
    return graph


def _read_csv(path: Path, nodes: Path, *, directed: bool) -> networkx.Graph[Any]:
    import networkx as nx

    graph: Any = nx.MultiDiGraph() if directed else nx.MultiGraph()
    table = read_table(nodes)
    names = table.iloc[:, 0]
    for name, row in zip(names, table.iloc[:, 1:].to_dict("records"), strict=True):
        if name != name or name in graph:
            raise ValueError(f"{nodes}: expected a name for each node, each once; found {name!r}")
        graph.add_node(name, **{str(column): value for column, value in row.items()})
    known = set(graph)
    ties = read_table(path)
    if ties.shape[1] < 2:
        raise ValueError(f"{path}: expected two columns of ends of ties, found {ties.shape[1]}")
    for source, target in zip(ties.iloc[:, 0], ties.iloc[:, 1], strict=True):
        _add_tie(graph, known, source, target, path)
    return graph


def _add_tie(graph: Any, known: set[Any], source: Any, target: Any, path: Path) -> None:
    for end in (source, target):
        if end not in known:
            raise ValueError(
                f"{path}: tie {source!r} - {target!r}: expected ends among the nodes, found {end!r}"
            )
    graph.add_edge(source, target)


_READERS: dict[str, Callable[[Path], Any]] = {
    ".graphml": _read_graphml,
    ".gml": _read_gml,
    ".json": _read_json,
}
