"""What all operators ask of genomes that are trees, and of the problem that limits them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from deap import gp

from anonopt._typing import ObjectArray
from anonopt.masking.equations.trees import postfix_text, tree_shape
from anonopt.operators.base import space_of_kind


def tree_space(problem: Any) -> Any:
    """Space of a problem whose genomes are trees.

    Parameters
    ----------
    problem : pymoo Problem

    Returns
    -------
    anonopt.problems.spaces.Trees

    Raises
    ------
    ValueError
        If its genomes are something else.
    """
    return space_of_kind(problem, "trees", "trees")


def tree_genomes(trees: Sequence[gp.PrimitiveTree]) -> ObjectArray:
    """Put trees into an array of genomes of one gene.

    Parameters
    ----------
    trees : sequence of DEAP PrimitiveTree, (n,)

    Returns
    -------
    object array (n, 1)
    """
    # numpy would take a list of trees apart, as trees are lists.
    genomes = np.empty((len(trees), 1), dtype=object)
    for row, tree in enumerate(trees):
        genomes[row, 0] = tree
    return genomes


def checked_tree(gene: Any, max_depth: int) -> gp.PrimitiveTree:
    """Return a gene that is a whole tree within the depth limit.

    Raises
    ------
    TypeError
        If it is no DEAP PrimitiveTree.
    ValueError
        If nodes are missing or left over, or it is too deep.
    """
    if not isinstance(gene, gp.PrimitiveTree):
        raise TypeError(f"X: expected a genome that is a PrimitiveTree, found {gene!r}")
    depth = tree_shape(gene).depth
    if depth > max_depth:
        raise ValueError(f"X: expected trees of depth {max_depth} at most, found {depth}: {gene}")
    return gene


def replaced(
    tree: gp.PrimitiveTree, place: int, size: int, subtree: Sequence[Any]
) -> gp.PrimitiveTree:
    """Copy of a tree with the subtree of ``size`` nodes at ``place`` exchanged for another."""
    return gp.PrimitiveTree([*tree[:place], *subtree, *tree[place + size :]])


def tree_key(x: ObjectArray) -> bytes:
    """Key of a genome of trees: equal exactly where all trees are equal.

    Parameters
    ----------
    x : object array (n_var,)
    """
    return "\n".join(postfix_text(tree) for tree in x).encode()
