"""Graphs like those of the thesis, which are not public and cannot be crawled any more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from anonopt._checks import as_generator, check_choice, check_share
from anonopt._typing import FloatArray, IntArray, RandomState
from anonopt.graphs.attributes.location_tables import packaged_locations
from anonopt.graphs.attributes.topics import TOPIC_NAMES
from anonopt.graphs.social_graph import SocialGraph

_FIGURES = ("nodes", "edges", "average_degree", "average_path", "characteristic_path", "diameter")

PUBLISHED: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "small": MappingProxyType(dict(zip(_FIGURES, (306, 342, 2, 7.597, 8, 17), strict=True))),
        "large": MappingProxyType(dict(zip(_FIGURES, (1638, 4622, 5, 4.2595, 4, 11), strict=True))),
    }
)
"""Figures that Mares 2013, Section 6.5, prints of its two graphs (average degrees truncated)."""

_CLOSURE = 0.3
"""Share of the ties beyond the first of each node that close a triangle."""


def generate_graph(size: str, *, seed: RandomState, homophily: float = 0.7) -> SocialGraph:
    """Generate a graph of a size that the thesis worked with.

    Parameters
    ----------
    size : "small" or "large"
        306 nodes and 342 ties, or 1638 nodes and 4622 ties (Mares 2013, Section 6.5).
    seed : int or numpy Generator
    homophily : float
        See :func:`social_network`.

    Returns
    -------
    SocialGraph

    Raises
    ------
    ValueError
        If the size is neither, or homophily is not in 0..1.

    Examples
    --------
    >>> generate_graph("small", seed=1)
    SocialGraph(undirected, n_nodes=306, n_edges=342)
    """
    published = PUBLISHED[check_choice("size", size, PUBLISHED)]
    return social_network(
        int(published["nodes"]), int(published["edges"]), seed=seed, homophily=homophily
    )


def social_network(
    n_nodes: int, n_edges: int, *, seed: RandomState, homophily: float = 0.7
) -> SocialGraph:
    """Generate a connected small world whose neighbours resemble each other.

    A crawl is imitated (Algorithm 12): each node is found through one that is known already,
    drawn uniformly, which makes a tree of short paths; then ties are added, three of ten between
    friends of friends, the others from any node to one drawn in proportion to its ties, since
    who is known to many gets to be known to more. Each attribute of a node is copied from
    the node it was found through with probability `homophily`, and otherwise drawn: locations
    and topics are popular in proportion to 1 / rank, as cities and subjects are, in a random
    order of ranks. A topic that the node has already is drawn again.

    Parameters
    ----------
    n_nodes : int
        At least 1.
    n_edges : int
        From n_nodes - 1 to all pairs.
    seed : int or numpy Generator
        Source of all randomness: the same seed gives the same graph.
    homophily : float
        Probability to copy, 0..1: 0 makes attributes independent of ties.

    Returns
    -------
    SocialGraph
        Undirected, of nodes 0 to n_nodes - 1, with locations of the packaged table and three
        different topics each.

    Raises
    ------
    ValueError
        If there are too few or too many ties, or homophily is not in 0..1.
    """
    most = n_nodes * (n_nodes - 1) // 2
    if n_nodes < 1 or not n_nodes - 1 <= n_edges <= most:
        raise ValueError(
            f"expected at least one node and n_nodes - 1 to n_nodes * (n_nodes - 1) / 2 ties, "
            f"found {n_nodes} nodes and {n_edges} ties"
        )
    check_share("homophily", homophily)
    rng = as_generator(seed, "seed")
    parents = np.array([rng.integers(max(node, 1)) for node in range(n_nodes)], dtype=np.int64)
    edges = _ties(parents, n_edges, rng)
    hierarchy = packaged_locations()
    places = np.flatnonzero(~np.isin(np.arange(hierarchy.n_values), hierarchy.parents))
    locations = places[_inherited(parents, len(places), homophily, rng)]
    return SocialGraph(
        range(n_nodes),
        edges,
        topics=_topics(parents, homophily, rng),
        topic_names=TOPIC_NAMES,
        locations=locations,
        hierarchy=hierarchy,
    )


def _ties(parents: IntArray, n_edges: int, rng: np.random.Generator) -> IntArray:
    n_nodes = len(parents)
    friends: list[list[int]] = [[] for _ in range(n_nodes)]
    edges: list[tuple[int, int]] = []
    known: set[tuple[int, int]] = set()

    def tie(first: int, second: int) -> None:
        pair = (min(first, second), max(first, second))
        if first == second or pair in known:
            return
        known.add(pair)
        edges.append(pair)
        friends[first].append(second)
        friends[second].append(first)

    for node in range(1, n_nodes):
        tie(int(parents[node]), node)
    while len(edges) < n_edges:
        start = int(rng.integers(n_nodes))
        if rng.random() < _CLOSURE:
            between = friends[start][rng.integers(len(friends[start]))]
            tie(start, friends[between][rng.integers(len(friends[between]))])
        else:
            # The end of a tie drawn uniformly: a node as often as it has ties.
            tie(start, edges[rng.integers(len(edges))][rng.integers(2)])
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _inherited(
    parents: IntArray, n_values: int, homophily: float, rng: np.random.Generator
) -> IntArray:
    """Value of each node: that of its parent, or one drawn by popularity."""
    values = rng.choice(n_values, len(parents), p=_popularity(n_values, rng))
    copied = rng.random(len(parents)) < homophily
    for node in range(1, len(parents)):
        if copied[node]:
            values[node] = values[parents[node]]
    return values.astype(np.int64)


def _topics(parents: IntArray, homophily: float, rng: np.random.Generator) -> list[list[int]]:
    popularity = _popularity(len(TOPIC_NAMES), rng)
    topics: list[list[int]] = []
    for node, parent in enumerate(parents.tolist()):
        own: list[int] = []
        for place in range(3):
            is_copied = node > 0 and rng.random() < homophily
            topic = topics[parent][place] if is_copied else -1
            while topic < 0 or topic in own:
                topic = int(rng.choice(len(TOPIC_NAMES), p=popularity))
            own.append(topic)
        topics.append(own)
    return topics


def _popularity(n_values: int, rng: np.random.Generator) -> FloatArray:
    weights = 1 / (1 + rng.permutation(n_values))
    return np.asarray(weights / weights.sum())
