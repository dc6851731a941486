"""Figures that describe the shape of a graph (Mares 2013, Section 6.5)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from anonopt.graphs.social_graph import SocialGraph

_BLOCK = 512


def graph_statistics(graph: SocialGraph) -> pd.Series[float]:
    """Describe the shape of a graph; the direction of ties does not count.

    Parameters
    ----------
    graph : SocialGraph

    Returns
    -------
    Series of float
        ``nodes``, ``edges``, ``average_degree``; over the pairs of nodes that a path connects,
        ``average_path`` and ``characteristic_path``, the median over nodes of their average path,
        in hops; ``diameter``, the longest shortest path; ``clustering``, the average share of
        pairs of neighbours that are tied; ``components``. Paths of graphs without ties are 0.

    Notes
    -----
    Shortest paths are found for a block of nodes at a time, in memory of 512 times the number of
    nodes and in time of its square.

    Examples
    --------
    >>> path = SocialGraph("abc", [[0, 1], [1, 2]], topics=[[0]] * 3, topic_names=["x"])
    >>> graph_statistics(path)[["average_degree", "diameter"]].round(2).tolist()
    [1.33, 2.0]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components, shortest_path

    n = graph.n_nodes
    owners, nodes = graph.neighbors.owners, graph.neighbors.nodes
    is_tie = owners != nodes
    ones = np.ones(int(is_tie.sum()), dtype=np.int32)
    matrix = csr_array((ones, (owners[is_tie], nodes[is_tie])), shape=(n, n))
    sums = np.zeros(n)
    reached = np.zeros(n)
    diameter = 0.0
    for start in range(0, n, _BLOCK):
        block = np.arange(start, min(start + _BLOCK, n))
        hops = shortest_path(matrix, method="D", unweighted=True, indices=block)
        hops[~np.isfinite(hops)] = 0
        sums[block], reached[block] = hops.sum(axis=1), (hops > 0).sum(axis=1)
        diameter = max(diameter, float(hops.max()))
    averages = sums[reached > 0] / reached[reached > 0]
    figures = {
        "nodes": float(n),
        "edges": float(graph.n_edges),
        "average_degree": 2 * graph.n_edges / n if n else 0.0,
        "average_path": float(sums.sum() / max(float(reached.sum()), 1.0)),
        "characteristic_path": float(np.median(averages)) if len(averages) else 0.0,
        "diameter": diameter,
        "clustering": _clustering(matrix),
        "components": float(connected_components(matrix, directed=False)[0]) if n else 0.0,
    }
    return pd.Series(figures)


def _clustering(matrix: Any) -> float:
    """Average local clustering coefficient; nodes of fewer than two neighbours count 0."""
    n = matrix.shape[0]
    if n == 0:
        return 0.0
    degree = np.asarray(matrix.sum(axis=1)).ravel()
    closed = np.zeros(n)
    for start in range(0, n, _BLOCK):
        rows = matrix[start : start + _BLOCK]
        closed[start : start + _BLOCK] = ((rows @ matrix) * rows).sum(axis=1)
    pairs = degree * (degree - 1)
    return float(np.divide(closed, pairs, out=np.zeros(n), where=pairs > 0).mean())
