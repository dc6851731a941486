"""Social graphs: time and memory of protection and of all measures, against plain loops.

Clusters and risks of the small graph are those of plain loops; the loops are not timed on the large
one, where they would take hours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from anonopt import graphs
from benchmarks._bench import Benchmark, Goal, Way, require

K = 3
RISKS = ["DR_location", "DR_topic1", "DR_topic2", "DR_topic3", "DR_topics", "DR"]
"""Figures of risk, in the order of `compare_graphs`."""


def protect_and_compare(graph: graphs.SocialGraph) -> tuple[graphs.SocialGraph, Any]:
    """The protected graph and all figures."""
    masked = graphs.protect_graph(graph, k=K, seed=1)
    return masked, graphs.compare_graphs(graph, masked)


def star_shares(graph: graphs.SocialGraph, masked: graphs.SocialGraph) -> list[float]:
    """The six risks: shares of stars that are found, neighbour by neighbour."""

    def stars(one: graphs.SocialGraph, names: list[str]) -> list[frozenset[tuple[object, int]]]:
        says = list(one.frame()[names].itertuples(index=False, name=None))
        around: list[Counter[object]] = [Counter() for _ in range(one.n_nodes)]
        for i, j in one.edges.tolist():
            around[i][says[j]] += 1
            around[j][says[i]] += 1
        return [frozenset(counter.items()) for counter in around]

    shares = []
    for names in (
        *([name] for name in graph.attributes),
        list(graph.topic_attributes),
        list(graph.attributes),
    ):
        known = set(stars(masked, names))
        shares.append(float(np.mean([star in known for star in stars(graph, names)])))
    return shares


def plain_clusters(distance: np.ndarray, k: int, seed: int) -> list[set[int]]:
    """All full clusters: the first free node of a random order and its nearest free ones."""
    n_nodes = len(distance)
    free, n_full = set(range(n_nodes)), n_nodes // k - (n_nodes % k > 0)
    clusters: list[set[int]] = []
    for node in np.random.default_rng(seed).permutation(n_nodes).tolist():
        if node in free and len(clusters) < n_full:
            others = sorted(free - {node}, key=lambda v, n=node: (distance[n, v], v))
            clusters.append({node, *others[: k - 1]})
            free -= clusters[-1]
    return clusters


def node_distances(graph: graphs.SocialGraph) -> np.ndarray:
    """Distances of all pairs of nodes, in sevenths so that equal ones are equal."""
    places = graph.hierarchy
    rows = list(graph.frame().itertuples(index=False, name=None))
    return np.array(
        [[7 * (places.distance(a[0], b[0]) + sum(x != y for x, y in zip(a[1:], b[1:], strict=True)))
          for b in rows] for a in rows]
    ).round().astype(int)  # fmt: skip


def check(graph: graphs.SocialGraph, results: Mapping[str, Any]) -> None:
    """Protected graphs are k-anonymous with the ties of the original; loops agree on 306 nodes."""
    masked, _ = results["protect and compare"]
    require(masked.frame().value_counts().min() >= K, "a protected graph is not k-anonymous")
    require(np.array_equal(masked.edges, graph.edges), "a protected graph has other ties")
    small = graphs.generate_graph("small", seed=1)
    distance = node_distances(small)
    for k in (3, 7):
        for seed in (1, 2, 3):
            labels = graphs.cluster_nodes(small, k, random_state=seed)
            clusters = plain_clusters(distance, k, seed)
            found = [set(np.flatnonzero(labels == label)) for label in range(len(clusters))]
            require(found == clusters, f"clusters differ, k = {k}, seed {seed}")
            masked = graphs.protect_graph(small, k=k, seed=seed)
            require(masked.frame().value_counts().min() >= k, f"not {k}-anonymous, seed {seed}")
            figures = graphs.compare_graphs(small, masked)[RISKS] / 100
            require(np.allclose(figures, star_shares(small, masked)), "risks differ")


SIZES = {"306 nodes": (306, 342), "1638 nodes": (1638, 4622), "50000 nodes": (50_000, 150_000)}

BENCHMARKS = (
    Benchmark(
        name="protection of a social graph",
        unit="graph",
        sizes=SIZES,
        quick={"306 nodes": (306, 342)},
        setup=lambda size: graphs.social_network(*size, seed=1),
        ways={
            "protect": Way(
                start=lambda graph: partial(graphs.protect_graph, graph, k=K, seed=1), repeats=3
            ),
            "protect and compare": Way(
                start=lambda graph: partial(protect_and_compare, graph), repeats=3, memory=True
            ),
        },
        check=check,
        goals=[
            Goal(way="protect and compare", seconds=1, sizes=["1638 nodes"]),
            Goal(way="protect and compare", seconds=60, sizes=["50000 nodes"]),
            Goal(way="protect and compare", megabytes=2000, sizes=["50000 nodes"]),
        ],
    ),
)
