"""What all operators ask of genomes that are trees, and of the problem that limits them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from deap import gp

from anonopt._typing import ObjectArray
from anonopt.masking.equations.trees import postfix_text, tree_shape


@dataclass(frozen=True)
class TreeSpace:
    """The trees a problem allows.

    Attributes
    ----------
    terminals, functions : tuple of nodes
    max_depth : int
        Most levels of a tree; a terminal alone has one.
    """

    terminals: tuple[Any, ...]
    functions: tuple[Any, ...]
    max_depth: int


def tree_space(problem: Any) -> TreeSpace:
    """Read from a problem which trees are its genomes.

    Parameters
    ----------
    problem : pymoo Problem
        With attributes ``primitives``, an untyped ``PrimitiveSet`` of DEAP, and ``max_depth``.

    Raises
    ------
    ValueError
        If it has none, or has no terminal, or the depth is below 1.
    """
    primitives = getattr(problem, "primitives", None)
    max_depth = getattr(problem, "max_depth", None)
    if not isinstance(primitives, gp.PrimitiveSet) or max_depth is None:
        raise ValueError(
            "problem: expected genomes that are trees, with attributes primitives and "
            f"max_depth; found {type(problem).__name__}"
        )
    terminals = tuple(primitives.terminals[primitives.ret])
    if not terminals or max_depth < 1:
        raise ValueError(
            f"problem: expected at least one terminal and a depth of at least 1; "
            f"found {len(terminals)} and {max_depth}"
        )
    return TreeSpace(terminals, tuple(primitives.primitives[primitives.ret]), int(max_depth))


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
        raise TypeError(f"expected a genome that is a PrimitiveTree, found {gene!r}")
    depth = tree_shape(gene).depth
    if depth > max_depth:
        raise ValueError(f"expected trees of depth {max_depth} at most, found {depth}: {gene}")
    return gene


def replaced(
    tree: gp.PrimitiveTree, place: int, size: int, subtree: Sequence[Any]
) -> gp.PrimitiveTree:
    """Copy of a tree with the subtree of ``size`` nodes at ``place`` exchanged for another."""
    return gp.PrimitiveTree([*tree[:place], *subtree, *tree[place + size :]])


def tree_key(x: npt.NDArray[np.object_]) -> bytes:
    """Key of a genome of trees: equal exactly where all trees are equal.

    Parameters
    ----------
    x : object array (n_var,)
    """
    return "\n".join(postfix_text(tree) for tree in x).encode()
