"""Random trees: grow, full, and half of each (Mares 2013, Section 2.2.1; Koza 1992).

DEAP has generators of the same shapes, which draw from the global generator of ``random``; these
draw from the numpy Generator handed in and build the same ``PrimitiveTree``.
"""

from __future__ import annotations

from typing import Any

from deap import gp

from anonopt._typing import Generator, ObjectArray
from anonopt.operators.drawing import GenomeSampling
from anonopt.operators.trees.tree_genomes import tree_genomes, tree_space


def full_tree(space: Any, depth: int, generator: Generator) -> gp.PrimitiveTree:
    """Draw a tree whose every branch has the given depth.

    Parameters
    ----------
    space : anonopt.problems.spaces.Trees
    depth : int
        At least 1.
    generator : numpy Generator
    """
    return _tree(space, depth, generator, full=True)


def grown_tree(space: Any, depth: int, generator: Generator) -> gp.PrimitiveTree:
    """Draw a tree whose branches end anywhere up to the given depth.

    Each node is drawn uniformly from functions and terminals together; the root is a function,
    unless the depth is 1.

    Parameters
    ----------
    space : anonopt.problems.spaces.Trees
    depth : int
        At least 1.
    generator : numpy Generator
    """
    return _tree(space, depth, generator, full=False)


def _tree(space: Any, depth: int, generator: Generator, *, full: bool) -> gp.PrimitiveTree:
    nodes: list[Any] = []
    room = [depth]
    while room:
        left = room.pop()
        if left == 1 or not space.functions:
            choices = space.terminals
        elif full or not nodes:
            choices = space.functions
        else:
            choices = space.terminals + space.functions
        node = choices[generator.integers(len(choices))]
        nodes.append(node)
        room.extend([left - 1] * node.arity)
    return gp.PrimitiveTree(nodes)


class HalfAndHalfSampling(GenomeSampling):
    """Trees of all depths up to the problem's limit, one half full, the other half grown.

    The depths are dealt out from the deepest to 1, over and over, so their numbers differ by
    one at most and a small population has deep trees rather than shallow ones. Of each depth
    every other tree is full. Equal trees may occur.

    Mares 2013, Section 2.2.1.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.problem import Problem
    >>> from anonopt.problems.spaces import Trees
    >>> problem = Problem(n_var=1, n_obj=1, vtype=object)
    >>> problem.space = Trees(max_depth=2)
    >>> pop = HalfAndHalfSampling()(problem, 3, random_state=np.random.default_rng(1))
    >>> [str(individual.X[0]) for individual in pop]
    ['sub(freq_min, freq_i)', 'freq_j', 'add(N, freq_j)']
    """

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> ObjectArray:
        space = tree_space(problem)
        trees = []
        for place in range(n_samples):
            turn, step = divmod(place, space.max_depth)
            draw = grown_tree if (turn + step) % 2 else full_tree
            trees.append(draw(space, space.max_depth - step, generator))
        return tree_genomes(trees)
