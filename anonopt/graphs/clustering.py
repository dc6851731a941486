"""Clusters of at least k nodes that say similar things (Mares 2013, Algorithm 14)."""

from __future__ import annotations

from itertools import chain

import numpy as np
import numpy.typing as npt

from anonopt._checks import as_generator, check_integer, check_integers
from anonopt._typing import IntArray, RandomState
from anonopt.evaluation.accelerator import has_numba
from anonopt.graphs.measures.distances import NodeDistances
from anonopt.graphs.profile_index import MAX_INDEXED_TOPICS, ProfileIndex
from anonopt.graphs.social_graph import SocialGraph

MOST_SEARCHED = 20_000
"""Nodes among which the closest ones are looked for one by one."""

TAKEN = 255
"""Distance of nodes that are in a cluster already, beyond any real one."""


def cluster_nodes(
    graph: SocialGraph, k: int, *, random_state: RandomState, distances: NodeDistances | None = None
) -> IntArray:
    """Cluster nodes as Algorithm 14 of Mares 2013 does.

    A node is drawn among those that are in no cluster, and its k - 1 closest ones join it, until
    all are in clusters. Drawing each time among those left is the same as going through all
    nodes in one random order and leaving out those in clusters, which is what is done here.

    Decided where the printed algorithm is unclear: ``for i in [0..numClusters]`` makes
    numClusters clusters, since one more would have no node left; if k does not divide the number
    of nodes, ``n // k - 1`` clusters of k nodes are made and the rest, of k + 1 to 2k - 1 nodes,
    is the last one; nodes at the same distance are taken in the order of the graph.

    Parameters
    ----------
    graph : SocialGraph
    k : int
        Least nodes in a cluster, at least 1.
    random_state : int or numpy Generator
        Source of all randomness.
    distances : NodeDistances, optional
        Those of the graph, where they are at hand.

    Returns
    -------
    int64 array (n_nodes,)
        Number of the cluster of each node, in the order in which they were made.

    Raises
    ------
    ValueError
        If k is below 1, or above the number of nodes of a graph that has any; or there is no
        seed.

    Examples
    --------
    >>> graph = SocialGraph(["Ann", "Bob", "Cy", "Di"], [], topics=[[0], [1], [0], [1]],
    ...                     topic_names=["Sports", "Politics"])
    >>> cluster_nodes(graph, 2, random_state=1).tolist()
    [0, 1, 0, 1]
    """
    check_k(graph.n_nodes, k)
    order = as_generator(random_state).permutation(graph.n_nodes)
    return cluster_by_visits(distances or NodeDistances(graph), k, order)


def cluster_by_visits(distances: NodeDistances, k: int, visits: npt.ArrayLike) -> IntArray:
    """Clusters of Algorithm 14 when nodes are visited in a given order.

    Parameters
    ----------
    distances : NodeDistances
    k : int
        1..n_nodes.
    visits : array_like of int
        Nodes in the order in which they start clusters. One that is in a cluster already is
        passed over; where the visits end too soon, nodes that are left follow in their order.

    Returns
    -------
    int64 array (n_nodes,)
        Number of the cluster of each node, in the order in which they were made.

    Raises
    ------
    ValueError
        If k is below 1 or above the number of nodes, or a visit is to no node.
    """
    n = distances.n_nodes
    check_k(n, k)
    order = check_integers("visits", visits)
    wrong = order[(order < 0) | (order >= n)]
    if len(wrong):
        raise ValueError(f"visits: expected nodes in 0..{n - 1}, found {wrong[0]}")
    n_full = n // k if n % k == 0 else n // k - 1
    if uses_index(distances):
        return ProfileIndex(distances.graph).clusters(order, k, n_full)
    labels = np.full(n, -1, dtype=np.int64)
    pool = _Pool(distances)
    label = 0
    for node in chain(order.tolist(), range(n)):
        if label == n_full:
            break
        if labels[node] < 0:
            labels[pool.take(node, k)] = label
            label += 1
    labels[labels < 0] = label
    return labels


def check_k(n_nodes: int, k: int, *, name: str = "k") -> int:
    """Check that nodes can be in clusters of k; no nodes need none.

    Raises
    ------
    TypeError
        If k, by its name, is no whole number.
    ValueError
        If it is below 1, or above the number of nodes of a graph that has any.
    """
    return check_integer(name, k, least=1, most=n_nodes or None)


def uses_index(distances: NodeDistances) -> bool:
    """Whether the closest nodes are looked up, by the extra ``fast``, and not looked for.

    Both find the same clusters. Looking for them takes time of the square of the number of nodes,
    but for few nodes, or where all distances are there, little of it.
    """
    return (
        distances.n_nodes > MOST_SEARCHED
        and not distances.has_matrix
        and len(distances.graph.topic_attributes) <= MAX_INDEXED_TOPICS
        and has_numba()
    )


class _Pool:
    """Nodes that are in no cluster yet, looked through for the closest ones."""

    def __init__(self, distances: NodeDistances) -> None:
        self._distances = distances
        self._nodes = np.arange(distances.n_nodes)
        self._taken = np.zeros(distances.n_nodes, dtype=np.uint8)
        self._position = np.arange(distances.n_nodes)
        self._n_left = distances.n_nodes

    def take(self, node: int, n_members: int) -> IntArray:
        """Take a node and those closest to it out of the pool."""
        self._taken[self._position[node]] = TAKEN
        row = self._distances.row(node)
        # Taken nodes get the largest value of their type, others keep their distance.
        row |= self._taken
        chosen = [np.array([self._position[node]])]
        missing = n_members - 1
        while missing > 0:
            closest = row.min()
            found = np.flatnonzero(row == closest)[:missing]
            row[found] = TAKEN
            chosen.append(found)
            missing -= len(found)
        positions = np.concatenate(chosen)
        self._taken[positions] = TAKEN
        members: IntArray = self._nodes[positions]
        self._n_left -= n_members
        if self._n_left < 0.75 * len(self._nodes):
            self._drop_taken()
        return members

    def _drop_taken(self) -> None:
        left = np.flatnonzero(self._taken == 0)
        self._distances = self._distances.restricted(left)
        self._nodes = self._nodes[left]
        self._taken = np.zeros(len(left), dtype=np.uint8)
        self._position[self._nodes] = np.arange(len(left))
