"""Mutation of constants in trees: they change, and come to trees that have none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from deap import gp

from anonopt._typing import Generator
from anonopt.masking.equations.primitives import is_constant
from anonopt.masking.equations.trees import tree_shape
from anonopt.operators.trees.tree_constants import short_constant
from anonopt.operators.trees.tree_genomes import replaced
from anonopt.operators.trees.tree_mutation import TreeMutation

STEP = 0.7
"""Standard deviation of the natural logarithm of what a constant is multiplied by."""

PRODUCT = "mul"
"""Name of the function by which a subtree gets a factor."""


class ConstantMutation(TreeMutation):
    """A constant of the tree is multiplied, or a subtree gets one as its factor.

    In a tree with constants one of them, drawn uniformly, is multiplied by a log-normal number with
    probability one half. Else a subtree, drawn uniformly from those that the depth limit leaves
    room for, becomes its product with a log-normal constant; where no subtree has room, or the
    problem has no product, a terminal becomes a constant. Constants have four digits and are
    positive. Other mutations put no constants into trees, so that only shapes are searched.

    Parameters
    ----------
    prob : float
        Probability of each individual to be changed, in 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> from pymoo.core.population import Population
    >>> problem = ao.get_problem("german-pram-equations", expected=True)
    >>> X = problem.space.genomes([ao.masking.Equation.parse("1 / (freq_i - freq_j)")])
    >>> child = ConstantMutation()(
    ...     problem, Population.new("X", X), random_state=np.random.default_rng(1)
    ... )[0]
    >>> problem.space.text(child.X)
    'equation=1.777 / (freq_i - freq_j)'
    """

    def _mutant(self, tree: gp.PrimitiveTree, space: Any, generator: Generator) -> gp.PrimitiveTree:
        factor = math.exp(STEP * generator.normal())
        constants = [place for place, node in enumerate(tree) if is_constant(node)]
        if constants and generator.random() < 0.5:
            place = constants[generator.integers(len(constants))]
            return replaced(tree, place, 1, [short_constant(tree[place].value * factor)])
        return _with_constant(tree, factor, space, generator)


def _with_constant(
    tree: gp.PrimitiveTree, value: float, space: Any, generator: Generator
) -> gp.PrimitiveTree:
    """A tree one of whose subtrees is multiplied, or one of whose terminals is a constant."""
    shape = tree_shape(tree)
    product = next((node for node in space.functions if node.name == PRODUCT), None)
    places = np.flatnonzero(shape.levels + shape.depths < space.max_depth)
    if product is None or not len(places):
        terminals = np.flatnonzero(shape.sizes == 1)
        place = int(terminals[generator.integers(len(terminals))])
        return replaced(tree, place, 1, [short_constant(value)])
    place = int(places[generator.integers(len(places))])
    size = int(shape.sizes[place])
    factored = [product, short_constant(value), *tree[place : place + size]]
    return replaced(tree, place, size, factored)
