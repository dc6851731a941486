"""A graph beside its protected version: what was lost, and what can still be found out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonopt._typing import IntArray
from anonopt.graphs.measures.loss import aamil, cdil, dbil
from anonopt.graphs.measures.risk import disclosure_risk
from anonopt.graphs.social_graph import SocialGraph


def compare_graphs(original: SocialGraph, protected: SocialGraph) -> pd.Series[float]:
    """Measure a protected graph against its original (Mares 2013, Sections 6.3 and 6.4).

    Parameters
    ----------
    original, protected : SocialGraph
        Of the same nodes, in any order; ties may differ. Nodes are the same whose names read the
        same, since most files turn numbers into text.

    Returns
    -------
    Series of float
        Percentages, less is better. Information loss: ``AAMIL``, ``CDIL``, ``DBIL`` and their
        mean ``IL`` (Eqs. 6.3 to 6.8). Disclosure risk, the nodes found by their star (Eq. 6.9):
        ``DR_`` and each attribute, which is all the attacker knows; ``DR_topics``, if there is
        more than one topic; ``DR``, by all attributes. Where ties were added, AAMIL can exceed
        100. All are 0 for graphs without nodes.

    Raises
    ------
    ValueError
        If nodes or attributes differ, or one graph is directed and the other is not; names the
        first difference.

    Examples
    --------
    >>> from anonopt.graphs import generate_graph, protect_graph
    >>> graph = generate_graph("small", seed=1)
    >>> compare_graphs(graph, protect_graph(graph, k=3, seed=1)).index.tolist()
    ['AAMIL', 'CDIL', 'DBIL', 'IL', 'DR_location', 'DR_topic1', 'DR_topic2', 'DR_topic3',
     'DR_topics', 'DR']
    >>> compare_graphs(graph, graph)[["IL", "DR"]].tolist()
    [0.0, 100.0]
    """
    first, second = aligned(original, protected)
    losses = {
        "AAMIL": aamil(first, second),
        "CDIL": cdil(first, second),
        "DBIL": dbil(first, second),
    }
    figures = {**losses, "IL": float(np.mean(list(losses.values())))}
    for name in first.attributes:
        figures[f"DR_{name}"] = disclosure_risk(first, second, [name])
    if len(first.topic_attributes) > 1:
        figures["DR_topics"] = disclosure_risk(first, second, first.topic_attributes)
    figures["DR"] = disclosure_risk(first, second)
    return pd.Series(figures)


def aligned(original: SocialGraph, protected: SocialGraph) -> tuple[SocialGraph, SocialGraph]:
    """Bring two graphs into one order of nodes and one coding of values.

    Parameters
    ----------
    original, protected : SocialGraph

    Returns
    -------
    original, protected : SocialGraph
        In the order of the original, with its hierarchy, and with the topics of both.

    Raises
    ------
    ValueError
        As for :func:`compare_graphs`.
    """
    if original.attributes != protected.attributes:
        raise ValueError(
            f"protected graph: expected attributes {list(original.attributes)}, "
            f"found {list(protected.attributes)}"
        )
    if original.directed != protected.directed:
        raise ValueError("expected both graphs directed or both undirected, found one of each")
    if (
        original.nodes == protected.nodes
        and original.topic_names == protected.topic_names
        and original.hierarchy == protected.hierarchy
    ):
        return original, protected
    names = tuple(dict.fromkeys([*original.topic_names, *protected.topic_names]))
    return _recoded(original, original, names), _recoded(original, protected, names)


def _recoded(original: SocialGraph, graph: SocialGraph, names: tuple[str, ...]) -> SocialGraph:
    """Give a graph the order and the hierarchy of the original, and the given topics."""
    order = _positions(original, graph)
    code = {name: number for number, name in enumerate(names)}
    recode = np.array([code[name] for name in graph.topic_names], dtype=np.int32)
    back = np.argsort(order)
    return SocialGraph(
        original.nodes,
        back[graph.edges],
        topics=recode[graph.topics][order] if len(recode) else graph.topics,
        topic_names=names,
        locations=_locations(original, graph, order),
        hierarchy=original.hierarchy,
        topic_attributes=original.topic_attributes,
        location_attribute=original.location_attribute,
        directed=original.directed,
    )


def _positions(original: SocialGraph, graph: SocialGraph) -> IntArray:
    wanted, found = original.nodes, graph.nodes
    texts = tuple(map(str, wanted)), tuple(map(str, found))
    if all(len(set(names)) == len(names) for names in texts):
        wanted, found = texts
    position = {name: number for number, name in enumerate(found)}
    for name, node in zip(wanted, original.nodes, strict=True):
        if name not in position:
            raise ValueError(f"protected graph: expected the node {node!r}, found none")
    known = set(wanted)
    for name, node in zip(found, graph.nodes, strict=True):
        if name not in known:
            raise ValueError(f"protected graph: expected no node {node!r}, found one")
    return np.array([position[name] for name in wanted], dtype=np.int64)


def _locations(original: SocialGraph, graph: SocialGraph, order: IntArray) -> list[int] | None:
    if graph.locations is None or graph.hierarchy is None or original.hierarchy is None:
        return None
    attribute = graph.location_attribute
    names = graph.values(attribute)
    for node, name in zip(graph.nodes, names, strict=True):
        if name not in original.hierarchy:
            raise ValueError(
                f"node {node!r}, attribute {attribute!r}: expected a location of the hierarchy of "
                f"the original graph, found {name!r}"
            )
    return [original.hierarchy.code(names[position]) for position in order]
