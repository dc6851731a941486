"""Ties that hide who has how many: k-degree anonymity (Liu and Terzi 2008)."""

from __future__ import annotations

import numpy as np

from anonopt._checks import as_generator
from anonopt._typing import IntArray, RandomState
from anonopt.graphs.clustering import check_k
from anonopt.graphs.degree_sequence import DegreeSequence
from anonopt.graphs.missing_ties import missing_ties
from anonopt.graphs.social_graph import SocialGraph, tie_keys


def anonymize_degrees(graph: SocialGraph, k: int, *, random_state: RandomState) -> SocialGraph:
    """Add ties until every node shares its degree with at least k - 1 others.

    K. Liu, E. Terzi, *Towards Identity Anonymization on Graphs*, SIGMOD 2008: the degrees are
    raised to a k-anonymous sequence at least total cost (:func:`anonymous_degrees`, their
    Section 5), then ties are added, the node that needs most first, to those that need most
    (Supergraph, Section 6). Where that gets stuck, the degree of a node of lowest degree is
    raised by one and all is tried again (Probing); of one node more after each eight failures,
    where the paper has always one, since a hub among few ties would take thousands. It ends: at
    the latest when every node is to be tied to every other.

    Parameters
    ----------
    graph : SocialGraph
        Undirected and without loops.
    k : int
        1..n_nodes.
    random_state : int or numpy Generator
        Decides which node is raised, and which of several equal ones are tied.

    Returns
    -------
    SocialGraph
        The same nodes and attributes; the ties of the graph come first, then those added.

    Raises
    ------
    ValueError
        If the graph is directed or has a loop, or k is below 1 or above the number of nodes.

    Examples
    --------
    >>> star = SocialGraph("abcd", [[0, 1], [0, 2], [0, 3]], topics=[[0]] * 4, topic_names=["x"])
    >>> sorted(anonymize_degrees(star, 2, random_state=1).degrees().tolist())
    [2, 2, 3, 3]
    """
    check_k(graph.n_nodes, k)
    if graph.directed:
        raise ValueError("degree anonymity: expected an undirected graph, found a directed one")
    loops = graph.edges[graph.edges[:, 0] == graph.edges[:, 1], 0]
    if len(loops):
        raise ValueError(
            f"degree anonymity: expected a graph without loops, found one at node "
            f"{graph.nodes[loops[0]]!r}"
        )
    if graph.n_nodes == 0:
        return graph
    rng = as_generator(random_state)
    degrees = graph.degrees()
    sequence = DegreeSequence(degrees, k)
    n_ends, failures = int(degrees.sum()), 0
    while True:
        # A tie has two ends, so the degrees that are missing have to be an even number.
        if (sequence.anonymous_sum - n_ends) % 2 == 0:
            added = missing_ties(graph.neighbors, sequence.anonymous() - degrees, rng)
            if added is not None:
                return graph.with_edges(np.concatenate([graph.edges, added]))
        sequence.raise_lowest(1 + failures // 8, rng)
        failures += 1


def anonymous_degrees(degrees: IntArray, k: int) -> IntArray:
    """Raise degrees so that each occurs at least k times, at least total cost.

    Groups of neighbours among the sorted degrees are raised to the largest in them (Liu and Terzi
    2008, Section 5). Time O(n k).

    Parameters
    ----------
    degrees : int64 array (n_nodes,)
    k : int
        1..n_nodes.

    Returns
    -------
    int64 array (n_nodes,)
        None below that of `degrees`.

    Raises
    ------
    ValueError
        If k is below 1 or above the number of degrees.

    Examples
    --------
    >>> anonymous_degrees(np.array([5, 1, 4, 1, 1]), 2).tolist()
    [5, 1, 5, 1, 1]
    """
    check_k(len(degrees), k)
    return DegreeSequence(degrees, k).anonymous()


def edge_loss(original: SocialGraph, protected: SocialGraph) -> float:
    """Ties that were added or removed, those of one graph alone, in percent of the original ones.

    Parameters
    ----------
    original, protected : SocialGraph
        Of the same nodes in the same order.

    Returns
    -------
    float
        At least 0; less is better. 0 for two graphs without ties; infinite if ties were added to
        a graph that had none.

    Raises
    ------
    ValueError
        If the nodes differ, or one graph is directed and the other is not.
    """
    if original.nodes != protected.nodes or original.directed != protected.directed:
        raise ValueError("edge_loss: expected graphs of the same nodes and kind, found others")
    before, after = (
        tie_keys(graph.edges, graph.n_nodes, directed=graph.directed)
        for graph in (original, protected)
    )
    n_changed = len(np.setxor1d(before, after))
    if len(before) == 0:
        return float("inf") if n_changed else 0.0
    return 100 * n_changed / len(before)
