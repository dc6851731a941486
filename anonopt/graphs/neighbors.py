"""Neighbours of every node of a graph, side by side in one array."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonopt._typing import IntArray

OUT, IN, LOOP = 1, 2, 4
"""How a neighbour is tied to a node; ties in both directions are ``OUT + IN``."""


class Neighbors(NamedTuple):
    """Neighbours of every node, those of a node side by side.

    Attributes
    ----------
    starts : int64 array (n_nodes + 1,)
        Neighbours of node i stand at ``starts[i]:starts[i + 1]``.
    owners, nodes : int64 arrays (n_pairs,)
        The node, and its neighbour.
    ties : int64 array (n_pairs,)
        ``OUT``, ``IN`` or ``OUT + IN`` in a directed graph, ``OUT + IN`` in another one;
        ``LOOP`` for a node that is its own neighbour.
    """

    starts: IntArray
    owners: IntArray
    nodes: IntArray
    ties: IntArray


def neighbors(edges: IntArray, n_nodes: int, *, directed: bool) -> Neighbors:
    """Neighbours of every node, in increasing order.

    Parameters
    ----------
    edges : int64 array (n_edges, 2)
        No tie twice, in an undirected graph in neither direction.
    n_nodes : int
    directed : bool

    Returns
    -------
    Neighbors
    """
    n = max(n_nodes, 1)
    source, target = edges.T
    both = OUT + IN
    is_loop = source == target
    there = np.where(is_loop, LOOP, OUT if directed else both)
    back = np.where(is_loop, 0, IN if directed else both)
    pairs, inverse = np.unique(
        np.concatenate([source * n + target, target * n + source]), return_inverse=True
    )
    # A pair met from both ends of a directed graph holds a tie in each direction.
    ties = np.bincount(inverse, np.concatenate([there, back]), minlength=len(pairs))
    owners, nodes = pairs // n, pairs % n
    starts = np.searchsorted(owners, np.arange(n_nodes + 1))
    return Neighbors(starts, owners, nodes, ties.astype(np.int64))
