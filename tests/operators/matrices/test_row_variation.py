"""Whole rows of matrices change places, or are drawn anew."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.population import Population

import anonopt as ao
from anonopt.operators import RowCrossover, RowMutation


@pytest.fixture
def problem():
    return ao.get_problem("german-pram", columns=["status", "employment"])


def rows_of(x, problem):
    ends = np.cumsum(problem.space.row_lengths)[:-1]
    return [row.tolist() for row in np.split(x, ends)]


def test_each_row_of_two_children_is_that_of_one_parent_each(problem):
    rng = np.random.default_rng(1)
    X = rng.integers(1024, size=(2, problem.n_var))
    parents = [rows_of(x, problem) for x in X]
    wholes, mixed = 0, 0
    for _ in range(60):
        made = RowCrossover()(problem, [Population.new("X", X)], random_state=rng)
        first, second = (rows_of(child.X, problem) for child in made)
        from_first = []
        for one, other, mine, theirs in zip(first, second, *parents, strict=True):
            assert {tuple(one), tuple(other)} == {tuple(mine), tuple(theirs)}
            from_first.append(one == mine)
        for matrix in (from_first[:4], from_first[4:]):
            wholes += len(set(matrix)) == 1
            mixed += len(set(matrix)) == 2
    assert wholes > 50 and mixed > 40


def test_one_row_of_each_matrix_is_drawn_anew(problem):
    pop = Population.new("X", np.full((50, problem.n_var), 7))
    made = RowMutation()(problem, pop, random_state=np.random.default_rng(2))
    places = []
    for child in made:
        changed = [row != [7] * len(row) for row in rows_of(child.X, problem)]
        assert sum(changed[:4]) == sum(changed[4:]) == 1
        places.append(changed.index(True))
    assert set(places) == {0, 1, 2, 3}
