"""Equations simplified by sympy, an optional dependency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deap import gp

from anonopt.masking.equations.parser import parse_tree
from anonopt.masking.equations.primitives import TERMINALS, is_constant


def simplified_tree(tree: Sequence[Any]) -> gp.PrimitiveTree:
    """Shorter tree with the same absolute values wherever nothing is divided by zero.

    Parameters
    ----------
    tree : sequence of nodes in prefix order

    Returns
    -------
    deap.gp.PrimitiveTree
        The shortest of a few algebraic forms, by the number of operations.

    Raises
    ------
    ImportError
        If sympy is not installed.
    """
    sympy = _sympy()
    expression = _expression(tree, sympy)
    forms = [expression, sympy.cancel(expression), sympy.factor(expression)]
    # The sign of the whole does not matter, as weights are absolute values.
    forms += [-form for form in forms]
    trees = [short for form in forms for short in _readable(sympy.sstr(form))]
    return min(trees, key=len, default=gp.PrimitiveTree(tree))


def _readable(text: str) -> list[gp.PrimitiveTree]:
    """The tree of a text; none if exact arithmetic made numbers too large for floats."""
    try:
        return [parse_tree(text)]
    except ValueError:
        return []


def _sympy() -> Any:
    try:
        import sympy
    except ImportError as error:
        raise ImportError(
            "simplification needs the extra 'math': pip install 'anonopt[math]'"
        ) from error
    return sympy


def _expression(tree: Sequence[Any], sympy: Any) -> Any:
    """Expression of a tree; a denominator that is zero everywhere gives its quotient, 1."""
    symbols = {name: sympy.Symbol(name, positive=True) for name in TERMINALS}
    stack: list[Any] = []
    for node in reversed(tree):
        if node.arity == 0:
            number = is_constant(node)
            stack.append(sympy.Rational(node.name) if number else symbols[node.name])
            continue
        left, right = stack.pop(), stack.pop()
        if node.name == "add":
            stack.append(left + right)
        elif node.name == "sub":
            stack.append(left - right)
        elif node.name == "mul":
            stack.append(left * right)
        elif sympy.cancel(right) == 0:
            stack.append(sympy.Integer(1))
        else:
            stack.append(left / right)
    return stack.pop()
