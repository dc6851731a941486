"""Protect what the nodes of a social graph say (Mares 2013, Algorithm 13)."""

from __future__ import annotations

from anonopt._checks import as_generator
from anonopt._typing import IntArray, RandomState
from anonopt.graphs.aggregation import aggregate_locations, aggregate_topics
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
