"""What operators check before they touch a genome."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.problem import Problem

from anonopt.operators import SinglePointCrossover
from anonopt.operators.base import (
    genomes_in_bounds,
    integer_bounds,
    integer_genomes,
    required_generator,
)


def problem(lower, upper, **options):
    return Problem(n_var=len(upper), n_obj=1, xl=np.array(lower), xu=np.array(upper), **options)


def test_bounds_are_whole_numbers_and_may_be_equal():
    lower, upper = integer_bounds(problem([0, -2, 3], [4.0, -2.0, 3.0]))
    assert (lower.tolist(), upper.tolist()) == ([0, -2, 3], [4, -2, 3])
    assert lower.dtype == upper.dtype == np.int64


@pytest.mark.parametrize(
    ("lower", "upper", "found"),
    [
        ([5], [3], "xl = 5 and xu = 3 at gene 0"),
        ([0, 4, 0, 9], [1, 2, 3, 8], "xl = 4 and xu = 2 at gene 1"),
    ],
)
def test_first_gene_of_crossed_bounds_is_named(lower, upper, found):
    with pytest.raises(ValueError, match=f"expected xl <= xu, found {found}"):
        integer_bounds(problem(lower, upper))


@pytest.mark.parametrize("bounds", [{"xl": 0}, {"xu": 3}, {}])
def test_missing_bounds_are_refused(bounds):
    with pytest.raises(ValueError, match="found Problem without bounds"):
        integer_bounds(Problem(n_var=2, n_obj=1, **bounds))


def test_real_genomes_are_refused():
    with pytest.raises(ValueError, match="found Problem of real numbers"):
        integer_bounds(problem([0], [1], vtype=float))
    with pytest.raises(ValueError, match=r"up to 2\*\*53, found 0.5"):
        integer_bounds(problem([0, 0.5], [1, 1]))


@pytest.mark.parametrize("largest", [2**53, -(2**53)])
def test_numbers_up_to_the_last_exact_one_are_genomes(largest):
    assert integer_genomes(np.array([float(largest)])).tolist() == [largest]
    with pytest.raises(ValueError, match="expected genomes of whole numbers"):
        integer_genomes(np.array([largest * 2.0]))


@pytest.mark.parametrize("value", [0.5, np.nan, np.inf, -np.inf])
def test_the_number_that_is_not_whole_is_named(value):
    with pytest.raises(ValueError, match=f"found {value}"):
        integer_genomes([1.0, value, 2.0])


def test_genomes_are_copied():
    given = np.array([[1, 2]], dtype=np.int64)
    found = integer_genomes(given)
    found[0, 0] = 7
    assert given.tolist() == [[1, 2]]
    assert integer_genomes(np.array([[True, False]])).tolist() == [[1, 0]]
    with pytest.raises(TypeError, match="found dtype <U1"):
        integer_genomes(["a"])


def test_first_gene_out_of_bounds_is_named():
    X = [[0, 3], [4, 3], [1, 9]]
    with pytest.raises(ValueError, match=r"levels 3\.\.8 at gene 1, found 9 in genome 2"):
        genomes_in_bounds(problem([0, 3], [4, 8]), X)
    with pytest.raises(ValueError, match=r"levels 1\.\.4 at gene 0, found 0 in genome 0"):
        genomes_in_bounds(problem([1, 3], [4, 8]), X)
    genomes, lower, upper = genomes_in_bounds(problem([0, 3], [4, 9]), X)
    assert (genomes.tolist(), lower.tolist(), upper.tolist()) == (X, [0, 3], [4, 9])


def test_generators_are_asked_for_by_the_name_of_the_operator():
    generator, operator = np.random.default_rng(3), SinglePointCrossover()
    assert required_generator(generator, operator) is generator
    assert required_generator(generator, operator, seed=1) is generator
    seeded = required_generator(None, operator, seed=3)
    assert seeded.random() == np.random.default_rng(3).random()
    with pytest.raises(ValueError, match="SinglePointCrossover: expected random_state"):
        required_generator(None, operator)
    with pytest.raises(TypeError, match=r"SinglePointCrossover: .*Generator, found int"):
        required_generator(3, operator)
