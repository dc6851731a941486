"""Files of social graphs: well made ones of every shape, and what is left of them after damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from anonopt.graphs import SocialGraph, read_graph
from tests.fuzz.mutations import mutated

PLACES = ("Paris", "Brooklyn", "France", "World", "New York City")
TOPICS = ("Sports", "Politics", "Weather", 'a "quoted" & <tag>', "ünï", "1")
STRANGE: tuple[Any, ...] = (
    None,
    0,
    -1,
    1e308,
    float("nan"),
    True,
    "",
    " ",
    [],
    {},
    [1, 2],
    10**400,
)
GRAPHML_WORDS = (
    b"<graph>",
    b"</node>",
    b"<node id='0'/>",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"&b;",
    b"]]>",
    b"encoding='x-none'",
    b"<data key='d0'>",
    b"\x00",
    b"\xff\xfe",
    b"<a>" * 200,
    b"int",
    b"boolean",
    b"<key id='d0' for='node' attr.name='location' attr.type='int'><default>x</default></key>",
)
GML_WORDS = (
    b"[",
    b"]",
    b"node [ id 0 ]",
    b"graph [",
    b'"',
    b"label",
    b"id",
    b"NAN",
    b"-INF",
    b"1e999",
    b"edge [ source 0 target 0 ]",
    b"directed 1",
    b"multigraph 1",
    b"a [ " * 1200,
    b"9" * 5000,
)
JSON_WORDS = (
    b"[",
    b"]",
    b"{",
    b"}",
    b'"edges"',
    b'"links": []',
    b"null",
    b"NaN",
    b"1e999",
    b"-0",
    b"[" * 3000,
    b'"directed": 1',
    b'{"id": 0}',
    b'{"id": [0]}',
    b'{"source": 0}',
    b"\xef\xbb\xbf",
    b"\\ud800",
)


def graphml(generator: np.random.Generator) -> bytes:
    """A file of GraphML."""
    text = "\n".join(nx.generate_graphml(_graph(generator)))
    return _perhaps_damaged(text.encode(), generator, GRAPHML_WORDS)


def gml(generator: np.random.Generator) -> bytes:
    """A file of GML."""
    text = "\n".join(nx.generate_gml(_graph(generator)))
    return _perhaps_damaged(text.encode(), generator, GML_WORDS)


def node_link(generator: np.random.Generator) -> bytes:
    """A file of JSON; some with values of wrong types in the right places."""
    key = ("edges", "links")[int(generator.integers(2))]
    content = nx.node_link_data(_graph(generator), edges=key)
    if generator.random() < 0.4:
        put_strange(content, generator)
    return _perhaps_damaged(json.dumps(content).encode(), generator, JSON_WORDS)


def read(path: Path) -> SocialGraph:
    """Read the file as a user would."""
    return read_graph(path)


def _graph(generator: np.random.Generator) -> nx.Graph[Any]:
    n = int(generator.integers(0, 7))
    graph: nx.Graph[Any] = nx.gnp_random_graph(
        n, 0.4, seed=int(generator.integers(2**31)), directed=bool(generator.integers(2))
    )
    if generator.random() < 0.5:
        graph = nx.relabel_nodes(graph, {node: f"node {node}" for node in graph})
    for data in graph.nodes.values():
        data["location"] = str(generator.choice(PLACES))
        for name in ("topic1", "topic2", "topic3"):
            data[name] = str(generator.choice(TOPICS))
        if generator.random() < 0.2:
            data["age"] = int(generator.integers(90))
    return graph


def put_strange(content: Any, generator: np.random.Generator) -> None:
    """Put a strange value somewhere into nested lists and dictionaries."""
    while True:
        keys = list(content) if isinstance(content, dict) else list(range(len(content)))
        if not keys:
            return
        key = keys[int(generator.integers(len(keys)))]
        inner = content[key]
        if not isinstance(inner, list | dict) or generator.random() < 0.3:
            content[key] = STRANGE[int(generator.integers(len(STRANGE)))]
            return
        content = inner


def _perhaps_damaged(
    content: bytes, generator: np.random.Generator, words: tuple[bytes, ...]
) -> bytes:
    return content if generator.random() < 0.3 else mutated(content, generator, words=words)
