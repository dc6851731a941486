"""The population that a problem itself starts with."""

from __future__ import annotations

import numpy as np
from pymoo.core.problem import Problem

from anonopt.operators import StartingPopulation
from anonopt.problems.spaces import Cells


def test_starting_population_is_that_of_the_problem():
    X = np.array([[0, 1], [2, 3], [1, 1], [3, 0]], dtype=np.int8)
    problem = Problem(n_var=2, n_obj=1, xl=0, xu=3)
    problem.space = Cells(1, [3, 3], start=lambda generator: X)
    for n in (4, 10):
        made = StartingPopulation()(problem, n, random_state=np.random.default_rng(1))
        np.testing.assert_array_equal(made.get("X"), X)
        assert made[0].X.dtype == np.int8
    some = StartingPopulation()(problem, 3, random_state=np.random.default_rng(1)).get("X")
    rows = [X.tolist().index(x) for x in some.tolist()]
    assert rows == sorted(set(rows))
    assert len(rows) == 3
    problem.space = Cells(1, [3, 3], start=lambda generator: None)
    assert len(StartingPopulation()(problem, 7, random_state=np.random.default_rng(1))) == 7


def test_a_problem_of_pymoo_starts_with_uniform_genomes():
    problem = Problem(n_var=3, n_obj=1, xl=0, xu=9)
    X = StartingPopulation()(problem, 50, random_state=np.random.default_rng(1)).get("X")
    assert X.shape == np.unique(X, axis=0).shape == (50, 3)
