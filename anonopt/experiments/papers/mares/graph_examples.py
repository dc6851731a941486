"""The worked examples of Sections 6.2 and 6.3, and the shape of the graphs of Section 6.5."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonopt.experiments.papers.mares.protected_graphs import GRAPHS, LEVELS
from anonopt.graphs.attributes.location_tables import packaged_locations
from anonopt.graphs.attributes.locations import LOCATION_LEVELS, LocationHierarchy, level_of_type
from anonopt.graphs.clustering import cluster_nodes
from anonopt.graphs.files.networkx_conversion import to_networkx
from anonopt.graphs.generator import generate_graph
from anonopt.graphs.measures.loss import adjacency_loss, distribution_loss
from anonopt.graphs.measures.statistics import graph_statistics
from anonopt.graphs.microdata import extract_microdata
from anonopt.graphs.protection import protect_graph
from anonopt.graphs.social_graph import SocialGraph

LEVELS_6_1 = (
    ("route", 0),
    ("sublocality", 0),
    ("natural feature", 0),
    ("point of interest", 0),
    ("neighborhood", 0),
    ("locality", 1),
    ("colloquial area", 1),
    ("administrative area level 3", 2),
    ("administrative area level 2", 3),
    ("administrative area level 1", 4),
    ("country", 5),
    ("political", 5),
    ("continent", 6),
    ("world", 7),
)
"""Types and levels as printed."""

TOPICS = ("Technology", "Politics", "Sports", "Religion", "Culture", "Weather")

FIGURE_6_5 = (
    ("Washington DC", ("Technology", "Politics", "Culture")),
    ("United States", ("Technology", "Sports", "Religion")),
    ("New York City", ("Politics", "Technology", "Weather")),
)
"""Location and topics of the three users; the second is tied to both others."""

AGGREGATED = ["United States", "Technology", "Politics", "Sports"]
"""What all three say after protection (row "Protected User 2" of Figure 6.8)."""

FIGURE_6_7 = {
    "original": dict(zip(TOPICS, (2, 1, 0, 0, 0, 0), strict=True)),
    "masked": dict(zip(TOPICS, (3, 0, 0, 0, 0, 0), strict=True)),
}
"""How often each topic is a first one."""

COMMON_PARENTS = {
    ("Brooklyn", "Washington DC"): "United States",
    ("Manhattan", "Central Park"): "New York City",
}
"""Aggregated locations of Section 6.2.1."""

_STATISTICS = {
    "nodes": "nodes",
    "ties": "edges",
    "diameter, hops": "diameter",
    "characteristic path length, hops": "characteristic_path",
    "average shortest path, hops": "average_path",
    "average degree": "average_degree",
}
PUBLISHED_FIGURES = {
    graph: dict(zip(_STATISTICS, values, strict=True))
    for graph, values in zip(
        GRAPHS,
        (
            ("306", "342", "17", "8", "7.597", "2"),
            ("1638", "4622", "11", "4", "4.2595", "5"),
        ),
        strict=True,
    )
}
"""Of the graphs of Section 6.5, as printed."""


def examples(seed: int, quick: bool) -> dict[str, float]:
    """All examples of Sections 6.2 and 6.3."""
    return _algorithms() | _locations() | _aggregated_users()


def _algorithms() -> dict[str, float]:
    graph = generate_graph("small", seed=1)
    protected = {k: protect_graph(graph, k, seed=1) for k in LEVELS}
    is_anonymous = [other.frame().value_counts().min() >= k for k, other in protected.items()]
    clusters = np.bincount(cluster_nodes(graph, 4, random_state=1))
    places = packaged_locations()
    tops = [places.path(name)[-1][0] for name in places.names]
    return {
        "share of K = 2 to 20 at which at least K nodes say the same (Algorithm 13)": float(
            np.mean(is_anonymous)
        ),
        "ties changed (Algorithm 13)": float(
            sum((other.edges != graph.edges).any(axis=1).sum() for other in protected.values())
        ),
        "clusters of 306 nodes, K = 4 (Algorithm 14)": len(clusters),
        "nodes of the last cluster of 306, K = 4 (Algorithm 14)": float(clusters[-1]),
        "share of locations whose way ends at World (Algorithm 15)": tops.count("World")
        / len(tops),
    }


def _figure_6_2() -> LocationHierarchy:
    """The tree of the text, in which Central Park is no part of Manhattan."""
    country = [("United States", "country"), ("North America", "continent"), ("World", "world")]
    city = [("New York City", "locality"), *country]
    return LocationHierarchy(
        [
            [("Brooklyn", "sublocality"), *city],
            [("Manhattan", "sublocality"), *city],
            [("Central Park", "natural feature"), *city],
            [("Washington DC", "locality"), *country],
        ]
    )


def _locations() -> dict[str, float]:
    places = _figure_6_2()
    found = {f"level of {kind}": float(level_of_type(kind)) for kind in LOCATION_LEVELS}
    for first, second in (("Brooklyn", "United States"), ("New York City", "Washington DC")):
        found[f"distance of {first} and {second}"] = places.distance(first, second)
    found[
        "of the 2 printed common parents, United States and New York City, those that come back"
    ] = sum(places.common_ancestor(names) == parent for names, parent in COMMON_PARENTS.items())
    return found


def _aggregated_users() -> dict[str, float]:
    places = packaged_locations()
    graph = SocialGraph(
        ["User 1", "User 2", "User 3"],
        [[1, 0], [1, 2]],
        topics=[[TOPICS.index(topic) for topic in topics] for _, topics in FIGURE_6_5],
        topic_names=TOPICS,
        locations=[places.code(place) for place, _ in FIGURE_6_5],
        hierarchy=places,
    )
    masked = protect_graph(graph, 3, seed=1)
    before, after = graph.frame(), masked.frame()
    comes_back = (after[list(graph.attributes)] == AGGREGATED).all(axis=0)
    microdata = extract_microdata(graph)
    found: dict[str, float] = {
        "of the 3 printed topics, technology, politics and sports, those that come back in their "
        "order from the users of Figure 6.5": float(comes_back[list(graph.topic_attributes)].sum()),
        "of the 4 aggregated values of Figure 6.8, those that come back in all 3 users": float(
            comes_back.sum()
        ),
        "rows, one a user": microdata.shape[0],
        "columns, one an attribute and the degree": microdata.shape[1],
        "AAMIL of location": adjacency_loss(graph, masked, "location") / 100,
        "AAMIL of location by Eq. 6.4 to the letter": adjacency_loss(
            graph, masked, "location", as_printed=True
        )
        / 100,
        "CDIL of topic 1": distribution_loss(graph, masked, "topic1") / 100,
    }
    for name, frame in (("original", before), ("masked", after)):
        for topic in TOPICS:
            found[f"{name} topic 1, {topic}"] = float((frame["topic1"] == topic).sum())
    user_2 = {name: (graph.values(name)[1], masked.values(name)[1]) for name in graph.attributes}
    distances = {name: float(user_2[name][0] != user_2[name][1]) for name in graph.topic_attributes}
    distances["location"] = places.distance(*user_2["location"])
    found |= {f"distance of {name} of user 2": value for name, value in distances.items()}
    found["DBIL of user 2"] = float(np.mean(list(distances.values())))
    return found


def shapes(seed: int, quick: bool) -> dict[str, float]:
    """Statistics of a generated graph of each size."""
    found: dict[str, float] = {}
    for graph, size in GRAPHS.items():
        statistics = graph_statistics(generate_graph(size, seed=seed))
        found |= {f"{graph}: {label}": statistics[name] for label, name in _STATISTICS.items()}
    return found


def layout_points(quick: bool) -> pd.DataFrame:
    """Ties of both graphs as lines, of nodes that springs have put in their places."""
    from networkx import spring_layout

    parts = []
    for name, size in GRAPHS.items():
        graph = generate_graph(size, seed=1)
        places = spring_layout(to_networkx(graph), seed=1, iterations=10 if quick else 50)
        x, y = np.array([places[node] for node in graph.nodes]).T
        # A gap behind each tie, so that ties are lines of their own.
        ends = np.column_stack([graph.edges, np.full(graph.n_edges, -1)]).ravel()
        lines = {
            axis: np.where(ends < 0, np.nan, values[ends]) for axis, values in (("x", x), ("y", y))
        }
        panel = f"{name} (generated): {graph.n_nodes} nodes, {graph.n_edges} ties"
        parts.append(pd.DataFrame({"panel": panel, "series": "ties", **lines}))
    return pd.concat(parts, ignore_index=True)
