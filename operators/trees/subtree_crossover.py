"""Crossover of trees: two parents swap a subtree each."""

from __future__ import annotations

from typing import Any

import numpy as np
from deap import gp

from anonopt._checks import check_share
from anonopt._typing import Generator, ObjectArray
from anonopt.masking.equations.trees import tree_shape
from anonopt.operators.trees.tree_genomes import checked_tree, replaced, tree_space
from anonopt.operators.variation import GenomeCrossover


class SubtreeCrossover(GenomeCrossover):
    """Swap a random subtree of one tree for one of the other; no child exceeds the depth limit.

    Mares 2013, Sections 2.2.2 and 4.2.2. The two nodes are drawn uniformly among all pairs for
    which both children keep the limit, ``level of one + depth of the other's subtree <= limit``
    (levels count from 0 at the root). The two roots are such a pair, but swapping them changes
    nothing, so they are drawn only if there is no other. Children are new trees.

    Decided differently from DEAP's ``cxOnePoint``: parents are not changed; the limit is held by
    the choice of nodes and not by throwing children away; a root can be exchanged for a subtree.

    Parameters
    ----------
    prob : float
        Probability, per mating, to swap; otherwise the parents are copied. In 0..1.

    Raises
    ------
    ValueError
        If prob is not in 0..1.
    """

    def __init__(self, *, prob: float = 0.9) -> None:
        super().__init__(n_parents=2, n_offsprings=2, prob=check_share("prob", prob))

    def _children(self, problem: Any, matings: Any, algorithm: Any, generator: Generator) -> Any:
        children = super()._children(problem, matings, algorithm, generator)
        for child in children:
            # Parents that did not mate come back themselves.
            child.X = _copies(child.X)
        return children

    def _crossed(self, problem: Any, X: ObjectArray, generator: Generator) -> ObjectArray:
        max_depth = tree_space(problem).max_depth
        children = np.empty(X.shape, dtype=object)
        for mating in range(X.shape[1]):
            for gene in range(X.shape[2]):
                one, other = (checked_tree(tree, max_depth) for tree in X[:, mating, gene])
                children[0, mating, gene], children[1, mating, gene] = swapped_subtrees(
                    one, other, max_depth, generator
                )
        return children


def swapped_subtrees(
    one: gp.PrimitiveTree, other: gp.PrimitiveTree, max_depth: int, generator: Generator
) -> tuple[gp.PrimitiveTree, gp.PrimitiveTree]:
    """Two new trees that have swapped a subtree; neither is deeper than the limit.

    Parameters
    ----------
    one, other : DEAP PrimitiveTree
        Not deeper than the limit.
    max_depth : int
    generator : numpy Generator
    """
    here, there = tree_shape(one), tree_shape(other)
    allowed = (here.levels[:, np.newaxis] + there.depths <= max_depth) & (
        here.depths[:, np.newaxis] + there.levels <= max_depth
    )
    pairs = np.argwhere(allowed)
    # The first pair is that of the roots.
    first = 1 if len(pairs) > 1 else 0
    mine, theirs = pairs[generator.integers(first, len(pairs))].tolist()
    my_size, their_size = int(here.sizes[mine]), int(there.sizes[theirs])
    return (
        replaced(one, mine, my_size, other[theirs : theirs + their_size]),
        replaced(other, theirs, their_size, one[mine : mine + my_size]),
    )


def _copies(x: ObjectArray) -> ObjectArray:
    copies = np.empty(x.shape, dtype=object)
    for gene, tree in enumerate(x):
        copies[gene] = gp.PrimitiveTree(tree)
    return copies
