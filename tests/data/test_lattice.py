"""The lattice: exact sizes, order of nodes, neighbors, checks of nodes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data import Lattice

heights = st.lists(st.integers(0, 3), min_size=1, max_size=4)


@given(heights)
def test_nodes_are_all_vectors_with_the_last_attribute_fastest(heights):
    lattice = Lattice(heights)
    nodes = lattice.nodes()
    assert nodes.dtype == np.int64
    assert [tuple(node) for node in nodes.tolist()] == list(
        product(*(range(height + 1) for height in heights))
    )
    assert lattice.size == len(nodes)
    assert lattice.index(nodes).tolist() == list(range(len(nodes)))
    assert tuple(nodes[0]) == lattice.bottom
    assert tuple(nodes[-1]) == lattice.top


@given(heights)
def test_edges_are_the_pairs_of_neighbors(heights):
    lattice = Lattice(heights)
    nodes = lattice.nodes()
    lower, upper = lattice.edges()
    found = sorted(zip(lower.tolist(), upper.tolist(), strict=True))
    expected = sorted(
        (rank, int(lattice.index([neighbor])[0]))
        for rank, node in enumerate(nodes.tolist())
        for neighbor in lattice.neighbors(node)
        if sum(neighbor) > sum(node)
    )
    assert found == expected


@given(heights, st.data())
def test_neighbors_differ_by_one_in_one_level(heights, data):
    lattice = Lattice(heights)
    node = tuple(data.draw(st.integers(0, height)) for height in heights)
    neighbors = lattice.neighbors(node)
    assert len(set(neighbors)) == len(neighbors)
    assert set(neighbors) == {
        other
        for other in map(tuple, lattice.nodes().tolist())
        if sum(abs(a - b) for a, b in zip(other, node, strict=True)) == 1
    }


def test_seventy_binary_attributes():
    lattice = Lattice([1] * 70)
    assert lattice.size == 1180591620717411303424
    assert len(lattice.neighbors(lattice.bottom)) == 70
    assert lattice.height(lattice.top) == 70
    for refused in (lattice.nodes, lattice.edges, lambda: lattice.index([lattice.bottom])):
        with pytest.raises(ValueError, match="found 1180591620717411303424"):
            refused()


def test_ranks_of_a_lattice_too_large_to_list():
    lattice = Lattice([1] * 62)
    assert lattice.index(lattice.top).tolist() == [2**62 - 1]


def test_limit_of_nodes():
    assert len(Lattice([1, 1]).nodes(limit=4)) == 4
    with pytest.raises(ValueError, match="at most 3 nodes, found 4 nodes"):
        Lattice([1, 1]).nodes(limit=3)


@pytest.mark.parametrize(
    "nodes",
    [
        [[2, 1]],
        (2, 1),
        np.array([[2.0, 1.0]]),
        np.array([[2, 1]], dtype=object),
        np.array([[2, 1]], dtype=np.uint8),
    ],
)
def test_validate_gives_whole_numbers(nodes):
    levels = Lattice([2, 1]).validate(nodes)
    assert levels.dtype == np.int64
    assert levels.tolist() == [[2, 1]]


def test_validate_copies():
    nodes = np.array([[2, 1]])
    Lattice([2, 1]).validate(nodes)[0, 0] = 0
    assert nodes[0, 0] == 2


def test_no_node_is_an_array_without_rows():
    assert Lattice([2, 1]).validate([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("nodes", "error", "message"),
    [
        (
            [[0, 0], [3, 0]],
            ValueError,
            r"node 1, column 'age': expected a level in 0\.\.2, found 3",
        ),
        ([[0, -1]], ValueError, r"node 0, column 'sex': expected a level in 0\.\.1, found -1"),
        ([[0.5, 0]], ValueError, r"column 'age': expected a level in 0\.\.2, found 0\.5"),
        ([[np.nan, 0]], ValueError, r"column 'age': .* found nan"),
        ([[0, 0, 0]], ValueError, r"vectors of 2 levels, found an array of shape \(1, 3\)"),
        ([["a", "b"]], TypeError, "expected whole numbers"),
        ([[True, False]], TypeError, "expected whole numbers"),
        (np.array([[True, 1]], dtype=object), TypeError, "expected whole numbers, found .*bool"),
        (np.array([[None, 1]], dtype=object), TypeError, "expected whole numbers, found .*None"),
    ],
)
def test_wrong_nodes_are_refused(nodes, error, message):
    lattice = Lattice([2, 1], names=["age", "sex"])
    with pytest.raises(error, match=message):
        lattice.validate(nodes)


@pytest.mark.parametrize(
    ("heights", "error", "message"),
    [
        ([], ValueError, "at least one, found none"),
        ([1, -1], ValueError, "a whole number of at least 0, found -1"),
        ([1.5], TypeError, "a whole number of at least 0, found 1.5"),
    ],
)
def test_wrong_heights_are_refused(heights, error, message):
    with pytest.raises(error, match=f"heights: expected {message}"):
        Lattice(heights)


def test_as_many_names_as_heights():
    with pytest.raises(ValueError, match="names: expected 2, one a height, found 1"):
        Lattice([1, 1], names=["age"])


def test_equality():
    assert Lattice([1], names=["a"]) == Lattice([1], names=["a"])
    assert len({Lattice([1], names=["a"]), Lattice([1], names=["b"]), Lattice([2])}) == 3
    assert Lattice([1]) != (1,)
