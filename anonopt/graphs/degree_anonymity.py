"""Ties that hide who has how many: k-degree anonymity (Liu and Terzi 2008)."""

from __future__ import annotations

import numpy as np

from anonopt._checks import as_generator
from anonopt._typing import IntArray, RandomState
from anonopt.evaluation.accelerator import has_numba
from anonopt.graphs.clustering import check_k
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
    wanted = degrees.copy()
    failures = 0
    while True:
        added = _tied(graph, anonymous_degrees(wanted, k) - degrees, rng)
        if added is not None:
            return graph.with_edges(np.concatenate([graph.edges, added]))
        for _ in range(1 + failures // 8):
            if wanted.min() < graph.n_nodes - 1:
                wanted[rng.choice(np.flatnonzero(wanted == wanted.min()))] += 1
        failures += 1


def anonymous_degrees(degrees: IntArray, k: int) -> IntArray:
    """Raise degrees so that each occurs at least k times, at least total cost.

    Dynamic programming over the sorted degrees (Liu and Terzi 2008, Section 5): groups of
    neighbours of k to 2k - 1 degrees are raised to the largest in them. Time O(n k).

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
    n = len(degrees)
    check_k(n, k)
    order = np.argsort(-degrees, kind="stable")
    falling = degrees[order]
    total = np.concatenate([[0], np.cumsum(falling)])
    start = _group_starts(falling, total, k)
    raised_degrees = np.empty(n, dtype=np.int64)
    end = n
    while end > 0:
        begin = int(start[end])
        raised_degrees[order[begin:end]] = falling[begin]
        end = begin
    return raised_degrees


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


def _group_starts(falling: IntArray, total: IntArray, k: int) -> IntArray:
    """Where the last group of the i largest degrees begins if these are raised at least cost."""
    n = len(falling)
    # cost[i]: least cost of the i largest degrees.
    cost = np.full(n + 1, np.iinfo(np.int64).max // 2)
    start = np.zeros(n + 1, dtype=np.int64)
    cost[0] = 0
    if has_numba():
        # Compiled code is loaded when it is used.
        from anonopt.graphs.kernel_degrees import begin_groups

        begin_groups(falling, total, k, cost, start)
        return start
    for end in range(k, n + 1):
        begins = np.arange(max(0, end - 2 * k + 1), end - k + 1)
        raised = falling[begins] * (end - begins) - (total[end] - total[begins])
        sums = cost[begins] + raised
        best = int(sums.argmin())
        cost[end], start[end] = sums[best], begins[best]
    return start


def _tied(graph: SocialGraph, missing: IntArray, rng: np.random.Generator) -> IntArray | None:
    """Ties that give each node the degrees it misses; None if they cannot be found."""
    if missing.sum() % 2:
        return None
    starts, nodes, _ = graph.neighbors
    open_nodes = rng.permutation(np.flatnonzero(missing))
    tied = {int(v): set(nodes[starts[v] : starts[v + 1]].tolist()) for v in open_nodes}
    missing = missing.copy()
    added: list[tuple[int, int]] = []
    while len(open_nodes):
        node = int(open_nodes[missing[open_nodes].argmax()])
        others = [int(v) for v in open_nodes if v != node and int(v) not in tied[node]]
        others.sort(key=lambda v: -missing[v])
        if len(others) < missing[node]:
            return None
        for other in others[: missing[node]]:
            added.append((node, other))
            tied[node].add(other)
            tied[other].add(node)
            missing[other] -= 1
        missing[node] = 0
        open_nodes = open_nodes[missing[open_nodes] > 0]
    return np.array(added, dtype=np.int64).reshape(-1, 2)
