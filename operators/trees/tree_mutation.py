"""Mutation of trees: subtree, point, hoist, collapse and expansion (Mares 2013, Section 2.2.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
from deap import gp

from anonopt._checks import check_share
from anonopt._typing import Generator, ObjectArray
from anonopt.masking.equations.trees import tree_shape
from anonopt.operators.trees.tree_genomes import checked_tree, replaced, tree_space
from anonopt.operators.trees.tree_sampling import grown_tree
from anonopt.operators.variation import GenomeMutation


class TreeMutation(GenomeMutation):
    """What the mutations of trees share: new individuals, new trees, the depth limit.

    Parameters
    ----------
    prob : float
        Probability of each individual to be changed; otherwise it is copied. In 0..1.

    Raises
    ------
    ValueError
        If prob is not in 0..1.
    """

    def __init__(self, *, prob: float = 1.0) -> None:
        super().__init__()
        # pymoo's own probability is compared with <=, by which 0 could still change something.
        self.share = check_share("prob", prob)

    def _mutated(self, problem: Any, X: ObjectArray, generator: Generator) -> ObjectArray:
        space = tree_space(problem)
        mutants = np.empty(X.shape, dtype=object)
        for place, gene in np.ndenumerate(X):
            tree = checked_tree(gene, space.max_depth)
            chosen = generator.random() < self.share
            mutants[place] = (
                self._mutant(tree, space, generator) if chosen else gp.PrimitiveTree(tree)
            )
        return mutants

    def _mutant(self, tree: gp.PrimitiveTree, space: Any, generator: Generator) -> gp.PrimitiveTree:
        """A new tree within the limit; the given one is not changed."""
        raise NotImplementedError


class SubtreeMutation(TreeMutation):
    """A random node becomes a new random subtree.

    The node is drawn uniformly; the depth of the subtree, uniformly from 1 to what the limit
    leaves below the node's level; its branches end anywhere up to there.

    Parameters
    ----------
    prob : float
        Probability of each individual to be changed, in 0..1.
    """

    def _mutant(self, tree: gp.PrimitiveTree, space: Any, generator: Generator) -> gp.PrimitiveTree:
        place = int(generator.integers(len(tree)))
        return _with_random_subtree(tree, place, 1, space, generator)


class PointMutation(TreeMutation):
    """A random node becomes another of the same number of operands; the shape stays.

    A node that has no other of its kind stays.

    Parameters
    ----------
    prob : float
        Probability of each individual to be changed, in 0..1.
    """

    def _mutant(self, tree: gp.PrimitiveTree, space: Any, generator: Generator) -> gp.PrimitiveTree:
        place = int(generator.integers(len(tree)))
        node = tree[place]
        others = [
            other
            for other in (*space.terminals, *space.functions)
            if other.arity == node.arity and other.name != node.name
        ]
        if not others:
            return gp.PrimitiveTree(tree)
        return replaced(tree, place, 1, [others[generator.integers(len(others))]])


class HoistMutation(TreeMutation):
    """The tree becomes one of its own subtrees, drawn uniformly from those below the root.

    A tree of one node stays.

    Parameters
    ----------
    prob : float
        Probability of each individual to be changed, in 0..1.
    """

    def _mutant(self, tree: gp.PrimitiveTree, space: Any, generator: Generator) -> gp.PrimitiveTree:
        if len(tree) == 1:
            return gp.PrimitiveTree(tree)
        place = int(generator.integers(1, len(tree)))
        return gp.PrimitiveTree(tree[place : place + int(tree_shape(tree).sizes[place])])


class CollapseMutation(TreeMutation):
    """A random function, with all below it, becomes a random terminal.

    A tree of one node stays.

    Parameters
    ----------
    prob : float
        Probability of each individual to be changed, in 0..1.
    """

    def _mutant(self, tree: gp.PrimitiveTree, space: Any, generator: Generator) -> gp.PrimitiveTree:
        functions = [place for place, node in enumerate(tree) if node.arity > 0]
        if not functions:
            return gp.PrimitiveTree(tree)
        place = functions[generator.integers(len(functions))]
        terminal = space.terminals[generator.integers(len(space.terminals))]
        return replaced(tree, place, int(tree_shape(tree).sizes[place]), [terminal])


class ExpansionMutation(TreeMutation):
    """A random terminal becomes a new random subtree of two levels or more.

    The terminal is drawn uniformly from those that the limit leaves room below; without any,
    the tree stays.

    Parameters
    ----------
    prob : float
        Probability of each individual to be changed, in 0..1.
    """

    def _mutant(self, tree: gp.PrimitiveTree, space: Any, generator: Generator) -> gp.PrimitiveTree:
        levels = tree_shape(tree).levels
        places = [
            place
            for place, node in enumerate(tree)
            if node.arity == 0 and levels[place] + 2 <= space.max_depth
        ]
        if not places or not space.functions:
            return gp.PrimitiveTree(tree)
        place = places[generator.integers(len(places))]
        return _with_random_subtree(tree, place, 2, space, generator)


def _with_random_subtree(
    tree: gp.PrimitiveTree, place: int, min_depth: int, space: Any, generator: Generator
) -> gp.PrimitiveTree:
    shape = tree_shape(tree)
    depth = int(generator.integers(min_depth, space.max_depth - int(shape.levels[place]) + 1))
    subtree = grown_tree(space, depth, generator)
    return replaced(tree, place, int(shape.sizes[place]), subtree)
