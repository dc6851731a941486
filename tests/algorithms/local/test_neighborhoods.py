"""Neighbourhoods against Lattice and brute force; the pool of candidates."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anonopt.algorithms.local.bounds import OptimisticBounds
from anonopt.algorithms.local.neighborhoods import CandidatePool, Neighborhoods
from anonopt.data import Lattice
from tests.contracts.toy_problems import ToyLattice


@st.composite
def lattices_with_a_node(draw):
    heights = draw(st.lists(st.integers(0, 3), min_size=1, max_size=5))
    return Lattice(heights), np.array([draw(st.integers(0, height)) for height in heights])


def around(lattice):
    return Neighborhoods(np.array(lattice.bottom), np.array(lattice.top))


@given(lattices_with_a_node())
def test_one_step_is_the_neighbourhood_of_the_lattice(drawn):
    lattice, node = drawn
    found = around(lattice).one_step(node[np.newaxis]).tolist()
    assert sorted(map(tuple, found)) == sorted(lattice.neighbors(node))


@given(lattices_with_a_node())
def test_two_steps_reach_each_node_at_distance_two_once(drawn):
    lattice, node = drawn
    nodes = lattice.nodes()
    expected = nodes[np.abs(nodes - node).sum(axis=1) == 2].tolist()
    parts = [around(lattice).two_steps(node, column=i).tolist() for i in range(len(node))]
    assert sorted(found for part in parts for found in part) == expected
    for column, part in enumerate(parts):
        for found in part:
            assert int(np.argmax(np.array(found) != node)) == column


def test_levels_may_start_anywhere():
    found = Neighborhoods(np.array([3]), np.array([5])).one_step(np.array([[3], [5]]))
    assert found.tolist() == [[4], [4]]


def pool_of(heights=(3, 2)):
    problem = ToyLattice(heights)
    return CandidatePool(OptimisticBounds(problem), np.zeros(2, dtype=int), np.array(heights))


def contents(pool):
    return sorted(map(tuple, pool.nodes.tolist()))


def test_pool_holds_each_node_once():
    pool = pool_of()
    pool.add(np.array([[0, 1], [1, 0], [0, 1]]))
    pool.add(np.array([[1, 0], [2, 2]]))
    assert contents(pool) == [(0, 1), (1, 0), (2, 2)]
    assert len(pool) == len(pool.bounds) == 3


def test_closed_nodes_never_come_back_and_forgotten_ones_may():
    pool = pool_of()
    nodes = np.array([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]])
    pool.add(nodes)
    pool.close(np.array([[0, 1], [3, 2]]))
    pool.close_rows(np.array([True, False, False, False]))
    pool.forget(np.array([True, False, False]))
    assert contents(pool) == [(1, 0), (1, 1)]
    pool.keep_only(np.array([1]))
    assert contents(pool) == [(1, 1)]
    pool.add(np.concatenate([nodes, [[3, 2]]]))
    assert contents(pool) == [(0, 2), (1, 0), (1, 1)]


def test_steps_to_the_nearest_node():
    pool = pool_of()
    assert pool.steps_to(np.array([[0, 0]])).tolist() == []
    pool.add(np.array([[0, 1], [3, 2], [2, 0]]))
    assert pool.steps_to(np.array([[0, 0], [3, 1]])).tolist() == [1, 1, 2]


def test_keys_tell_all_levels_apart():
    """Also beyond one byte, and below zero."""
    pool = CandidatePool(OptimisticBounds(ToyLattice()), np.array([-1]), np.array([70_000]))
    nodes = np.arange(-1, 70_000)[:, np.newaxis]
    pool.add(nodes)
    assert Counter(pool.nodes[:, 0].tolist()).most_common(1)[0][1] == 1
    assert len(pool) == len(nodes)
