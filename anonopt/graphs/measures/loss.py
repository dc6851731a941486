"""Information that a protected graph has lost, in percent, less is better (Mares 2013, 6.3).

Both graphs have the same nodes in the same order and the same codes, as
:func:`~anonopt.graphs.protect_graph` makes them; :func:`~anonopt.graphs.aligned` brings others
into that form.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonopt._typing import CodeArray, IntArray
from anonopt.graphs.attributes.locations import MAX_LEVEL
from anonopt.graphs.neighbors import BLOCK_PAIRS, node_blocks
from anonopt.graphs.social_graph import SocialGraph, check_same_coding

_MOST_CELLS = 1 << 22
"""Cells of an adjacency matrix that are counted in place; of larger ones, those that occur."""


def adjacency_loss(
    original: SocialGraph, masked: SocialGraph, attribute: str, *, as_printed: bool = False
) -> float:
    """AAMIL of one attribute (Mares 2013, Eq. 6.4).

    The sum of the absolute differences of two matrices, divided by twice the sum of the first:
    how often a node of category i has a neighbour of category j, in the original and in the
    masked graph. A tie of an undirected graph counts at both its ends, a loop once.

    Parameters
    ----------
    original, masked : SocialGraph
    attribute : str
    as_printed : bool
        Read Eq. 6.4 to the letter: the second matrix has the masked category of the node itself
        in its rows, which gives 100 in Figure 6.6. The figure keeps the original one there, with
        masked categories in the columns, which gives the 50 that it prints.

    Returns
    -------
    float
        0..100 where both graphs have the same number of ties; 0 if there are none.

    Raises
    ------
    ValueError
        If there is no such attribute, or the graphs differ in nodes, codes or direction.
    """
    check_same_coding(original, masked)
    before, after = original.codes(attribute), masked.codes(attribute)
    size = original.n_values(attribute)
    n_first, n_second = (_n_cells(graph) for graph in (original, masked))
    if n_first == 0:
        return 100 * float(n_second > 0)
    first = _adjacency(original, before, before, size)
    second = _adjacency(masked, after if as_printed else before, after, size)
    return float(100 * _difference(first, second) / (2 * n_first))


def distribution_loss(original: SocialGraph, masked: SocialGraph, attribute: str) -> float:
    """CDIL of one attribute (Mares 2013, Eq. 6.6): half the distance of the distributions.

    Parameters
    ----------
    original, masked : SocialGraph
    attribute : str

    Returns
    -------
    float
        0..100; 0 for graphs without nodes.
    """
    check_same_coding(original, masked)
    if original.n_nodes == 0:
        return 0.0
    size = original.n_values(attribute)
    before, after = (
        np.bincount(graph.codes(attribute), minlength=size) for graph in (original, masked)
    )
    return float(100 * np.abs(before - after).sum() / (2 * original.n_nodes))


def distance_loss(original: SocialGraph, masked: SocialGraph, attribute: str) -> float:
    """DBIL of one attribute (Mares 2013, Eq. 6.7): mean distance of values before and after.

    Parameters
    ----------
    original, masked : SocialGraph
    attribute : str
        Locations are as far apart as Eq. 6.1 says, topics 0 or 1.

    Returns
    -------
    float
        0..100; 0 for graphs without nodes.
    """
    check_same_coding(original, masked)
    if original.n_nodes == 0:
        return 0.0
    before, after = original.codes(attribute), masked.codes(attribute)
    if attribute == original.location_attribute and original.hierarchy is not None:
        return 100 * float(original.hierarchy.sevenths(before, after).mean() / MAX_LEVEL)
    return 100 * float((before != after).mean())


def aamil(original: SocialGraph, masked: SocialGraph, *, as_printed: bool = False) -> float:
    """Attributes adjacency matrices information loss, the mean over attributes (Eq. 6.3).

    Parameters
    ----------
    original, masked : SocialGraph
    as_printed : bool
        See :func:`adjacency_loss`.

    Returns
    -------
    float, 0..100
    """
    losses = [
        adjacency_loss(original, masked, name, as_printed=as_printed)
        for name in original.attributes
    ]
    return float(np.mean(losses))


def cdil(original: SocialGraph, masked: SocialGraph) -> float:
    """Categories distribution information loss, the mean over attributes (Eq. 6.5).

    The text of Section 6.3.2 begins with topics only; the equation, which counts, averages over
    all attributes, the location with them.
    """
    return float(np.mean([distribution_loss(original, masked, a) for a in original.attributes]))


def dbil(original: SocialGraph, masked: SocialGraph) -> float:
    """Distance-based information loss, the mean over attributes and nodes (Eq. 6.7)."""
    return float(np.mean([distance_loss(original, masked, a) for a in original.attributes]))


def _n_cells(graph: SocialGraph) -> int:
    """Sum of the adjacency matrix."""
    return graph.n_edges if graph.directed else len(graph.neighbors.nodes)


def _adjacency(
    graph: SocialGraph, own: CodeArray, other: CodeArray, size: int
) -> tuple[IntArray, IntArray]:
    """Cells of the adjacency matrix that are not 0, in increasing order, and what they hold."""
    if size * size > _MOST_CELLS:
        ordered = np.concatenate([*_cells(graph, own, other, size), np.empty(0, dtype=np.int64)])
        ordered.sort()
        begins = np.flatnonzero(np.diff(ordered, prepend=-1))
        return ordered[begins], np.diff(begins, append=len(ordered))
    counts = np.zeros(size * size, dtype=np.int64)
    for cells in _cells(graph, own, other, size):
        counts += np.bincount(cells, minlength=size * size)
    present = np.flatnonzero(counts)
    return present, counts[present]


def _cells(graph: SocialGraph, own: CodeArray, other: CodeArray, size: int) -> Iterator[IntArray]:
    """Cell of the adjacency matrix of each neighbour, a block of them at a time."""
    if graph.directed:
        for start in range(0, graph.n_edges, BLOCK_PAIRS):
            source, target = graph.edges[start : start + BLOCK_PAIRS].T
            yield own[source].astype(np.int64) * size + other[target]
        return
    starts, nodes, _ = graph.neighbors
    for first, end in node_blocks(starts):
        rows = np.repeat(own[first:end].astype(np.int64) * size, np.diff(starts[first : end + 1]))
        yield rows + other[nodes[starts[first] : starts[end]]]


def _difference(first: tuple[IntArray, IntArray], second: tuple[IntArray, IntArray]) -> int:
    """Sum of the absolute differences of two matrices, of which the cells are given."""
    cells, inverse = np.unique(np.concatenate([first[0], second[0]]), return_inverse=True)
    change = np.zeros(len(cells), dtype=np.int64)
    change[inverse[: len(first[0])]] += first[1]
    change[inverse[len(first[0]) :]] -= second[1]
    return int(np.abs(change).sum())
