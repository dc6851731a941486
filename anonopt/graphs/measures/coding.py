"""Whether the codes of two graphs mean the same."""

from __future__ import annotations

from anonopt.graphs.social_graph import SocialGraph


def check_same_coding(original: SocialGraph, masked: SocialGraph) -> None:
    """Check that two graphs can be compared code by code.

    Raises
    ------
    ValueError
        If they differ in the order of nodes, the names of attributes or topics, the hierarchy of
        locations, or in whether they are directed; names which.
    """
    pairs = {
        "nodes": (original.nodes, masked.nodes),
        "attributes": (original.attributes, masked.attributes),
        "topic_names": (original.topic_names, masked.topic_names),
        "hierarchy": (original.hierarchy, masked.hierarchy),
        "directed": (original.directed, masked.directed),
    }
    for name, (first, second) in pairs.items():
        if first is not second and first != second:
            raise ValueError(
                f"{name}: expected the same in both graphs, found others; "
                "anonopt.graphs.aligned brings graphs of the same nodes into one order and coding"
            )
