"""Nodes that can be found again by their neighbours (Mares 2013, Section 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from anonopt._typing import BoolArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.graphs.neighbors import IN, LOOP, OUT
from anonopt.graphs.social_graph import SocialGraph, check_same_coding

_TIES = OUT + IN + LOOP + 1


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

    Multisets of neighbours are compared by a key that is exact, so there are no collisions.

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
    columns = [np.concatenate([g.codes(name) for g in (original, masked)]) for name in names]
    n = original.n_nodes
    if n == 0:
        return np.zeros(0, dtype=np.bool_)
    _, profiles = group_rows(columns, [original.n_values(name) for name in names])
    known = set(_star_keys(masked, profiles[n:], with_root=with_root))
    keys = _star_keys(original, profiles[:n], with_root=with_root)
    return np.fromiter((key in known for key in keys), dtype=np.bool_, count=n)


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


def _star_keys(graph: SocialGraph, profiles: IntArray, *, with_root: bool) -> list[bytes]:
    """Key of each star: the sorted labels of the neighbours, after that of the node itself."""
    starts, owners, nodes, ties = graph.neighbors
    labels = profiles[nodes] * _TIES + ties
    stars = labels[np.lexsort((labels, owners))].tobytes()
    bounds = (starts * labels.itemsize).tolist()
    keys = [stars[begin:end] for begin, end in pairwise(bounds)]
    if not with_root:
        return keys
    roots = profiles.tobytes()
    size = profiles.itemsize
    return [roots[i * size : (i + 1) * size] + key for i, key in enumerate(keys)]
