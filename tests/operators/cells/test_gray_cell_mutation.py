"""Mutation of perturbations: which bit, how often, and within which bounds."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators import GrayCellMutation

PROBLEM = Problem(n_var=4, n_obj=1, xl=0, xu=1023)
PARENT = np.array([0, 1, 0b1011, 0b1000000000])


def mutants(n, parent=PARENT, problem=PROBLEM):
    pop = Population.new("X", np.tile(parent, (n, 1)))
    return GrayCellMutation()(problem, pop, random_state=np.random.default_rng(4)).get("X")


def test_one_bit_of_one_cell_changes_and_none_above_the_highest():
    X = mutants(500)
    changed = X != PARENT
    assert (changed.sum(axis=1) == 1).all()
    flips = (X ^ PARENT)[changed]
    assert all(int(flip).bit_count() == 1 for flip in flips)
    cells = np.nonzero(changed)[1]
    lengths = [max(int(gene).bit_length(), 1) for gene in PARENT[cells]]
    assert all(
        int(flip).bit_length() <= length for flip, length in zip(flips, lengths, strict=True)
    )


def test_cells_and_bits_are_drawn_uniformly():
    X = mutants(8000)
    cells = np.nonzero(X != PARENT)[1]
    assert np.bincount(cells, minlength=4) == pytest.approx(np.full(4, 2000), rel=0.1)
    flips = (X ^ PARENT)[cells == 3, 3]
    counts = np.bincount([int(flip).bit_length() - 1 for flip in flips])
    assert counts == pytest.approx(np.full(10, len(flips) / 10), rel=0.3)


def test_an_unchanged_cell_gets_the_first_bit():
    X = mutants(200)
    assert set(X[:, 0]) == {0, 1}
    assert set(X[:, 1]) == {0, 1}


def test_bits_beyond_the_bounds_of_other_problems_are_not_drawn():
    problem = Problem(n_var=2, n_obj=1, xl=[0, 5], xu=[5, 5])
    X = mutants(200, np.array([4, 5]), problem)
    assert set(X[:, 0]) == {0, 4, 5}
    assert set(X[:, 1]) == {5}
