"""Nodes that can be found again by their neighbours (Mares 2013, Section 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from anonopt._typing import BoolArray, CodeArray, IntArray
from anonopt.data.grouping import group_rows, pack_codes
from anonopt.graphs.measures.stars import Stars
from anonopt.graphs.social_graph import SocialGraph, check_same_coding

_MOST_PROFILES = 1 << 31
"""Profiles up to this number are told apart by a number that is made of their codes."""


def matched_nodes(
    original: SocialGraph,
    masked: SocialGraph,
    attributes: Sequence[str] | None = None,
    *,
    with_root: bool = False,
) -> BoolArray:
    """Tell which nodes' stars occur in the masked graph (Mares 2013, Eq. 6.10).

    The star of a node is the node and its neighbours. It is matched if anywhere in the masked
    graph there is a node with as many neighbours that say the same, each tied in the same
    direction; a loop is part of the star. The thesis asks that "the neighbors have the same
    information" and says nothing of the node itself, whose values at least k nodes share, so
    these are not compared; ``with_root`` compares them too. A node without neighbours is then
    matched by any other such node. Ties between neighbours do not count: the star holds none.

    Stars are found by a hash, and those of one hash compared neighbour by neighbour, so that the
    result is exact.

    Parameters
    ----------
    original, masked : SocialGraph
        Of the same nodes and codes: :func:`~anonopt.graphs.aligned` brings others into that form.
    attributes : sequence of str, optional
        Attributes an attacker knows, at least one; all if left out.
    with_root : bool
        Compare the values of the node itself as well.

    Returns
    -------
    bool array (n_nodes,)

    Raises
    ------
    ValueError
        If an attribute is unknown, none is named, or the graphs differ in nodes, codes or
        direction.
    """
    check_same_coding(original, masked)
    names = original.attributes if attributes is None else tuple(attributes)
    if not names:
        raise ValueError("attributes: expected at least one, found none")
    if original.n_nodes == 0:
        return np.zeros(0, dtype=np.bool_)
    sizes = [original.n_values(name) for name in names]
    profiles = _profiles([(original.codes(a), masked.codes(a)) for a in names], sizes)
    sought, found = (
        Stars(graph.neighbors, own, with_root=with_root)
        for graph, own in zip((original, masked), profiles, strict=True)
    )
    return sought.occur_in(found)


def disclosure_risk(
    original: SocialGraph,
    masked: SocialGraph,
    attributes: Sequence[str] | None = None,
    *,
    with_root: bool = False,
) -> float:
    """Nodes whose star occurs in the masked graph, in percent (Mares 2013, Eq. 6.9).

    Parameters
    ----------
    original, masked, attributes, with_root
        As in :func:`matched_nodes`.

    Returns
    -------
    float
        0..100, less is better; 0 for graphs without nodes.
    """
    matched = matched_nodes(original, masked, attributes, with_root=with_root)
    return 100 * float(matched.mean()) if len(matched) else 0.0


def _profiles(
    columns: Sequence[tuple[CodeArray, CodeArray]], sizes: Sequence[int]
) -> tuple[IntArray, IntArray]:
    """Number of what each node of two graphs says: equal where all of it is equal."""
    if prod(sizes) < _MOST_PROFILES:
        first, second = (pack_codes(part, sizes) for part in zip(*columns, strict=True))
        return first, second
    n_nodes = len(columns[0][0])
    _, numbers = group_rows([np.concatenate(pair) for pair in columns], sizes)
    return numbers[:n_nodes], numbers[n_nodes:]
