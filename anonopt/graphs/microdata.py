"""A table of the nodes: what a graph gives away without its ties (Mares 2013, Section 6.2.2)."""

from __future__ import annotations

import pandas as pd

from anonopt.graphs.social_graph import SocialGraph

DEGREE = "degree"


def extract_microdata(graph: SocialGraph) -> pd.DataFrame:
    """Turn nodes into rows: the degree, the location and the topics (Mares 2013, Figure 6.4).

    The nodes of a protected graph share their attributes with k - 1 others, but hardly their
    degree, so the table must be protected on its own: by any method of :mod:`anonopt.masking`
    that makes k-anonymous tables, such as ``MDAV(k=3, ordinal={"degree": None})``, and measured
    by :func:`anonopt.evaluation.comparison.compare.compare` with the same ``ordinal``.

    Parameters
    ----------
    graph : SocialGraph

    Returns
    -------
    DataFrame (n_nodes, 1 + n_attributes)
        Column ``degree``, ties at both ends of a loop counting, then the attributes as text;
        indexed by the names of the nodes.

    Raises
    ------
    ValueError
        If an attribute is called ``degree``.

    Examples
    --------
    >>> graph = SocialGraph(["Ann", "Bob"], [[0, 1]], topics=[[0], [1]],
    ...                     topic_names=["Sports", "Politics"])
    >>> extract_microdata(graph)
         degree    topic1
    Ann       1    Sports
    Bob       1  Politics
    """
    if DEGREE in graph.attributes:
        raise ValueError(f"attributes: expected none called {DEGREE!r}, found one")
    frame = graph.frame()
    frame.insert(0, DEGREE, graph.degrees())
    return frame
