"""Graphs of networkx: they come in, checked node by node, and go out again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anonopt.graphs.attributes.topics import TopicClassifier
from anonopt.graphs.files.assembling import assembled
from anonopt.graphs.files.node_attributes import HierarchySource, NodeTexts, cell_text
from anonopt.graphs.social_graph import LOCATION, TOPICS, SocialGraph

if TYPE_CHECKING:
    import networkx


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
    nodes = list(graph.nodes)
    position = {node: number for number, node in enumerate(nodes)}
    data: Mapping[Hashable, Mapping[str, Any]] = dict(graph.nodes(data=True))
    return assembled(
        nodes,
        [(position[u], position[v]) for u, v in graph.edges()],
        _Cells(data),
        directed=graph.is_directed(),
        hierarchy=hierarchy,
        location=location,
        topics=topics,
        texts=texts,
        classifier=classifier,
    )


class _Cells:
    """What the nodes of a networkx graph say."""

    def __init__(self, data: Mapping[Hashable, Mapping[str, Any]]) -> None:
        self._data = data

    def texts(self, attribute: str) -> NodeTexts:
        return NodeTexts.of(
            cell_text(said.get(attribute), node, attribute, said)
            for node, said in self._data.items()
        )

    def cells(self, attribute: str) -> list[Any]:
        return [said.get(attribute) for said in self._data.values()]

    def present(self, node: Hashable) -> Iterable[object]:
        return self._data[node]


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
