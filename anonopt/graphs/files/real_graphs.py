"""A real attributed graph that comes with networkx."""

from __future__ import annotations

from anonopt.graphs.files.networkx_conversion import from_networkx
from anonopt.graphs.social_graph import SocialGraph


def karate_club() -> SocialGraph:
    """Zachary's karate club, with the side each member took when it split.

    W. W. Zachary, *An Information Flow Model for Conflict and Fission in Small Groups*, Journal
    of Anthropological Research 33 (1977); networkx ships it. 34 members, 78 ties; the side,
    ``club``, is ``Mr. Hi`` or ``Officer``, and is all that the data say of a member: there are no
    locations and no further topics, and none are made up.

    Returns
    -------
    SocialGraph
        Undirected, one topic attribute, no locations.

    Examples
    --------
    >>> karate_club().frame()["club"].value_counts().to_dict()
    {'Mr. Hi': 17, 'Officer': 17}
    """
    import networkx as nx

    return from_networkx(nx.karate_club_graph(), location=None, topics=["club"])
