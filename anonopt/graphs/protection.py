"""Protect what the nodes of a social graph say (Mares 2013, Algorithm 13)."""

from __future__ import annotations

import numpy as np

from anonopt._checks import as_generator
from anonopt._typing import CodeArray, IntArray, RandomState
from anonopt.data.grouping import group_rows
from anonopt.graphs.attributes.locations import LocationHierarchy
from anonopt.graphs.clustering import check_k, cluster_nodes
from anonopt.graphs.degree_anonymity import anonymize_degrees
from anonopt.graphs.social_graph import SocialGraph


def protect_graph(
    graph: SocialGraph, k: int, *, seed: RandomState, degree_k: int | None = None
) -> SocialGraph:
    """Make every node equal to at least k - 1 others in what it says (Algorithm 13).

    Nodes are clustered by :func:`~anonopt.graphs.cluster_nodes`; every member of a cluster gets
    the closest common ancestor of the locations and the topics of most Borda points. Ties
    between nodes stay as they are, unless `degree_k` asks for more.

    Parameters
    ----------
    graph : SocialGraph
    k : int
        Level of anonymity, 1..n_nodes.
    seed : int or numpy Generator
        Source of all randomness: the same seed gives the same graph.
    degree_k : int, optional
        Also add ties until every node shares its degree with at least ``degree_k - 1`` others
        (Liu and Terzi 2008), see :func:`~anonopt.graphs.anonymize_degrees`.

    Returns
    -------
    SocialGraph
        The same nodes in the same order. A graph without nodes is returned as it is.

    Raises
    ------
    ValueError
        If k, or degree_k, is below 1 or above the number of nodes, or degree_k is asked for of a
        directed graph.

    Examples
    --------
    >>> from anonopt.graphs import generate_graph
    >>> graph = generate_graph("small", seed=1)
    >>> protected = protect_graph(graph, k=3, seed=1)
    >>> int(protected.frame().value_counts().min()) >= 3
    True
    """
    rng = as_generator(seed, "seed")
    if degree_k is not None:
        check_k(graph.n_nodes, degree_k, name="degree_k")
    labels = cluster_nodes(graph, k, random_state=rng)
    protected = substitute_values(graph, labels)
    if degree_k is None:
        return protected
    return anonymize_degrees(protected, degree_k, random_state=rng)


def fewest_alike(graph: SocialGraph) -> int:
    """Nodes that say the same, at least: the k that a graph has.

    Parameters
    ----------
    graph : SocialGraph
        Of at least one node.

    Examples
    --------
    >>> graph = SocialGraph("abc", [], topics=[[0], [0], [1]], topic_names=["x", "y"])
    >>> fewest_alike(graph)
    1
    """
    names = graph.attributes
    _, classes = group_rows(
        [graph.codes(name) for name in names], [graph.n_values(name) for name in names]
    )
    return int(np.bincount(classes).min())


def substitute_values(graph: SocialGraph, labels: IntArray) -> SocialGraph:
    """Give each node what its cluster says together.

    Parameters
    ----------
    graph : SocialGraph
    labels : int64 array (n_nodes,)
        Cluster of each node, 0..n_clusters - 1, each with a member.

    Returns
    -------
    SocialGraph
    """
    if graph.n_nodes == 0:
        return graph
    locations = None
    if graph.locations is not None and graph.hierarchy is not None:
        locations = aggregate_locations(graph.locations, labels, graph.hierarchy)[labels]
    return graph.with_attributes(
        locations=locations, topics=aggregate_topics(graph.topics, labels)[labels]
    )


def aggregate_locations(
    locations: CodeArray, labels: IntArray, hierarchy: LocationHierarchy
) -> CodeArray:
    """Closest common ancestor of the locations of each cluster.

    A location that all members share, or that holds all others, is its own ancestor.

    Parameters
    ----------
    locations : int32 array (n_nodes,)
        Codes.
    labels : int64 array (n_nodes,)
        Cluster of each node, 0..n_clusters - 1, each with a member.
    hierarchy : LocationHierarchy

    Returns
    -------
    int32 array (n_clusters,)
    """
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    return hierarchy.common_ancestors(locations[order], starts)


def aggregate_topics(topics: CodeArray, labels: IntArray) -> CodeArray:
    """Topics of each cluster by Borda's rule (Mares 2013, Figure 6.3).

    Of n topics a node gives n points to its first, n - 1 to the second, and so on: 3, 2, 1. The
    topics with most points are those of the cluster, in that order. Ties, of which the thesis
    says nothing, go to the topic that appears first: the nodes in the order of the graph, the
    topics of a node in their order.

    A node may name a topic twice; its points add up. Where a cluster names fewer different
    topics than there are places, the last of them fills the places that are left: no topic is
    invented.

    Parameters
    ----------
    topics : int32 array (n_nodes, n_topics)
        Codes.
    labels : int64 array (n_nodes,)
        Cluster of each node, 0..n_clusters - 1, each with a member.

    Returns
    -------
    int32 array (n_clusters, n_topics)

    Examples
    --------
    >>> votes = np.array([[0, 1, 2], [1, 0, 3], [0, 4, 2]], dtype=np.int32)
    >>> aggregate_topics(votes, np.zeros(3, dtype=np.int64)).tolist()
    [[0, 1, 2]]
    """
    n_nodes, n_topics = topics.shape
    if n_nodes == 0:
        return np.empty((0, n_topics), dtype=np.int32)
    radix = int(topics.max()) + 1
    entries = (labels[:, np.newaxis] * radix + topics).ravel()
    points = np.tile(np.arange(n_topics, 0, -1), n_nodes)
    candidates, first, inverse = np.unique(entries, return_index=True, return_inverse=True)
    score = np.bincount(inverse, points)
    cluster = candidates // radix
    ranking = np.lexsort((first, -score, cluster))
    starts = np.searchsorted(cluster, np.arange(int(cluster[-1]) + 1))
    ends = np.append(starts[1:], len(cluster))
    places = np.minimum(starts[:, np.newaxis] + np.arange(n_topics), ends[:, np.newaxis] - 1)
    return np.asarray(candidates[ranking][places] % radix, dtype=np.int32)
