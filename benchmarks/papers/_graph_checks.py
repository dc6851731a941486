"""What benchmarks/graphs.py checks before it times: printed examples, and plain loops."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np

from anonopt import graphs

RISKS = ["DR_location", "DR_topic1", "DR_topic2", "DR_topic3", "DR_topics", "DR"]
"""Figures of risk, in the order of `compare_graphs`."""


def check(name: str, found: object, expected: object) -> None:
    """Print a figure beside what it has to be, and stop where they differ."""
    equal = found == expected or np.isclose(float(found), float(expected), atol=5e-4)  # type: ignore[arg-type]
    print(f"  {name:<58}{found!s:>14}  expected {expected}")
    if not equal:
        sys.exit(f"{name}: expected {expected}, found {found}")


def examples() -> None:
    """Figures 6.5 to 6.8 and the distances of Section 6.2.1 (Mares 2013)."""
    print("Examples of the thesis")
    places = graphs.packaged_locations()
    check(
        "d(Brooklyn, United States)", round(places.distance("Brooklyn", "United States"), 3), 0.714
    )
    check("d(New York City, Washington DC)", places.distance("New York City", "Washington DC"), 1.0)
    names = ["Technology", "Politics", "Sports", "Religion", "Culture", "Weather"]
    graph = graphs.SocialGraph(
        ["User 1", "User 2", "User 3"],
        [[1, 0], [1, 2]],
        topics=[[0, 1, 4], [0, 2, 3], [1, 0, 5]],
        topic_names=names,
        locations=[places.code(p) for p in ("Washington DC", "United States", "New York City")],
        hierarchy=places,
    )
    masked = graphs.protect_graph(graph, k=3, seed=1)
    check("Figure 6.5: aggregated values", masked.frame().iloc[1].tolist(),
          ["United States", "Technology", "Politics", "Sports"])  # fmt: skip
    figure_6_6 = graphs.adjacency_loss(graph, masked, "location")
    check("Figure 6.6: AAMIL of location", figure_6_6 / 100, 0.5)
    equation = graphs.adjacency_loss(graph, masked, "location", as_printed=True)
    check("the same by Eq. 6.4 to the letter (masked rows)", equation / 100, 1.0)
    share = round(graphs.distribution_loss(graph, masked, "topic1") / 100, 3)
    check("Figure 6.7: CDIL of topic 1", share, 0.333)
    before, after = graph.frame().loc["User 2"], masked.frame().loc["User 2"]
    parts = [places.distance(before["location"], after["location"])]
    parts += [float(before[name] != after[name]) for name in ("topic1", "topic2", "topic3")]
    check("Figure 6.8: DBIL of user 2", float(np.mean(parts)), 0.5)


def equality() -> None:
    """Clusters, losses and risks of the small graph against plain loops."""
    print("\nAgainst plain loops, 306 nodes, k = 3 and 7, three seeds each")
    graph = graphs.generate_graph("small", seed=1)
    places = graph.hierarchy
    rows = list(graph.frame().itertuples(index=False, name=None))
    distance = np.array(
        [[7 * (places.distance(a[0], b[0]) + sum(x != y for x, y in zip(a[1:], b[1:], strict=True)))
          for b in rows] for a in rows]
    ).round().astype(int)  # fmt: skip
    for k in (3, 7):
        for seed in range(1, 4):
            masked = graphs.protect_graph(graph, k=k, seed=seed)
            if masked.frame().value_counts().min() < k or (masked.edges != graph.edges).any():
                sys.exit("a protected graph is not k-anonymous, or has other ties")
            labels = graphs.cluster_nodes(graph, k, random_state=seed)
            free, n_full = set(range(graph.n_nodes)), graph.n_nodes // k
            n_full -= graph.n_nodes % k > 0
            label = 0
            for node in np.random.default_rng(seed).permutation(graph.n_nodes).tolist():
                if node in free and label < n_full:
                    others = sorted(free - {node}, key=lambda v, n=node: (distance[n, v], v))
                    cluster = {node, *others[: k - 1]}
                    if set(np.flatnonzero(labels == label)) != cluster:
                        sys.exit(f"cluster {label} differs")
                    free -= cluster
                    label += 1
            figures = graphs.compare_graphs(graph, masked)
            slow = [slow_risk(graph, masked, [name]) for name in graph.attributes]
            slow += [slow_risk(graph, masked, list(graph.topic_attributes))]
            slow += [slow_risk(graph, masked, list(graph.attributes))]
            if not np.allclose(figures[RISKS] / 100, slow):
                sys.exit("risks differ")
    print("  clusters, k-anonymity, ties and six risks agree in all six cases")


def slow_risk(graph: graphs.SocialGraph, masked: graphs.SocialGraph, names: list[str]) -> float:
    """Share of stars found, neighbour by neighbour."""

    def stars(one: graphs.SocialGraph) -> list[frozenset[tuple[object, int]]]:
        says = list(one.frame()[names].itertuples(index=False, name=None))
        around: list[Counter[object]] = [Counter() for _ in range(one.n_nodes)]
        for i, j in one.edges.tolist():
            around[i][says[j]] += 1
            around[j][says[i]] += 1
        return [frozenset(counter.items()) for counter in around]

    known = set(stars(masked))
    return float(np.mean([star in known for star in stars(graph)]))
