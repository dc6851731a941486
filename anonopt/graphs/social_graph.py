"""A social graph as arrays: ties, and what each node says of itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_integers
from anonopt._notebook import notebook_html
from anonopt._typing import CodeArray, IntArray
from anonopt.data.immutable import Immutable
from anonopt.graphs.attributes.locations import LocationHierarchy
from anonopt.graphs.neighbors import BLOCK_PAIRS, Neighbors, TieIndex

LOCATION = "location"
"""Usual name of the attribute that holds the location."""

TOPICS = ("topic1", "topic2", "topic3")
"""Usual names of the topic attributes, the most preferred topic first."""

MAX_TOPICS = 30
"""Distances of nodes are kept in units that fit 8 bits up to this number of topics."""


class SocialGraph(Immutable):
    """Nodes with a location and ordered topics, and the ties between them.

    Immutable: copies return the graph itself. Use :func:`~anonopt.graphs.read_graph` or
    :func:`~anonopt.graphs.from_networkx` to make one with checks that name nodes.

    Parameters
    ----------
    nodes : sequence of hashable, (n_nodes,)
        Names of the nodes, all different.
    edges : int array (n_edges, 2)
        Ties as positions of nodes; no tie twice, in an undirected graph in neither direction.
    topics : int array (n_nodes, n_topics)
        Codes of the topics of each node, the most preferred one first.
    topic_names : sequence of str
        Text of each topic code, all different.
    locations : int array (n_nodes,), optional
        Codes of locations in the hierarchy; a graph without locations has only topics.
    hierarchy : LocationHierarchy, optional
        Given exactly where locations are.
    topic_attributes : sequence of str, (n_topics,), optional
        Names of the topic attributes; ``topic1`` and so on if left out.
    location_attribute : str
        Name of the attribute that holds the location.
    directed : bool

    Attributes
    ----------
    attributes : tuple of str
        That of the locations, if there are any, and then the topic attributes.

    Raises
    ------
    ValueError
        If a node, a tie or a topic name is given twice, a code or an end of a tie is no whole
        number or out of range, a graph has no topic or too many, or lengths differ.

    Examples
    --------
    >>> graph = SocialGraph(["Ann", "Bob"], [[0, 1]], topics=[[0, 1], [1, 0]],
    ...                     topic_names=["Sports", "Politics"])
    >>> graph.n_nodes, graph.n_edges, graph.attributes
    (2, 1, ('topic1', 'topic2'))
    >>> graph.frame()
         topic1    topic2
    Ann  Sports  Politics
    Bob  Politics  Sports
    """

    _arrays = ("edges", "topics", "locations")

    def __init__(
        self,
        nodes: Sequence[Hashable],
        edges: npt.ArrayLike,
        *,
        topics: npt.ArrayLike,
        topic_names: Sequence[str],
        locations: npt.ArrayLike | None = None,
        hierarchy: LocationHierarchy | None = None,
        topic_attributes: Sequence[str] | None = None,
        location_attribute: str = LOCATION,
        directed: bool = False,
    ) -> None:
        self.nodes = tuple(nodes)
        self.directed = bool(directed)
        self.edges: IntArray = check_integers("edges", edges)
        self.topics: CodeArray = check_integers("topics", topics, dtype=np.int32)
        if self.topics.size == 0 and self.topics.ndim != 2:
            self.topics = np.empty((0, len(topic_attributes or TOPICS)), dtype=np.int32)
        self.topic_names = tuple(topic_names)
        self.hierarchy = hierarchy
        self.locations: CodeArray | None = (
            None if locations is None else check_integers("locations", locations, dtype=np.int32)
        )
        self.location_attribute = location_attribute
        names = [f"topic{i + 1}" for i in range(self.topics.shape[-1])]
        self.topic_attributes = tuple(names if topic_attributes is None else topic_attributes)
        self._check_nodes()
        self._check_attributes()
        self._check_edges(len(self.nodes))
        self._lock()

    def _check_nodes(self) -> None:
        if len(set(self.nodes)) == len(self.nodes):
            return
        known: set[Hashable] = set()
        for node in self.nodes:
            if node in known:
                raise ValueError(f"node {node!r}: expected each node once, found it twice")
            known.add(node)

    def _check_attributes(self) -> None:
        n = len(self.nodes)
        if self.topics.shape != (n, len(self.topic_attributes)):
            raise ValueError(
                f"topics: expected shape ({n}, {len(self.topic_attributes)}), "
                f"found {self.topics.shape}"
            )
        if (self.locations is None) != (self.hierarchy is None):
            raise ValueError("locations: expected codes together with their hierarchy")
        if self.locations is not None and self.locations.shape != (n,):
            found = " x ".join(map(str, self.locations.shape))
            raise ValueError(f"locations: expected {n}, found {found}")
        if len(set(self.topic_names)) < len(self.topic_names):
            raise ValueError(f"topic_names: expected each once, found {list(self.topic_names)}")
        are_different = len(set(self.attributes)) == len(self.attributes)
        if not (are_different and 1 <= len(self.topic_attributes) <= MAX_TOPICS):
            raise ValueError(
                f"attributes: expected 1 to {MAX_TOPICS} topics of different names, besides "
                f"{self.location_attribute!r}, found {list(self.attributes)}"
            )
        for name in self.attributes:
            codes, size = self.codes(name), self.n_values(name)
            wrong = np.flatnonzero((codes < 0) | (codes >= size))
            if len(wrong):
                raise ValueError(
                    f"node {self.nodes[wrong[0]]!r}, attribute {name!r}: expected a code in "
                    f"0..{size - 1}, found {codes[wrong[0]]}"
                )

    def _check_edges(self, n: int) -> None:
        if self.edges.size == 0:
            self.edges = self.edges.reshape(0, 2)
        if self.edges.ndim != 2 or self.edges.shape[1] != 2:
            raise ValueError(f"edges: expected shape (n_edges, 2), found {self.edges.shape}")
        if self.edges.size and not (0 <= self.edges.min() and self.edges.max() < n):
            wrong = self.edges[((self.edges < 0) | (self.edges >= n)).any(axis=1)][0]
            raise ValueError(f"edges: expected positions in 0..{n - 1}, found {wrong.tolist()}")
        keys = tie_keys(self.edges, n, directed=self.directed)
        ordered = np.sort(keys)
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        if len(twice):
            i, j = self.edges[np.flatnonzero(keys == twice[0])[0]]
            raise ValueError(
                f"tie {self.nodes[i]!r} - {self.nodes[j]!r}: expected each tie once, "
                "found it twice (graphs with parallel ties are not handled)"
            )
        self._ties = TieIndex(self.edges, n, directed=self.directed)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    @property
    def n_edges(self) -> int:
        """Number of ties."""
        return len(self.edges)

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the attributes: the location, if there is one, then the topics."""
        has_locations = self.locations is not None
        topics = self.topic_attributes
        return (self.location_attribute, *topics) if has_locations else topics

    def codes(self, attribute: str) -> CodeArray:
        """Codes of an attribute, int32 array (n_nodes,).

        Raises
        ------
        ValueError
            If there is no such attribute.
        """
        if attribute == self.location_attribute and self.locations is not None:
            return self.locations
        if attribute not in self.topic_attributes:
            raise ValueError(
                f"attribute: expected one of {list(self.attributes)}, found {attribute!r}"
            )
        return self.topics[:, self.topic_attributes.index(attribute)]

    def names(self, attribute: str) -> tuple[str, ...]:
        """Text of each code of an attribute."""
        if attribute == self.location_attribute and self.hierarchy is not None:
            return self.hierarchy.names
        return self.topic_names

    def n_values(self, attribute: str) -> int:
        """Number of codes of an attribute."""
        return len(self.names(attribute))

    def values(self, attribute: str) -> list[str]:
        """Text of an attribute of each node."""
        names = self.names(attribute)
        return [names[code] for code in self.codes(attribute).tolist()]

    def frame(self) -> pd.DataFrame:
        """Attributes as text: one row a node, indexed by its name."""
        index = pd.Index(list(self.nodes), dtype=object, tupleize_cols=False)
        return pd.DataFrame({name: self.values(name) for name in self.attributes}, index=index)

    def degrees(self) -> IntArray:
        """Number of ends of ties at each node, int64 array (n_nodes,); a loop has two."""
        return np.bincount(self.edges.ravel(), minlength=self.n_nodes).astype(np.int64)

    @property
    def neighbors(self) -> Neighbors:
        """Neighbours of every node, in increasing order; found once for all graphs of the ties."""
        return self._ties.neighbors

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of ties, values, names and tree of locations, 64 hexadecimal digits."""
        columns = [self.values(name) for name in self.attributes]
        names = [str(node) for node in self.nodes]
        tree = self.hierarchy
        places = None if tree is None else [tree.names, tree.types, tree.parents.tolist()]
        before = json.dumps([names, self.attributes, columns]).removesuffix("]")
        digest = hashlib.sha256(f"{before}, [".encode())
        # The text of ten million ties at once would take gigabytes.
        for start in range(0, self.n_edges, BLOCK_PAIRS):
            block = json.dumps(self.edges[start : start + BLOCK_PAIRS].tolist())[1:-1]
            digest.update((", " * (start > 0) + block).encode())
        digest.update(f"], {json.dumps([self.directed, places])[1:]}".encode())
        return digest.hexdigest()

    def with_attributes(self, *, locations: Any = None, topics: Any) -> SocialGraph:
        """Return the same nodes and ties with other codes of the attributes.

        Names and ties, which take most of the memory, are shared with this graph.
        """
        twin = self._twin()
        twin.topics = check_integers("topics", topics, dtype=np.int32)
        twin.locations = (
            None if locations is None else check_integers("locations", locations, dtype=np.int32)
        )
        twin._check_attributes()
        twin._lock()
        return twin

    def with_edges(self, edges: npt.ArrayLike) -> SocialGraph:
        """Return the same nodes and attributes with other ties."""
        twin = self._twin()
        twin.edges = check_integers("edges", edges)
        twin._check_edges(len(self.nodes))
        twin._lock()
        return twin

    def _twin(self) -> SocialGraph:
        """Another graph of the same parts; what was found out of all of them is left out."""
        twin = object.__new__(SocialGraph)
        twin.__dict__.update(self.__dict__)
        twin.__dict__.pop("fingerprint", None)
        return twin

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"SocialGraph({kind}, n_nodes={self.n_nodes}, n_edges={self.n_edges})"

    def _repr_html_(self) -> str:
        """Size and attributes for notebooks; no nodes, as notebooks are passed on."""
        return notebook_html(
            f"SocialGraph: {self.n_nodes:,} nodes, {self.n_edges:,} ties",
            {
                "ties are": "directed" if self.directed else "undirected",
                "attributes": ", ".join(map(str, self.attributes)),
            },
        )


def tie_keys(edges: IntArray, n_nodes: int, *, directed: bool) -> IntArray:
    """Give each tie a number: the same one in both directions, unless the graph is directed.

    Parameters
    ----------
    edges : int64 array (n_edges, 2)
    n_nodes : int
    directed : bool

    Returns
    -------
    int64 array (n_edges,)

    Examples
    --------
    >>> tie_keys(np.array([[2, 0], [0, 2]]), 3, directed=False).tolist()
    [2, 2]
    """
    source, target = edges.T
    n = max(n_nodes, 1)
    if directed:
        return np.asarray(source * n + target)
    keys: IntArray = np.minimum(source, target)
    keys *= n
    keys += np.maximum(source, target)
    return keys


def check_same_coding(original: SocialGraph, masked: SocialGraph) -> None:
    """Check that two graphs can be compared code by code.

    Raises
    ------
    ValueError
        If they differ in the order of nodes, the names of attributes or topics, the hierarchy of
        locations, or in whether they are directed; names which.
    """
    for name in ("nodes", "attributes", "topic_names", "hierarchy", "directed"):
        first, second = getattr(original, name), getattr(masked, name)
        if first is not second and first != second:
            raise ValueError(
                f"{name}: expected the same in both graphs, found others; "
                "anonopt.graphs.aligned brings graphs of the same nodes into one order and coding"
            )
