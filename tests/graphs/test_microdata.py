"""The table of the nodes: made of any graph, and protected by the methods for tables."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given

import anonopt as ao
from anonopt.graphs import (
    SocialGraph,
    extract_microdata,
    generate_graph,
    protect_graph,
    to_networkx,
)
from anonopt.masking import MDAV, Mondrian
from tests.graphs.random_graphs import graphs

ORDER = {"degree": None}
ALL_ORDERED = dict.fromkeys(["degree", "location", "topic1", "topic2", "topic3"])


@given(graphs(least=0))
def test_degrees_and_attributes(graph):
    frame = extract_microdata(graph)
    assert list(frame.columns) == ["degree", *graph.attributes]
    assert frame["degree"].tolist() == [d for _, d in to_networkx(graph).degree()]
    assert frame.drop(columns="degree").equals(graph.frame())


def test_figure_6_4():
    graph = SocialGraph("abc", [[0, 1], [0, 2]], topics=[[0], [1], [1]], topic_names="xy")
    expected = {"degree": [2, 1, 1], "topic1": ["x", "y", "y"]}
    assert extract_microdata(graph).equals(pd.DataFrame(expected, index=list("abc")))


def test_an_attribute_may_not_be_called_degree():
    graph = SocialGraph("a", [], topics=[[0]], topic_names="x", topic_attributes=["degree"])
    with pytest.raises(ValueError, match="none called 'degree'"):
        extract_microdata(graph)


def test_degrees_tell_the_nodes_of_a_protected_graph_apart():
    protected = protect_graph(generate_graph("small", seed=1), 3, seed=1)
    assert extract_microdata(protected).value_counts().min() == 1


@pytest.mark.parametrize("compared", [ORDER, ALL_ORDERED])
@pytest.mark.parametrize(("method", "order"), [(MDAV, ORDER), (Mondrian, ALL_ORDERED)])
def test_the_table_is_protected_like_any_other(method, order, compared):
    table = extract_microdata(generate_graph("small", seed=1))
    figures = {}
    for k in (2, 10):
        masked = method(k=k, ordinal=order).fit_transform(table)
        assert masked.value_counts().min() >= k
        figures[k] = ao.compare(table, masked, ordinal=compared)
    assert figures[2]["IL"] < figures[10]["IL"]
    assert figures[2]["DR"] > figures[10]["DR"]
