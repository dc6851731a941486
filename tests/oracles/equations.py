"""Matrices of equations cell by cell, after Algorithm 8 of Mares 2013."""

from __future__ import annotations

import math
from collections.abc import Sequence
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


def cell_value(tree: Sequence[Any], frequencies: Sequence[float], i: int, j: int) -> float:
    """Value of a tree in one cell; of ``a - b``, b is what the stack gives first."""
    values = {
        "N": float(np.sum(frequencies)),
        "freq_max": float(max(frequencies)),
        "freq_min": float(min(frequencies)),
        "freq_i": float(frequencies[i]),
        "freq_j": float(frequencies[j]),
    }
    stack: list[float] = []
    for element in post_order_traversal(tree):
        if element.arity == 0:
            stack.append(values[element.name] if element.name in values else element.value)
        else:
            second, first = stack.pop(), stack.pop()
            stack.append(perform_operation(first, second, element.name))
    return stack.pop()


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
    rows = []
    for i in range(n):
        values = [abs(cell_value(tree, frequencies, i, j)) for j in range(n)]
        weights = [value if math.isfinite(value) else 0.0 for value in values]
        largest = max(weights)
        if largest == 0:
            rows.append([float(i == j) for j in range(n)])
        else:
            shares = [weight / largest for weight in weights]
            rows.append([share / math.fsum(shares) for share in shares])
    return rows
