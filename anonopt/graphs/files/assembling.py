"""Social graphs put together from what a source says of its nodes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol

import numpy.typing as npt

from anonopt.graphs.attributes.keyword_classifier import KeywordClassifier
from anonopt.graphs.attributes.topics import TopicClassifier, most_frequent_topics
from anonopt.graphs.files.node_attributes import (
    HierarchySource,
    NodeTexts,
    cell_text,
    place_codes,
    topic_codes,
)
from anonopt.graphs.social_graph import LOCATION, SocialGraph


class NodeCells(Protocol):
    """What nodes say, attribute by attribute."""

    def texts(self, attribute: str) -> NodeTexts:
        """Text of an attribute of each node; ValueError if a node lacks it."""
        ...

    def cells(self, attribute: str) -> list[Any]:
        """Cells of an attribute as they are, None where a node lacks it."""
        ...

    def present(self, node: Hashable) -> Iterable[object]:
        """Names of the attributes that a node has."""
        ...


def assembled(
    nodes: Sequence[Hashable],
    edges: npt.ArrayLike,
    cells: NodeCells,
    *,
    directed: bool,
    hierarchy: HierarchySource | None,
    location: str | None,
    topics: Sequence[str],
    texts: str | None,
    classifier: TopicClassifier | None,
) -> SocialGraph:
    """Put a graph together; for the options see :func:`~anonopt.graphs.from_networkx`.

    Raises
    ------
    ValueError
        If a node lacks an attribute, its value is neither text nor number, or its location is
        unknown; names node, attribute and value.
    TypeError
        If `topics` is a text and no sequence of them.
    """
    if isinstance(topics, str):
        raise TypeError(f"topics: expected a sequence of names of attributes, found {topics!r}")
    if texts is None:
        columns = [cells.texts(name) for name in topics]
    else:
        columns = _topics_of_texts(nodes, cells, texts, len(topics), classifier)
    codes, names = topic_codes(columns, len(nodes))
    name = LOCATION if location is None else location
    tree, places = None, None
    if location is not None:
        tree, places = place_codes(hierarchy, nodes, cells.texts(location), name)
    return SocialGraph(
        nodes,
        edges,
        topics=codes,
        topic_names=names,
        locations=places,
        hierarchy=tree,
        topic_attributes=topics,
        location_attribute=name,
        directed=directed,
    )


def _topics_of_texts(
    nodes: Sequence[Hashable],
    cells: NodeCells,
    attribute: str,
    n_topics: int,
    classifier: TopicClassifier | None,
) -> list[NodeTexts]:
    """Topics of what each node wrote, place by place."""
    finder = KeywordClassifier() if classifier is None else classifier
    rows = []
    for node, value in zip(nodes, cells.cells(attribute), strict=True):
        if isinstance(value, list | tuple):
            written = [str(text) for text in value]
        else:
            written = cell_text(value, node, attribute, cells.present(node)).splitlines()
        rows.append(most_frequent_topics(written, finder, n_topics=n_topics))
    return [NodeTexts.of(row[place] for row in rows) for place in range(n_topics)]
