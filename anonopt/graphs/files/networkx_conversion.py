"""Graphs of networkx: they come in, checked node by node, and go out again."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Number
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt.graphs.attributes.gazetteer import Gazetteer
from anonopt.graphs.attributes.keyword_classifier import KeywordClassifier
from anonopt.graphs.attributes.location_tables import location_table, packaged_locations
from anonopt.graphs.attributes.locations import LocationHierarchy
from anonopt.graphs.attributes.topics import TopicClassifier, most_frequent_topics
from anonopt.graphs.social_graph import LOCATION, TOPICS, SocialGraph

if TYPE_CHECKING:
    import networkx

HierarchySource = LocationHierarchy | str | PathLike[str]


def from_networkx(
    graph: networkx.Graph[Any],
    *,
    hierarchy: HierarchySource | None = None,
    location: str | None = LOCATION,
    topics: Sequence[str] = TOPICS,
    texts: str | None = None,
    classifier: TopicClassifier | None = None,
) -> SocialGraph:
    """Take over a networkx graph.

    Other attributes of nodes and all of ties are left behind: they are not protected, so they
    must not be published beside what is.

    Parameters
    ----------
    graph : networkx Graph or DiGraph
        Multigraphs are taken as well where no tie is parallel to another.
    hierarchy : LocationHierarchy or path of its table, optional
        Without one, the table of the library if it holds all locations, else the gazetteer
        (:func:`~anonopt.graphs.gazetteer_locations`).
    location : str or None
        Attribute that holds the location; None for a graph without locations.
    topics : sequence of str
        Attributes that hold the topics, the most preferred first.
    texts : str, optional
        Attribute that holds what a node wrote, a text a line or a list of texts; its topics are
        then the most frequent ones of the texts, as many as `topics` has names.
    classifier : TopicClassifier, optional
        What finds the topics of texts; :class:`~anonopt.graphs.KeywordClassifier` if left out.

    Returns
    -------
    SocialGraph

    Raises
    ------
    ValueError
        If a node lacks an attribute, its value is neither text nor number, or its location is
        unknown (names node, attribute and value), or two ties are parallel.
    TypeError
        If `topics` is a text and no sequence of them.
    ModuleNotFoundError
        If the gazetteer is needed and not installed.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph([("Ann", "Bob")])
    >>> for node in graph:
    ...     graph.nodes[node].update(location="Paris", topic1="Sports", topic2="Politics",
    ...                              topic3="Weather")
    >>> from_networkx(graph)
    SocialGraph(undirected, n_nodes=2, n_edges=1)
    """
    if isinstance(topics, str):
        raise TypeError(f"topics: expected a sequence of names of attributes, found {topics!r}")
    nodes = list(graph.nodes)
    position = {node: number for number, node in enumerate(nodes)}
    edges = [(position[u], position[v]) for u, v in graph.edges()]
    data: Mapping[Hashable, Mapping[str, Any]] = dict(graph.nodes(data=True))
    if texts is None:
        found = [[_value(data, node, name) for name in topics] for node in nodes]
    else:
        finder = KeywordClassifier() if classifier is None else classifier
        found = [
            most_frequent_topics(_texts(data, node, texts), finder, n_topics=len(topics))
            for node in nodes
        ]
    topic_names = tuple(dict.fromkeys(topic for row in found for topic in row))
    code = {topic: number for number, topic in enumerate(topic_names)}
    places = None if location is None else [_value(data, node, location) for node in nodes]
    name = LOCATION if location is None else location
    tree = None if places is None else _hierarchy(hierarchy, nodes, places, name)
    return SocialGraph(
        nodes,
        edges,
        topics=[[code[topic] for topic in row] for row in found],
        topic_names=topic_names,
        locations=None if tree is None or places is None else _codes(tree, nodes, places, name),
        hierarchy=tree,
        topic_attributes=topics,
        location_attribute=name,
        directed=graph.is_directed(),
    )


def to_networkx(graph: SocialGraph) -> networkx.Graph[Any]:
    """Make a networkx Graph, or DiGraph, with the attributes as text.

    Parameters
    ----------
    graph : SocialGraph

    Returns
    -------
    networkx Graph
    """
    import networkx as nx

    made = nx.DiGraph() if graph.directed else nx.Graph()
    columns = {name: graph.values(name) for name in graph.attributes}
    for number, node in enumerate(graph.nodes):
        made.add_node(node)
        made.nodes[node].update({name: column[number] for name, column in columns.items()})
    made.add_edges_from((graph.nodes[i], graph.nodes[j]) for i, j in graph.edges.tolist())
    return made


def karate_club() -> SocialGraph:
    """Zachary's karate club, with the side each member took when it split.

    W. W. Zachary, *An Information Flow Model for Conflict and Fission in Small Groups*, Journal
    of Anthropological Research 33 (1977); networkx ships it. 34 members, 78 ties; the side,
    ``club``, is ``Mr. Hi`` or ``Officer``, and is all that the data say of a member: there are no
    locations and no further topics, and none are made up.

    Returns
    -------
    SocialGraph
        Undirected, one topic attribute, no locations.

    Examples
    --------
    >>> karate_club().frame()["club"].value_counts().to_dict()
    {'Mr. Hi': 17, 'Officer': 17}
    """
    import networkx as nx

    return from_networkx(nx.karate_club_graph(), location=None, topics=["club"])


def _value(data: Mapping[Hashable, Mapping[str, Any]], node: Hashable, attribute: str) -> str:
    value = data[node].get(attribute)
    if value is None or value is pd.NA or value is pd.NaT:
        value = ""
    if not isinstance(value, str | Number | np.bool_):
        raise ValueError(
            f"node {node!r}, attribute {attribute!r}: expected a text or a number, found {value!r}"
        )
    if value != value or not str(value).strip():
        present = sorted(str(name) for name in data[node])
        raise ValueError(
            f"node {node!r}, attribute {attribute!r}: expected a value, found none; "
            f"the node has {present}"
        )
    return str(value).strip()


def _texts(data: Mapping[Hashable, Mapping[str, Any]], node: Hashable, name: str) -> list[str]:
    value = data[node].get(name)
    if isinstance(value, list | tuple):
        return [str(text) for text in value]
    return _value(data, node, name).splitlines()


def _hierarchy(
    source: HierarchySource | None, nodes: Sequence[Hashable], places: Sequence[str], attribute: str
) -> LocationHierarchy:
    if isinstance(source, LocationHierarchy):
        return source
    if source is not None:
        return location_table(Path(source))
    packaged = packaged_locations()
    if all(place in packaged for place in places):
        return packaged
    book, paths = Gazetteer(), {}
    for node, place in zip(nodes, places, strict=True):
        if place not in paths:
            try:
                paths[place] = book.path(place)
            except ValueError as error:
                raise ValueError(f"node {node!r}, attribute {attribute!r}: {error}") from error
    return LocationHierarchy(paths.values())


def _codes(
    hierarchy: LocationHierarchy, nodes: Sequence[Hashable], places: Sequence[str], attribute: str
) -> list[int]:
    for node, place in zip(nodes, places, strict=True):
        if place not in hierarchy:
            raise ValueError(
                f"node {node!r}, attribute {attribute!r}: expected a location of the hierarchy, "
                f"found {place!r}"
            )
    return [hierarchy.code(place) for place in places]
