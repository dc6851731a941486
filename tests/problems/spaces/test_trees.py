"""Trees: depth, text, keys, and primitives of one's own."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from deap import gp

from anonopt.masking.equations import Equation
from anonopt.operators import HalfAndHalfSampling, SubtreeCrossover, SubtreeMutation
from anonopt.problems.spaces import Trees


def test_a_genome_is_one_tree_without_bounds():
    space = Trees(max_depth=3)
    assert (space.n_var, space.names) == (1, ("equation",))
    assert space.lower is space.upper is space.size is None


def test_equations_become_genomes_and_come_back():
    space = Trees(max_depth=3)
    equations = [Equation.parse(text) for text in ("N - freq_i", "freq_j")]
    X = space.genomes(equations)
    assert (X.shape, X.dtype) == ((2, 1), object)
    assert [space.equation(x) for x in X] == equations
    assert space.columns(X)["equation"].tolist() == ["N - freq_i", "freq_j"]
    assert space.text(X[1]) == "equation=freq_j"


def test_key_is_the_tree_and_not_what_it_computes():
    space = Trees(max_depth=3)
    same, again, turned = space.genomes(
        [Equation.parse(text) for text in ("N + freq_i", "N + freq_i", "freq_i + N")]
    )
    assert space.key(same) == space.key(again) != space.key(turned)


def test_trees_that_are_too_deep_or_no_trees_are_refused():
    space = Trees(max_depth=2)
    deep = space.genomes([Equation.parse("N + (N + N)")])
    with pytest.raises(ValueError, match="trees of depth 2 at most, found 3"):
        space.checked(deep)
    with pytest.raises(TypeError, match="a PrimitiveTree, found 'N'"):
        space.checked(np.array([["N"]], dtype=object))
    for wrong in (np.zeros((1, 1)), deep[0], np.hstack([deep, deep])):
        with pytest.raises(ValueError, match=r"X: expected an object array \(n, 1\) of trees"):
            space.checked(wrong)


def test_primitives_can_be_ones_own():
    primitives = gp.PrimitiveSet("own", 1)
    primitives.addPrimitive(operator.add, 2)
    space = Trees(max_depth=3, primitives=primitives)
    assert [node.name for node in space.functions] == ["add"]
    assert [node.value for node in space.terminals] == ["ARG0"]
    assert space.describe() != Trees(max_depth=3).describe()


def test_operators_are_those_of_trees():
    space = Trees(max_depth=3)
    assert isinstance(space.sampling(), HalfAndHalfSampling)
    assert isinstance(space.crossover(), SubtreeCrossover)
    assert isinstance(space.mutation(), SubtreeMutation)


def test_limits_that_leave_no_tree_are_refused():
    with pytest.raises(ValueError, match="max_depth: expected a whole number of at least 1"):
        Trees(max_depth=0)
    with pytest.raises(ValueError, match="primitives: expected at least one terminal, found none"):
        Trees(max_depth=2, primitives=gp.PrimitiveSet("none", 0))


def test_description_follows_the_depth():
    assert Trees(max_depth=2).describe() != Trees(max_depth=3).describe()
