"""Shapes of trees in prefix order, as DEAP keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonopt._typing import IntArray


@dataclass(frozen=True)
class TreeShape:
    """Where each node of a tree stands; arrays are in the prefix order of the nodes.

    Attributes
    ----------
    levels : int64 array (n_nodes,)
        Steps from the root, which has 0.
    sizes : int64 array (n_nodes,)
        Nodes of the subtree below and with each node: the subtree of node ``i`` is
        ``tree[i : i + sizes[i]]``.
    depths : int64 array (n_nodes,)
        Levels of that subtree; 1 for a terminal.
    """

    levels: IntArray
    sizes: IntArray
    depths: IntArray

    @property
    def depth(self) -> int:
        """Depth of the whole tree; the root alone has depth 1."""
        return int(self.depths[0])


def tree_shape(tree: Sequence[Any]) -> TreeShape:
    """Measure a tree.

    Parameters
    ----------
    tree : sequence of nodes with an ``arity``, in prefix order
        Such as DEAP's ``PrimitiveTree``.

    Raises
    ------
    ValueError
        If nodes are missing or left over.

    Examples
    --------
    >>> from anonopt.masking.equations import Equation
    >>> shape = tree_shape(Equation.parse("N / freq_i - freq_j").tree)
    >>> shape.levels.tolist(), shape.sizes.tolist(), shape.depth
    ([0, 1, 2, 2, 1], [5, 3, 1, 1, 1], 3)
    """
    n_nodes = len(tree)
    levels, sizes, depths = [0] * n_nodes, [1] * n_nodes, [1] * n_nodes
    roots: list[int] = []
    for place in range(n_nodes - 1, -1, -1):
        arity = tree[place].arity
        if arity > len(roots):
            raise ValueError(
                f"tree: expected {arity} operands of node {place}, {tree[place].name!r}, "
                f"found {len(roots)}"
            )
        for _ in range(arity):
            child = roots.pop()
            sizes[place] += sizes[child]
            depths[place] = max(depths[place], depths[child] + 1)
        roots.append(place)
    if len(roots) != 1:
        raise ValueError(f"tree: expected the nodes of one, found those of {len(roots)}")
    for place in range(n_nodes):
        child, end = place + 1, place + sizes[place]
        while child < end:
            levels[child] = levels[place] + 1
            child += sizes[child]
    return TreeShape(*np.array([levels, sizes, depths], dtype=np.int64))


def postfix(tree: Sequence[Any]) -> list[Any]:
    """Nodes of a tree in postfix order: every function after its operands.

    Mares 2013, Figure 4.14.

    Examples
    --------
    >>> from anonopt.masking.equations import Equation
    >>> [node.name for node in postfix(Equation.parse("N / freq_i - freq_j").tree)]
    ['N', 'freq_i', 'div', 'freq_j', 'sub']
    """
    parts: list[list[Any]] = []
    for node in reversed(tree):
        part: list[Any] = []
        for _ in range(node.arity):
            part += parts.pop()
        parts.append([*part, node])
    return parts[0]


def postfix_text(tree: Sequence[Any]) -> str:
    """Names of the nodes in postfix order, separated by spaces; equal trees have equal texts."""
    return " ".join(node.name for node in postfix(tree))
