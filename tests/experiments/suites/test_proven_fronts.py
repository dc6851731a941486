"""Proven fronts against those of all nodes."""

from __future__ import annotations

import numpy as np
import pytest

import anonopt as ao
from anonopt.experiments.suites import proven_fronts
from anonopt.experiments.suites.proven_fronts import BOUNDED, EVERY_K, EVERY_NODE, proven_front
from anonopt.problems.lattice import LatticeProblem


@pytest.fixture(scope="module")
def german():
    return ao.load_dataset("german")


@pytest.fixture
def too_many_nodes(monkeypatch):
    """Whether nodes can all be evaluated is forgotten."""
    monkeypatch.setattr(proven_fronts, "exact_reference", lambda problem: None)


def true_front(problem):
    """Distinct points of all nodes that no other dominates; the losses of branch and bound."""
    return np.unique(problem.pareto_front(), axis=0)


@pytest.mark.parametrize(
    ("loss", "suppression"),
    [
        ("glm", 0),
        ("glm", 0.1),
        ("glm", 0.3),
        ("precision_loss", 0.1),
        ("generalization_level", 0.01),
        ("height", 0.01),
    ],
)
def test_front_of_class_size_and_loss_is_that_of_all_nodes(
    german, loss, suppression, too_many_nodes
):
    problem = LatticeProblem(german, ["k", loss], suppression=suppression)
    found = proven_front(problem)
    assert found.proven_by == EVERY_K
    expected = true_front(problem)
    assert len(found.front) == len(expected)
    # Different nodes may have one loss up to its last digits.
    np.testing.assert_allclose(found.front, expected, rtol=1e-12)


def test_weights_and_lowest_levels_are_those_of_the_problem(german, too_many_nodes):
    weights = dict.fromkeys(map(str, german.quasi_identifiers), 1.0)
    weights[next(iter(weights))] = 7.0
    lowest = [1] + [0] * (len(weights) - 1)
    problem = LatticeProblem(german, ["k", "glm"], weights=weights, bounds=lowest)
    plain = LatticeProblem(german, ["k", "glm"])
    np.testing.assert_allclose(proven_front(problem).front, true_front(problem), rtol=1e-12)
    assert not np.array_equal(true_front(problem), true_front(plain))


@pytest.mark.parametrize(("k", "suppression"), [(2, 0), (5, 0.05), (50, 0.01)])
def test_least_loss_under_a_fixed_k_is_that_of_all_nodes(german, k, suppression, too_many_nodes):
    problem = LatticeProblem(german, ["glm"], k=k, suppression=suppression)
    found = proven_front(problem)
    assert found.proven_by == BOUNDED
    np.testing.assert_allclose(found.front, true_front(problem)[:1], rtol=1e-12)
    top = np.array([problem.lattice.top])
    assert found.worst.tolist() == problem.evaluate(top, return_values_of=["F"])[0].tolist()


def test_where_all_nodes_can_be_evaluated_they_are(german):
    problem = LatticeProblem(german, ["k", "l", "glm"])
    found = proven_front(problem)
    assert found.proven_by == EVERY_NODE
    assert np.array_equal(found.front, true_front(problem))


@pytest.mark.parametrize(
    "options",
    [
        {"objectives": ["k", "l", "glm"]},
        {"objectives": ["glm", "k"], "constraints": {"l": 2}},
        {"objectives": ["k", "glm"], "k": 5, "suppression": 0.02},
    ],
)
def test_a_third_objective_a_constraint_and_a_fixed_k_are_proven(german, options, too_many_nodes):
    problem = LatticeProblem(german, **options)
    np.testing.assert_allclose(proven_front(problem).front, true_front(problem), rtol=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        {"objectives": ["k", "l", "glm"], "suppression": 0.1},
        {"objectives": ["k", "cm"], "suppression": 0.1},
        {"objectives": ["glm"]},
        {"objectives": ["k"]},
    ],
)
def test_what_cannot_be_proven_is_not(german, options, too_many_nodes):
    assert proven_front(LatticeProblem(german, **options)) is None


def test_other_spaces_have_no_proof():
    assert proven_front(ao.get_problem("graph-small")) is None


@pytest.mark.parametrize("name", ["freight-25", "freight-50"])
def test_without_time_there_is_no_proof(name):
    assert proven_front(ao.get_problem(name), max_seconds=1e-9) is None
