"""Kriging against its textbook formulas, one node at a time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.algorithms.local.kriging import NUGGET, PENALTY, LatticeKriging, kriging_shares
from anonopt.data import Lattice
from tests.examples import examples


def slow_estimate(nodes, deviations, node):
    """Simple kriging of deviations from a trend: solve for the weights of one node."""
    steps = np.array([[sum(abs(a - b)) for b in nodes] for a in nodes])
    covariance = np.exp(-steps / len(node)) + NUGGET * np.eye(len(nodes))
    to_node = np.exp([-sum(abs(a - node)) / len(node) for a in nodes])
    return np.linalg.solve(covariance, to_node) @ deviations


def slow_trend(nodes, values, node):
    """Ridge regression as least squares, with one row more for each slope."""
    varied = nodes.std(axis=0) > 0
    mean, spread = nodes.mean(axis=0)[varied], nodes.std(axis=0)[varied]
    levels = (nodes[:, varied] - mean) / spread
    penalty = np.sqrt(PENALTY) * np.eye(len(mean))
    centered = values - values.mean(axis=0)
    known = np.concatenate([centered, np.zeros((len(mean), values.shape[1]))])
    slopes = np.linalg.lstsq(np.concatenate([levels, penalty]), known)[0]
    return values.mean(axis=0) + (node[varied] - mean) / spread @ slopes


@st.composite
def samples(draw):
    """Some nodes of a small lattice, with two values each."""
    heights = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    nodes = Lattice(heights).nodes()
    size = draw(st.integers(2, min(8, len(nodes))))
    rows = draw(st.permutations(range(len(nodes))))[:size]
    number = st.floats(-50, 50)
    values = draw(st.lists(st.tuples(number, number), min_size=size, max_size=size))
    return nodes, nodes[rows], np.array(values)


@given(samples())
@examples(25)
def test_estimates_and_errors_are_those_of_the_formulas(drawn):
    everywhere, nodes, values = drawn
    model = LatticeKriging(nodes, values)
    trends = np.array([slow_trend(nodes, values, node) for node in everywhere])
    deviations = values - np.array([slow_trend(nodes, values, node) for node in nodes])
    expected = trends + [slow_estimate(nodes, deviations, node) for node in everywhere]
    np.testing.assert_allclose(model.predict(everywhere), expected, atol=1e-6)
    left_out = []
    for i in range(len(nodes)):
        others = np.arange(len(nodes)) != i
        left_out.append(deviations[i] - slow_estimate(nodes[others], deviations[others], nodes[i]))
    expected_error = np.sqrt(np.mean(np.square(left_out), axis=0))
    np.testing.assert_allclose(model.error, expected_error, atol=1e-6)


def test_a_constant_is_known_exactly():
    nodes = Lattice([2, 2]).nodes()[::2]
    model = LatticeKriging(nodes, np.full((len(nodes), 1), 7.0))
    assert model.error.tolist() == [0.0]
    assert model.predict(np.array([[0, 1]])).tolist() == [[7.0]]


def test_one_node_is_enough():
    model = LatticeKriging(np.array([[1, 1]]), np.array([[3.0]]))
    assert model.predict(np.array([[0, 0]])) == pytest.approx(3.0)


def test_sums_over_columns_are_followed():
    """A quarter of the nodes is enough to put the others in order."""
    nodes = Lattice([4, 3, 3, 2]).nodes()
    values = (nodes @ np.array([1.0, 2.0, 3.0, 5.0]))[:, np.newaxis]
    rows = np.random.default_rng(1).permutation(len(nodes))
    known, others = rows[: len(rows) // 4], rows[len(rows) // 4 :]
    found = LatticeKriging(nodes[known], values[known]).predict(nodes[others])[:, 0]
    truth = values[others, 0]
    pairs = list(itertools.combinations(range(len(others)), 2))
    apart = [(a, b) for a, b in pairs if truth[a] != truth[b]]
    right = np.mean([(found[a] < found[b]) == (truth[a] < truth[b]) for a, b in apart])
    assert right > 0.95


def slow_universal(nodes, values, node, *, reach, nugget):
    """Generalized least squares for the trend, then kriging of what it leaves."""
    varied = nodes.std(axis=0) > 0
    mean, spread = nodes.mean(axis=0)[varied], nodes.std(axis=0)[varied]
    levels = (nodes[:, varied] - mean) / spread
    steps = np.array([[sum(abs(a - b)) for b in nodes] for a in nodes])
    scale = reach * nodes.shape[1]
    inverse = np.linalg.inv(np.exp(-steps / scale) + nugget * np.eye(len(nodes)))
    centered = values - values.mean(axis=0)
    normal = levels.T @ inverse @ levels + PENALTY * np.eye(len(mean))
    slopes = np.linalg.solve(normal, levels.T @ inverse @ centered)
    to_node = np.exp([-sum(abs(a - node)) / scale for a in nodes])
    left = to_node @ inverse @ (centered - levels @ slopes)
    return values.mean(axis=0) + (node[varied] - mean) / spread @ slopes + left


@given(samples())
@settings(max_examples=20)
def test_shares_are_those_of_the_formulas(drawn):
    everywhere, nodes, values = drawn
    shares = kriging_shares(nodes, everywhere, reach=2, nugget=0.01)
    expected = [slow_universal(nodes, values, one, reach=2, nugget=0.01) for one in everywhere]
    np.testing.assert_allclose(shares @ values, expected, atol=1e-6)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
