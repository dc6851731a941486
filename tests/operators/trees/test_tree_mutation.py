"""The five mutations of trees: what each may change, and what it must leave."""

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

from anonopt.masking.equations import PRIMITIVES, TERMINALS, Equation
from anonopt.operators import (
    CollapseMutation,
    ExpansionMutation,
    HoistMutation,
    PointMutation,
    SubtreeMutation,
)
from anonopt.operators.trees.tree_genomes import tree_genomes, tree_space
from anonopt.operators.trees.tree_sampling import grown_tree
from tests.contracts.toy_equations import ToyEquations

TREE = Equation.parse("N / freq_i - freq_j * (freq_max + N)").tree
LEAF = Equation.parse("freq_i").tree
FULL = Equation.parse("(N + freq_i) * (N - freq_j)").tree

trees = st.builds(
    lambda depth, seed: grown_tree(
        tree_space(ToyEquations(max_depth=5)), depth, np.random.default_rng(seed)
    ),
    st.integers(1, 5),
    st.integers(0, 2**32),
)


def mutants(mutation, tree: gp.PrimitiveTree, n: int = 1, *, max_depth: int = 5, seed: int = 1):
    pop = Population.new("X", tree_genomes([tree] * n))
    made = mutation(
        ToyEquations(max_depth=max_depth), pop, random_state=np.random.default_rng(seed)
    )
    return [individual.X[0] for individual in made]


def subtrees(tree: gp.PrimitiveTree) -> list[str]:
    return [str(gp.PrimitiveTree(tree[tree.searchSubtree(i)])) for i in range(len(tree))]


@given(tree=trees, seed=st.integers(0, 2**32))
def test_point_changes_one_node_into_another_of_its_kind(tree, seed):
    (mutant,) = mutants(PointMutation(), tree, seed=seed)
    differ = [(a, b) for a, b in zip(tree, mutant, strict=True) if a.name != b.name]
    assert len(differ) == 1
    assert differ[0][0].arity == differ[0][1].arity


def test_point_reaches_what_deap_reaches():
    random.seed(6)
    theirs = {str(gp.mutNodeReplacement(copy.deepcopy(TREE), PRIMITIVES)[0]) for _ in range(4000)}
    ours = set(map(str, mutants(PointMutation(), TREE, 4000)))
    # DEAP leaves the root alone, and may put the same node in its place.
    assert {text for text in ours if text.startswith("sub(")} == theirs - {str(TREE)}
    assert {text.partition("(")[0] for text in ours} == {"add", "sub", "mul", "div"}


def test_hoist_draws_uniformly_from_the_proper_subtrees():
    drawn = Counter(map(str, mutants(HoistMutation(), TREE, 6000)))
    expected = Counter(subtrees(TREE)[1:])
    assert set(drawn) == set(expected)
    weights = np.array(list(expected.values())) * 6000 / expected.total()
    assert stats.chisquare([drawn[text] for text in expected], weights).pvalue > 0.001


def test_collapse_puts_a_terminal_in_the_place_of_a_function():
    drawn = set(map(str, mutants(CollapseMutation(), TREE, 4000)))
    expected = set()
    for place, node in enumerate(TREE):
        for name in TERMINALS:
            collapsed = copy.deepcopy(TREE)
            if node.arity > 0:
                collapsed[TREE.searchSubtree(place)] = Equation.parse(name).tree
                expected.add(str(collapsed))
    assert drawn == expected


@given(tree=trees, seed=st.integers(0, 2**32))
def test_expansion_puts_a_function_in_the_place_of_a_terminal(tree, seed):
    (mutant,) = mutants(ExpansionMutation(), tree, max_depth=6, seed=seed)
    assert mutant.height < 6
    assert len(mutant) > len(tree)
    place = next(i for i, (a, b) in enumerate(zip(tree, mutant, strict=False)) if a.name != b.name)
    grown = mutant.searchSubtree(place)
    assert tree[place].arity == 0
    assert mutant[place].arity == 2
    assert mutant[grown.stop :] == tree[place + 1 :]


def test_expansion_takes_the_terminals_with_room_below():
    drawn = mutants(ExpansionMutation(), TREE, 300, max_depth=4)
    # Those at level 3, of the sum, have none.
    assert all(str(mutant).endswith("add(freq_max, N)))") for mutant in drawn)
    assert len(set(map(str, drawn))) > 100


@given(tree=trees, seed=st.integers(0, 2**32))
def test_subtree_changes_one_subtree(tree, seed):
    (mutant,) = mutants(SubtreeMutation(), tree, seed=seed)
    assert mutant.height < 5
    could_be = []
    for place in range(len(tree)):
        rest = len(tree) - tree.searchSubtree(place).stop
        end = len(mutant) - rest
        could_be.append(
            mutant[:place] == tree[:place]
            and end > place
            and mutant[end:] == tree[len(tree) - rest :]
            and mutant.searchSubtree(place).stop == end
        )
    assert any(could_be)


def test_subtree_changes_every_node_equally_often_and_to_all_depths():
    limit = 6
    generator = np.random.default_rng(8)
    depths = Counter(
        mutant.height + 1 for mutant in mutants(SubtreeMutation(), LEAF, 4000, max_depth=limit)
    )
    by_depth = Counter()
    for _ in range(4000):
        depth = int(generator.integers(1, limit + 1))
        by_depth[grown_tree(tree_space(ToyEquations()), depth, generator).height + 1] += 1
    table = [[counts[depth] for depth in range(1, limit + 1)] for counts in (depths, by_depth)]
    assert stats.chi2_contingency(table).pvalue > 0.001


@pytest.mark.parametrize(
    ("mutation", "tree", "max_depth"),
    [(HoistMutation(), LEAF, 5), (CollapseMutation(), LEAF, 5), (ExpansionMutation(), FULL, 3)],
)
def test_where_there_is_nothing_to_change_the_tree_stays(mutation, tree, max_depth):
    (mutant,) = mutants(mutation, tree, max_depth=max_depth)
    assert mutant == tree
    assert mutant is not tree


@pytest.mark.parametrize("prob", [-0.1, 1.5])
def test_probability_out_of_range_is_refused(prob):
    with pytest.raises(ValueError, match="prob: expected a number in 0"):
        SubtreeMutation(prob=prob)
