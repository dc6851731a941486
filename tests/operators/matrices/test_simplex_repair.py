"""Rows of real-valued genomes become distributions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators import SimplexRepair


def repaired(X: np.ndarray, lengths: tuple[int, ...]) -> np.ndarray:
    problem = Problem(n_var=X.shape[1], n_obj=1, xl=0.0, xu=1.0)
    problem.space = SimpleNamespace(row_lengths=lengths)
    return SimplexRepair()(problem, Population.new("X", X)).get("X")


def test_each_row_sums_to_1():
    X = np.random.default_rng(1).random((50, 13))
    made = repaired(X, (1, 2, 4, 6))
    for start, length in ((0, 1), (1, 2), (3, 4), (7, 6)):
        row, source = made[:, start : start + length], X[:, start : start + length]
        np.testing.assert_allclose(row.sum(axis=1), 1, atol=1e-12)
        np.testing.assert_allclose(row, source / source.sum(axis=1, keepdims=True))


def test_rows_of_zeros_stay_and_repeating_it_changes_nothing():
    made = repaired(np.array([[0.0, 0.0, 0.2, 0.1, 0.4]]), (2, 3))
    assert made[0, :2].tolist() == [0, 0]
    np.testing.assert_array_equal(repaired(made, (2, 3)), made)
