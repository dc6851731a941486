"""What equations are made of: five terminals and four functions (Mares 2013, Section 4.2.1)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from deap import gp

from anonopt._checks import check_number
from anonopt._typing import FloatArray

Value: TypeAlias = float | FloatArray
"""Value of a subtree in all cells: a scalar, or an array that spans rows, columns or both."""

TERMINALS = ("N", "freq_max", "freq_min", "freq_i", "freq_j")
"""Number of records, largest and smallest frequency of a category, frequency of the row's and of
the column's category."""


def protected_division(numerator: Value, denominator: Value) -> Value:
    """Quotient, and 1 wherever that is not finite (division by zero, overflow).

    Parameters
    ----------
    numerator, denominator : float, or float arrays that broadcast

    Examples
    --------
    >>> protected_division(3.0, 0.0), protected_division(3.0, 2.0)
    (1.0, 1.5)
    >>> protected_division(3.0, np.array([0.0, 2.0]))
    array([1. , 1.5])
    """
    if isinstance(numerator, float) and isinstance(denominator, float):
        ratio = numerator / denominator if denominator != 0 else math.inf
        return ratio if math.isfinite(ratio) else 1.0
    with np.errstate(all="ignore"):
        quotient = np.divide(numerator, denominator)
    finite = np.isfinite(quotient)
    if not finite.all():
        quotient[~finite] = 1.0
    return quotient


FUNCTIONS: MappingProxyType[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": protected_division}
)
"""Function of each inner node, by name; all take two operands."""


def _primitive_set() -> gp.PrimitiveSet:
    primitives = gp.PrimitiveSet("equation", len(TERMINALS))
    primitives.renameArguments(**dict(zip(primitives.arguments, TERMINALS, strict=True)))
    for name in TERMINALS:
        # DEAP renames what a terminal prints, not the terminal.
        primitives.mapping[name].name = name
    for name, function in FUNCTIONS.items():
        primitives.addPrimitive(function, 2, name=name)
    return primitives


PRIMITIVES: gp.PrimitiveSet = _primitive_set()
"""The primitive set of DEAP; its terminals are the arguments of compiled trees. Not changed."""


def constant(value: float) -> gp.Terminal:
    """Terminal of a number, such as simplification and people bring into equations.

    Parameters
    ----------
    value : float
        Finite and at least 0.

    Raises
    ------
    ValueError
        If it is not.
    """
    return gp.Terminal(check_number("value", value, least=0), False, object)


def is_constant(node: Any) -> bool:
    """Whether a node is the terminal of a number."""
    return node.arity == 0 and isinstance(node.value, float)
