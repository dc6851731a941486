"""Shapes of trees against their recursive definition."""

from __future__ import annotations

import numpy as np
import pytest
from deap import gp
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking.equations import Equation
from anonopt.masking.equations.trees import tree_shape
from anonopt.operators.trees.tree_genomes import tree_space
from anonopt.operators.trees.tree_sampling import grown_tree
from tests.contracts.toy_equations import ToyEquations


def walked(tree: gp.PrimitiveTree, place: int = 0, level: int = 0) -> list[tuple[int, int, int]]:
    """Level, size and depth of every node below a place, in prefix order."""
    below = []
    start = place + 1
    depth = 1
    for _ in range(tree[place].arity):
        found = walked(tree, start, level + 1)
        depth = max(depth, found[0][2] + 1)
        start += len(found)
        below += found
    return [(level, 1 + len(below), depth), *below]


@given(depth=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_shape_is_that_of_the_recursive_definition(depth, seed):
    space = tree_space(ToyEquations(max_depth=6))
    tree = grown_tree(space, depth, np.random.default_rng(seed))
    shape = tree_shape(tree)
    found = zip(shape.levels.tolist(), shape.sizes.tolist(), shape.depths.tolist(), strict=True)
    assert list(found) == walked(tree)
    assert shape.depth == tree.height + 1


def test_lists_of_nodes_that_are_no_tree_are_refused():
    tree = Equation.parse("N / freq_i").tree
    with pytest.raises(ValueError, match="expected 2 operands of node 0, 'div', found 1"):
        tree_shape(tree[:2])
    with pytest.raises(ValueError, match="expected the nodes of one, found those of 2"):
        tree_shape([*tree, tree[1]])
    with pytest.raises(ValueError, match="found those of 0"):
        tree_shape([])
