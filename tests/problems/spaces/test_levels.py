"""Levels: bounds, size, steps, extremes, and the levels of a plain pymoo problem."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.problem import Problem

from anonopt.operators import ExtremesSampling, SinglePointCrossover, StepMutation
from anonopt.problems.spaces import Levels, space_of
from tests.contracts.toy_problems import ToyLattice
from tests.contracts.toy_spaces import Unmeasured


@pytest.mark.parametrize(
    ("lower", "upper", "size"),
    [([0, 0], [2, 1], 6), ([1, 0], [2, 1], 4), ([3], [3], 1), ([0] * 70, [1] * 70, 2**70)],
)
def test_size_counts_all_genomes_exactly(lower, upper, size):
    assert Levels(lower=lower, upper=upper).size == size


def test_neighbors_differ_by_one_in_one_gene_and_stay_within_bounds():
    space = Levels(["a", "b", "c"], lower=[1, 0, 0], upper=[3, 2, 0])
    assert space.neighbors([1, 1, 0]).tolist() == [[2, 1, 0], [1, 0, 0], [1, 2, 0]]
    assert space.neighbors(np.array([3.0, 2.0, 0.0])).tolist() == [[2, 2, 0], [3, 1, 0]]
    assert Levels(upper=[0]).neighbors([0]).shape == (0, 1)


def test_whole_floats_are_levels_and_others_are_not():
    space = Levels(["age", "sex"], upper=[2, 1])
    checked = space.checked(np.array([[2.0, 1.0]]))
    assert (checked.tolist(), checked.dtype) == ([[2, 1]], np.int64)
    with pytest.raises(
        ValueError, match=r"gene 'age': .* in 0\.\.2, found 0\.5 in age=0\.5, sex=1"
    ):
        space.checked(np.array([[0.5, 1.0]]))


def test_extremes_come_first_when_asked_for():
    space = Levels(upper=[6, 3, 1])
    rng = np.random.default_rng(1)
    X = space.sampling(extremes=True)(Unmeasured(space), 5, random_state=rng).get("X")
    assert X[:2].tolist() == [[0, 0, 0], [6, 3, 1]]
    assert len({space.key(x) for x in X}) == 5
    assert not isinstance(space.sampling(), ExtremesSampling)


def test_operators_are_those_of_lattices():
    space = Levels(upper=[6, 3, 1])
    assert isinstance(space.crossover(), SinglePointCrossover)
    assert isinstance(space.mutation(), StepMutation)
    assert space.repair() is space.starting_population(np.random.default_rng(1)) is None


def test_genes_without_names_are_numbered_rows():
    space = Levels(upper=[2, 1])
    assert space.columns(np.array([[2, 1], [0, 0]])).to_dict("list") == {"solution": [0, 1]}
    assert space.text(np.array([2, 1])) == space.text(np.array([2.0, 1.0]))
    assert space.text(np.array([2, 1])).startswith("genome ")
    assert space.gene_name(1) == "1"


def test_genes_with_names_are_shown():
    space = Levels(["age", "sex"], upper=[2, 1])
    assert space.columns(np.array([[2, 1], [0, 0]])).to_dict("list") == {
        "age": [2, 0],
        "sex": [1, 0],
    }
    assert space.text(np.array([2, 1])) == "age=2, sex=1"
    assert space.gene_name(1) == "'sex'"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"upper": []}, "n_var: expected a whole number of at least 1, found 0"),
        ({"names": ["a"], "upper": [1, 1]}, "length n_var = 1, found 1 and 2|found 2 and 2"),
        ({"upper": [4, 1.5]}, "expected whole bounds"),
        ({"upper": [4, np.nan]}, "expected whole bounds"),
        ({"lower": [0, 2], "upper": [4, 1]}, "expected lower <= upper"),
        ({"lower": [0], "upper": [4, 1]}, "length n_var = 2, found 1 and 2"),
    ],
)
def test_contradictory_bounds_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Levels(**options)


def test_description_follows_names_and_bounds():
    described = {
        str(space.describe())
        for space in (
            Levels(upper=[2, 1]),
            Levels(["a", "b"], upper=[2, 1]),
            Levels(upper=[2, 2]),
            Levels(upper=[2, 1], lower=[1, 0]),
        )
    }
    assert len(described) == 4


def test_space_of_a_problem_is_its_own_and_of_a_plain_one_that_of_its_bounds():
    problem = ToyLattice((2, 1))
    assert space_of(problem) is problem.space
    plain = space_of(Problem(n_var=2, n_obj=1, xl=np.array([1, 0]), xu=np.array([4, 1]), vtype=int))
    assert (plain.lower.tolist(), plain.upper.tolist()) == ([1, 0], [4, 1])
    with pytest.raises(ValueError, match="of real numbers"):
        space_of(Problem(n_var=2, n_obj=1, xl=0, xu=1, vtype=float))
