"""Mutation of constants: which change, by how much, and where new ones come."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from deap import gp
from pymoo.core.population import Population

from anonopt.masking.equations import Equation
from anonopt.masking.equations.primitives import is_constant
from anonopt.operators import ConstantMutation
from anonopt.operators.trees.constant_mutation import STEP
from anonopt.operators.trees.tree_constants import LARGEST, SMALLEST, short_constant
from anonopt.operators.trees.tree_genomes import tree_genomes
from tests.contracts.toy_equations import ToyEquations, text_with_ones

TREE = Equation.parse("N / freq_i - freq_j").tree


def mutants(tree: gp.PrimitiveTree, n: int, *, max_depth: int = 5, functions=None):
    problem = ToyEquations(max_depth=max_depth)
    if functions is not None:
        problem.space.functions = functions
    pop = Population.new("X", tree_genomes([tree] * n))
    made = ConstantMutation()(problem, pop, random_state=np.random.default_rng(1))
    return [individual.X[0] for individual in made]


def constants(tree: gp.PrimitiveTree) -> list[float]:
    return [node.value for node in tree if is_constant(node)]


def test_every_subtree_gets_a_factor_equally_often():
    drawn = Counter(text_with_ones(tree) for tree in mutants(TREE, 2000))
    expected = {
        Equation.parse(text).text
        for text in (
            "1 * (N / freq_i - freq_j)",
            "1 * (N / freq_i) - freq_j",
            "(1 * N) / freq_i - freq_j",
            "N / (1 * freq_i) - freq_j",
            "N / freq_i - 1 * freq_j",
        )
    }
    assert set(drawn) == expected
    assert min(drawn.values()) > 340


def test_subtrees_get_a_factor_where_there_is_room():
    drawn = {text_with_ones(tree) for tree in mutants(TREE, 200, max_depth=3)}
    # A factor above the root, the quotient or its terminals would make four levels.
    assert drawn == {"N / freq_i - 1 * freq_j"}


@pytest.mark.parametrize("functions", [None, ()])
def test_without_room_or_product_a_terminal_becomes_a_constant(functions):
    depth = 5 if functions == () else 2
    tree = Equation.parse("N - freq_j").tree
    drawn = {
        text_with_ones(one) for one in mutants(tree, 200, max_depth=depth, functions=functions)
    }
    assert drawn == {"1 - freq_j", "N - 1"}


def test_constants_change_by_log_normal_factors_in_half_of_the_trees():
    tree = Equation.parse("2 / (freq_i - 3 * freq_j)").tree
    made = mutants(tree, 2000)
    changed = [one for one in made if len(one) == len(tree)]
    assert len(changed) == pytest.approx(1000, abs=100)
    values = np.array([constants(one) for one in changed])
    moved = values != [2, 3]
    assert (moved.sum(axis=1) <= 1).all()
    assert moved.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.05)
    steps = np.log(values / [2, 3])[moved]
    assert (steps.mean(), steps.std()) == pytest.approx((0, STEP), abs=0.07)


def test_constants_keep_four_digits_and_a_range():
    assert short_constant(123456.0).value == 123500.0
    assert (short_constant(0.0).value, short_constant(1e30).value) == (SMALLEST, LARGEST)
    tree = Equation.parse("1000000000000 * freq_i").tree
    assert max(value for one in mutants(tree, 200) for value in constants(one)) == LARGEST
