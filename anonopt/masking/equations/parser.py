"""Text to tree: a short list of what an equation may hold, and nothing is ever run."""

from __future__ import annotations

import ast
import sys
from typing import Any

from deap import gp

from anonopt.masking.equations.primitives import PRIMITIVES, TERMINALS, constant

MAX_LENGTH = 10_000
"""Longest text that is read."""

MAX_NODES = 10_000
"""Largest tree that is read; powers are written out as products."""

_FUNCTIONS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}


def parse_tree(text: str) -> gp.PrimitiveTree:
    """Read an equation.

    Parameters
    ----------
    text : str
        The terminals ``N``, ``freq_max``, ``freq_min``, ``freq_i``, ``freq_j``; numbers;
        ``+ - * /``, parentheses; ``**`` with a whole exponent of at least 1.

    Returns
    -------
    deap.gp.PrimitiveTree
        A power is a product of its factors, ``-x`` is ``0 - x``.

    Raises
    ------
    ValueError
        If the text holds anything else, or is too long.

    Examples
    --------
    >>> str(parse_tree("N - 2 * freq_i"))
    'sub(N, mul(2.0, freq_i))'
    >>> parse_tree("__import__('os')")
    Traceback (most recent call last):
    ValueError: equation: expected ... found "__import__('os')"
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(
            f"equation: expected a text of at most {MAX_LENGTH} characters, found {len(text)}"
        )
    if "\0" in text:
        raise ValueError(f"equation: expected a formula, found a null character in {text!r}")
    try:
        expression = ast.parse(text.strip(), mode="eval").body
        nodes = _nodes(expression)
    except (SyntaxError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "nested too deeply"
        raise ValueError(f"equation: expected a formula, found {text!r} ({reason})") from error
    return gp.PrimitiveTree(nodes)


def _nodes(expression: ast.expr) -> list[Any]:
    """Nodes of a tree in prefix order."""
    match expression:
        case ast.Name(id=name) if name in TERMINALS:
            nodes = [PRIMITIVES.mapping[name]]
        case ast.Constant(value=int() | float() as number) if _is_number(number):
            nodes = [constant(number)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            nodes = [PRIMITIVES.mapping["sub"], constant(0), *_nodes(operand)]
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as exponent)) if (
            1 <= exponent <= MAX_NODES and not isinstance(exponent, bool)
        ):
            nodes = _power(_nodes(base), exponent)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _FUNCTIONS:
            function = PRIMITIVES.mapping[_FUNCTIONS[type(op)]]
            nodes = [function, *_nodes(left), *_nodes(right)]
        case _:
            raise ValueError(
                f"equation: expected the terminals {', '.join(TERMINALS)}, numbers, + - * /, "
                f"parentheses and whole powers; found {ast.unparse(expression)!r}"
            )
    return nodes


def _is_number(number: int | float) -> bool:
    return not isinstance(number, bool) and number <= sys.float_info.max


def _power(base: list[Any], exponent: int) -> list[Any]:
    if len(base) * exponent > MAX_NODES:
        raise ValueError(
            f"equation: expected powers that are products of at most {MAX_NODES} nodes, "
            f"found the power {exponent} of {len(base)} nodes"
        )
    return [PRIMITIVES.mapping["mul"]] * (exponent - 1) + base * exponent
