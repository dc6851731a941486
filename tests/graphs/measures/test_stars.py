"""Stars are found whatever their hashes, and whatever the size of blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.graphs import aamil, disclosure_risk, matched_nodes, neighbors, protect_graph
from anonopt.graphs.measures import loss, stars
from tests.graphs.random_graphs import graphs
from tests.oracles.graphs import matched


@settings(max_examples=30)
@given(graphs(most=9), st.booleans(), st.integers(0, 2**30))
def test_stars_of_one_hash_are_told_apart(graph, with_root, seed):
    masked = protect_graph(graph, k=min(2, graph.n_nodes), seed=seed)
    columns = [
        list(zip(*(one.values(name) for name in one.attributes), strict=True))
        for one in (graph, masked)
    ]
    expected = matched(*columns, graph.edges.tolist(), directed=graph.directed, with_root=with_root)
    with pytest.MonkeyPatch.context() as patch:
        # All nodes of as many neighbours share a hash then.
        patch.setattr(stars, "mixed", lambda labels: np.ones(len(labels), dtype=np.uint64))
        patch.setattr(neighbors, "BLOCK_PAIRS", 3)
        found = matched_nodes(graph, masked, with_root=with_root)
    assert found.tolist() == expected


@settings(max_examples=20)
@given(graphs(), st.integers(1, 5))
def test_figures_do_not_depend_on_blocks(graph, size):
    masked = protect_graph(graph, k=graph.n_nodes, seed=1)
    expected = aamil(graph, masked), disclosure_risk(graph, masked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbors, "BLOCK_PAIRS", size)
        patch.setattr(loss, "BLOCK_PAIRS", size)
        patch.setattr(loss, "_MOST_CELLS", 0)
        assert (aamil(graph, masked), disclosure_risk(graph, masked)) == expected
