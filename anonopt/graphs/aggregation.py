"""One location and one list of topics for each cluster (Mares 2013, Section 6.2.1)."""

from __future__ import annotations

import numpy as np

from anonopt._typing import CodeArray, IntArray
from anonopt.graphs.attributes.locations import LocationHierarchy


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
