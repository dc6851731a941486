"""From a tree to a matrix: all cells at once, on a stack.

Idea: a tree is evaluated on a stack as in Algorithm 8 of Mares 2013, but an entry of the stack is
the value in all cells together. Values that are the same in all cells stay scalars, those of the
row's category a column vector, those of the column's category a row vector; numpy spreads them
out where they first meet.

Decided where the thesis is silent: x / 0, and any quotient that is not finite, is 1; a weight that
is not finite is 0; weights are absolute values; a row of zeros becomes that of the identity.
Algorithm 8 takes the operands from the stack in reversed order, which as printed would compute
``b - a`` for the tree ``a - b``; here the left operand is the left subtree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray
from anonopt.data.columns.markov import checked_frequencies
from anonopt.masking.equations.primitives import FUNCTIONS, Value


def cell_values(tree: Sequence[Any], frequencies: npt.ArrayLike) -> FloatArray:
    """Value of a tree in every cell of the matrix.

    Parameters
    ----------
    tree : sequence of nodes in prefix order
        A DEAP ``PrimitiveTree`` of the primitives of equations.
    frequencies : array_like (n_categories,)
        Number of records of each category, finite and at least 0.

    Returns
    -------
    float array (n_categories, n_categories)
        Entry ``i, j`` has ``freq_i = frequencies[i]`` and ``freq_j = frequencies[j]``. May hold
        infinite values and NaN.

    Raises
    ------
    ValueError
        If the frequencies are not of this form, or a node is no primitive of equations.

    Examples
    --------
    >>> from anonopt.masking.equations import Equation
    >>> cell_values(Equation.parse("freq_j / freq_i").tree, [1, 4])
    array([[1.  , 4.  ],
           [0.25, 1.  ]])
    """
    counts = checked_frequencies(frequencies, all_zero=True)
    terminals: dict[str, Value] = {
        "N": float(counts.sum()),
        "freq_max": float(counts.max()),
        "freq_min": float(counts.min()),
        "freq_i": counts[:, np.newaxis],
        "freq_j": counts[np.newaxis, :],
    }
    stack: list[Value] = []
    # Prefix order read backwards: each function finds its operands on top, the first one first.
    with np.errstate(all="ignore"):
        for node in reversed(tree):
            if node.arity == 0:
                stack.append(terminals[node.name] if node.name in terminals else _number(node))
            else:
                first, second = stack.pop(), stack.pop()
                stack.append(_function(node)(first, second))
    filled: FloatArray = np.empty((len(counts), len(counts)))
    filled[...] = stack.pop()
    return filled


def row_probabilities(values: npt.ArrayLike) -> FloatArray:
    """Turn the values of cells into a matrix of transition probabilities.

    Absolute values; what is not finite counts as 0; rows are divided by their sums; a row of
    zeros becomes that of the identity.

    Parameters
    ----------
    values : array_like (n_categories, n_categories)

    Returns
    -------
    float array (n_categories, n_categories)
        At least 0; rows sum to 1 within 1e-12.

    Examples
    --------
    >>> row_probabilities([[1.0, -3.0], [np.inf, 0.0]])
    array([[0.25, 0.75],
           [0.  , 1.  ]])
    """
    weights = np.abs(np.asarray(values, dtype=np.float64))
    weights[~np.isfinite(weights)] = 0.0
    largest = weights.max(axis=1)
    empty = np.flatnonzero(largest == 0)
    largest[empty] = 1.0
    # A sum of large values may overflow, one of ratios cannot.
    weights /= largest[:, np.newaxis]
    weights[empty, empty] = 1.0
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def equation_matrix(tree: Sequence[Any], frequencies: npt.ArrayLike) -> FloatArray:
    """PRAM matrix of a tree: :func:`row_probabilities` of its :func:`cell_values`.

    Parameters and errors as in :func:`cell_values`.

    Returns
    -------
    float array (n_categories, n_categories)
        Row: category of the original; column: category it is changed to. Rows sum to 1 within
        1e-12.
    """
    return row_probabilities(cell_values(tree, frequencies))


def _number(node: Any) -> float:
    if not isinstance(node.value, float):
        raise ValueError(f"tree: expected a terminal of equations, found {node.name!r}")
    return node.value


def _function(node: Any) -> Any:
    if node.name not in FUNCTIONS:
        raise ValueError(f"tree: expected a function of {list(FUNCTIONS)}, found {node.name!r}")
    return FUNCTIONS[node.name]
