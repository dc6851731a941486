"""Neighbours of every node of a graph, side by side in one array."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from anonopt._typing import CodeArray, IntArray

OUT, IN, LOOP = 1, 2, 4
"""How a neighbour is tied to a node; ties in both directions are ``OUT + IN``."""

TIES = OUT + IN + LOOP + 1
"""Numbers that tell how a neighbour is tied to a node, 0 for none, are below this one."""

BLOCK_PAIRS = 1 << 20
"""Pairs that are looked at together, unless one node alone has more neighbours."""


class Neighbors(NamedTuple):
    """Neighbours of every node, those of a node side by side.

    Attributes
    ----------
    starts : int64 array (n_nodes + 1,)
        Neighbours of node i stand at ``starts[i]:starts[i + 1]``.
    nodes : int32 array (n_pairs,)
        The neighbours.
    ties : uint8 array (n_pairs,)
        ``OUT``, ``IN`` or ``OUT + IN`` in a directed graph, ``OUT + IN`` in another one;
        ``LOOP`` for a node that is its own neighbour.
    """

    starts: IntArray
    nodes: CodeArray
    ties: npt.NDArray[np.uint8]

    @property
    def owners(self) -> CodeArray:
        """The node that each neighbour is one of, int32 array (n_pairs,)."""
        n_nodes = len(self.starts) - 1
        return np.repeat(np.arange(n_nodes, dtype=np.int32), np.diff(self.starts))


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

    Notes
    -----
    One number stands for a pair and how it is tied, so that a single sort, in place, brings all
    into order: at most 40 bytes a tie, of which 10 stay.
    """
    n = max(n_nodes, 1)
    source, target = edges.T
    there, back = (OUT, IN) if directed else (OUT + IN, OUT + IN)
    is_loop = source == target
    apart = ~is_loop
    keys = np.empty(len(edges) + int(apart.sum()), dtype=np.int64)
    keys[: len(edges)] = (source * n + target) * TIES + np.where(is_loop, LOOP, there)
    keys[len(edges) :] = (target[apart] * n + source[apart]) * TIES + back
    keys.sort()
    ties = (keys % TIES).astype(np.uint8)
    keys //= TIES
    if directed:
        # A pair met from both ends of a directed graph holds a tie in each direction.
        twice = np.flatnonzero(keys[1:] == keys[:-1])
        ties[twice] += ties[twice + 1]
        keys, ties = np.delete(keys, twice + 1), np.delete(ties, twice + 1)
    starts = np.searchsorted(keys, np.arange(n_nodes + 1) * n)
    keys %= n
    return Neighbors(starts, keys.astype(np.int32), ties)


class TieIndex:
    """Neighbours of the nodes of a graph, found when they are first asked for.

    Graphs of the same ties share it, and so find them once.
    """

    def __init__(self, edges: IntArray, n_nodes: int, *, directed: bool) -> None:
        self._edges, self._n_nodes, self._directed = edges, n_nodes, directed

    @cached_property
    def neighbors(self) -> Neighbors:
        """Neighbours of every node."""
        return neighbors(self._edges, self._n_nodes, directed=self._directed)


def node_blocks(starts: IntArray) -> Iterator[tuple[int, int]]:
    """Part the nodes into blocks that have about :data:`BLOCK_PAIRS` neighbours together.

    Parameters
    ----------
    starts : int64 array (n_nodes + 1,)
        As of :class:`Neighbors`.

    Yields
    ------
    first, end : int
        Nodes of a block.

    Examples
    --------
    >>> list(node_blocks(np.array([0, 1, BLOCK_PAIRS, BLOCK_PAIRS + 1])))
    [(0, 2), (2, 3)]
    """
    n_nodes = len(starts) - 1
    first = 0
    while first < n_nodes:
        end = int(np.searchsorted(starts, starts[first] + BLOCK_PAIRS, side="right")) - 1
        end = min(max(end, first + 1), n_nodes)
        yield first, end
        first = end
