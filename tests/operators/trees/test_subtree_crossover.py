"""Swapping subtrees: all pairs within the limit, none beyond it."""

from __future__ import annotations

import copy
import random
from collections import Counter

import numpy as np
import pytest
from deap import gp
from hypothesis import given
from hypothesis import strategies as st
from pymoo.core.population import Population
from scipy import stats

from anonopt.masking.equations import Equation
from anonopt.operators import SubtreeCrossover
from anonopt.operators.trees.subtree_crossover import swapped_subtrees
from anonopt.operators.trees.tree_genomes import tree_genomes, tree_space
from anonopt.operators.trees.tree_sampling import grown_tree
from tests.contracts.toy_equations import ToyEquations

ONE = Equation.parse("N / freq_i - freq_j").tree
OTHER = Equation.parse("freq_max * (freq_min + N)").tree


def outcomes(one: gp.PrimitiveTree, other: gp.PrimitiveTree, limit: int) -> list[tuple[str, str]]:
    """All pairs of children within the limit, but for those of swapped roots."""
    found = []
    for mine in range(len(one)):
        for theirs in range(len(other)):
            first, second = copy.deepcopy(one), copy.deepcopy(other)
            here, there = one.searchSubtree(mine), other.searchSubtree(theirs)
            first[here], second[there] = other[there], one[here]
            if (mine, theirs) != (0, 0) and max(first.height, second.height) < limit:
                found.append((str(first), str(second)))
    return found


@pytest.mark.parametrize("limit", [3, 4, 5, 9])
def test_all_pairs_within_the_limit_are_equally_likely(limit):
    generator = np.random.default_rng(4)
    drawn = Counter(
        tuple(map(str, swapped_subtrees(ONE, OTHER, limit, generator))) for _ in range(6000)
    )
    expected = Counter(outcomes(ONE, OTHER, limit))
    assert set(drawn) == set(expected)
    weights = np.array(list(expected.values())) * 6000 / expected.total()
    assert stats.chisquare([drawn[pair] for pair in expected], weights).pvalue > 0.001


def test_whatever_deap_makes_can_be_made():
    random.seed(5)
    theirs = {
        tuple(map(str, gp.cxOnePoint(copy.deepcopy(ONE), copy.deepcopy(OTHER))))
        for _ in range(1000)
    }
    assert theirs < set(outcomes(ONE, OTHER, 9))


@given(limit=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_nodes_are_neither_lost_nor_made(limit, seed):
    generator = np.random.default_rng(seed)
    space = tree_space(ToyEquations(max_depth=limit))
    one, other = (
        grown_tree(space, int(generator.integers(1, limit + 1)), generator) for _ in range(2)
    )
    children = swapped_subtrees(one, other, limit, generator)
    names = [
        Counter(node.name for tree in pair for node in tree) for pair in ((one, other), children)
    ]
    assert names[0] == names[1]
    assert max(child.height for child in children) < limit


def test_terminals_are_swapped_as_they_are():
    leaves = [Equation.parse(name).tree for name in ("N", "freq_i")]
    children = swapped_subtrees(*leaves, 3, np.random.default_rng(1))
    assert [str(child) for child in children] == ["freq_i", "N"]


def test_first_children_come_first():
    X = tree_genomes([ONE, OTHER, OTHER, ONE])
    pop = Population.new("X", X)
    children = SubtreeCrossover(prob=0.0)(
        ToyEquations(), pop, np.array([[0, 1], [2, 3]]), random_state=np.random.default_rng(1)
    )
    assert [str(child.X[0]) for child in children] == [str(t) for t in (ONE, OTHER, OTHER, ONE)]


def test_both_children_of_a_mating_have_swapped():
    pairs = [(ONE, OTHER), (OTHER, ONE)]
    pop = Population.new("X", tree_genomes([tree for pair in pairs for tree in pair]))
    children = SubtreeCrossover(prob=1.0)(
        ToyEquations(), pop, np.array([[0, 1], [2, 3]]), random_state=np.random.default_rng(1)
    )
    made = [child.X[0] for child in children]
    # The first children of all matings come before the second ones.
    for pair, found in zip(pairs, (made[::2], made[1::2]), strict=True):
        allowed = outcomes(*pair, ToyEquations().space.max_depth)
        assert tuple(map(str, found)) in allowed
