"""Stars of nodes, looked for among those of another graph: by a hash, then neighbour by neighbour.

All is done for blocks of nodes, so that besides the graphs there are never more than some numbers
a node in memory.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import BoolArray, IntArray, WordArray
from anonopt.graphs.neighbors import TIES, Neighbors, node_blocks

_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)

_LABEL_BITS = 31 + TIES.bit_length() - 1
"""Bits of what a node says and how it is tied."""


class Stars:
    """What the neighbours of every node say, and how each is tied to it.

    Parameters
    ----------
    neighbors : Neighbors
    profiles : int64 array (n_nodes,)
        Number of what each node says, below 2**31.
    with_root : bool
        Whether what the node itself says is part of its star.
    """

    def __init__(self, neighbors: Neighbors, profiles: IntArray, *, with_root: bool) -> None:
        self.neighbors = neighbors
        self.with_root = with_root
        self._labels = profiles * TIES
        self._degrees = np.diff(neighbors.starts)

    def occur_in(self, other: Stars) -> BoolArray:
        """Tell which stars occur among those of another graph of as many nodes.

        Parameters
        ----------
        other : Stars

        Returns
        -------
        bool array (n_nodes,)
        """
        hashes, known = self.hashes(), other.hashes()
        order = np.argsort(known, kind="stable")
        known = known[order]
        place = np.searchsorted(known, hashes)
        last = len(known) - 1
        nodes = np.flatnonzero(known[np.minimum(place, last)] == hashes)
        matched = np.zeros(len(hashes), dtype=np.bool_)
        while len(nodes):
            same = self.equal(nodes, other, order[place[nodes]])
            matched[nodes[same]] = True
            # Different stars may share a hash: the next of that hash may be the one.
            nodes = nodes[~same]
            place[nodes] += 1
            nodes = nodes[place[nodes] <= last]
            nodes = nodes[known[place[nodes]] == hashes[nodes]]
        return matched

    def hashes(self) -> WordArray:
        """Hash of each star, the same for neighbours in any order, uint64 array (n_nodes,)."""
        starts, nodes, ties = self.neighbors
        hashes = np.empty(len(self._labels), dtype=np.uint64)
        for first, end in node_blocks(starts):
            pairs = slice(starts[first], starts[end])
            sums = np.zeros(pairs.stop - pairs.start + 1, dtype=np.uint64)
            np.cumsum(mixed(self._labels[nodes[pairs]] + ties[pairs]), out=sums[1:])
            bounds = starts[first : end + 1] - starts[first]
            # Sums wrap around, and so do their differences.
            hashes[first:end] = np.diff(sums[bounds])
        return hashes + mixed(self._labels) if self.with_root else hashes

    def equal(self, nodes: IntArray, other: Stars, others: IntArray) -> BoolArray:
        """Compare stars with those of another graph, pair by pair and neighbour by neighbour.

        Parameters
        ----------
        nodes, others : int64 arrays (n_pairs,)

        Returns
        -------
        bool array (n_pairs,)
        """
        equal: BoolArray = self._degrees[nodes] == other._degrees[others]
        if self.with_root:
            equal &= self._labels[nodes] == other._labels[others]
        open_pairs = np.flatnonzero(equal)
        ends = np.concatenate([[0], np.cumsum(self._degrees[nodes[open_pairs]])])
        for first, end in node_blocks(ends):
            block = open_pairs[first:end]
            own, found = self._ordered(nodes[block]), other._ordered(others[block])
            differ = np.flatnonzero(own != found)
            bounds = ends[first : end + 1] - ends[first]
            equal[block[np.searchsorted(bounds, differ, side="right") - 1]] = False
        return equal

    def _ordered(self, nodes: IntArray) -> IntArray:
        """Labels of the neighbours of some nodes, node by node, in increasing order.

        The number of the node stands before each label, so that one sort keeps nodes apart.
        """
        starts, neighbors, ties = self.neighbors
        degrees = self._degrees[nodes]
        ends = np.cumsum(degrees)
        places = np.arange(ends[-1]) + np.repeat(starts[nodes] - ends + degrees, degrees)
        labels = self._labels[neighbors[places]] + ties[places]
        labels += np.repeat(np.arange(len(nodes)) << _LABEL_BITS, degrees)
        labels.sort()
        return np.asarray(labels)


def mixed(labels: IntArray) -> WordArray:
    """Spread labels over 64 bits, as the generator splitmix64 does with its counter.

    Parameters
    ----------
    labels : int64 array (n,)

    Returns
    -------
    uint64 array (n,)
    """
    words = labels.astype(np.uint64)
    words += np.uint64(1)
    words *= _STEP
    words ^= words >> np.uint64(30)
    words *= _FIRST
    words ^= words >> np.uint64(27)
    words *= _SECOND
    words ^= words >> np.uint64(31)
    return words
