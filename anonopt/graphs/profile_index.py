"""Nodes by what they say in part: where the closest ones of a node are looked up (extra ``fast``).

Two nodes are at a distance of at most q topics and r sevenths if they agree on all topics but q
and their locations are at most r sevenths apart, or if they agree on all topics but q - 1. So nodes
are kept in lists, for each set of topics one a combination of their values, and the same again with
the location. The closest free nodes of a node stand first in few lists, the shortest distances
first, and no other node has to be looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.graphs.attributes.locations import LocationHierarchy
from anonopt.graphs.social_graph import SocialGraph

MAX_INDEXED_TOPICS = 4
"""Topics up to which nodes are indexed: the lists double with each."""


class ProfileIndex:
    """Lists of nodes that agree on some of their topics, and on the location or not.

    Parameters
    ----------
    graph : SocialGraph
        Of at most :data:`MAX_INDEXED_TOPICS` topics.

    Notes
    -----
    Of t topics there are 2**t sets. Each takes 12 bytes a node, and with locations at most 32: up
    to 256 bytes a node of three topics and a location, whatever the number of ties.
    """

    def __init__(self, graph: SocialGraph) -> None:
        n_topics = graph.topics.shape[1]
        self.n_nodes = graph.n_nodes
        self.n_topics = n_topics
        # Sets of all topics first, then those of one less, as distances grow.
        subsets = [
            subset
            for size in range(n_topics, -1, -1)
            for subset in combinations(range(n_topics), size)
        ]
        sizes = [len(subset) for subset in subsets]
        self.first_of_misses = np.searchsorted(-np.array(sizes), -np.arange(n_topics, -2, -1))
        ranks = [_ranks(graph, subset) for subset in subsets]
        self.ranks = np.array(ranks, dtype=np.int32)
        self.lists = _Lists(ranks)
        places = graph.locations
        self.has_locations = places is not None and graph.hierarchy is not None
        if places is None or graph.hierarchy is None:
            self.locations = np.zeros(0, dtype=np.int32)
            self.branches = tuple(np.zeros(1, dtype=np.int32) for _ in range(3))
            self.placed = self.lists
            return
        # A copy can be written to, as no locations can, so that kernels are compiled once.
        self.locations = np.array(places)
        self.branches = _branches(graph.hierarchy)
        size = graph.hierarchy.n_values
        self.placed = _Lists([rank.astype(np.int64) * size + places for rank in ranks])

    def clusters(self, visits: IntArray, k: int, n_full: int) -> IntArray:
        """Clusters of Algorithm 14 of Mares 2013, as a search of all free nodes finds them.

        Parameters
        ----------
        visits : int64 array (n_visits,)
            Nodes in the order in which they start clusters.
        k : int
            Nodes of a cluster.
        n_full : int
            Clusters of k nodes; what is left is one more.

        Returns
        -------
        int64 array (n_nodes,)
        """
        from anonopt.graphs.kernel_clusters import cluster

        labels = np.full(self.n_nodes, -1, dtype=np.int64)
        lists, placed = self.lists, self.placed
        cluster(
            np.concatenate([visits, np.arange(self.n_nodes)]), k, n_full, labels,
            self.n_topics, self.first_of_misses, self.ranks,
            (lists.first, lists.starts, lists.nodes, lists.jumps()),
            self.has_locations, self.locations, self.branches,
            (placed.keys, placed.first, placed.starts, placed.nodes, placed.jumps()),
        )  # fmt: skip
        labels[labels < 0] = n_full
        return labels


class _Lists:
    """Nodes of each value of some columns, in increasing order, one column after the other.

    Attributes
    ----------
    keys : int64 array (n_lists,)
        Value of each list, those of a column in increasing order.
    first : int64 array (n_columns + 1,)
        Where the lists of each column begin.
    starts : int32 array (n_lists + 1,)
        Where each list begins in the nodes of its column; the last ends with them.
    nodes : int32 array (n_columns, n_nodes)
    """

    def __init__(self, columns: Sequence[AnyIntArray]) -> None:
        n_nodes = len(columns[0])
        keys, starts, first = [], [], [0]
        self.nodes = np.empty((len(columns), n_nodes), dtype=np.int32)
        for column, nodes in zip(columns, self.nodes, strict=True):
            nodes[:] = np.argsort(column, kind="stable")
            ordered = column[nodes]
            begins = np.flatnonzero(np.diff(ordered, prepend=-1))
            keys.append(ordered[begins].astype(np.int64))
            starts.append(np.append(begins, n_nodes).astype(np.int32))
            # One more than there are lists, where the last one ends.
            first.append(first[-1] + len(begins) + 1)
            keys[-1] = np.append(keys[-1], np.iinfo(np.int64).max)
        self.keys = np.concatenate(keys)
        self.starts = np.concatenate(starts)
        self.first = np.array(first, dtype=np.int64)

    def jumps(self) -> CodeArray:
        """Where to go on from a place whose node is taken, int32 array (n_columns, n_nodes)."""
        n_columns, n_nodes = self.nodes.shape
        return np.tile(np.arange(1, n_nodes + 1, dtype=np.int32), (n_columns, 1))


def _ranks(graph: SocialGraph, subset: tuple[int, ...]) -> CodeArray:
    """Number of the combination of topics of each node, those that occur counted from 0."""
    if not subset:
        return np.zeros(graph.n_nodes, dtype=np.int32)
    columns = [graph.topics[:, place] for place in subset]
    _, ranks = group_rows(columns, [len(graph.topic_names)] * len(subset))
    return ranks.astype(np.int32)


def _branches(hierarchy: LocationHierarchy) -> tuple[CodeArray, CodeArray, CodeArray]:
    """Locations above and below each one, the closest first, with their distances in sevenths.

    Returns
    -------
    starts : int32 array (n_values + 1,)
    codes, sevenths : int32 arrays (n_related,)
    """
    n_values = hierarchy.n_values
    above = list(hierarchy.ancestors)
    own = np.tile(np.arange(n_values, dtype=np.int32), len(above))
    other = np.concatenate(above)
    is_there = (other >= 0) & (other != own)
    own, other = own[is_there], other[is_there]
    every = np.arange(n_values, dtype=np.int32)
    first, second = np.concatenate([own, other, every]), np.concatenate([other, own, every])
    sevenths = np.abs(hierarchy.levels[first] - hierarchy.levels[second]).astype(np.int32)
    order = np.lexsort((sevenths, first))
    starts = np.searchsorted(first[order], np.arange(n_values + 1)).astype(np.int32)
    return starts, second[order], sevenths[order]
