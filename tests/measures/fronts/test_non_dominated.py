"""The non-dominated set: which rows, and in which order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.measures.fronts.non_dominated import front_rows

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 2, st.booleans()), min_size=1, max_size=12)


@given(ROWS, st.randoms(use_true_random=False))
def test_rows_are_those_of_the_definition_sorted_by_objectives_then_genome(rows, random):
    genomes = list(range(len(rows)))
    random.shuffle(genomes)
    expected = [
        (a, b, genome, i)
        for i, ((a, b, feasible), genome) in enumerate(zip(rows, genomes, strict=True))
        if feasible and not any(ok and c <= a and d <= b and (c, d) != (a, b) for c, d, ok in rows)
    ]
    F = np.array([row[:2] for row in rows], dtype=float)
    feasible = np.array([row[2] for row in rows])
    found = front_rows(np.array(genomes)[:, np.newaxis], F, feasible)
    assert found.tolist() == [row[-1] for row in sorted(expected)]


def test_first_objective_and_first_gene_come_first():
    F = np.array([[2.0, 1.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0]])
    X = np.array([[0, 0], [1, 0], [0, 1], [0, 0]])
    assert front_rows(X, F, np.ones(4, dtype=bool)).tolist() == [3, 2, 1, 0]


def test_genomes_without_order_stay_in_the_order_given():
    X = np.empty((3, 1), dtype=object)
    X[:, 0] = [object(), "b", 1]
    F = np.array([[1.0, 2.0], [0.0, 3.0], [1.0, 2.0]])
    assert front_rows(X, F, np.ones(3, dtype=bool)).tolist() == [1, 0, 2]


@pytest.mark.parametrize("n", [0, 2])
def test_nothing_feasible_is_an_empty_front(n):
    found = front_rows(np.zeros((n, 1)), np.zeros((n, 2)), np.zeros(n, dtype=bool))
    assert found.shape == (0,)
