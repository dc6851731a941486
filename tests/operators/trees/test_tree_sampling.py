"""Random trees, against the shapes that DEAP's generators make."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from deap import gp
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from anonopt.masking.equations import PRIMITIVES, TERMINALS
from anonopt.operators import HalfAndHalfSampling
from anonopt.operators.trees.tree_genomes import tree_space
from anonopt.operators.trees.tree_sampling import full_tree, grown_tree
from tests.contracts.toy_equations import ToyEquations

SPACE = tree_space(ToyEquations(max_depth=5))


def shape(tree: list) -> tuple[int, ...]:
    return tuple(node.arity for node in tree)


def same_distribution(ours: list, theirs: list) -> float:
    """The p-value of a chi-square test that two samples are of one distribution."""
    kinds = sorted({*ours, *theirs})
    counts = np.array([[Counter(sample)[kind] for kind in kinds] for sample in (ours, theirs)])
    rare = counts.sum(axis=0) < 20
    table = np.column_stack([counts[:, ~rare], counts[:, rare].sum(axis=1)])
    return stats.chi2_contingency(table[:, table.any(axis=0)]).pvalue


@given(depth=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_full_trees_have_the_shape_of_deap(depth, seed):
    ours = full_tree(SPACE, depth, np.random.default_rng(seed))
    assert shape(ours) == shape(gp.genFull(PRIMITIVES, depth - 1, depth - 1))


def test_grown_trees_are_distributed_as_in_deap():
    generator, n = np.random.default_rng(1), 6_000
    random.seed(1)
    ours = [shape(grown_tree(SPACE, int(generator.integers(2, 5)), generator)) for _ in range(n)]
    theirs = [shape(gp.genGrow(PRIMITIVES, 1, 3)) for _ in range(n)]
    assert same_distribution(ours, theirs) > 0.001
    # The test can fail: other depths are told apart.
    deeper = [shape(gp.genGrow(PRIMITIVES, 1, 4)) for _ in range(n)]
    assert same_distribution(ours, deeper) < 1e-6


def test_nodes_are_uniform_within_their_kind():
    generator = np.random.default_rng(2)
    names = Counter(node.name for _ in range(2000) for node in full_tree(SPACE, 3, generator))
    for kind in (TERMINALS, ("add", "sub", "mul", "div")):
        assert stats.chisquare([names[name] for name in kind]).pvalue > 0.001


def test_grown_root_is_a_function_unless_the_depth_is_1():
    generator = np.random.default_rng(3)
    assert all(len(grown_tree(SPACE, 2, generator)) == 3 for _ in range(50))
    assert len(grown_tree(SPACE, 1, generator)) == 1


def test_without_functions_every_tree_is_a_terminal():
    space = SimpleNamespace(terminals=SPACE.terminals, functions=())
    for draw in (full_tree, grown_tree):
        assert len(draw(space, 4, np.random.default_rng(1))) == 1


@given(n=st.integers(0, 40), max_depth=st.integers(1, 6), seed=st.integers(0, 99))
def test_half_and_half_deals_out_depths_and_methods(n, max_depth, seed):
    problem = ToyEquations(max_depth=max_depth)
    pop = HalfAndHalfSampling()(problem, n, random_state=np.random.default_rng(seed))
    assert len(pop) == n
    trees = [individual.X[0] for individual in pop]
    limits = [max_depth - place % max_depth for place in range(n)]
    for tree, limit in zip(trees, limits, strict=True):
        assert tree.height + 1 <= limit
    full = [
        shape(t) == shape(gp.genFull(PRIMITIVES, d - 1, d - 1))
        for t, d in zip(trees, limits, strict=True)
    ]
    for depth in range(1, max_depth + 1):
        of_this = [is_full for is_full, limit in zip(full, limits, strict=True) if limit == depth]
        # The first or the second of two is drawn full, the other one may happen to be.
        pairs = list(zip(of_this[::2], of_this[1::2], strict=False))
        assert all(any(pair) for pair in pairs)
    # The first one is full, and of the deepest the third, fifth, ...
    assert all(full[0 :: 2 * max_depth])


def test_negative_number_is_refused():
    with pytest.raises(ValueError, match=r"n_samples: expected .* of at least 0, found -1"):
        HalfAndHalfSampling()(ToyEquations(), -1, seed=1)
