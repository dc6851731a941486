"""Two ranges of one matrix change places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators import RangeSwapCrossover
from anonopt.problems.spaces import Matrices


def child(n_var: int, seed: int, sizes: tuple[int, ...] = (), **options: str) -> np.ndarray:
    problem = Problem(n_var=n_var, n_obj=1, xl=0, xu=1023)
    if sizes:
        problem.space = Matrices(["abcd"[:size] for size in sizes])
    pop = Population.new("X", np.arange(n_var)[np.newaxis])
    crossover = RangeSwapCrossover(**options)
    return crossover(problem, [pop], random_state=np.random.default_rng(seed))[0].X


@given(st.integers(2, 40), st.integers(0, 10_000))
def test_two_stretches_of_equal_length_that_do_not_overlap_are_swapped(n_var, seed):
    made = child(n_var, seed)
    moved = np.flatnonzero(made != np.arange(n_var))
    length = len(moved) // 2
    assert len(moved) == 2 * length > 0
    first, second = moved[:length], moved[length:]
    for stretch in (first, second):
        np.testing.assert_array_equal(np.diff(stretch), 1)
    np.testing.assert_array_equal(made[first], second)
    np.testing.assert_array_equal(made[second], first)


@given(st.integers(0, 10_000))
def test_nothing_leaves_its_matrix(seed):
    lengths = (9, 1, 16)
    made = child(26, seed, (3, 1, 4))
    for start, length in zip(np.cumsum([0, *lengths[:-1]]), lengths, strict=True):
        genes = list(range(start, start + length))
        assert sorted(made[start : start + length]) == genes
        assert (made[start : start + length].tolist() != genes) is (length > 1)


def test_figure_4_3_is_one_of_the_outcomes():
    # Positions 4, 5 and 8, 9 of a 3 x 3 matrix.
    swapped = [0, 1, 2, 7, 8, 5, 6, 3, 4]
    assert any(child(9, seed).tolist() == swapped for seed in range(400))


def test_one_matrix_gets_its_turn_by_its_number_of_genes():
    made = [child(20, seed, (2, 4), matrices="one") for seed in range(2000)]
    first, second = (
        [(x[part] != np.arange(20)[part]).any() for x in made]
        for part in (slice(4), slice(4, None))
    )
    assert np.mean(first) == pytest.approx(0.2, abs=0.04)
    assert (np.array(first) != np.array(second)).all()


def test_other_options_are_refused():
    with pytest.raises(ValueError, match=r"matrices: expected one of .*, found 'all'"):
        RangeSwapCrossover(matrices="all")


def test_genes_that_would_leave_their_bounds_stay():
    problem = Problem(n_var=2, n_obj=1, xl=0, xu=[1, 5])
    pop = Population.new("X", np.array([[1, 4]]))
    made = RangeSwapCrossover()(problem, [pop], random_state=np.random.default_rng(1))
    assert made[0].X.tolist() == [1, 4]
