"""Information that a protected graph has lost, in percent, less is better (Mares 2013, 6.3).

Both graphs have the same nodes in the same order and the same codes, as
:func:`~anonopt.graphs.protect_graph` makes them; :func:`~anonopt.graphs.aligned` brings others
into that form.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import CodeArray, IntArray
from anonopt.graphs.attributes.locations import MAX_LEVEL
from anonopt.graphs.social_graph import SocialGraph, check_same_coding


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
    first = _cells(original, before, before, size)
    second = _cells(masked, after if as_printed else before, after, size)
    if len(first) == 0:
        return 100 * float(len(second) > 0)
    cells, inverse = np.unique(np.concatenate([first, second]), return_inverse=True)
    counts = [
        np.bincount(part, minlength=len(cells))
        for part in (inverse[: len(first)], inverse[len(first) :])
    ]
    return float(100 * np.abs(counts[0] - counts[1]).sum() / (2 * len(first)))


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


def _cells(graph: SocialGraph, own: CodeArray, other: CodeArray, size: int) -> IntArray:
    """Cell of the adjacency matrix of each neighbour, row by row."""
    neighbors = graph.neighbors
    source, target = graph.edges.T if graph.directed else (neighbors.owners, neighbors.nodes)
    return own[source].astype(np.int64) * size + other[target]
