"""Text to tree: a short list of what an equation may hold, and nothing is ever run."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from typing import Any, NoReturn

from deap import gp

from anonopt.masking.equations.primitives import PRIMITIVES, TERMINALS, constant

MAX_LENGTH = 100_000
"""Longest text that is read."""

MAX_NODES = 10_000
"""Largest tree that is read; powers are written out as products."""

SHOWN = 40
"""Characters of a text that errors show."""

_FUNCTIONS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}

_SPACE = re.compile(r"\s", re.ASCII)
_STRANGE = re.compile(r"[^\w .()+*/-]", re.ASCII)


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
    TypeError
        If it is no text.
    ValueError
        If the text holds anything else, which is named with its place, or is too long.

    Examples
    --------
    >>> str(parse_tree("N - 2 * freq_i"))
    'sub(N, mul(2.0, freq_i))'
    >>> parse_tree("N + sqrt(freq_i)")
    Traceback (most recent call last):
    ValueError: equation: expected ... found 'sqrt(freq_i)' at character 5
    """
    if not isinstance(text, str):
        raise TypeError(f"equation: expected a text, found {text!r}")
    if len(text) > MAX_LENGTH:
        raise ValueError(
            f"equation: expected a text of at most {MAX_LENGTH} characters, found {len(text)}"
        )
    # One line of ASCII characters, so that the places of the syntax tree are those of the text.
    line = _SPACE.sub(" ", text)
    if strange := _STRANGE.search(line):
        _refuse(text, strange.start(), strange.end())
    lead = len(line) - len(line.lstrip())
    try:
        nodes = _nodes(_parsed(line[lead:]), text[lead:], lead)
    except SyntaxError as error:
        # Python gives no place where the text ends too early.
        place = (lead + error.offset) if error.offset else len(line) + 1
        raise ValueError(
            f"equation: expected a formula, found {_shown(text)!r} "
            f"({error.msg} at character {place})"
        ) from error
    except (RecursionError, MemoryError) as error:
        raise ValueError(
            f"equation: expected a formula, found {_shown(text)!r} (nested too deeply)"
        ) from error
    return gp.PrimitiveTree(nodes)


def _parsed(line: str) -> ast.expr:
    with warnings.catch_warnings():
        # Python only warns of a number that runs into a word, such as 2if.
        warnings.simplefilter("error", SyntaxWarning)
        warnings.simplefilter("error", DeprecationWarning)
        return ast.parse(line, mode="eval").body


def _nodes(expression: ast.expr, text: str, lead: int) -> list[Any]:
    """Nodes of a tree in prefix order; the text begins after so many characters."""
    match expression:
        case ast.Name(id=name) if name in TERMINALS:
            nodes = [PRIMITIVES.mapping[name]]
        case ast.Constant(value=int() | float() as number) if _is_number(number):
            nodes = [constant(number)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            nodes = [PRIMITIVES.mapping["sub"], constant(0), *_nodes(operand, text, lead)]
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as exponent)) if (
            1 <= exponent <= MAX_NODES and not isinstance(exponent, bool)
        ):
            nodes = _power(_nodes(base, text, lead), exponent)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _FUNCTIONS:
            function = PRIMITIVES.mapping[_FUNCTIONS[type(op)]]
            nodes = [function, *_nodes(left, text, lead), *_nodes(right, text, lead)]
        case _:
            start, end = expression.col_offset, expression.end_col_offset
            _refuse(text, start, end, lead=lead)
    if len(nodes) > MAX_NODES:
        raise ValueError(
            f"equation: expected at most {MAX_NODES} nodes, powers being products, found "
            f"more in {_shown(text)!r}"
        )
    return nodes


def _refuse(text: str, start: int, end: int | None, *, lead: int = 0) -> NoReturn:
    raise ValueError(
        f"equation: expected the terminals {', '.join(TERMINALS)}, numbers, + - * /, "
        f"parentheses and whole powers, found {_shown(text[start:end])!r} "
        f"at character {lead + start + 1}"
    )


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _is_number(number: int | float) -> bool:
    return not isinstance(number, bool) and number <= sys.float_info.max


def _power(base: list[Any], exponent: int) -> list[Any]:
    if len(base) * exponent > MAX_NODES:
        raise ValueError(
            f"equation: expected powers that are products of at most {MAX_NODES} nodes, "
            f"found the power {exponent} of {len(base)} nodes"
        )
    return [PRIMITIVES.mapping["mul"]] * (exponent - 1) + base * exponent
