"""Small random graphs for properties, and what the slow twins need to know of them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from anonopt.graphs import SocialGraph, packaged_locations, write_graph

PLACES = (
    "Central Park",
    "Manhattan",
    "Brooklyn",
    "New York City",
    "New York",
    "Washington DC",
    "Boston",
    "United States",
    "Toronto",
    "Paris",
    "France",
    "Singapore",
    "Asia",
    "World",
)
FORMATS = ("graphml", "gml", "json", "csv", "parquet")
TOPICS = ("Sports", "Politics", "Weather", "Labor", "Education")


@dataclass(frozen=True)
class Tree:
    """The packaged hierarchy as dictionaries."""

    parent_of: dict[str, str | None]
    level_of: dict[str, int]


def tree() -> Tree:
    hierarchy = packaged_locations()
    names = hierarchy.names
    return Tree(
        {
            name: None if parent < 0 else names[parent]
            for name, parent in zip(names, hierarchy.parents.tolist(), strict=True)
        },
        dict(zip(names, hierarchy.levels.tolist(), strict=True)),
    )


@st.composite
def graphs(draw, *, least: int = 1, most: int = 12, n_topics: int | None = None):
    """Graph with locations or without, directed or not, with loops and isolated nodes."""
    n = draw(st.integers(least, most))
    width = draw(st.integers(1, 3)) if n_topics is None else n_topics
    directed = draw(st.booleans())
    pairs = [(i, j) for i in range(n) for j in range(n) if directed or i <= j]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=20)) if n else []
    codes = st.integers(0, len(TOPICS) - 1)
    topics = draw(st.lists(st.tuples(*[codes] * width), min_size=n, max_size=n))
    hierarchy = packaged_locations()
    places = st.sampled_from([hierarchy.code(name) for name in PLACES])
    has_places = draw(st.booleans())
    return SocialGraph(
        [f"n{i}" for i in range(n)],
        edges,
        topics=topics,
        topic_names=TOPICS,
        topic_attributes=[f"topic{i + 1}" for i in range(width)],
        locations=draw(st.lists(places, min_size=n, max_size=n)) if has_places else None,
        hierarchy=hierarchy if has_places else None,
        directed=directed,
    )


def profiles(graph: SocialGraph) -> list[tuple[str | None, tuple[str, ...]]]:
    """Location, or None, and topics of each node."""
    rows = zip(*(graph.values(name) for name in graph.topic_attributes), strict=True)
    places = graph.values("location") if graph.locations is not None else [None] * graph.n_nodes
    return list(zip(places, rows, strict=True))


def written(graph: SocialGraph, folder, ending: str):
    """Write a graph; its path, and the options that read it again."""
    path = folder / f"graph.{ending}"
    nodes = {"nodes": folder / f"nodes.{ending}"} if ending in ("csv", "parquet") else {}
    write_graph(graph, path, **nodes)
    options = {**nodes, "directed": graph.directed} if nodes else {}
    return path, options
