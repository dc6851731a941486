"""Ties that give the nodes of a graph the degrees that they miss."""

from __future__ import annotations

import heapq

import numpy as np

from anonopt._typing import CodeArray, IntArray
from anonopt.evaluation.accelerator import has_numba
from anonopt.graphs.neighbors import Neighbors

HUB_SHARE, MOST_HUBS = 16, 16
"""A node that misses ties to a 16th of those that miss any is a hub; as many are looked at."""


def missing_ties(
    neighbors: Neighbors, missing: IntArray, rng: np.random.Generator
) -> IntArray | None:
    """Tie the node that misses most to those that miss most, and so on.

    Supergraph (Liu and Terzi 2008, Section 6).

    Parameters
    ----------
    neighbors : Neighbors
        Of an undirected graph without loops.
    missing : int64 array (n_nodes,)
        Degrees that each node misses; their sum is even.
    rng : numpy Generator
        Decides which of several nodes that miss the same comes first.

    Returns
    -------
    int64 array (n_added, 2) or None
        None if some node is tied to all that miss a tie still.
    """
    open_nodes = rng.permutation(np.flatnonzero(missing != 0))
    n = len(open_nodes)
    if n <= missing.max() > 0 or _are_too_many(neighbors, missing, open_nodes):
        return None
    # Smallest first are those that miss most, and of these those that come first at random.
    keys = np.sort(np.arange(n) - missing[open_nodes] * n)
    added = np.empty((int(missing.sum()) // 2, 2), dtype=np.int64)
    starts, nodes, _ = neighbors
    tie = _tie
    if has_numba():
        # Compiled code is loaded when it is used.
        from anonopt.graphs.kernel_degrees import tie_nodes as tie
    return added if tie(keys, open_nodes, missing.copy(), starts, nodes, added) else None


def _are_too_many(neighbors: Neighbors, missing: IntArray, open_nodes: IntArray) -> bool:
    """Whether the nodes that miss most miss more ties than others can take up.

    The condition of Erdos and Gallai (1960) for the first few hubs, without the ties that are there
    already: a node takes up at most one for each hub that it is not tied to, and none above what it
    misses itself. Without it thousands of trials would tie all of one hub in vain.
    """
    n_open, left = len(open_nodes), missing[open_nodes]
    hubs = np.flatnonzero(left * HUB_SHARE >= n_open)
    hubs = open_nodes[hubs[np.argsort(-left[hubs], kind="stable")[:MOST_HUBS]]]
    # For each node the hubs that it can be tied to.
    free = np.zeros(len(missing), dtype=np.int64)
    for number, hub in enumerate(hubs.tolist(), start=1):
        known = neighbors.nodes[neighbors.starts[hub] : neighbors.starts[hub + 1]]
        free[open_nodes] += 1
        free[hub] -= 1
        free[known] -= 1
        taken = np.minimum(free[open_nodes], left).sum()
        if missing[hubs[:number]].sum() > taken:
            return True
    return False


def _tie(
    keys: IntArray,
    open_nodes: IntArray,
    missing: IntArray,
    starts: IntArray,
    nodes: CodeArray,
    added: IntArray,
) -> bool:
    """Write the ties to `added`; tell whether all could be tied."""
    heap: list[int] = keys.tolist()
    n, n_added = len(open_nodes), 0
    while heap:
        level, place = divmod(heapq.heappop(heap), n)
        node = int(open_nodes[place])
        known = nodes[starts[node] : starts[node + 1]]
        if len(heap) - np.count_nonzero(missing[known]) < -level:
            return False
        tied, passed = _others(heap, open_nodes, set(known.tolist()), -level)
        others = open_nodes[np.array(tied) % n]
        missing[node] = 0
        missing[others] -= 1
        added[n_added : n_added + len(others), 0] = node
        added[n_added : n_added + len(others), 1] = others
        n_added += len(others)
        for key in [*passed, *(key + n for key in tied if key + n < 0)]:
            heapq.heappush(heap, key)
    return True


def _others(
    heap: list[int], open_nodes: IntArray, known: set[int], needed: int
) -> tuple[list[int], list[int]]:
    """Keys of the first nodes of a heap that are not among the known ones, and those between."""
    tied: list[int] = []
    passed: list[int] = []
    while len(tied) < needed:
        key = heapq.heappop(heap)
        (passed if int(open_nodes[key % len(open_nodes)]) in known else tied).append(key)
    return tied, passed
