"""Matrices of equations cell by cell, after Algorithm 8 of Mares 2013."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def post_order_traversal(tree: Sequence[Any]) -> list[Any]:
    """Nodes of a tree in prefix order, each function after its operands."""

    def visit(place: int) -> tuple[list[Any], int]:
        node, elements, place = tree[place], [], place + 1
        for _ in range(node.arity):
            operand, place = visit(place)
            elements += operand
        return [*elements, node], place

    return visit(0)[0]


def execute(elements: Sequence[Any], values: Mapping[str, float]) -> float:
    """Run Algorithm 8 on elements in postfix order; of ``a - b``, b is what the stack gives first.

    Parameters
    ----------
    elements : sequence of nodes
    values : mapping of terminal to its value in the cell
    """
    stack: list[float] = []
    for element in elements:
        if element.arity == 0:
            stack.append(values.get(element.name, element.value))
        else:
            second, first = stack.pop(), stack.pop()
            stack.append(perform_operation(first, second, element.name))
    return stack.pop()


def cell_values(tree: Sequence[Any], frequencies: Sequence[float]) -> list[list[float]]:
    """Value of a tree in every cell, one after the other."""
    elements = post_order_traversal(tree)
    values = {
        "N": float(np.sum(frequencies)),
        "freq_max": float(max(frequencies)),
        "freq_min": float(min(frequencies)),
    }
    return [
        [execute(elements, {**values, "freq_i": float(i), "freq_j": float(j)}) for j in frequencies]
        for i in frequencies
    ]


def perform_operation(first: float, second: float, function: str) -> float:
    """One of the four functions; a quotient that is not finite is 1."""
    if function == "add":
        return first + second
    if function == "sub":
        return first - second
    if function == "mul":
        return first * second
    if second == 0:
        return 1.0
    return first / second if math.isfinite(first / second) else 1.0


def matrix_of(tree: Sequence[Any], frequencies: Sequence[float]) -> list[list[float]]:
    """Absolute values with what is not finite as 0, each row by its sum, or the identity's."""
    n = len(frequencies)
    values = cell_values(tree, frequencies)
    rows = []
    for i in range(n):
        weights = [abs(value) if math.isfinite(value) else 0.0 for value in values[i]]
        largest = max(weights)
        if largest == 0:
            rows.append([float(i == j) for j in range(n)])
        else:
            shares = [weight / largest for weight in weights]
            rows.append([share / math.fsum(shares) for share in shares])
    return rows
